/** The folder of a browser that something still holds. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeRunFolder } from "../../src/browser/launch-browser.ts";

const isRoot = process.getuid?.() === 0;

test("a folder that cannot be removed rejects nothing, and is removed when the process exits", async (t) => {
  const run = await makeRunFolder();
  const held = join(run.path, "held");
  mkdirSync(held);
  // Permissions do not hold root back, a mounted file system does.
  if (isRoot) {
    try {
      execFileSync("mount", ["-t", "tmpfs", "tmpfs", held], { stdio: "pipe" });
    } catch {
      await run.remove();
      t.skip("root may not mount a file system here");
      return;
    }
  } else {
    writeFileSync(join(held, "file"), "");
    chmodSync(held, 0o500);
  }
  const listeners = new Set(process.listeners("exit"));
  try {
    await run.remove();
    run.removeNow();
    assert.ok(existsSync(held));
  } finally {
    if (isRoot) execFileSync("umount", [held]);
    else chmodSync(held, 0o700);
  }
  const added = process.listeners("exit").filter((listener) => !listeners.has(listener));
  assert.equal(added.length, 1);
  added[0]?.(0);
  assert.equal(existsSync(run.path), false);
});
