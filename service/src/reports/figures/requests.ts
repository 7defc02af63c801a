/** Which figures a request means. */
import { measureIds, type MeasureId, type ProblemItem, figureDaysDefault, figureDaysMax } from "@querent/contract";
import {
  measureOf,
  readsAds,
  readsMentions,
  readsProducts,
  readsSources,
  type Answer,
  type FigureRequest,
  type PanelDefinition,
} from "@querent/figures";
import { ProblemError } from "../../api/problem-error.ts";
import type { AnswerParts } from "../../observations/answers/answer-pages.ts";
import type { Queryable } from "../../db/index.ts";

type Asked = Pick<FigureRequest, "measure" | "entityId" | "domain" | "sourceType">;

export interface AskedMeasures {
  /** Separated by commas. Default: the summary. */
  readonly measure?: string | undefined;
  readonly entityId?: string | undefined;
  readonly domain?: string | undefined;
  readonly sourceType?: string | undefined;
}

const summary: readonly MeasureId[] = [
  "presence",
  "mention_share",
  "first_place",
  "first_place_of_all",
  "position",
  "listed",
  "own_citation_share",
  "cited_answers",
  "empty_rate",
  "failure_rate",
  "refusal_rate",
];
/** Domains and types of sites that are shown if none is named. */
const mostCited = 10;

/**
 * One for each measure, and for each entity, domain or type of sites if the measure refers to one: the one that is named, or
 * else all own entities and competitors, or what most answers cite.
 */
export function requestsOf(panel: PanelDefinition, answers: readonly Answer[], asked: AskedMeasures): Asked[] {
  const entityIds = entitiesOf(panel, asked.entityId);
  return measuresOf(asked).flatMap((measure): Asked[] => {
    switch (measureOf(measure).per) {
      case "entity":
        return entityIds.map((entityId) => ({ measure, entityId }));
      case "domain": {
        const most = () =>
          mostCitedOf(answers, readsAds(measure) ? "advertiser" : readsProducts(measure) ? "shop" : "domain");
        const domains = asked.domain === undefined ? most() : [asked.domain];
        return domains.map((domain) => ({ measure, domain }));
      }
      case "source_type": {
        const types = asked.sourceType === undefined ? mostCitedOf(answers, "type") : [asked.sourceType];
        return types.map((sourceType) => ({ measure, sourceType }));
      }
      case "answer":
        return [{ measure }];
    }
  });
}

/** The parts of the answers that they need. */
export function partsOf(asked: AskedMeasures): AnswerParts {
  const ids = measuresOf(asked);
  return {
    mentions: ids.some(readsMentions),
    sources: ids.some(readsSources),
    products: ids.some(readsProducts),
    ads: ids.some(readsAds),
  };
}

export function measuresOf({ measure }: AskedMeasures): readonly MeasureId[] {
  if (measure === undefined) return summary;
  const named = new Set<string>(measure.split(","));
  return measureIds.filter((id) => named.has(id));
}

function entitiesOf({ entities }: PanelDefinition, entityId: string | undefined): string[] {
  if (entityId !== undefined) return [entityId];
  return entities.filter(({ relation }) => relation !== "other").map((entity) => entity.entityId);
}

/** Refuses an entity that the account does not have. */
export function requireEntity({ entities }: PanelDefinition, { entityId }: AskedMeasures, pointer = "?entityId"): void {
  if (entityId === undefined || entities.some((entity) => entity.entityId === entityId)) return;
  const errors: ProblemItem[] = [{ pointer, code: "not_allowed", detail: "The account has no such entity." }];
  throw new ProblemError("validation_failed", "There is no such entity.", { errors });
}

/** What most answers cite, who advertises beside most of them, or sells in them: by the number of answers, then by name. */
function mostCitedOf(answers: readonly Answer[], member: "domain" | "type" | "advertiser" | "shop"): string[] {
  const counts = new Map<string, number>();
  for (const answer of answers)
    for (const cited of new Set(sitesOf(answer, member)))
      if (cited !== "") counts.set(cited, (counts.get(cited) ?? 0) + 1);
  const byCount = [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return byCount.slice(0, mostCited).map(([cited]) => cited);
}

function sitesOf({ sources, ads = [], products = [] }: Answer, member: Parameters<typeof mostCitedOf>[1]): string[] {
  switch (member) {
    case "advertiser":
      return ads.map(({ domain }) => domain);
    case "shop":
      return products.map(({ domain }) => domain);
    default:
      return sources.map((source) => source[member] ?? "");
  }
}

const dayMs = 86_400_000;

export interface FigureWindow {
  readonly from: string;
  readonly to: string;
}

/** The default window has so many runs, if the panel has them: an interval needs five, and some may have failed. */
const runsDefault = 7;

/**
 * The window of figures. Default: the 28 days before `to`, which is now by the database's clock, or the last seven runs if they began
 * earlier, as those of a panel that runs once a week.
 */
export async function windowOf(
  db: Queryable,
  panel: { readonly accountId: string; readonly panelId: string },
  given: {
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    /** Instead of `from`: so many days before `to`. */
    readonly lastDays?: number | undefined;
  },
  pointers = { from: "?from", to: "?to" },
): Promise<FigureWindow> {
  const to = given.to === undefined ? await nowOf(db) : new Date(given.to);
  const from =
    given.lastDays !== undefined
      ? new Date(to.getTime() - given.lastDays * dayMs)
      : given.from === undefined
        ? await defaultFrom(db, panel, to)
        : new Date(given.from);
  const days = (to.getTime() - from.getTime()) / dayMs;
  if (days <= 0) throw invalid(pointers.to, "The window ends before it starts.");
  if (days > figureDaysMax) throw invalid(pointers.from, `The window has more than ${figureDaysMax} days.`);
  return { from: from.toISOString(), to: to.toISOString() };
}

async function defaultFrom(
  db: Queryable,
  { accountId, panelId }: { readonly accountId: string; readonly panelId: string },
  to: Date,
): Promise<Date> {
  // Index: the primary key, in its order: ids begin with their time. Locks nothing.
  const { rows } = await db.query<{ first: Date | null }>(
    `select min(created_at) as first from (
       select created_at from panel_runs
        where account_id = $1 and panel_id = $2 and state = 'started' and created_at < $3 order by id desc limit $4) as last`,
    [accountId, panelId, to, runsDefault],
  );
  const days = to.getTime() - figureDaysDefault * dayMs;
  const most = to.getTime() - figureDaysMax * dayMs;
  return new Date(Math.max(most, Math.min(days, rows[0]?.first?.getTime() ?? days)));
}

async function nowOf(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>("select now() as now");
  const [row] = rows;
  if (row === undefined) throw new Error("the database did not tell the time");
  return row.now;
}

const invalid = (pointer: string, detail: string) =>
  new ProblemError("validation_failed", "The window is not valid.", {
    errors: [{ pointer, code: "out_of_range", detail }],
  });
