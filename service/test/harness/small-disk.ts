import { execFileSync } from "node:child_process";
import type { TestContext } from "node:test";
import { temporaryFolder } from "./process.ts";

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
 * `t.after` or `using`.
 */
export function smallDisk(t: TestContext, size: string): string {
  const folder = temporaryFolder();
  mount(folder.path, size);
  t.after(() => {
    execFileSync("umount", [folder.path]);
    folder[Symbol.dispose]();
  });
  return folder.path;
}

function mount(folder: string, size: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=0755`, "tmpfs", folder], { stdio: "ignore" });
}
