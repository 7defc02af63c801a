/** Exported types have names of their own. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");

test("no two exported types of the service have the same name", () => {
  const exported = globSync("service/src/**/*.ts", { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm)].map(
      ([, name = ""]) => ({ name, file }),
    ),
  );
  const byName = Map.groupBy(exported, ({ name }) => name);
  const shared = [...byName].filter(([, uses]) => uses.length > 1);
  assert.deepEqual(
    shared.map(([name, uses]) => `${name}: ${uses.map(({ file }) => file).join(", ")}`),
    [],
  );
});
