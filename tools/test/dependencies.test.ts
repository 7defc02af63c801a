/** docs/dependencies.md lists what the packages depend on. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";

const root = join(import.meta.dirname, "../..");
const page = "docs/dependencies.md";

suite(page, () => {
  /** The packages in the first column of the page's tables. */
  const listed = readFileSync(join(root, page), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));

  test("it lists each package once", () => {
    assert.deepEqual(
      listed.filter((name, index) => listed.indexOf(name) !== index),
      [],
    );
  });

  test("it lists what the package.json files depend on, and nothing else", () => {
    assert.deepEqual(listed.toSorted(), [...dependencies()].toSorted());
  });
});

function dependencies(): Set<string> {
  const files = globSync("**/package.json", { cwd: root, exclude: ["**/node_modules/**", "data/**"] });
  assert.ok(files.includes("package.json") && files.includes("service/package.json"));
  const names = files.flatMap((file) => {
    const content = JSON.parse(readFileSync(join(root, file), "utf8")) as Record<string, unknown>;
    return ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"].flatMap((kind) =>
      Object.keys((content[kind] as Record<string, string> | undefined) ?? {}),
    );
  });
  return new Set(names.filter((name) => !name.startsWith("@querent/")));
}
