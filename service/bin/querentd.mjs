#!/usr/bin/env node
/** `querentd`, installed as a command: what `npm run querentd --` does in a checkout. */
import { fileURLToPath } from "node:url";
import { run } from "../../tools/run.mjs";

await run(["--quiet", fileURLToPath(new URL("../src/main.ts", import.meta.url)), ...process.argv.slice(2)]);
