export { baselineRuns, detectChange, type ChangeVerdict, type RunMean } from "./change.ts";
export { betaCdf, normalCdf, normalQuantile, tCdf, tQuantile } from "./distributions.ts";
export type {
  ComparedAnswer,
  ComparedCard,
  ItemChange,
  PriceChange,
  RerunNoise,
  TextChange,
} from "./compare-answers.ts";
export { diffAspects, diffRuns, type AspectDiff, type CellDiff, type DiffAspect, type RunDiff } from "./diff-runs.ts";
export {
  estimate,
  runsMin,
  topicsMin,
  type Cell,
  type CellAnswer,
  type Figure,
  type Interval,
  type Scope,
  type TooFew,
} from "./estimate.ts";
export { adjustPValues, discoveries } from "./many-tests.ts";
export { coreAndTail, jaccard, meanOverPairs, rankBiasedOverlap } from "./stability.ts";
