/** `npm test` with `--test-name-pattern`. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { cleanEnvironment, temporaryFolder } from "../../service/test/harness/process.ts";

const root = join(import.meta.dirname, "../..");

test("a run of tests by name ends although a suite without such a test keeps something open", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "open.test.mjs");
  writeFileSync(
    path,
    `import { after, suite, test } from "node:test";
    suite("has it", () => { test("passes", () => {}); test("fails", () => { throw new Error("on purpose"); }); });
    suite("has none", async () => {
      const open = setInterval(() => {}, 1000);
      after(() => clearInterval(open));
      test("another", () => {});
    });`,
  );
  const run = (name: string) =>
    spawnSync(
      process.execPath,
      [join(root, "tools/test.ts"), relative(root, path), `--test-name-pattern=${name}`, "--test-reporter=tap"],
      {
        env: cleanEnvironment({ TEST_DATABASE_URL: "postgresql://none.invalid/" }),
        encoding: "utf8",
        timeout: 600_000,
      },
    );
  const passed = run("passes");
  assert.equal(passed.status, 0, passed.stdout + passed.stderr);
  assert.match(passed.stdout, /^# tests 1$/m);
  assert.equal(run("fails").status, 1);
});
