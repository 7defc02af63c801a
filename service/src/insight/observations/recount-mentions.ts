import type { MentionRecount, ObservedMention } from "@querent/contract";
import { arrayLiteral, jsonbArray, textArray, type Database } from "../../db/index.ts";
import { yieldToEventLoop } from "../../runtime/slices.ts";
import type { EntityMemory, KnownEntities } from "../entities/entity-memory.ts";
import { matcherVersion } from "../entities/find-mentions.ts";
import { readAnswerTexts } from "./answer-texts.ts";
import { entitiesOf, mentionsOf } from "./describe-answer.ts";
import { listObservations } from "./list-observations.ts";

const observationsAtOnce = 100;
const timeMs = 10_000;

/**
 * Recounts the mentions in an account's answers, newest first. Answers whose texts have expired keep their mentions. Stops
 * after some seconds; `nextId` is where to continue.
 */
export async function recountMentions(
  database: Database,
  entities: EntityMemory,
  accountId: string,
  beforeId: string | null,
): Promise<Omit<MentionRecount, "nextCursor"> & { readonly nextId: string | null }> {
  const counts = { recounted: 0, changed: 0, expired: 0 };
  const known = (await entities.read(database, [accountId])).get(accountId);
  const entitiesChangedAt = await lastChangeOf(database, accountId);
  const startedAt = performance.now();
  for (let before = beforeId; ;) {
    const page = { beforeId: before, limit: observationsAtOnce };
    const { observations, nextId } = await listObservations(database, accountId, {}, page);
    const texts = await readAnswerTexts(database, accountId, observations);
    const changed: Recounted[] = [];
    const same: Recounted[] = [];
    for (const { observationId, resultDigest, mentions, instrument, recordedAt } of observations) {
      const text = texts.get(observationId);
      if (text === undefined) {
        counts.expired++;
        continue;
      }
      counts.recounted++;
      const found = mentionsOf(text, known?.compiled);
      const recounted = { id: observationId, digest: resultDigest, mentions: found };
      const isSame = JSON.stringify(found) === JSON.stringify(mentions) && instrument.matcher === matcherOf(known);
      if (!isSame) changed.push(recounted);
      // The row also records that it was searched for entities that are newer than it: see `recordedAt` in figures.
      else if (recordedAt < entitiesChangedAt) same.push(recounted);
      await yieldToEventLoop();
    }
    if (changed.length > 0) counts.changed += await replaceMentions(database, accountId, matcherOf(known), changed);
    if (same.length > 0) await replaceMentions(database, accountId, matcherOf(known), same);
    if (nextId === null || performance.now() - startedAt > timeMs) return { ...counts, nextId };
    before = nextId;
  }
}

const matcherOf = (known: KnownEntities | undefined) => (known === undefined ? null : matcherVersion);

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
  /** Of the result that was searched. */
  readonly digest: string;
  readonly mentions: readonly ObservedMention[];
}

async function replaceMentions(
  database: Database,
  accountId: string,
  matcher: string | null,
  changed: readonly Recounted[],
): Promise<number> {
  // Locks: the observations' rows. Index: the primary key. One whose result was revised meanwhile has newer mentions.
  const { rowCount } = await database.query(
    `update observations o set mentions = n.mentions, entities = n.entities::uuid[], matcher = $2, recorded_at = now()
       from unnest($3::uuid[], $4::text[], $5::jsonb[], $6::text[]) as n(id, digest, mentions, entities)
      where o.account_id = $1 and o.id = n.id and o.result_digest = decode(n.digest, 'hex')`,
    [
      accountId,
      matcher,
      changed.map(({ id }) => id),
      changed.map(({ digest }) => digest),
      jsonbArray(changed.map(({ mentions }) => JSON.stringify(mentions))),
      textArray(changed.map((each) => arrayLiteral(entitiesOf(each)))),
    ],
  );
  return rowCount ?? 0;
}
