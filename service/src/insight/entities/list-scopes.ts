/** What headings and lines say of the lists below them. */
import { disqualifies } from "./list-headings.ts";

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A heading or line, which says what the lists below it are. */
export interface ListScope extends TextSpan {
  /** 1 to 6: a heading. Others: see below. */
  readonly level: number;
  readonly parent: ListScope | null;
  /** Found when it is asked for. */
  isOfChoices: boolean | null;
}

export const boldLine = 7;
export const lineAbove = 8;

/** False if a heading or line above says that its lists are no lists of choices. */
export function isOfChoices(text: string, scope: ListScope | null): boolean {
  if (scope === null) return true;
  scope.isOfChoices ??= !saysOtherwise(text, scope) && isOfChoices(text, scope.parent);
  return scope.isOfChoices;
}

/** The part of a heading or line that is looked at. */
export const scopeCharsMax = 300;
const lineCharsMax = 100;

function saysOtherwise(text: string, { start, end, level }: ListScope): boolean {
  const said = text.slice(level < boldLine ? start : Math.max(start, end - scopeCharsMax), Math.min(end, start + 1e4));
  return (level <= boldLine || isAnnouncement(said)) && disqualifies(said);
}

/** A line above a list announces it with a colon or like a heading; other sentences are about something else. */
function isAnnouncement(line: string): boolean {
  const said = line.trimEnd().replace(/[*_]+$/u, "");
  if (said.endsWith(":")) return true;
  const sentence =
    said
      .slice(0, -1)
      .split(/[.!?。]\s+|[。！？]/u)
      .at(-1) ?? "";
  if (sentence.length > lineCharsMax) return false;
  return (
    !/[.。]$/u.test(said) ||
    /^\s*(?:here|these|the following|below|hier|folgende|voici|estos|estas|以下|下面|这些)/iu.test(sentence)
  );
}
