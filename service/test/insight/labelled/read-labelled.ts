import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EntityDefinition } from "../../../src/observations/entities/compile-entities.ts";

/** A text whose mentions a person marked. */
export interface LabelledText {
  readonly text: string;
  readonly spans: readonly LabelledSpan[];
}

export interface LabelledSpan {
  readonly entityId: string;
  readonly start: number;
  readonly end: number;
  /** False: it looks like a mention and is none. */
  readonly isMention: boolean;
}

export interface LabelledSet {
  readonly entities: EntityDefinition[];
  readonly texts: LabelledText[];
}

/** The labelled texts of this folder: one a line, `{id|text}` for a mention, `{!id|text}` for what only looks like one. */
export const readLabelled = (): LabelledSet => readSet("entities.json", ["english.txt", "others.txt", "answers.txt"]);

/** Texts about the ways in which a name may be written, each with what only looks like it. */
export const readKinds = (): LabelledSet => readSet("kinds.json", ["kinds.txt"]);

/** The same kinds in names and texts that were labelled after the rules were made. */
export const readUnseen = (): LabelledSet => readSet("unseen.json", ["unseen.txt"]);

/**
 * Texts in many languages with inflected names, names in the other Chinese script, and words that are no names. The first set was
 * labelled before the proposals were made, the second one when they were finished. Neither has negative contexts, nor aliases for forms.
 */
export const readHeldout = (set: 1 | 2): LabelledSet => readSet(`heldout-${set}.json`, [`heldout-${set}.txt`]);

function readSet(entitiesFile: string, textFiles: readonly string[]): LabelledSet {
  // Our own file.
  const listed = JSON.parse(read(entitiesFile)) as { id: string; names: string[]; not: string[] }[];
  const entities = listed.map(({ id, names, not }) => ({
    entityId: id,
    variants: names.map((name) => ({ text: name.replace(/^=/u, ""), isCaseSensitive: name.startsWith("=") })),
    negativeContexts: not,
  }));
  const lines = textFiles.flatMap((name) => read(name).split("\n"));
  return { entities, texts: lines.filter((line) => line !== "" && !line.startsWith("# ")).map(parseLine) };
}

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");

function parseLine(line: string): LabelledText {
  let text = "";
  const spans: LabelledSpan[] = [];
  for (const [, mark, entityId = "", marked = "", plain = ""] of line
    .replaceAll("\\n", "\n")
    .matchAll(/\{(!?)([a-z0-9]+)\|([^{}]*)\}|([^{}]+|[{}])/gu)) {
    const start = text.length;
    text += entityId === "" ? plain : marked;
    if (entityId !== "") spans.push({ entityId, start, end: text.length, isMention: mark === "" });
  }
  return { text, spans };
}
