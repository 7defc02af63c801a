/** The policy for migrations, with an example of each rule in `policy`. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { violationsOf } from "./migration-policy.ts";

/**
 * The first migration of the next version, which is installed while this one runs. The upgrade to this version needs a stop, and
 * its migrations are older.
 */
const firstOfNextVersion = 13;

const folder = join(import.meta.dirname, "../../src/db/migrations");
const filesOf = (path: string) => readdirSync(path).filter((name) => /^\d{4}_\w+\.sql$/.test(name));

/** The migrations that the recorded databases of released versions name. */
const released = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".sql"))
  .flatMap((name) => readFileSync(join(import.meta.dirname, name), "utf8").match(/(?<=')\d{4}_\w+\.sql(?=')/g) ?? []);

test("every migration from the next version on can run beside the version before", () => {
  const found = filesOf(folder)
    .filter((name) => Number.parseInt(name, 10) >= firstOfNextVersion)
    .flatMap((name) =>
      violationsOf(name, readFileSync(join(folder, name), "utf8"), released).map(
        (violation) => `${name}: ${violation}`,
      ),
    );
  assert.deepEqual(found, []);
});

for (const name of filesOf(join(import.meta.dirname, "policy/good")))
  test(`the policy accepts ${name}`, () => {
    const sql = readFileSync(join(import.meta.dirname, "policy/good", name), "utf8");
    assert.deepEqual(violationsOf(name, sql, ["0001_initial.sql"]), []);
  });

// Each states in its last line what is wrong with it.
for (const name of filesOf(join(import.meta.dirname, "policy/bad")))
  test(`the policy refuses ${name}`, () => {
    const sql = readFileSync(join(import.meta.dirname, "policy/bad", name), "utf8");
    const wrong = /^-- Wrong: (.+)$/m.exec(sql)?.[1];
    assert.ok(wrong, "it says what is wrong with it");
    const found = violationsOf(name, sql, ["0001_initial.sql"]);
    assert.equal(found.length, 1, found.join("\n"));
    assert.ok(found[0]?.includes(wrong), found[0]);
  });
