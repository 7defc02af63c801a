/** The commands in README, the tutorial and the command line guide, run as a reader would. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { runDocument } from "../harness/document.ts";

/** Set it to have the pages' outputs written anew from a real run. */
const update = process.env["UPDATE_DOCUMENTS"] === "1";

suite("the commands of the documents print what the documents show", { concurrency: true }, () => {
  for (const path of [
    "README.md",
    "docs/tutorial.md",
    "docs/how-to/command-line.md",
    "docs/how-to/brands.md",
    "docs/how-to/watch-a-brand.md",
    "docs/how-to/first-look.md",
    "docs/how-to/report.md",
  ]) {
    test(path, async () => assert.deepEqual(await runDocument(path, { update }), []));
  }
});
