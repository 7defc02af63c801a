export {
  answerOf,
  entitiesIn,
  sourcesIn,
  type Answer,
  type EntityInAnswer,
  type Instrument,
  type ObservedAnswer,
  type SourceInAnswer,
} from "./answer.ts";
export { baselineRuns, detectChange, type ChangeVerdict, type RunMean } from "./change.ts";
export {
  collectSeries,
  startSeries,
  type CellDay,
  type ChangeSeries,
  type InstrumentDays,
  type PanelSeries,
} from "./change-series.ts";
export {
  computeFigures,
  figuresFrom,
  type FigureGroup,
  type FigureRequest,
  type FigureRow,
} from "./compute-figures.ts";
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
export { judgeChanges, type FoundChange, type SeriesVerdict, type SmallestChange } from "./judge-changes.ts";
export { adjustPValues, discoveries } from "./many-tests.ts";
export { measureIds, measureOf, measures, type Measure, type MeasureId } from "./measures.ts";
export type { PanelDefinition, PanelEntity, PanelPromptDefinition } from "./panel-definition.ts";
export type { LeftOut } from "./readings.ts";
export { findSegments, type InstrumentDay, type Seam, type Segment } from "./segments.ts";
export { coreAndTail, jaccard, meanOverPairs, rankBiasedOverlap } from "./stability.ts";
export type { FigureReason, StatedFigure } from "./state-figures.ts";
