/** The programs of docs/how-to/client.md, run as they stand. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { promisify } from "node:util";
import { cleanEnvironment } from "../../service/test/harness/process.ts";
import { startTestService } from "../../service/test/harness/service.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/how-to/client.md"), "utf8");
const programs = [...page.matchAll(/^## (.*)$|^```ts\n([\s\S]*?)^```$/gm)].reduce<{ title: string; code: string }[]>(
  (found, [, title, code]) => {
    if (title !== undefined) return [...found, { title, code: "" }];
    const last = found.at(-1);
    return [...found, { title: last?.title ?? "", code: code ?? "" }];
  },
  [],
);
const service = await startTestService();

/** What each prints, by the section that it stands in. */
const printed: Readonly<Record<string, RegExp>> = {
  "Ask and wait": /grind|100 %\nbeans completed\nnull completed\n$/,
  "Submit thousands of questions and resume after a crash":
    /^0 500 \S+ false\n500 500 \S+ false\n1000 200 \S+ false\n$/,
  "Follow the feed": /^\S{36} completed\n\S+\n$/,
  "Receive notifications": /^401\n$/,
};

suite("the guide to the client", () => {
  for (const { title, code } of programs.filter((program) => program.code !== "")) {
    test(title, async () => {
      const { token } = await service.account();
      const words = ["--disable-warning=ExperimentalWarning", "--input-type=module-typescript", "-e", code];
      const { stdout } = await promisify(execFile)(process.execPath, words, {
        cwd: root,
        env: cleanEnvironment({ QUERENT_URL: service.address, QUERENT_TOKEN: token }),
        timeout: 600_000,
      });
      assert.match(stdout, printed[title] ?? /^$/);
    });
  }

  test("has a program for each kind of use", () =>
    assert.deepEqual(
      new Set(programs.filter(({ code }) => code !== "").map(({ title }) => title)),
      new Set(Object.keys(printed)),
    ));
});
