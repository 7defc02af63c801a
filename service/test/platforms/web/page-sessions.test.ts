import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { webPlatform } from "../../../src/platforms/web/web-platform.ts";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";

const recipe = parseRecipe(`
recipe: 1
name: Page with a session
version: 1
verified: false
entry: https://example.com/?q={question}
turn: { each: main }
complete: { done: main }
session: { storageState: session.json }
`);

test("a platform whose session file is missing or damaged says so, without its contents, until the file is replaced", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "session-file-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "session.json");
  const platform = webPlatform({
    code: "page",
    loaded: { recipe, sha256: "0".repeat(64), storageState: file, file: "" },
    pool: { withContext: () => Promise.reject(new Error("asks nothing")) },
    missing: null,
  });
  assert.match(platform.missing ?? "", /is not there/);
  for (const [content, fault] of [
    ['{"cookies": [{"name": "sid", "value": "s3cret"', /is not valid JSON/],
    ["", /is not valid JSON/],
    ["null", /contains no session/],
    ['["s3cret"]', /contains no session/],
    ['{"cookies": "s3cret"}', /contains no session/],
    ['{"cookies": [{"value": "s3cret-of-no-name"}]}', /contains no session/],
    ['{"origins": [null]}', /contains no session/],
  ] as const) {
    writeFileSync(file, content);
    assert.match(platform.missing ?? "", fault, content);
    assert.doesNotMatch(platform.missing ?? "", /s3cret/);
  }
  truncateSync(file, 16 * 1024 * 1024 + 1);
  assert.match(platform.missing ?? "", /is larger than/);
  rmSync(file);
  mkdirSync(file);
  assert.match(platform.missing ?? "", /can't be read \(EISDIR\)/);
  rmSync(file, { recursive: true });
  writeFileSync(file, '{"cookies": [{"name": "sid", "value": "s3cret"}], "origins": []}');
  assert.equal(platform.missing, null);
});
