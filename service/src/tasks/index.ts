export { accountOf } from "./read/batches.ts";
export { forgetAttempts } from "./read/attempts.ts";
export { endLateTasks } from "./finish/cancel-tasks.ts";
export { deletePastBatches, pastBatch, type PastDeps, type PastTask } from "./past-batches.ts";
export { acceptItems, announceTasks, type AcceptedBatch, pointsRequestOf } from "./submit/accept-batch.ts";
export { DatabaseClock } from "./submit/submit-batch.ts";
export { readMaxPoints, withinPoints } from "./submit/quote-batch.ts";
export { readItem, type AcceptableItem, type ItemRules } from "./submit/read-items.ts";
export { untilRefused } from "./submit/submit-batch.ts";
export { countEnds, findPending, stillPending } from "./read/batches.ts";
export { firstTaskOf, readBatches } from "./read/batches.ts";
export {
  setUpOf,
  whyOutputRefused,
  whyRefused,
  type PlatformCatalogue,
  type PlatformTerms,
} from "./submit/catalogue.ts";
export { readTraceParents } from "./run/trace-runs.ts";
export { endTasks, type EndTasksDeps, type Finish } from "./finish/end-tasks.ts";
export { EndWatch } from "./finish/end-tasks.ts";
export { answerTexts, getTask, getTasks } from "./read/get-task.ts";
export { forgetTasks, hasRecentTasks, tasksTable, forgetKeys, maintainResults } from "./retention.ts";
export { countTasksSince, readLastTask } from "./read/batches.ts";
export { canReread, reparse, type ReparseReport } from "./reparse/reparse.ts";
export { readStoredRaw } from "./read/stored-raw.ts";
export type { AnswerPosition, AnswerScope } from "./reparse/stored-answers.ts";
export { taskRoutes } from "./routes.ts";
export type { RunResult } from "./run/run-task.ts";
export {
  outputsOf,
  type ArtifactMaking,
  type BrowserAccess,
  type Screenshot,
  type SealInput,
} from "./run/make-artifacts.ts";
export type { AnsweredTask, DescribedAnswer, EndedTask, ObserveAnswers } from "./observe-answers.ts";
export { taskWork, type Ran } from "./work.ts";
