/** docs/explain/architecture.md and the READMEs of the rooms name what is in the code. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");
const page = "docs/explain/architecture.md";

test("every function, class and constant that the tour of the code names is exported by a source", () => {
  const text = readFileSync(join(root, page), "utf8");
  // In camel case: names of files, tables and commands have other characters or none in upper case.
  const named = new Set(
    [...text.matchAll(/`([A-Za-z]*[a-z][A-Z][A-Za-z]*|[A-Z][a-z]+)`/g)].map(([, name = ""]) => name),
  );
  assert.ok(named.size > 20);
  const sources = globSync("{contract,figures,service}/src/**/*.ts", { cwd: root });
  const exported = new Set(
    sources.flatMap((file) =>
      [
        ...readFileSync(join(root, file), "utf8").matchAll(/^export (?:async )?(?:function\*?|class|const) (\w+)/gm),
      ].map(([, name = ""]) => name),
    ),
  );
  assert.deepEqual(
    [...named].filter((name) => !exported.has(name)),
    [],
    `${page} names what is no longer there`,
  );
});

test("every file that a room's README names stands in that room", () => {
  for (const readme of globSync("service/src/**/README.md", { cwd: root })) {
    const room = dirname(readme);
    const named = readFileSync(join(root, readme), "utf8").matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|mjs))`/g);
    const missing = [...named]
      .map(([, name = ""]) => name)
      .filter((name) => globSync(`${room}/**/${name}`, { cwd: root }).length === 0)
      .filter((name) => globSync([`service/test/**/${name}`, `service/src/${name}`], { cwd: root }).length === 0);
    assert.deepEqual(missing, [], `${readme} names what is no longer there`);
  }
});
