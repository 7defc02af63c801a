#!/usr/bin/env node
/** `querentd` of the published package: runs what was built, with the flags that the service needs. */
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(
    `querentd needs Node 24 or newer, and this is Node ${major}.${minor}. Install Node 24 from https://nodejs.org, then run: npm install --global @querent/service`,
  );
  process.exit(1);
}
process.removeAllListeners("warning");
process.execve(
  process.execPath,
  [
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    "--max-semi-space-size=64",
    "--import",
    new URL("signals-once.mjs", import.meta.url).href,
    fileURLToPath(new URL("../dist/main.js", import.meta.url)),
    ...process.argv.slice(2),
  ],
  process.env,
);
