export {
  adsIn,
  answerOf,
  probabilityOf,
  productsIn,
  entitiesIn,
  entitiesWithin,
  sitesIn,
  type AdInAnswer,
  type Answer,
  type EntityInAnswer,
  type Instrument,
  type AnswerRecord,
  type CitedSite,
  type AnswerCard,
  type AnswerSource,
} from "./answer.ts";
export {
  expectedOf,
  probabilitiesOf,
  sequentialFigure,
  waveRate,
  wavesMin,
  type AskedCell,
  type SequentialFigure,
  type WaveCell,
} from "./ask-as-needed.ts";
export { expectWaves, type ExpectedWaves } from "./expect-waves.ts";
export { drawWave, readWaves, waveShareMin, type ReadWaves, type WaveTask } from "./waves.ts";
export { bridge, pairsMin, type BridgedEstimate, type BridgeTooFew, type BridgeUnit } from "./bridge.ts";
export { baselineRuns, dateChange, evidenceOf, type Dating, type Evidence, type RunMean } from "./change.ts";
export {
  aboutSubject,
  countWatched,
  collectSeries,
  instrumentKey,
  namesOf,
  sitesWatched,
  startSeries,
  watchedSites,
  type CellDay,
  type ChangeSeries,
  type InstrumentDays,
  type PanelSeries,
  type SeriesSubject,
} from "./change-series.ts";
export { computeFigures, figuresFrom, figureSteps, type FigureRequest } from "./compute-figures.ts";
export { betaCdf, normalCdf, normalQuantile, tCdf, tQuantile } from "./distributions.ts";
export {
  compareArms,
  type Arm,
  type ArmComparison,
  type ArmDifference,
  type ArmTooFew,
  type ArmValue,
  type ComparedSubject,
} from "./compare-arms.ts";
export type { ComparedAnswer, ComparedCard, ItemChange, PriceChange, TextChange } from "./compare-answers.ts";
export { diffAspects, diffRuns, type AspectDiff, type CellDiff, type DiffAspect, type RunDiff } from "./diff-runs.ts";
export {
  missingToBound,
  estimate,
  runsMin,
  topicsMin,
  type EstimatedFigure,
  type Interval,
  type IntervalScope,
  type TooFew,
} from "./estimate.ts";
export { failedTaskOf, type FailedTask } from "./failed-task.ts";
export {
  judgeChanges,
  judgeInSteps,
  thresholdAmong,
  type ChangeShape,
  type FormerChange,
  type JudgedChange,
  type SeriesJudgement,
  type SmallestChange,
} from "./judge-changes.ts";
export { adjustPValues, discoveries } from "./many-tests.ts";
export {
  measureIds,
  measureOf,
  measures,
  readsAds,
  readsFailures,
  readsMentions,
  readsProducts,
  readsSources,
} from "./measures.ts";
export { measuredCells, type MeasuredCells } from "./measured-cells.ts";
export type {
  AskedRevision,
  FormerPrompt,
  PanelDefinition,
  PanelEntity,
  PanelPromptDefinition,
} from "./panel-definition.ts";
export { comparableAnswers, promptIdOf, sameWordings } from "./panel-history.ts";
export { hasBounds } from "./read-cells.ts";
export { readings, subjectOf, type LeftOut } from "./readings.ts";
export { plan, type Plan, type PlannedDesign, type WantedPrecision } from "./plan.ts";
export { runsBefore, smallestFound } from "./plan-change.ts";
export { findSegments, type InstrumentDay, type Seam, type Segment } from "./segments.ts";
export { priceSeries, type PriceChoice, type ShownOffer } from "./shown-prices.ts";
export { searchRows, type SearchChoice, type SearchingAnswer } from "./shown-searches.ts";
export { comparedPairs, type ComparedPair, type PairMeasure } from "./compared-pairs.ts";
export { coreAndTail, jaccard, meanOverPairs, rankBiasedOverlap } from "./stability.ts";
export type { FigureGroup, FigureReason, Measure, MeasureId, RerunNoise } from "@querent/contract";
export type { Bounds, StatedFigure } from "./state-figures.ts";
export { firstDifference } from "./compare-reports.ts";
export {
  failuresToWarn,
  gradeLevels,
  gradeRules,
  type RuleId,
  type Grade,
  type GradeLevel,
  type GradeRule,
  type SealState,
} from "./grade.ts";
export {
  makeReport,
  reportFormat,
  reportSteps,
  type Report,
  type ReportFacts,
  type ReportRow,
  type RevisionFacts,
} from "./report.ts";
export {
  reportedChangesMax,
  type ChangeBasis,
  type FoundFacts,
  type Recomputed,
  type ReportChange,
} from "./report-changes.ts";
export type { Series, SeriesPoint } from "./report-series.ts";
export type { SurfaceSources } from "./report-sources.ts";
export type { ReportSurface } from "./surfaces.ts";
export { pilotCellsMin, pilotRunsMin, varianceComponents, type VarianceComponents } from "./variance-components.ts";
export { plausibleVariance, type RunNoise } from "./run-models.ts";
export type { ComputedRow, InstrumentFigures } from "./figure-rows.ts";
export type { Cell, CellAnswer } from "./sample.ts";
