import type { NameProposals } from "@querent/contract";
import type { Database } from "../../db/index.ts";
import type { EntityRecordRow } from "../entities/entity-rows.ts";
import { declinedKeys } from "../entities/entity-rows.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import type { AnswerText } from "../entities/search-process.ts";
import { readAnswerTexts } from "./answer-texts.ts";
import { listObservations } from "./list-observations.ts";

/** Enough to see each form and sense that is not rare. They are searched in a second or two. */
const answersMax = 200;
const charsMax = 512 * 1024;
/** Observations that are looked at for answers whose texts are still there. */
const observationsMax = 1_000;
const observationsAtOnce = 20;

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
