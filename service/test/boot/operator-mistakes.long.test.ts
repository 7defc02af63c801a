/** What an operator got wrong is told in a sentence that says what, where and what to do, before anything is made. */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { runCommand, temporaryFolder } from "../harness/process.ts";

const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());
const dataDir = join(folder.path, "data");
/** Nine levels of ten aliases each: a thousand million values. */
const bomb = Array.from({ length: 9 }, (_, n) =>
  n === 0
    ? "a0: &a0 [x,x,x,x,x,x,x,x,x,x]"
    : `a${n}: &a${n} [${Array.from({ length: 10 }, () => `*a${n - 1}`).join(",")}]`,
).join("\n");
const bombFile = join(folder.path, "bomb.yaml");
writeFileSync(bombFile, bomb);

const mistakes: Readonly<Record<string, { environment: Record<string, string>; words?: string[]; says: RegExp }>> = {
  "a database server that is not there": {
    environment: { DATABASE_URL: "postgresql://x:y-secret@127.0.0.1:1/z" },
    says: /^querentd: Can't use the PostgreSQL server at 127\.0\.0\.1:1: nothing listens there\. Start PostgreSQL, or .*DATABASE_URL\. Nothing was started\.\n$/,
  },
  "a range that is none": {
    environment: { QUERENT_EGRESS_ALLOW: "10.0.0.0/99" },
    says: /^querentd: QUERENT_EGRESS_ALLOW has .*"10\.0\.0\.0\/99" is not an address range: write it like .*\n$/,
  },
  "a range that is none, for browsers": {
    environment: { QUERENT_BROWSER_EGRESS_ALLOW: "localhost" },
    says: /^querentd: QUERENT_BROWSER_EGRESS_ALLOW has .*"localhost" is not an address range: write it like .*\n$/,
  },
  "certificates that are not there": {
    environment: { QUERENT_EGRESS_CA: "/nowhere/ca.pem" },
    says: /^querentd: QUERENT_EGRESS_CA names a file that can't be read: \/nowhere\/ca\.pem \(ENOENT\)\. Name a PEM file.*\n$/,
  },
  "a file of platforms that unfolds without end": {
    environment: { QUERENT_CONFIG: bombFile },
    says: /^querentd: QUERENT_CONFIG: \S*bomb\.yaml can't be unfolded \(.*\)\. Write out what its aliases .*\n$/,
  },
  "a recipe that unfolds without end": {
    environment: {},
    words: ["recipe", "check", bombFile],
    says: /bomb\.yaml: can't be unfolded \(.*\)\. Write out what its aliases .*\n$/,
  },
  "a recipe that is recorded over a file": {
    environment: {},
    words: ["recipe", "record", "https://page.example/", "--out", bombFile],
    says: /^querentd: \S*bomb\.yaml exists\. Name another file: nothing is overwritten\.\n$/,
  },
  "a window where there is no display": {
    environment: { DISPLAY: "", WAYLAND_DISPLAY: "" },
    words: ["recipe", "record", "https://page.example/", "--out", join(folder.path, "new.yaml")],
    says: /^querentd: This command shows a browser's window, and there is no display here\. Add --remote .*\n$/,
  },
};

for (const [name, { environment, words = ["serve"], says }] of Object.entries(mistakes)) {
  test(`${name}: one sentence, exit code 1, and nothing is made`, async () => {
    const { code, stderr, stdout } = await runCommand(
      { QUERENT_DATA_DIR: dataDir, QUERENT_PORT: "0", ...environment },
      words,
    );
    assert.match(stderr, says);
    assert.doesNotMatch(stderr + stdout, /\n +at |y-secret/);
    assert.equal(code, 1);
    assert.equal(existsSync(dataDir), false);
  });
}

test("a misspelled option is told as that, and not as the missing option that was meant", async () => {
  const mistyped = await runCommand({ QUERENT_DATA_DIR: dataDir }, ["token", "create", "--acount", "default"]);
  assert.equal(mistyped.code, 2);
  assert.match(mistyped.stderr, /^error: unknown option '--acount'\n\(Did you mean --account\?\)\n/);
  const missing = await runCommand({ QUERENT_DATA_DIR: dataDir }, ["token", "create"]);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /^error: required option '--account <name>' not specified\n/);
  assert.equal(existsSync(dataDir), false);
});
