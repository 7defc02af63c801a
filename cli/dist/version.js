import { readFileSync } from "node:fs";
/** The version of the package, whose folder contains both the sources and the build. */
export const version = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
