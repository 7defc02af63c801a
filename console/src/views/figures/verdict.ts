/** What a panel's figures come to: sentences that stand above them, and in the overview. */
import {
  manyFailures,
  type EntityRecord,
  type Figure,
  type FigureRow,
  type FoundChange,
  type PanelRecord,
} from "@querent/client";
import { to } from "../../app/address.ts";
import { verdictMessages } from "../../i18n/verdict.ts";
import { percent } from "../../ui/time.tsx";
import { began, points } from "./change-note.tsx";
import { isOf, isSimulated, type ChosenSurface } from "./choice.ts";
import { observationsAddress, range } from "./figure-of.ts";
import { brandName } from "./names.ts";
import { rowOf, type Summary } from "./read-figures.ts";

export interface Rival {
  readonly brand: EntityRecord;
  readonly figure: Figure;
  /** By the intervals of both: `level` if they overlap. */
  readonly stands: "ahead" | "level" | "behind";
}

export interface FiguresVerdict {
  readonly surface: ChosenSurface;
  /** The first own brand; null: the panel has none. */
  readonly own: EntityRecord | null;
  readonly presence: FigureRow | undefined;
  /** Competitors with an interval, those that are named the most first. Empty until the own brand has one. */
  readonly rivals: readonly Rival[];
  /** The change of the own brand's presence that was found. */
  readonly change: FoundChange | null;
  /** What changed among the sites that are cited on this surface. */
  readonly siteChanges: readonly FoundChange[];
}

export function verdictOf({ brands, rows, changes }: Summary, surface: ChosenSurface): FiguresVerdict {
  const own = brands.find(({ relation }) => relation === "own") ?? null;
  const presenceOf = (entityId: string) => rowOf(rows, { measure: "presence", surface, about: entityId });
  const presence = own === null ? undefined : presenceOf(own.entityId);
  const ours = presence?.thesePrompts.interval ?? null;
  const rivals = brands.flatMap((brand): Rival[] => {
    const figure = brand.relation === "competitor" ? presenceOf(brand.entityId)?.thesePrompts : undefined;
    const theirs = figure?.interval ?? null;
    if (figure === undefined || ours === null || theirs === null) return [];
    const stands = theirs.low > ours.high ? "ahead" : theirs.high < ours.low ? "behind" : "level";
    return [{ brand, figure, stands }];
  });
  const current = new Set(changes.series.map(({ changeId }) => changeId));
  const found = changes.changes.filter((each) => isOf(surface, each) && current.has(each.changeId));
  return {
    surface,
    own,
    presence,
    rivals: rivals.toSorted((one, other) => (other.figure.value ?? 0) - (one.figure.value ?? 0)),
    change: found.find(({ measure, entityId }) => measure === "presence" && entityId === own?.entityId) ?? null,
    siteChanges: found.filter(({ measure, domain }) => measure === "citation_rate" && domain !== null),
  };
}

/** How often the own brand is named, and whether that is more or less than before. */
export function leadOf(verdict: FiguresVerdict, summary: Summary): readonly string[] {
  const { own, presence, surface } = verdict;
  const t = verdictMessages.value;
  if (own === null) return [];
  const where = surfaceName(surface);
  const { value = null, interval = null, reason = null } = presence?.thesePrompts ?? {};
  if (value === null || interval === null) {
    const needed = reason === null ? t.needed.too_few_answers() : t.needed[reason.code](reason.missing);
    return [t.tooEarly(own.name, where, needed)];
  }
  return [t.named(own.name, percent(value), range(interval), where), changeSentence(verdict, summary)];
}

const surfaceName = ({ platformCode, locale, persona }: ChosenSurface): string =>
  [platformCode, locale, persona].filter((part) => part !== "").join(", ");

function changeSentence({ own, surface, change }: FiguresVerdict, { changes }: Summary): string {
  const t = verdictMessages.value;
  const series = changes.series.find(
    ({ measure, entityId, ...each }) => measure === "presence" && entityId === own?.entityId && isOf(surface, each),
  );
  if (series === undefined) return t.notJudged;
  if (series.paused !== null) return t.paused;
  switch (series.verdict) {
    case "changed":
      return change === null
        ? t.notJudged
        : (change.direction === "up" ? t.up : t.down)(points(change.difference), began(change));
    case "instrument_changed":
      return t.instrument;
    case "not_enough_data":
      return t.tooFew(series.missingDays ?? 1);
    case "not_distinguishable":
      if (series.reason === "dependent_runs") return t.dependent;
      return series.smallestChange === null ? t.sameUnknown : t.same(points(series.smallestChange.difference));
    case null:
      return t.notJudged;
  }
}

