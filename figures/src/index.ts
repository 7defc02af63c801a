export {
  answerOf,
  probabilityOf,
  entitiesIn,
  sitesIn,
  type Answer,
  type EntityInAnswer,
  type Instrument,
  type ObservedAnswer,
  type CitedSite,
  type ObservedSource,
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
export { bridge, pairsMin, type BridgedFigure, type BridgeTooFew, type BridgeUnit } from "./bridge.ts";
export { baselineRuns, detectChange, type ChangeVerdict, type RunMean } from "./change.ts";
export {
  collectSeries,
  instrumentKey,
  startSeries,
  type CellDay,
  type ChangeSeries,
  type InstrumentDays,
  type PanelSeries,
} from "./change-series.ts";
export {
  computeFigures,
  figuresFrom,
  figureSteps,
  type FigureRequest,
  type FigureRow,
  type InstrumentFigures,
} from "./compute-figures.ts";
export { betaCdf, normalCdf, normalQuantile, tCdf, tQuantile } from "./distributions.ts";
export type { ComparedAnswer, ComparedCard, ItemChange, PriceChange, TextChange } from "./compare-answers.ts";
export { diffAspects, diffRuns, type AspectDiff, type CellDiff, type DiffAspect, type RunDiff } from "./diff-runs.ts";
export {
  missingToBound,
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
export { failedTaskOf, type FailedTask } from "./failed-task.ts";
export {
  judgeChanges,
  judgeInSteps,
  type FoundChange,
  type SeriesVerdict,
  type SmallestChange,
} from "./judge-changes.ts";
export { adjustPValues, discoveries } from "./many-tests.ts";
export {
  measureIds,
  measureOf,
  measures,
  readsFailures,
  readsMentions,
  readsSources,
  type Measure,
  type MeasureId,
} from "./measures.ts";
export { measuredCells, type MeasuredCells } from "./measured-cells.ts";
export type { PanelDefinition, PanelEntity, PanelPromptDefinition } from "./panel-definition.ts";
export { hasBounds } from "./read-cells.ts";
export { readings, subjectOf, type LeftOut } from "./readings.ts";
export { plan, type Plan, type PlanDesign, type PlanRequest } from "./plan.ts";
export { findSegments, type InstrumentDay, type Seam, type Segment } from "./segments.ts";
export { coreAndTail, jaccard, meanOverPairs, rankBiasedOverlap } from "./stability.ts";
export type { FigureGroup, FigureReason, RerunNoise } from "@querent/contract";
export type { Bounds, StatedFigure } from "./state-figures.ts";
export { firstDifference } from "./compare-reports.ts";
export {
  failuresToWarn,
  gradeLevels,
  gradeRules,
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
