import type { Queryable } from "../../db/index.ts";
import { firstIdAt } from "../../kernel/ids.ts";
import { linePages } from "../computing/line-pages.ts";
import type { ComparableRun } from "./choose-runs.ts";

/** Which answers of the runs are read. */
export interface ComparedSelection {
  readonly panelId: string;
  readonly promptId?: string;
  readonly platformCode?: string;
}

/** The answers of runs, as pages of text for `comparedDecoder`. */
export async function* comparedPages(
  db: Queryable,
  accountId: string,
  { panelId, promptId, platformCode }: ComparedSelection,
  runs: readonly ComparableRun[],
): AsyncGenerator<string, void, void> {
  const runIds = runs.map(({ runId }) => runId);
  for (const { from, to } of windowsOf(runs)) {
    // Index: observations_panel, in its order; the filters leave out few rows of a panel. Locks nothing.
    // Imported answers, which may name a run, are not its own. JSON has no control characters, so tabs and line feeds separate its texts.
    const pages = linePages(db, ({ after, limit }) => ({
      text: `select o.id,
               json_build_array(o.task_id, o.run_id, o.prompt_id, encode(o.prompt_digest, 'hex'), o.platform, o.locale, o.persona, coalesce(o.repeat, 1), o.content_length, o.flags)::text
               || E'\\t' || json_build_array(o.platform_kind, o.model_version, o.recipe, o.reader, o.matcher, o.source_rules)::text
               || E'\\t' || o.mentions::text || E'\\t' || o.sources::text || E'\\t' || o.cards::text as line
          from observations o
         where o.account_id = $1 and o.panel_id = $2 and o.id < $3::uuid and o.id ${after === null ? ">=" : ">"} $4::uuid
           and o.run_id = any($5::uuid[]) and o.task_id is not null and o.prompt_id is not null
           and ($6::text is null or o.prompt_id = $6) and ($7::text is null or o.platform = $7)
         order by o.id limit $8::int`,
      values: [
        accountId,
        panelId,
        firstIdAt(to),
        after ?? firstIdAt(from),
        runIds,
        promptId ?? null,
        platformCode ?? null,
        limit,
      ],
    }));
    for await (const { text } of pages) yield text;
  }
}

/** Runs follow each other, so windows that overlap are read as one. */
function windowsOf(runs: readonly ComparableRun[]): { from: Date; to: Date }[] {
  const windows: { from: Date; to: Date }[] = [];
  for (const { createdAt, endedBefore } of runs.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())) {
    const last = windows.at(-1);
    if (last === undefined || createdAt > last.to) windows.push({ from: createdAt, to: endedBefore });
    else if (endedBefore > last.to) last.to = endedBefore;
  }
  return windows;
}
