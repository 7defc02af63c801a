/** docs/reliability.md names tests that exist. */
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
    ({ file, name }) => !existsSync(join(root, file)) || !isTitle(readFileSync(join(root, file), "utf8"), name),
  );
  assert.deepEqual(missing, []);
  assert.deepEqual(
    named.filter(({ name }) => name.includes("${")),
    [],
    "titles with code in them",
  );
  const bullets = text.split("\n").filter((line) => line.startsWith("- "));
  assert.equal(bullets.length, named.length, "every line of a list names a test");
});

/** A test that is run once for each of several variants names the variant at its end: `(${variant})`. */
function isTitle(code: string, title: string): boolean {
  return [`"${title}"`, `\`${title}\``, `\`${title} (\${`].some((literal) => code.includes(literal));
}
