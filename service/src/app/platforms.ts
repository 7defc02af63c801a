import {
  bundledCorpusFolder,
  samplePlatform,
  simulatorPlatform,
  type CorpusProblem,
  type Platform,
} from "../platforms/index.ts";
import type { Config } from "./config.ts";

/** Every platform that this code knows, in the order in which they are listed; whether it is offered is the settings' matter. */
export async function createPlatforms(
  config: Config,
  onSampleProblem: (problem: CorpusProblem) => void,
): Promise<readonly Platform[]> {
  const folder = config.sampleDir ?? bundledCorpusFolder;
  return [await samplePlatform({ folder, onProblem: onSampleProblem }), simulatorPlatform()];
}
