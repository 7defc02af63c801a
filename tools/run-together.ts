/**
 * Runs test files in this process, one after the other, each as one test with the file's name.
 *
 * A file spends up to a second of processor time on its imports, more than most spend on their tests. Files that share a process load what
 * they import once. A file's hooks run when its own tests have ended, as they do in a process of its own.
 */
import { test } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { limitTimeOf } from "./before-each-file.ts";

const root = join(import.meta.dirname, "..");
const timeout = Number(process.env["TEST_FILE_TIMEOUT_MS"]);

/** `files`: paths relative to the repository. */
export function runTogether(files: readonly string[]): void {
  for (const file of files) {
    test(file, { timeout }, async (t) => {
      limitTimeOf(file);
      const loaded = import(pathToFileURL(join(root, file)).href);
      // Its tests start when the whole file is loaded, as they do in a process of its own.
      t.before(() => loaded);
      await loaded;
    });
  }
}
