/** The pod, the Compose files and the systemd units: valid, and true of this version. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { parseAllDocuments } from "yaml";
import { variables } from "../../service/src/app/config/variables.ts";
import service from "../../service/package.json" with { type: "json" };
import { validateObject, type KubernetesObject } from "./validate-object.ts";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "querent-deploy-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const files = [
  "compose.yaml",
  "compose.embedded.yaml",
  "kubernetes/pod.yaml",
  "systemd/querent.service",
  "systemd/querent@.service",
];
const read = (file: string) => readFileSync(join(root, file), "utf8");
const has = (program: string, ...words: readonly string[]) => spawnSync(program, words).status === 0;

test("the pod and what it needs are valid for Kubernetes", () => {
  for (const document of parseAllDocuments(read("kubernetes/pod.yaml"))) {
    const object = document.toJS() as KubernetesObject;
    assert.deepEqual(validateObject(object), [], `${object.kind} ${object.metadata.name}`);
  }
});

test("every variable is one of the service, and every secret may come from a file", () => {
  const names = Object.values(variables).flatMap((variable) =>
    "secret" in variable ? [variable.name, `${variable.name}_FILE`] : [variable.name],
  );
  for (const file of files)
    for (const [name] of read(file).matchAll(/\b(QUERENT_[A-Z0-9_]+|DATABASE_URL(_FILE)?)\b/g))
      // QUERENT_IMAGE is for Compose itself: the image to run.
      if (name !== "QUERENT_IMAGE") assert.ok(names.includes(name), `${file}: ${name}`);
});

test("every file names the image of this version", () => {
  for (const file of files)
    for (const [, version] of read(file).matchAll(/\bquerent:(\d+\.\d+\.\d+)/g))
      assert.equal(version, service.version, file);
});

const compose = [["docker", "compose"], ["docker-compose"]].find(([program = "", ...words]) =>
  has(program, ...words, "version"),
);

test("Compose accepts its files", { skip: compose === undefined && "Docker Compose is not installed" }, () => {
  cpSync(root, join(folder, "deploy"), { recursive: true, filter: (path) => !path.endsWith("/secrets") });
  assert.equal(spawnSync(join(folder, "deploy/make-secrets")).status, 0);
  const secrets = readdirSync(join(folder, "deploy/secrets"));
  assert.deepEqual(secrets.toSorted(), ["access-token", "database-url", "master-key", "postgres-password"]);
  const [program = "", ...words] = compose ?? [];
  for (const file of ["compose.yaml", "compose.embedded.yaml"]) {
    const { status, stderr } = spawnSync(program, [...words, "-f", join(folder, "deploy", file), "config", "-q"], {
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
  }
});

test("systemd accepts the units", { skip: !has("systemd-analyze", "--version") && "systemd is not installed" }, () => {
  for (const unit of ["querent.service", "querent@.service"])
    writeFileSync(join(folder, unit), read(`systemd/${unit}`).replaceAll("/usr/local/bin/querentd", "/bin/true"));
  for (const unit of ["querent.service", "querent@worker.service"]) {
    const { stderr } = spawnSync("systemd-analyze", ["verify", join(folder, unit)], { encoding: "utf8" });
    // Other units of the machine may have faults.
    assert.deepEqual(
      stderr.split("\n").filter((line) => line.includes(`${folder}/`)),
      [],
    );
  }
});
