import type { MentionRecount, ObservationRecord, ObservedMention, EntitySpan, NameProposals } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { rowsAs, type Database, type Queryable } from "../../db/index.ts";
import type { EntitySearch, Searched } from "../entities/entity-search.ts";
import { entitiesOf, matcherOf, notSearchedPrefix } from "./describe-answer.ts";
import { listObservations } from "./list-rows.ts";
import type { RowFilter } from "./list-rows.ts";
import { getTasks } from "../../tasks/index.ts";
import { declinedKeys, type EntityRecordRow } from "../entities/entity-rows.ts";
import type { AnswerText } from "../entities/search-process.ts";

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
  const { rowCount } = await database.transaction((tx) =>
    tx.query(
      `update observations o set mentions = n.mentions, entities = n.entities, matcher = n.matcher, recorded_at = now(),
            flags = array(select flag from unnest(o.flags) as flag where not starts_with(flag, $2))
       from ${recountedRows.after(2)}
      where o.account_id = $1 and o.id = n.id and o.result_digest = decode(n.digest, 'hex')
        and n.version is not distinct from (select version from entity_versions where account_id = $1)`,
      [accountId, notSearchedPrefix, ...recountedRows.values(recounted)],
    ),
  );
  return rowCount ?? 0;
}

/** The texts of one account's observations, by their ids, as long as they have not expired. */
async function readAnswerTexts(
  db: Queryable,
  accountId: string,
  observations: readonly ObservationRecord[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const tasks = await getTasks(
    db,
    accountId,
    observations.flatMap(({ taskId }) => (taskId === null ? [] : [taskId])),
  );
  for (const { observationId, taskId } of observations) {
    const task = taskId === null ? undefined : tasks.get(taskId);
    if (task !== undefined && !task.expired) texts.set(observationId, task.content ?? "");
  }
  // Index: the primary key.
  const { rows } = await db.query<{ observation_id: string; content: string }>(
    `select observation_id, content from imported_answers
      where account_id = $1 and observation_id = any($2::uuid[]) and expires_at > now()`,
    [accountId, observations.flatMap(({ importId, observationId }) => (importId === null ? [] : [observationId]))],
  );
  for (const { observation_id: id, content } of rows) texts.set(id, content);
  return texts;
}

const contextChars = 80;

/** The mentions of one entity in a page of observations, with the text around them as long as it is there. */
export async function listMentions(
  db: Queryable,
  accountId: string,
  filter: RowFilter & { readonly entityId: string },
  page: { beforeId: string | null; limit: number },
): Promise<{ mentions: EntitySpan[]; nextId: string | null }> {
  const { observations, nextId } = await listObservations(db, accountId, filter, page);
  const texts = await readAnswerTexts(db, accountId, observations);
  const mentions = observations.flatMap((observation) =>
    observation.mentions
      .filter(({ entityId }) => entityId === filter.entityId)
      .map(({ start, end }) => ({
        observationId: observation.observationId,
        taskId: observation.taskId,
        importId: observation.importId,
        platformCode: observation.cell.platformCode,
        observedAt: observation.observedAt,
        start,
        end,
        ...contextOf(texts.get(observation.observationId), start, end),
      })),
  );
  return { mentions, nextId };
}

function contextOf(
  text: string | undefined,
  start: number,
  end: number,
): Pick<EntitySpan, "text" | "before" | "after"> {
  if (text === undefined) return { text: null, before: null, after: null };
  return {
    text: text.slice(start, end).toWellFormed(),
    before: text.slice(Math.max(0, start - contextChars), start).toWellFormed(),
    after: text.slice(end, end + contextChars).toWellFormed(),
  };
}

/** Enough to see each form and sense that is not rare. They are searched in a second or two. */
const answersMax = 200;
const charsMax = 512 * 1024;
/** Observations that are looked at for answers whose texts are still there. */
const observationsMax = 1_000;

/** Proposes names for an entity by the newest answers of its account, or of one of its panels. */
export async function proposeForEntity(
  database: Database,
  entities: EntitySearch,
  {
    accountId,
    entity,
    panelId,
    withNeighbours,
  }: {
    readonly accountId: string;
    readonly entity: EntityRecordRow;
    readonly panelId: string | undefined;
    readonly withNeighbours: boolean;
  },
  signal: AbortSignal,
): Promise<NameProposals> {
  const answers = await readNewestAnswers(database, accountId, panelId, signal);
  const declined = await declinedKeys(database, accountId, entity.id);
  const { proposals, mentions, notSearched } = await entities.propose(
    { accountId, entityId: entity.id, content: entity.content, answers, declined, withNeighbours },
    signal,
  );
  return { proposals: [...proposals], answers: answers.length, mentions, notSearched };
}

async function readNewestAnswers(
  database: Database,
  accountId: string,
  panelId: string | undefined,
  signal: AbortSignal,
): Promise<AnswerText[]> {
  const answers: AnswerText[] = [];
  let chars = 0;
  let looked = 0;
  for (let beforeId: string | null = null; ;) {
    const page = { beforeId, limit: observationsAtOnce };
    const filter = panelId === undefined ? {} : { panelId };
    const { observations, nextId } = await listObservations(database, accountId, filter, page);
    const texts = await readAnswerTexts(database, accountId, observations);
    signal.throwIfAborted();
    for (const { observationId } of observations) {
      const text = texts.get(observationId) ?? "";
      // One that is longer than all may be together would leave the others out.
      if (text === "" || text.length > charsMax) continue;
      if (answers.length >= answersMax || chars + text.length > charsMax) return answers;
      chars += text.length;
      answers.push({ observationId, text });
    }
    looked += observations.length;
    if (nextId === null || looked >= observationsMax) return answers;
    beforeId = nextId;
  }
}
