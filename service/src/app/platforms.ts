import { systemClock } from "../kernel/clock.ts";
import {
  apiPlatform,
  bundledCorpusFolder,
  modulePlatform,
  samplePlatform,
  simulatorPlatform,
  type ApiStep,
  type CorpusProblem,
  type Platform,
  type UpstreamFailure,
} from "../platforms/index.ts";
import { ConfigError, type Config } from "./config.ts";
import type { PlatformSettings } from "./platform-settings.ts";

export interface PlatformDeps {
  readonly config: Config;
  readonly settings: ReadonlyMap<string, PlatformSettings>;
  /** Where the keys are, by the names that the settings give. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onSampleProblem: (problem: CorpusProblem) => void;
  readonly onApiStep?: (step: ApiStep) => void;
  readonly onUpstreamFailed?: (failure: UpstreamFailure) => void;
}

/** Every platform that is enabled, in the order in which they are listed. */
export async function createPlatforms(deps: PlatformDeps): Promise<readonly Platform[]> {
  return Promise.all([...deps.settings].map(([code, settings]) => createPlatform(code, settings, deps)));
}

async function createPlatform(code: string, { api, module }: PlatformSettings, deps: PlatformDeps): Promise<Platform> {
  const { config, environment, onSampleProblem, onApiStep: onStep, onUpstreamFailed } = deps;
  if (code === "sample") {
    return samplePlatform({ folder: config.sampleDir ?? bundledCorpusFolder, onProblem: onSampleProblem });
  }
  if (code === "simulator") return simulatorPlatform();
  if (api !== null) return apiPlatform({ ...api, code, environment, clock: systemClock, onStep, onUpstreamFailed });
  try {
    return await modulePlatform(module ?? "", { code, environment });
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error)]);
  }
}
