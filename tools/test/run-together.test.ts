import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { cleanEnvironment, temporaryFolder } from "../../service/test/harness/process.ts";

const tools = join(import.meta.dirname, "..");

test("files that share a process run one after the other, each when it is loaded whole, and with its own hooks", () => {
  using folder = temporaryFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), `import { after, beforeEach, suite, test } from "node:test";\n${text}`);
    return relative(join(tools, ".."), join(folder.path, name));
  };
  const files = [
    file(
      "first.test.mjs",
      `const told = (globalThis.told = []);
      test("alone", () => told.push(later));
      suite("together", () => void test("in it", async () => told.push(await later)));
      beforeEach(() => told.push("before each"));
      after(() => told.push("after"));
      await null;
      const later = "test";`,
    ),
    file(
      "second.test.mjs",
      `const told = globalThis.told.splice(0).join();
      test("sees what the first left", () => {
        if (told !== "before each,test,before each,test,after") throw new Error("a test was lost: " + told);
        if (globalThis.told.length > 0) throw new Error("a hook of the first file: " + globalThis.told);
      });
      test("fails", () => { throw new Error("on purpose"); });`,
    ),
  ];
  const group = join(folder.path, "x.group.mjs");
  writeFileSync(
    group,
    `import { runTogether } from ${JSON.stringify(join(tools, "run-together.ts"))};\nrunTogether(${JSON.stringify(files)});\n`,
  );
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      ...["--import", join(tools, "before-each-file.ts"), "--test", "--test-reporter=spec"],
      ...["--test-reporter-destination=stdout", `--test-reporter=${join(tools, "slowest.ts")}`],
      ...["--test-reporter-destination=stdout", group],
    ],
    { env: cleanEnvironment({ TEST_FILE_TIMEOUT_MS: "600000" }), encoding: "utf8" },
  );
  assert.equal(status, 1, stdout);
  assert.match(stdout, /✔ in it .*✔ sees what the first left .*✖ fails /s);
  assert.match(stdout, /^test at \S*second\.test\.mjs:\d+:\d+\n✖ fails /m, "a failure is told of its file");
  assert.match(stdout, /Slowest files, in seconds\n(.* \S*(first|second)\.test\.mjs\n){2}$/);
});
