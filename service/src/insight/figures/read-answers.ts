import { figureAnswersMax } from "@querent/contract";
import {
  entitiesIn,
  probabilityOf,
  sourcesIn,
  type Answer,
  type Instrument,
  type SourceInAnswer,
} from "@querent/figures";
import { ProblemError } from "../../api/problem-error.ts";
import type { Queryable } from "../../db/index.ts";
import { firstIdAt, millisecondAt } from "../../kernel/ids.ts";
import { sharedTexts, type Share } from "../../kernel/shared-texts.ts";
import { sharedSources } from "./shared-sources.ts";

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
 * The answers of a panel, oldest first. At most `figureAnswersMax`, for the memory: a selection that has more is refused. Equal
 * texts, sources and instruments are kept once.
 */
export async function readAnswers(
  db: Queryable,
  accountId: string,
  selection: AnswerSelection,
  parts: AnswerParts = { mentions: true, sources: true },
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const read = answerReader();
  const first = firstIdAt(millisecondAt(selection.from));
  let next: Promise<AnswerRow[]> | null = readStep(
    db,
    accountId,
    { ...selection, ...parts },
    { after: first, isFirst: true },
  );
  while (next !== null) {
    const rows: AnswerRow[] = await next;
    const last = rows.at(-1);
    // PostgreSQL reads the next rows while these are parsed here.
    next =
      last === undefined || rows.length < rowsAtOnce
        ? null
        : readStep(db, accountId, { ...selection, ...parts }, { after: last.id, isFirst: false });
    // It is awaited later, or never if there are too many.
    next?.catch(() => undefined);
    for (const row of rows) answers.push(read(row));
    if (answers.length > figureAnswersMax) throw tooMany();
  }
  return answers;
}

const tooMany = () =>
  new ProblemError(
    "validation_failed",
    `The window has more than ${figureAnswersMax.toLocaleString("en")} answers. Choose a shorter one, or a platform.`,
    { errors: [{ pointer: "?from", code: "out_of_range", detail: "Choose a shorter window, or a platform." }] },
  );

interface AnswerRow {
  id: string;
  observed_at: Date;
  recorded_at: Date;
  task_id: string | null;
  run_id: string | null;
  prompt_id: string;
  platform: string;
  locale: string;
  persona: string;
  repeat: number | null;
  probability: number | null;
  panel_revision: number | null;
  platform_kind: Instrument["kind"];
  model_version: string | null;
  recipe: string | null;
  reader: number;
  matcher: string | null;
  source_rules: string | null;
  content_length: number;
  search_count: number | null;
  duration_ms: number | null;
  points: number;
  flags: string[];
  sources: Parameters<typeof sourcesIn>[0];
  mentions: Parameters<typeof entitiesIn>[0];
  card_count: number;
}

async function readStep(
  db: Queryable,
  accountId: string,
  { panelId, to, platformCode, locale, persona, runId, mentions, sources }: AnswerSelection & AnswerParts,
  { after, isFirst }: { after: string; isFirst: boolean },
): Promise<AnswerRow[]> {
  // Index: observations_panel, in its order; the filters leave out few rows of a panel. Locks nothing.
  const { rows } = await db.query<AnswerRow>(
    `select o.id, o.observed_at, o.recorded_at, o.task_id, o.run_id, o.prompt_id, o.platform, o.locale, o.persona, o.repeat, o.probability,
            o.panel_revision, o.platform_kind, o.model_version, o.recipe, o.reader, o.matcher, o.source_rules, o.content_length,
            o.search_count, o.duration_ms, o.points, o.flags,
            ${sources ? "o.sources" : "'[]'::jsonb as sources"}, ${mentions ? "o.mentions" : "'[]'::jsonb as mentions"},
            jsonb_array_length(o.cards) as card_count
       from observations o
      where o.account_id = $1 and o.panel_id = $2 and o.id < $3::uuid and o.id ${isFirst ? ">=" : ">"} $4::uuid
        and o.prompt_id is not null
        and ($5::text is null or o.platform = $5) and ($6::text is null or o.locale = $6)
        and ($7::text is null or o.persona = $7) and ($8::uuid is null or o.run_id = $8)
      order by o.id limit ${rowsAtOnce}`,
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
  return rows;
}

interface Shared {
  readonly text: Share;
  readonly source: (source: SourceInAnswer) => SourceInAnswer;
  readonly instrument: (key: string, make: () => Instrument) => Instrument;
}

/** Keeps equal texts, sources and instruments once. */
function answerReader(): (row: AnswerRow) => Answer {
  const shared: Shared = { text: sharedTexts(), source: sharedSources(), instrument: oneOfEach() };
  return (row) => answerFrom(row, shared);
}

function oneOfEach<Value>(): (key: string, make: () => Value) => Value {
  const known = new Map<string, Value>();
  return (key, make) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make();
    known.set(key, made);
    return made;
  };
}

function answerFrom(row: AnswerRow, shared: Shared): Answer {
  const share = shared.text;
  return {
    observationId: row.id,
    taskId: row.task_id,
    runId: row.run_id === null ? null : share(row.run_id),
    observedAt: row.observed_at.toISOString(),
    recordedAt: row.recorded_at.toISOString(),
    promptId: share(row.prompt_id),
    platformCode: share(row.platform),
    locale: share(row.locale),
    persona: share(row.persona),
    repeat: row.repeat ?? 1,
    ...probabilityOf(row.probability),
    panelRevision: row.panel_revision ?? 0,
    instrument: instrumentOf(row, shared),
    mentions: entitiesIn(row.mentions).map((one) => ({ ...one, entityId: share(one.entityId) })),
    sources: sourcesIn(row.sources).map(shared.source),
    cards: row.card_count,
    contentLength: row.content_length,
    searchCount: row.search_count,
    durationMs: row.duration_ms,
    chargedPoints: row.points,
    flags: row.flags.map(share),
  };
}

function instrumentOf(row: AnswerRow, shared: Shared): Instrument {
  const instrument = {
    kind: row.platform_kind,
    modelVersion: row.model_version,
    recipe: row.recipe,
    reader: row.reader,
    matcher: row.matcher,
    sourceRules: row.source_rules,
  };
  return shared.instrument(JSON.stringify(Object.values(instrument)), () => instrument);
}
