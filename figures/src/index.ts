export { baselineRuns, detectChange, type ChangeVerdict, type RunMean } from "./change.ts";
export { betaCdf, normalCdf, normalQuantile, tCdf, tQuantile } from "./distributions.ts";
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
