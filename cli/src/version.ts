import { readFileSync } from "node:fs";

/** Of the package, which stands one folder up from the sources and from what is built. */
export const version = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;
