/** Platforms: the sources of answers. */
export type {
  PlatformAnswer,
  AnswerPart,
  AskContext,
  CapturedEvidence,
  Snapshot,
  DraftCard,
  PlatformFailure,
  Outcome,
  Platform,
  PlatformQuestion,
  RawAnswer,
  ReturnedField,
} from "./platform.ts";
export { describeSetUp, setUps, type SetUp } from "./set-up.ts";
export { optionSupport, unsupportedOptions, type OptionSupport } from "./option-support.ts";
export {
  apiPlatform,
  completeUpstream,
  efforts,
  endingWords,
  formsOfResponses,
  isListed,
  keyedUpstream,
  keyOf,
  listModels,
  testKey,
  vendorOf,
  vendors,
  type ApiStep,
  type ModelList,
  type UpstreamFailure,
  type Upstream,
} from "./api/index.ts";
export { modulePlatform, unloadedPlatform } from "./module-platform.ts";
export * from "./web/index.ts";
export { simulatorPlatform } from "./simulator/index.ts";
export { bundledCorpusFolder, samplePlatform, type CorpusProblem, type SamplePlatformOptions } from "./sample/index.ts";
