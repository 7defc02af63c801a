export { Querent } from "./client.ts";
export { csvLines, CsvRecords, type CsvCell } from "./csv.ts";
export { figureCells, figureColumns } from "./figure-table.ts";
export { decodeText, EncodingError, TextBytes } from "./decode-text.ts";
export type { ClientOptions, OutageOptions } from "./options.ts";
export type { CallOptions } from "./transport.ts";
export type { Entities, MentionFilters } from "./entities.ts";
export { entityCells, entityColumns, readEntityTable, type EntityRow } from "./entity-table.ts";
export * from "./errors.ts";
export { panelDocument, panelInput } from "./panel-input.ts";
export { promptCells, promptColumns, readPromptTable, type PromptRow } from "./prompt-table.ts";
export { mergeCards, type Card } from "./merge-cards.ts";
export {
  detectForm,
  optionsOfColumns,
  questionColumns,
  QuestionRows,
  readQuestionRows,
  type QuestionForm,
  type QuestionRow,
  type RowFault,
  type RowFaultCode,
  type RowItem,
} from "./question-rows.ts";
export { askedAsMembers, optionColumns, optionFilters, type OptionColumn } from "./question-options.ts";
export { resultCells, resultColumns } from "./result-table.ts";
export { hasEnded } from "./tasks.ts";
export type {
  AskOptions,
  GetTaskOptions,
  Question,
  ReadTaskOptions,
  TaskFilters,
  TaskPage,
  TaskReading,
  Tasks,
  WaitOptions,
} from "./tasks.ts";
export type { Chunk, SubmitAllOptions, SubmitOptions, Submitted, SubmittedChunk } from "./submissions.ts";
export type { BatchFilters, Batches, ResultsOptions } from "./batches.ts";
export {
  alertKinds,
  channelKinds,
  demonstrationAccount,
  eventTypes,
  logoBytesMax,
  proposalLanguages,
  reportLanguages,
} from "./wire.ts";
export type { Events, FeedEntry, FeedPage, NotificationOf, PageOptions, StreamOptions } from "./events.ts";
export type { FailedTaskFilters, ImportOptions, Imports, ObservationFilters, Observations } from "./observations.ts";
export type { AccountFilters, Operator } from "./operator.ts";
export type { Login, People } from "./people.ts";
export type { AlertChannels, AlertRules } from "./alerts.ts";
export type { InProject, Projects } from "./projects.ts";
export type { Audit, AuditFilters } from "./audit.ts";
export type { Mail } from "./mail.ts";
export type { PlatformSetups } from "./platform-setups.ts";
export type { Sessions } from "./sessions.ts";
export type {
  BridgeQuery,
  ComparisonQuery,
  PairQuery,
  PriceQuery,
  SearchQuery,
  AccountCaps,
  DiffRunsOptions,
  FigureQuery,
  MeasureOptions,
  Panels,
  RunPanelOptions,
} from "./panels.ts";
export { readableColor } from "./readable-color.ts";
export { failuresToWarn, manyFailures, type ManyFailures } from "./many-failures.ts";
export type { ReportFileFormat, ReportFileLook, Reports, ReportWindow } from "./reports.ts";
export type { Tokens } from "./tokens.ts";
export type {
  DayRange,
  Deliveries,
  DeliveryFilters,
  LedgerFilters,
  Platforms,
  RecoverOptions,
  Usage,
  Webhook,
} from "./settings.ts";
export * as webhooks from "./webhooks.ts";
export {
  SignatureError,
  type HeaderSource,
  type RawBody,
  type SignatureFault,
  type Verified,
  type VerifyInput,
} from "./signature.ts";
export type { HandlerOptions, Unwrapped } from "./webhooks.ts";
export type * from "./wire.ts";
export { describeRowFault } from "./describe-row-fault.ts";
