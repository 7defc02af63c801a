/** Many answers of a panel, written with SQL: what an account has after months, in seconds. */
import type { Database } from "../../src/db/index.ts";
import { newId } from "../../src/kernel/ids.ts";

export interface ManyAnswers {
  readonly prompts: number;
  /** One run an hour, the last one an hour ago; each asks every prompt once on every platform. */
  readonly runs: number;
  readonly platforms?: readonly string[];
  /** Each is named by two of three answers. */
  readonly entityIds?: readonly string[];
  /** The length of each answer's text, which is stored as its result; 0: there are no results. */
  readonly textLength?: number;
  /** Addresses that each answer cites. */
  readonly sources?: number;
}

export interface FilledPanel {
  readonly panelId: string;
  /** Oldest first. */
  readonly runIds: readonly string[];
}

/** Writes a panel with its runs, observations and, if asked for, results. Every answer has words of its own. */
export async function fillAnswers(
  database: Database,
  accountId: string,
  { prompts, runs, platforms = ["simulator"], entityIds = [], textLength = 0, sources = 5 }: ManyAnswers,
): Promise<FilledPanel> {
  const panelId = newId();
  const content = {
    prompts: Array.from({ length: prompts }, (_, n) => ({
      promptId: `p${n}`,
      text: `Question ${n}?`,
      topic: `topic ${n % 25}`,
      intent: null,
    })),
    platforms,
    locales: [],
    personas: [],
    repeats: 1,
    tags: [],
    options: {},
  };
  const client = await database.connect();
  try {
    await client.query("set synchronous_commit = off; set statement_timeout = 0");
    await client.query(
      "insert into panels (account_id, id, revision, name, created_at, updated_at) values ($1, $2, 1, 'many', now(), now())",
      [accountId, panelId],
    );
    await client.query(
      `insert into panel_revisions (account_id, panel_id, revision, digest, content, created_at)
       values ($1, $2, 1, sha256($3::text::bytea), $4, now())`,
      [accountId, panelId, panelId, JSON.stringify(content)],
    );
    await client.query(
      `create temporary table made on commit preserve rows as
       select n, cell, run, r.id as run_id, r.at + n * interval '1 microsecond' as at, uuidv7(r.at - now() + n * interval '1 microsecond') as id
         from (select run, uuidv7(-(interval '1 hour' * ($1::int - run))) as id, now() - interval '1 hour' * ($1::int - run) as at
                 from generate_series(0, $1::int - 1) run) r
        cross join lateral (select cell, run::bigint * $2 + cell as n from generate_series(0, $2::int - 1) cell) c`,
      [runs, prompts * platforms.length],
    );
    const { rows } = await client.query<{ run_id: string; batch_id: string }>(
      `insert into panel_runs (account_id, panel_id, id, revision, request_key, state, batch_ids, cell_count, task_count, points, created_at, ended_at)
       select $1, $2, run_id, 1, run_id::text, 'started', array[run_id], count(*), count(*), 0, min(at), max(at) + interval '1 second' from made group by run_id
       returning id as run_id`,
      [accountId, panelId],
    );
    await client.query(
      `insert into batches (id, account_id, task_count, estimated_points, created_at, finished_at)
       select run_id, $1, count(*), 0, min(at), max(at) + interval '1 second' from made group by run_id`,
      [accountId],
    );
    // There are a thousand kinds of answers; this is what each cites and names.
    await client.query(
      `create temporary table kinds on commit preserve rows as
       select v, array(select distinct 'site' || (s * v * 7 + s * s) % 200 || '.example' from generate_series(1, $2::int) s) as domains,
              (select coalesce(jsonb_agg(jsonb_build_object('url', 'https://www.site' || (s * v * 7 + s * s) % 200 || '.example/the-best-of-' || v || '-' || s,
                        'canonicalUrl', 'https://www.site' || (s * v * 7 + s * s) % 200 || '.example/the-best-of-' || v || '-' || s,
                        'domain', 'site' || (s * v * 7 + s * s) % 200 || '.example', 'type', 'news')), '[]') from generate_series(1, $2::int) s) as sources,
              coalesce((select jsonb_agg(jsonb_build_object('entityId', e.id, 'start', e.n * 100, 'end', e.n * 100 + 10,
                        'listPosition', e.n, 'recommended', true)) from unnest($1::uuid[]) with ordinality as e(id, n)
                        where (v + e.n) % 3 <> 0), '[]') as mentions
         from generate_series(0, 999) v`,
      [entityIds, sources],
    );
    await client.query(
      `insert into observations (account_id, id, observed_at, task_id, batch_id, revision, result_digest, panel_id, panel_revision, run_id,
         prompt_id, prompt_digest, platform, repeat, platform_kind, model_version, reader, matcher, source_rules,
         content_length, search_count, duration_ms, points, domains, sources, mentions)
       select $1, m.id, m.at, m.id, m.run_id, 1, sha256(int8send(m.n)), $2, 1, m.run_id, 'p' || m.cell % $3, sha256('question'),
              ($4::text[])[1 + m.cell / $3], 1, 'api', 'model-1', 1, '2-icu', '1/1', $5, 3, 4000, 1, k.domains, k.sources, k.mentions
         from made m join kinds k on k.v = (m.n * 31 + m.n / 1000) % 1000`,
      [accountId, panelId, prompts, platforms, textLength],
    );
    if (textLength > 0) await writeResults(client, accountId, textLength);
    await client.query("drop table made, kinds; analyze observations");
    return { panelId, runIds: rows.map((row) => row.run_id).toSorted() };
  } finally {
    await client.end();
  }
}

type Client = Awaited<ReturnType<Database["connect"]>>;

async function writeResults(client: Client, accountId: string, textLength: number): Promise<void> {
  await client.query(
    `insert into tasks (id, account_id, batch_id, item_index, question, platform, deep_analysis, output, result_format, priority, price_points,
       state, charged_points, revision, created_at, completed_at, expires_at, result_day)
     select id, $1, run_id, cell, 'q', 'simulator', false, 'answer', 'json', 5, 1, 'completed', 1, 1, at, at, now() + interval '7 days', current_date
       from made`,
    [accountId],
  );
  // A tenth of the words of each answer are its own.
  await client.query(
    `insert into task_results (day, task_id, expires_at, account_id, result)
     select current_date, m.id, now() + interval '7 days', $1,
            json_build_object('content', left(
              (select string_agg(case when w % 10 = 0 then 'word' || (w * 7919 + m.n * 104729) % 1000003 else 'common' || w % 5000 end, ' ')
                 from generate_series(1, $2::int / 8) w), $2::int))
       from made m`,
    [accountId, textLength],
  );
}
