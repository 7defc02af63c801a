import type { Cap, CapInput, PanelRecord } from "@querent/client";

/** What the view has read. */
export interface ReadCaps {
  readonly caps: readonly Cap[];
  /** By their ids. */
  readonly panelNames: ReadonlyMap<string, string>;
  readonly projectNames: ReadonlyMap<string, string>;
  /** The panel whose caps are shown. Null: all. */
  readonly panel: Pick<PanelRecord, "panelId" | "projectId" | "name" | "tags"> | null;
}

export const limits = ["runPoints", "dayPoints", "monthPoints"] as const;
export type Limit = (typeof limits)[number];

/** A cap as its form has it: empty text for no limit. */
export interface CapDraft extends Readonly<Record<Limit, string>> {
  readonly kind: Cap["kind"];
  readonly panelId: string;
  readonly projectId: string;
  readonly tag: string;
}

/** @param panelId the panel that a new cap is probably for */
export const emptyDraft = (panelId: string | null): CapDraft => ({
  kind: panelId === null ? "account" : "panel",
  panelId: panelId ?? "",
  projectId: "",
  tag: "",
  runPoints: "",
  dayPoints: "",
  monthPoints: "",
});

export const draftOf = ({ kind, subject, runPoints, dayPoints, monthPoints }: Cap): CapDraft => ({
  kind,
  panelId: kind === "panel" ? (subject ?? "") : "",
  projectId: kind === "project" ? (subject ?? "") : "",
  tag: kind === "tag" ? (subject ?? "") : "",
  runPoints: textOf(runPoints),
  dayPoints: textOf(dayPoints),
  monthPoints: textOf(monthPoints),
});

/** What is sent; null if the panel, the project or the tag is missing, or every limit is, or one is not a whole number. */
export function inputOf(draft: CapDraft): CapInput | null {
  const { panelId: panel, projectId: project, tag } = draft;
  const subject = draft.kind === "account" ? null : { panel, project, tag }[draft.kind].trim();
  const given = limits.filter((limit) => draft[limit].trim() !== "");
  if (subject === "" || given.length === 0 || !given.every((limit) => /^\d{1,15}$/.test(draft[limit].trim())))
    return null;
  const points = (limit: Limit) => (given.includes(limit) ? Number(draft[limit]) : null);
  return {
    kind: draft.kind,
    subject,
    runPoints: points("runPoints"),
    dayPoints: points("dayPoints"),
    monthPoints: points("monthPoints"),
  };
}

type CapOf = Pick<CapInput, "kind" | "subject">;

export const isSame = (one: CapOf, other: CapOf) =>
  one.kind === other.kind && (one.subject ?? null) === (other.subject ?? null);

/** All caps with one of them set. */
export const withCap = (caps: readonly Cap[], cap: CapInput): CapInput[] => [...withoutCap(caps, cap), cap];

export const withoutCap = (caps: readonly Cap[], cap: CapOf): CapInput[] =>
  caps
    .filter((other) => !isSame(other, cap))
    .map(({ kind, subject, runPoints, dayPoints, monthPoints }) => ({
      kind,
      subject,
      runPoints,
      dayPoints,
      monthPoints,
    }));

const thresholds = [100, 80, 50] as const;

/** The highest share of a limit that is used, of those at which a warning is sent. Null: less than half. */
export const reachedOf = (held: number, limit: number) =>
  thresholds.find((percent) => held * 100 >= limit * percent) ?? null;

const textOf = (points: number | null) => (points === null ? "" : String(points));
