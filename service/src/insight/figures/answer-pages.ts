import { figureAnswersMax } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import type { Queryable } from "../../db/index.ts";
import { firstIdAt, millisecondAt } from "../../kernel/ids.ts";

/** The answers of a panel that were observed in a window: from its first moment, before its end. */
export interface AnswerSelection {
  readonly panelId: string;
  readonly from: string;
  readonly to: string;
  readonly platformCode?: string;
  readonly locale?: string;
  readonly persona?: string;
  readonly runId?: string;
}

/** The lists that are read; those that are not are empty. */
export interface AnswerParts {
  readonly mentions: boolean;
  readonly sources: boolean;
}

/** Rows that are read at once: few, so that what was parsed is collected while it is young. */
const rowsAtOnce = 500;

/**
 * The answers of a panel, oldest first, as pages of text for `answerDecoder`: PostgreSQL writes them, so that this thread parses
 * nothing. At most `figureAnswersMax`, for the memory: a selection that has more is refused.
 */
export async function* answerPages(
  db: Queryable,
  accountId: string,
  selection: AnswerSelection,
  parts: AnswerParts = { mentions: true, sources: true },
): AsyncGenerator<string, void, void> {
  let answers = 0;
  const read = (after: string, isFirst: boolean) =>
    readPage(db, accountId, { ...selection, ...parts }, { after, isFirst });
  let next: Promise<AnswerPage> | null = read(firstIdAt(millisecondAt(selection.from)), true);
  while (next !== null) {
    const { text, count, last }: AnswerPage = await next;
    answers += count;
    if (answers > figureAnswersMax) throw tooMany();
    // PostgreSQL reads the next rows while these are decoded.
    next = last === null || count < rowsAtOnce ? null : read(last, false);
    // It is awaited later, or never if the reader stops.
    next?.catch(() => undefined);
    if (count > 0) yield text;
  }
}

export const tooMany = () =>
  new ProblemError(
    "validation_failed",
    `The window has more than ${figureAnswersMax.toLocaleString("en")} answers. Choose a shorter one, or a platform.`,
    { errors: [{ pointer: "?from", code: "out_of_range", detail: "Choose a shorter window, or a platform." }] },
  );

interface AnswerPage {
  readonly text: string;
  readonly count: number;
  readonly last: string | null;
}

async function readPage(
  db: Queryable,
  accountId: string,
  { panelId, to, platformCode, locale, persona, runId, mentions, sources }: AnswerSelection & AnswerParts,
  { after, isFirst }: { after: string; isFirst: boolean },
): Promise<AnswerPage> {
  // Index: observations_panel, in its order; the filters leave out few rows of a panel. Locks nothing.
  // JSON has no control characters, so tabs and line feeds separate its texts.
  const { rows } = await db.query<{ text: string | null; count: number; last: string | null }>(
    `select string_agg(line, E'\\n' order by id) as text, count(*)::int as count, (array_agg(id order by id desc))[1] as last
       from (
         select o.id,
                json_build_array(o.id, o.observed_at, o.recorded_at, o.task_id, o.run_id, o.prompt_id, o.platform, o.locale, o.persona,
                  o.repeat, o.probability, o.panel_revision, o.content_length, o.search_count, o.duration_ms, o.points,
                  jsonb_array_length(o.cards), o.flags)::text
                || E'\\t' || json_build_array(o.platform_kind, o.model_version, o.recipe, o.reader, o.matcher, o.source_rules)::text
                || E'\\t' || ${mentions ? "o.mentions::text" : "'[]'"} || E'\\t' || ${sources ? "coalesce(o.cited_sites, o.sources::text)" : "'[]'"} as line
           from observations o
          where o.account_id = $1 and o.panel_id = $2 and o.id < $3::uuid and o.id ${isFirst ? ">=" : ">"} $4::uuid
            and o.prompt_id is not null
            and ($5::text is null or o.platform = $5) and ($6::text is null or o.locale = $6)
            and ($7::text is null or o.persona = $7) and ($8::uuid is null or o.run_id = $8)
          order by o.id limit ${rowsAtOnce}
       ) page`,
    [
      accountId,
      panelId,
      firstIdAt(millisecondAt(to)),
      after,
      platformCode ?? null,
      locale ?? null,
      persona ?? null,
      runId ?? null,
    ],
  );
  const [page] = rows;
  return { text: page?.text ?? "", count: page?.count ?? 0, last: page?.last ?? null };
}
