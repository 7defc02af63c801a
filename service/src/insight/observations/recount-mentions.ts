import type { MentionRecount, ObservationRecord, ObservedMention } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { rowsAs, type Database } from "../../db/index.ts";
import type { EntitySearch, Searched } from "../entities/entity-search.ts";
import { readAnswerTexts } from "./answer-texts.ts";
import { entitiesOf, matcherOf, notSearchedPrefix } from "./describe-answer.ts";
import { listObservations } from "./list-observations.ts";

/** An answer may have a megabyte. */
const observationsAtOnce = 20;
const timeMs = 10_000;

/**
 * Recounts the mentions in an account's answers, newest first. Answers whose texts have expired, or cannot be searched, keep their
 * mentions. Stops after some seconds, and where there is no room for more searches; `nextId` is where to continue.
 */
export async function recountMentions(
  database: Database,
  entities: EntitySearch,
  accountId: string,
  beforeId: string | null,
  signal: AbortSignal,
): Promise<Omit<MentionRecount, "nextCursor"> & { readonly nextId: string | null }> {
  const counts = { recounted: 0, changed: 0, expired: 0, notSearched: 0 };
  const entitiesChangedAt = await lastChangeOf(database, accountId);
  const startedAt = performance.now();
  let before = beforeId;
  for (;;) {
    const page = { beforeId: before, limit: observationsAtOnce };
    const { observations, nextId } = await listObservations(database, accountId, {}, page);
    const texts = await readAnswerTexts(database, accountId, observations);
    const kept = observations.filter(({ observationId }) => texts.has(observationId));
    const found = await entities.observeAll(
      accountId,
      kept.map(({ observationId }) => texts.get(observationId) ?? ""),
      signal,
    );
    signal.throwIfAborted();
    const searchedById = new Map(kept.map(({ observationId }, index) => [observationId, found[index]]));
    const changed: Recounted[] = [];
    const same: Recounted[] = [];
    let hasRoom = true;
    for (const observation of observations) {
      const searched = searchedById.get(observation.observationId);
      if (searched === undefined) counts.expired++;
      else if ("found" in searched) {
        counts.recounted++;
        const recounted = recountedAs(observation, searched, searched.found.observed);
        if (!isSame(observation, recounted)) changed.push(recounted);
        // The row also records that it was searched for entities that are newer than it: see `recordedAt` in figures.
        else if (observation.recordedAt < entitiesChangedAt) same.push(recounted);
      } else if (searched.notSearched === "limit") counts.notSearched++;
      else {
        hasRoom = false;
        break;
      }
      before = observation.observationId;
    }
    if (changed.length > 0) counts.changed += await replaceMentions(database, accountId, changed);
    if (same.length > 0) await replaceMentions(database, accountId, same);
    if (!hasRoom && before === beforeId)
      throw new ProblemError(
        "unavailable",
        "The account or the service has as many texts to search as it takes at once. Nothing was recounted. Try again in a moment.",
        { headers: { "retry-after": "10" } },
      );
    if (!hasRoom) return { ...counts, nextId: before };
    if (nextId === null || performance.now() - startedAt > timeMs) return { ...counts, nextId };
    before = nextId;
  }
}

const recountedAs = (
  { observationId, resultDigest }: ObservationRecord,
  searched: Searched,
  mentions: readonly ObservedMention[],
): Recounted => ({
  id: observationId,
  digest: resultDigest,
  mentions,
  matcher: matcherOf(searched),
  version: searched.entities,
});

const isSame = ({ mentions, instrument, flags }: ObservationRecord, recounted: Recounted): boolean =>
  JSON.stringify(recounted.mentions) === JSON.stringify(mentions) &&
  recounted.matcher === instrument.matcher &&
  !flags.some((flag) => flag.startsWith(notSearchedPrefix));

/** When an entity was last created or changed; empty if there is none. */
async function lastChangeOf(database: Database, accountId: string): Promise<string> {
  // Index: the primary key; an account has few entities.
  const { rows } = await database.query<{ at: Date | null }>(
    "select max(updated_at) as at from entities where account_id = $1",
    [accountId],
  );
  return rows[0]?.at?.toISOString() ?? "";
}

interface Recounted {
  readonly id: string;
  /** The digest of the result that was searched. */
  readonly digest: string;
  readonly mentions: readonly ObservedMention[];
  readonly matcher: string | null;
  /** The version of the entities. */
  readonly version: string | null;
}

const recountedRows = rowsAs<Recounted>("n", {
  id: ["uuid", (answer) => answer.id],
  digest: ["text", (answer) => answer.digest],
  mentions: ["jsonb", (answer) => JSON.stringify(answer.mentions)],
  entities: ["uuid[]", entitiesOf],
  matcher: ["text", (answer) => answer.matcher],
  version: ["bigint", (answer) => answer.version],
});

async function replaceMentions(
  database: Database,
  accountId: string,
  recounted: readonly Recounted[],
): Promise<number> {
  // Locks: the observations' rows. Index: the primary key. One whose result was revised meanwhile has newer mentions, and one for
  // which the entities were changed meanwhile is left to the next recount.
  const { rowCount } = await database.query(
    `update observations o set mentions = n.mentions, entities = n.entities, matcher = n.matcher, recorded_at = now(),
            flags = array(select flag from unnest(o.flags) as flag where not starts_with(flag, $2))
       from ${recountedRows.after(2)}
      where o.account_id = $1 and o.id = n.id and o.result_digest = decode(n.digest, 'hex')
        and n.version is not distinct from (select version from entity_versions where account_id = $1)`,
    [accountId, notSearchedPrefix, ...recountedRows.values(recounted)],
  );
  return rowCount ?? 0;
}
