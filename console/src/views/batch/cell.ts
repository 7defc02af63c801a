import { localeLabel } from "../task/locale-label.ts";
import type { Progress, TaskRecord, TaskState } from "@querent/client";

/** What the grid keeps of one task: enough to show it, and to look for names in its answer. */
export interface BatchCell {
  readonly taskId: string;
  readonly question: string;
  readonly platformCode: string;
  /** The column of the cell. Answers from different places, or as different persons, are never in one. */
  readonly column: string;
  readonly state: TaskState;
  readonly progress: Progress | null;
  readonly failureCode: string | null;
  readonly expired: boolean;
  /** The answer's text, without Markdown's signs and the addresses of its links; null when there is none. */
  readonly text: string | null;
  readonly sourceCount: number;
  readonly cardCount: number;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

export function cellOf(record: TaskRecord): BatchCell {
  return {
    taskId: record.taskId,
    question: record.question,
    platformCode: record.platformCode,
    column: columnOf(record),
    state: record.state,
    progress: record.progress,
    failureCode: record.failure?.code ?? null,
    expired: record.expired,
    text: record.content === null ? null : readable(record.content),
    sourceCount: record.sources.length,
    cardCount: record.products.length + record.videos.length + record.media.length,
    createdAt: record.createdAt,
    endedAt: record.completedAt,
  };
}

/** The platform, and from where, as whom and by which model it was asked. Without commas, which separate columns in the address. */
export function columnOf({ platformCode, options }: Pick<TaskRecord, "platformCode" | "options">): string {
  const label = localeLabel(options).replaceAll(",", "");
  return label === "" ? platformCode : `${platformCode} · ${label}`;
}

/** A link's text, its brackets escaped or in pairs, and its address: `[\[1\]](https://a.example "title")`. */
const link = /\[((?:\\.|\[(?:\\.|[^\\[\]\n]){0,200}\]|[^\\[\]\n]){0,2000})\]\((?:\\.|[^\\)\n]){0,4000}\)/g;
/** A link's text that is nothing but the number of a source. */
const citationMark = /^\s*(?:\\?\[)?\^?\d{1,3}(?:\\?\])?\s*$/;

/** Markdown as one reads it: near enough for an excerpt, and for counting names. A name in an address is no mention. */
export function readable(markdown: string): string {
  return markdown
    .replace(/!\[[^\]\n]{0,500}\]\([^)\n]{0,4000}\)/g, "")
    .replace(link, (_, text: string) => (citationMark.test(text) ? "" : text))
    .replace(/\bhttps?:\/\/[^\s<>)\]]+/g, "")
    .replace(/^ {0,3}#{1,6} ([^\n]{1,200})$/gm, (_, heading: string) => withStop(heading.trim()))
    .replace(/^ {0,3}(?:#{1,6}|>+|[-*+]|\d{1,3}[.)])\s+/gm, "")
    .replace(/(\*\*|__|`)/g, "")
    .replace(/\\([\\[\]`*_<>])/g, "$1");
}

/** A heading as it begins a line of text. */
const withStop = (heading: string) => (/[.:!?。：！？]$/.test(heading) ? heading : `${heading}:`);

export interface GridRow {
  readonly question: string;
  /** The cells by column. A question may have been asked more than once in one: the newest is last. */
  readonly cells: ReadonlyMap<string, readonly BatchCell[]>;
}

/** Questions in the order in which they were asked, and the columns of their answers. */
export function gridOf(cells: Iterable<BatchCell>): { rows: readonly GridRow[]; platforms: readonly string[] } {
  const rows = new Map<string, Map<string, BatchCell[]>>();
  const platforms = new Set<string>();
  for (const cell of cells) {
    const row = rows.get(cell.question) ?? new Map<string, BatchCell[]>();
    if (row.size === 0) rows.set(cell.question, row);
    row.set(cell.column, [...(row.get(cell.column) ?? []), cell]);
    platforms.add(cell.column);
  }
  return {
    rows: [...rows].map(([question, byPlatform]) => ({ question, cells: byPlatform })),
    platforms: [...platforms].sort(),
  };
}
