import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/app/config.ts";

test("an access token that could be guessed is refused, with the command that makes a good one", () => {
  assert.throws(
    () => readConfig({ QUERENT_ACCESS_TOKEN: "x".repeat(21) }),
    /22 to 512 characters.*openssl rand -hex 32/,
  );
  assert.equal(readConfig({ QUERENT_ACCESS_TOKEN: "x".repeat(22) }).accessToken, "x".repeat(22));
});
