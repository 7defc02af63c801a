import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");

test("every test that docs/reliability.md names is there", () => {
  const text = readFileSync(join(root, "docs/reliability.md"), "utf8");
  const named = [...text.matchAll(/^- `(\S+\.test\.ts)`: (.+)$/gm)].map(([, file = "", name = ""]) => ({ file, name }));
  assert.ok(named.length > 40);
  const missing = named.filter(
    ({ file, name }) =>
      !existsSync(join(root, file)) ||
      !['"', "`"].some((quote) => readFileSync(join(root, file), "utf8").includes(`${quote}${name}${quote}`)),
  );
  assert.deepEqual(missing, []);
  const bullets = text.split("\n").filter((line) => line.startsWith("- "));
  assert.equal(bullets.length, named.length, "every line of a list names a test");
});
