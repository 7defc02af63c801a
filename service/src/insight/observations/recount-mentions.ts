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
 * Finds the mentions in an account's answers again, newest first, as long as their texts are there. The others keep theirs. Stops
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
  const startedAt = performance.now();
  for (let before = beforeId; ;) {
    const page = { beforeId: before, limit: observationsAtOnce };
    const { observations, nextId } = await listObservations(database, accountId, {}, page);
    const texts = await readAnswerTexts(database, accountId, observations);
    const changed: Recounted[] = [];
    for (const { observationId, resultDigest, mentions, instrument } of observations) {
      const text = texts.get(observationId);
      if (text === undefined) {
        counts.expired++;
        continue;
      }
      counts.recounted++;
      const found = mentionsOf(text, known?.compiled);
      if (JSON.stringify(found) === JSON.stringify(mentions) && instrument.matcher === matcherOf(known)) continue;
      changed.push({ id: observationId, digest: resultDigest, mentions: found });
      await yieldToEventLoop();
    }
    if (changed.length > 0) counts.changed += await replaceMentions(database, accountId, matcherOf(known), changed);
    if (nextId === null || performance.now() - startedAt > timeMs) return { ...counts, nextId };
    before = nextId;
  }
}

const matcherOf = (known: KnownEntities | undefined) => (known === undefined ? null : matcherVersion);

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
