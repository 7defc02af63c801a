import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import type { TestContext } from "node:test";
import { temporaryFolder } from "./process.ts";
import { until } from "./wait.ts";

/** Why no small file system can be mounted here, or false. */
export function whyNoSmallDisk(): string | false {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs root on Linux, for a small file system";
  using folder = temporaryFolder();
  try {
    mount(folder.path, "1m");
    execFileSync("umount", [folder.path], { stdio: "ignore" });
    return false;
  } catch {
    return "no file system can be mounted here";
  }
}

/**
 * A file system of a fixed size, such as `220m`, that is removed after the test. Whatever uses it is stopped before, by
 * `t.after` or `using`; PostgreSQL's collector of its log ends only after the server, and is waited for.
 */
export function smallDisk(t: TestContext, size: string): string {
  const folder = temporaryFolder();
  mount(folder.path, size);
  t.after(async () => {
    await until(`nothing to use ${folder.path}`, () => isUnmounted(folder.path));
    folder[Symbol.dispose]();
  });
  return folder.path;
}

/** Whether it could be unmounted; false while something uses it. */
function isUnmounted(folder: string): boolean {
  const { status, stderr } = spawnSync("umount", [folder], { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
  assert.ok(status === 0 || /target is busy/.test(stderr), stderr);
  return status === 0;
}

function mount(folder: string, size: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=0755`, "tmpfs", folder], { stdio: "ignore" });
}