/** Against whom. */
export function rivalSentences({ rivals }: FiguresVerdict): readonly string[] {
  const t = verdictMessages.value;
  return (["ahead", "level", "behind"] as const).flatMap((stands) => {
    const names = rivals.filter((rival) => rival.stands === stands).slice(0, namesMax);
    if (names.length === 0) return [];
    return [t[stands](names.map(({ brand, figure }) => `${brand.name} (${percent(figure.value ?? 0)})`).join(", "))];
  });
}

const namesMax = 4;

/** The sites that most answers cite, from rows of `citation_rate`. */
export function topSites(
  rows: readonly FigureRow[],
  surface: ChosenSurface,
): readonly { site: string; share: number }[] {
  return rows
    .filter(({ measure, group }) => measure === "citation_rate" && group.domain !== null && isOf(surface, group))
    .map(({ group, thesePrompts }) => ({ site: group.domain ?? "", share: thesePrompts.value ?? 0 }))
    .filter(({ share }) => share > 0)
    .toSorted((one, other) => other.share - one.share);
}

/** Because of which sources: those that are cited the most, and those whose share has changed. */
export function sourceSentences(
  { siteChanges }: FiguresVerdict,
  sites: ReturnType<typeof topSites>,
): readonly string[] {
  const t = verdictMessages.value;
  const shown = sites.slice(0, sitesMax).map(({ site, share }) => `${site} (${percent(share)})`);
  return [
    ...(shown.length === 0 ? [] : [t.cited(shown.join(", "))]),
    ...siteChanges.slice(0, 1).map(siteChangeSentence),
  ];
}

const sitesMax = 3;

export function siteChangeSentence(found: FoundChange): string {
  const t = verdictMessages.value;
  const told = found.direction === "up" ? t.siteUp : t.siteDown;
  return told(found.domain ?? "", points(found.difference), began(found));
}

/** A change of a brand's presence or of a site's citations, in one sentence. */
export function changeTold(found: FoundChange, brands: readonly EntityRecord[]): string {
  if (found.domain !== null) return siteChangeSentence(found);
  const t = verdictMessages.value;
  const told = found.direction === "up" ? t.brandUp : t.brandDown;
  return told(brandName(found.entityId, brands), points(found.difference), began(found));
}

export interface NextStep {
  readonly text: string;
  readonly address: string;
}

interface NextStepOf {
  readonly panel: Pick<PanelRecord, "panelId" | "schedule" | "platforms">;
  readonly summary: Summary;
  /** Null: there are no answers. */
  readonly verdict: FiguresVerdict | null;
  readonly sites: ReturnType<typeof topSites>;
  readonly hasRun: boolean;
}

/** What is worth doing first: what keeps figures from being made, then what they say. */
export function nextStepOf({ panel, summary, verdict, sites, hasRun }: NextStepOf): NextStep {
  const t = verdictMessages.value.steps;
  const { panelId, schedule, platforms } = panel;
  const runs = to(`/panels/${panelId}`, { part: "runs" });
  const page = to(`/panels/${panelId}`);
  if (!summary.brands.some(({ relation }) => relation === "own")) return { text: t.brands, address: to("/brands") };
  if (verdict === null) return { text: hasRun ? t.no_answers : t.first_run, address: runs };
  const { surface, presence, rivals, change, siteChanges } = verdict;
  if (manyFailures(summary.rows).length > 0) return { text: t.failed, address: runs };
  const isAsked = platforms.length > 0 && !isSimulated(surface);
  const isTooEarly = (presence?.thesePrompts.interval ?? null) === null;
  if (schedule === null || schedule.paused) {
    if (isTooEarly) return { text: t.again, address: runs };
    if (isAsked) return { text: t.schedule, address: runs };
  }
  if (isTooEarly) return { text: t.wait, address: runs };
  if (change?.direction === "down") {
    const site = siteChanges.find(({ direction }) => direction === "down")?.domain ?? "";
    return {
      text: t.fell(site),
      address: observationsAddress(change.after, change.entityId === null ? {} : { about: change.entityId }),
    };
  }
  const [first] = rivals;
  if (first?.stands === "ahead") return { text: t.rival(first.brand.name), address: `${page}#panel-prompts-against` };
  const owned = summary.brands.flatMap(({ domains }) => domains);
  const site = sites.find((one) => !owned.includes(one.site));
  if (site !== undefined) return { text: t.site(site.site, percent(site.share)), address: `${page}#figures-sources` };
  return { text: t.share, address: `${page}#panel-report` };
}
