/** A run of tests that is stopped leaves no program behind. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { suite, test } from "node:test";
import { cleanEnvironment, temporaryFolder } from "../../service/test/harness/process.ts";
import { until } from "../../service/test/harness/wait.ts";

const root = join(import.meta.dirname, "../..");

suite("a run of tests", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`that alone gets ${signal} passes it to the programs that its tests have started`, async () => {
      using folder = temporaryFolder();
      const [path, started, stopped] = ["service.test.mjs", "started", "stopped"].map((name) =>
        join(folder.path, name),
      ) as [string, string, string];
      writeFileSync(
        join(folder.path, "service.mjs"),
        `import { writeFileSync } from "node:fs";
        process.once("${signal}", () => { writeFileSync("stopped", ""); process.exit(); });
        setInterval(() => {}, 1000);
        writeFileSync("started", "");`,
      );
      writeFileSync(
        path,
        `import { spawn } from "node:child_process";
        import { once } from "node:events";
        import { test } from "node:test";
        test("waits for its program", async () => {
          await once(spawn(process.execPath, ["service.mjs"], { cwd: import.meta.dirname }), "exit");
        });`,
      );
      const run = spawn(process.execPath, [join(root, "tools/test.ts"), relative(root, path)], {
        env: cleanEnvironment({ TEST_DATABASE_URL: "postgresql://none.invalid/" }),
        stdio: "ignore",
      });
      const ended = once(run, "exit");
      await until("the program runs", () => existsSync(started));
      run.kill(signal);
      const [code] = (await ended) as [number];
      assert.notEqual(code, 0);
      await until("the program has the signal", () => existsSync(stopped));
    });
  }
});
