/**
 * client/src/question-options.ts: how people enter the options of a question, so that question files, the command line, the tool for
 * assistants and the console take them from the contract's table without the schema package.
 */
import { askedAsMembers, optionColumns, optionFilters, questionOptions } from "@querent/contract";
import { plain, type Schema } from "./schema-text.ts";

const head = `/**
 * The options of a question as people enter them, generated from the contract's table by \`npm run docs\`. Do not edit.
 */
`;

export function clientQuestionOptions(): string {
  const columns = optionColumns.map(({ name, aliases = [], member, part, flag, words, schema }) => ({
    name,
    aliases,
    member,
    part,
    ...kindOf(plain(schema)),
    flag,
    words,
  }));
  const filters = Object.keys(optionFilters).map((name) => ({
    name,
    flag: optionColumns.find((column) => column.name === name)?.flag ?? name,
    example: questionOptions[name as keyof typeof optionFilters].example,
  }));
  return [
    head,
    "/** In the order in which they are offered. A member of `options` that is an object has a column for each of its parts. */",
    `export const optionColumns = ${JSON.stringify(columns)} as const;`,
    "export type OptionColumn = (typeof optionColumns)[number];",
    "",
    "/** The members that say from where, as whom and with what a question is asked. Platforms support them or not. */",
    `export const askedAsMembers = ${JSON.stringify(askedAsMembers)} as const;`,
    "",
    "/** The members by which lists of tasks can be filtered. */",
    `export const optionFilters = ${JSON.stringify(filters)} as const;`,
    "",
  ].join("\n");
}

function kindOf({ type, enum: choices, format, maxLength = 0 }: Schema): {
  kind: string;
  choices?: readonly unknown[];
} {
  if (choices !== undefined) return { kind: "choice", choices };
  if (type === "boolean" || type === "number") return { kind: type };
  if (type === "array") return { kind: "list" };
  if (format === "date") return { kind: "date" };
  return { kind: maxLength > lineLengthMax ? "paragraph" : "text" };
}

/** A longer text is entered in several lines. */
const lineLengthMax = 500;
