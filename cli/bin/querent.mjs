#!/usr/bin/env node
/** `querent`, in a checkout: runs the sources. What is published runs `dist/main.js`. */
import { fileURLToPath } from "node:url";
import { run } from "../../tools/run.mjs";

await run(["--quiet", fileURLToPath(new URL("../src/main.ts", import.meta.url)), ...process.argv.slice(2)]);
