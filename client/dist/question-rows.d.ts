import { type CsvFault } from "./csv-records.ts";
import type { Question } from "./tasks.ts";
export type QuestionForm = "csv" | "jsonl" | "lines";
/** The members of a row. The caller fills in defaults for absent ones. */
export type RowItem = Partial<Question> & {
  readonly question: string;
};
export interface QuestionRow {
  readonly line: number;
  readonly item: RowItem;
  readonly fault?: undefined;
}
export type RowFaultCode =
  | CsvFault["fault"]
  | "unknown_column"
  | "repeated_column"
  | "no_question_column"
  | "unknown_member"
  | "too_many_cells"
  | "no_question"
  | "not_json"
  | "not_object"
  | "not_number"
  | "not_boolean"
  | "not_choice";
export interface RowFault {
  readonly line: number;
  readonly fault: RowFaultCode;
  /** The column or member. Empty if the error concerns the whole row. */
  readonly name: string;
  /** The value. */
  readonly value: string;
  /** A suggestion, or the allowed values. Empty if there is none. */
  readonly hint: string;
}
/** The documented names of columns. */
export declare const questionColumns: readonly string[];
/** Detects the format from the first line: a JSON value, a CSV header, or a question. */
export declare function detectForm(text: string): QuestionForm;
/** Parses text in chunks. Returns rows and errors in the order of the lines. */
export declare class QuestionRows {
  #private;
  constructor(form: QuestionForm);
  push(text: string): (QuestionRow | RowFault)[];
  end(): (QuestionRow | RowFault)[];
}
/** All rows and errors of a text. */
export declare function readQuestionRows(text: string, form?: QuestionForm): (QuestionRow | RowFault)[];
/** An error in English, to follow its position. */
export declare function describeRowFault({ fault, name, value, hint }: RowFault): string;
