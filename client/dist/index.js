export { Querent } from "./client.js";
export * from "./errors.js";
export { mergeCards } from "./merge-cards.js";
export { describeRowFault, detectForm, questionColumns, QuestionRows, readQuestionRows } from "./question-rows.js";
export { resultCells, resultColumns } from "./result-table.js";
export { hasEnded } from "./tasks.js";
export * as webhooks from "./webhooks.js";
export { SignatureError } from "./signature.js";
