import { fileURLToPath } from "node:url";

export type { CorpusProblem } from "./corpus.ts";
export { samplePlatform, type SamplePlatformOptions } from "./sample-platform.ts";

/** The documents included with the service. */
export const bundledCorpusFolder = fileURLToPath(new URL("../../../sample-corpus", import.meta.url));
