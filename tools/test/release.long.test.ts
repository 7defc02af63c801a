/** The files of a release. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findHelm } from "../../deploy/test/helm.ts";
import { temporaryFolder } from "../../service/test/harness/process.ts";

const root = join(import.meta.dirname, "../..");
const helm = findHelm();

test(
  "they are the packages, the chart and what the service contains, with their digests",
  { skip: "why" in helm && helm.why },
  () => {
    using folder = temporaryFolder();
    const { status, stderr } = spawnSync(
      process.execPath,
      ["tools/run.mjs", "--dev", "tools/release.ts", folder.path],
      {
        cwd: root,
        encoding: "utf8",
      },
    );
    assert.equal(status, 0, stderr);
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    const names = readdirSync(folder.path).toSorted();
    assert.deepEqual(names, [
      "SHA256SUMS",
      `querent-${version}.tgz`,
      ...["cli", "client", "evidence"].map((name) => `querent-${name}-${version}.tgz`),
      `querent-service-${version}.cdx.json`,
      `querent-service-${version}.tgz`,
    ]);
    const sums = readFileSync(join(folder.path, "SHA256SUMS"), "utf8").trim().split("\n");
    assert.deepEqual(
      sums.map((line) => line.split("  ")),
      names
        .filter((name) => name !== "SHA256SUMS")
        .map((name) => [
          createHash("sha256")
            .update(readFileSync(join(folder.path, name)))
            .digest("hex"),
          name,
        ]),
    );

    interface Bill {
      readonly bomFormat: string;
      readonly components: readonly { name: string; version: string }[];
    }
    const bill = JSON.parse(readFileSync(join(folder.path, `querent-service-${version}.cdx.json`), "utf8")) as Bill;
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
      packages: Record<string, { version: string }>;
    };
    assert.equal(bill.bomFormat, "CycloneDX");
    for (const name of ["fastify", "pg", "playwright-core"])
      assert.ok(
        bill.components.some(
          (one) => one.name === name && one.version === lock.packages[`node_modules/${name}`]?.version,
        ),
        name,
      );
    for (const name of ["fast-check", "oxlint"]) assert.ok(!bill.components.some((one) => one.name === name), name);
  },
);
