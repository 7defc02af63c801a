import type { EntitySpan, ObservationFilter } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { readAnswerTexts } from "./answer-texts.ts";
import { listObservations } from "./list-observations.ts";

const contextChars = 80;

/** The mentions of one entity in a page of observations, with the text around them as long as it is there. */
export async function listMentions(
  db: Queryable,
  accountId: string,
  filter: ObservationFilter & { readonly entityId: string },
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
