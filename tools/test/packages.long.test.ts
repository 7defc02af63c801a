/** The packages as their users get them: packed, judged, installed into an empty folder, and used. */
import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { startTestService } from "../../service/test/harness/service.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "querent-packages-"));
after(() => rmSync(folder, { recursive: true, force: true }));
// The command prints the path of each package that it makes.
const packed = execFileSync(process.execPath, [join(root, "tools/packages.ts"), folder], { encoding: "utf8" });
const [client = "", evidence = "", cli = "", packedService = ""] = packed.trim().split("\n");
const service = await startTestService();

suite("the packed client", () => {
  test("publint has nothing to say", async () => {
    const data = Uint8Array.from(readFileSync(client)).buffer;
    const { messages } = await publint({ pack: { tarball: data }, strict: true });
    assert.deepEqual(messages, []);
  });

  test("its types are found, and are right, from ES modules", async () => {
    const checked = await checkPackage(createPackageFromTarballData(Uint8Array.from(readFileSync(client))));
    assert.ok(checked.types !== false);
    // It is ESM alone, as Node 22 can require: other than that nothing may be found.
    const problems = checked.problems.filter(
      (problem) => !("resolutionKind" in problem && ["node10", "node16-cjs"].includes(problem.resolutionKind)),
    );
    assert.deepEqual(problems, []);
  });

  test("it depends on nothing", () => {
    assert.deepEqual(
      Object.keys(manifestOf(client)).filter((key) => /dependencies$/i.test(key)),
      [],
    );
  });

  test("in an empty project it type-checks without Node's types, and asks a service", async () => {
    const project = projectWith([client], []);
    writeFileSync(
      join(project, "ask.mts"),
      `import { mergeCards, Querent, webhooks, type TaskRecord } from "@querent/client";
       declare const process: { argv: string[]; stdout: { write(text: string): void } };
       const querent = new Querent({ url: process.argv[2] ?? "", token: process.argv[3] ?? "" });
       const task: TaskRecord = await querent.tasks.ask({ question: "cards=product,video", platformCode: "simulator" });
       const signed: string = await webhooks.sign("{}", "whsec_x");
       process.stdout.write([task.state, mergeCards(task).length, signed.length].join(" "));`,
    );
    const words = [
      "--strict",
      "--target",
      "es2023",
      "--lib",
      "es2023,dom",
      "--module",
      "nodenext",
      "--types",
      "",
      "--skipLibCheck",
      "false",
    ];
    const compiler = realpathSync(join(root, "node_modules/.bin/tsc"));
    const checked = spawnSync(process.execPath, [compiler, ...words, "--ignoreConfig", "ask.mts"], {
      cwd: project,
      encoding: "utf8",
    });
    assert.equal(checked.status, 0, checked.stdout);
    const { token } = await service.account();
    const said = await output(process.execPath, ["ask.mjs", service.address, token], project);
    assert.equal(said, "completed 2 71");
  });
});

for (const [name, tarball] of [
  ["evidence checker", evidence],
  ["command line", cli],
  ["service", packedService],
] as const) {
  test(`publint has nothing to say about the packed ${name}`, async () => {
    const data = Uint8Array.from(readFileSync(tarball)).buffer;
    const { messages } = await publint({ pack: { tarball: data }, strict: true });
    assert.deepEqual(messages, []);
  });
}

suite("the packed command line", () => {
  test("installed into an empty project, it asks a service", async () => {
    const dependencies = Object.keys(manifestOf(cli)["dependencies"] ?? {}).filter(
      (name) => !name.startsWith("@querent/"),
    );
    const project = projectWith([cli], dependencies);
    const program = join(project, "node_modules/@querent/cli/dist/main.js");
    const { token } = await service.account();
    const words = [
      program,
      "--url",
      service.address,
      "--token",
      token,
      "ask",
      "Why?",
      "--platform",
      "simulator",
      "--json",
    ];
    const answer = JSON.parse(await output(process.execPath, words, project)) as { state: string };
    assert.equal(answer.state, "completed");
  });
});

/** What a program prints, while the service in this process goes on. */
async function output(program: string, words: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, words, { cwd, timeout: 600_000 });
  return stdout;
}

function manifestOf(tarball: string): Record<string, unknown> {
  return JSON.parse(execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" })) as Record<
    string,
    unknown
  >;
}

/**
 * An empty project with tarballs unpacked as npm would; what they need beside each other is linked from this checkout, so
 * that the test needs no registry. A package of our own is never linked.
 */
function projectWith(tarballs: readonly string[], dependencies: readonly string[]): string {
  const project = mkdtempSync(join(folder, "project-"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  for (const tarball of tarballs) {
    const name = String(manifestOf(tarball)["name"]);
    const target = join(project, "node_modules", name);
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
  }
  for (const name of dependencies) {
    const target = join(project, "node_modules", name);
    mkdirSync(join(target, ".."), { recursive: true });
    const inside = join(root, "cli/node_modules", name);
    symlinkSync(realpathSync(existsSync(inside) ? inside : join(root, "node_modules", name)), target);
  }
  return project;
}
