import { figureAnswersMax } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { firstIdAt, millisecondAt } from "../../kernel/ids.ts";
import { memoryForAnswers, type Narrow } from "../../computing/computer.ts";
import { InputTooLarge } from "../../computing/job.ts";
import { linePages } from "../../computing/line-pages.ts";

/** The answers of a panel that were observed in a window: from its first moment, before its end. */
export interface AnswerSelection {
  readonly panelId: string;
  readonly from: string;
  readonly to: string;
  readonly platformCode?: string;
  readonly locale?: string;
  readonly persona?: string;
  readonly runId?: string;
  readonly importId?: string;
}

/** The lists that are read; those that are not are empty. */
export interface AnswerParts {
  readonly mentions: boolean;
  readonly sources: boolean;
  /** Of the entities that are mentioned in them: with mentions. */
  readonly products: boolean;
  readonly ads: boolean;
}

/** What a client can change if the answers of a window are too many. */
export const narrowWindow: Narrow = { pointer: "?from", detail: "Choose a shorter window, or a platform." };

/**
 * The answers of a panel, oldest first, as pages of text for `answerDecoder`: PostgreSQL writes them, so that this thread parses
 * nothing. Throws `InputTooLarge` if there are more than `figureAnswersMax`.
 */
export async function* answerPages(
  db: Queryable,
  accountId: string,
  selection: AnswerSelection,
  parts: AnswerParts = { mentions: true, sources: true, products: true, ads: true },
): AsyncGenerator<string, void, void> {
  const { panelId, from, to, platformCode, locale, persona, runId, importId } = selection;
  const { mentions, sources, products, ads } = parts;
  const first = firstIdAt(millisecondAt(from));
  let answers = 0;
  // Index: observations_panel, in its order; the filters leave out few rows of a panel. Locks nothing.
  // JSON has no control characters, so tabs and line feeds separate its texts.
  const pages = linePages(db, ({ after, limit }) => ({
    text: `select o.id,
             json_build_array(o.id, o.observed_at, o.recorded_at, o.task_id, o.run_id, o.prompt_id, encode(o.prompt_digest, 'hex'), o.platform, o.locale, o.persona,
               o.repeat, o.probability, o.panel_revision, o.content_length, o.search_count, o.duration_ms, o.points,
               jsonb_array_length(o.cards), o.flags)::text
             || E'\\t' || json_build_array(o.platform_kind, o.model_version, o.recipe, o.reader, o.matcher, o.source_rules)::text
             || E'\\t' || ${mentions || products ? "o.mentions::text" : "'[]'"} || E'\\t' || ${sources ? "coalesce(o.cited_sites, o.sources::text)" : "'[]'"}
             || E'\\t' || ${products ? `case when o.cards @> '[{"kind": "product"}]' then o.cards::text else '[]' end` : "'[]'"}
             ${ads ? "|| coalesce(E'\\t' || o.ad_availability || E'\\t' || coalesce(o.ads::text, '[]'), '')" : ""} as line
        from observations o
       where o.account_id = $1 and o.panel_id = $2 and o.id < $3::uuid and o.id ${after === null ? ">=" : ">"} $4::uuid
         and o.prompt_id is not null
         and ($5::text is null or o.platform = $5) and ($6::text is null or o.locale = $6)
         and ($7::text is null or o.persona = $7) and ($8::uuid is null or o.run_id = $8)
         and ($9::uuid is null or o.import_id = $9)
       order by o.id limit $10::int`,
    values: [
      accountId,
      panelId,
      firstIdAt(millisecondAt(to)),
      after ?? first,
      platformCode ?? null,
      locale ?? null,
      persona ?? null,
      runId ?? null,
      importId ?? null,
      limit,
    ],
  }));
  for await (const { text, count } of pages) {
    answers += count;
    if (answers > figureAnswersMax) throw new InputTooLarge("answers");
    yield text;
  }
}

/** How much memory the answers of a window need, counted without their filters. */
export const memoryForWindow = async (...window: Parameters<typeof countWindow>): Promise<number> =>
  memoryForAnswers(await countWindow(...window));

/** How many answers the window has, at most as many as a computation may read. */
export async function countWindow(
  db: Queryable,
  accountId: string,
  { panelId, from, to }: Pick<AnswerSelection, "panelId" | "from" | "to">,
): Promise<number> {
  // Index: observations_panel, of which it reads no more entries than a computation may read answers. Locks nothing.
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from (
       select from observations where account_id = $1 and panel_id = $2 and id >= $3::uuid and id < $4::uuid limit $5) counted`,
    [accountId, panelId, firstIdAt(millisecondAt(from)), firstIdAt(millisecondAt(to)), figureAnswersMax],
  );
  return rows[0]?.count ?? 0;
}
