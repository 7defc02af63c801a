/**
 * A panel's 28 days among a year of observations take a small part of the pages that all of them take, whatever the machine is busy with. The
 * times are reported. OBSERVATIONS sets the number of observations.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { countSources } from "../../src/observations/records/count-sources.ts";
import { listObservations } from "../../src/observations/records/list-rows.ts";
import { testDatabase } from "../harness/database.ts";
import { countPages } from "../harness/pages.ts";

const count = Number(process.env["OBSERVATIONS"] ?? 1_000_000);
/** So many that 28 days of one panel are 19,000 answers, as with 40 panels in ten million. */
const panels = Math.max(1, Math.round(count / 250_000));
const days = 365;

const perDay = (where: string) => `
  select date_trunc('day', o.observed_at) as day, o.platform, o.prompt_id, count(*)::int as answers,
         count(*) filter (where o.domains <> '{}')::int as with_sources,
         count(*) filter (where o.entities @> array[$2::uuid])::int as mentioning
    from observations o
   where o.account_id = $1 and ${where}
   group by 1, 2, 3`;

test(`${count.toLocaleString("en")} observations: the 28 days of a panel`, { timeout: 3_600_000 }, async (t) => {
  const { database, url } = await testDatabase();
  const [accountId, entityId] = [randomUUID(), randomUUID()];
  const client = await database.connect();
  await client.query("set statement_timeout = 0");
  for (let day = 0; day < days; day++) {
    await client.query(
      `insert into observations (account_id, id, observed_at, recorded_at, task_id, revision, result_digest, panel_id, panel_revision,
         run_id, prompt_id, prompt_digest, platform, platform_kind, model_version, reader, source_rules, content_length, domains,
         entities, sources, domain_types, domain_citations)
       select $1, id, at, at, id, 1, d, ('00000000-0000-7000-8000-' || lpad(to_hex(n % $2), 12, '0'))::uuid, 1, id, 'p' || (n / $2) % 50, d,
              'platform-' || (n / $2 / 50) % 4, 'api', 'm', 1, '1', 2000, array['site-' || n % 97 || '.example', 'shop-' || n % 89 || '.example'],
              case when n % 3 = 0 then array[$3::uuid] else '{}' end,
              jsonb_build_array(s || jsonb_build_object('domain', 'site-' || n % 97 || '.example'), s || jsonb_build_object('domain', 'shop-' || n % 89 || '.example')),
              array['other', 'other', null], array[1, 1, 0]
         from generate_series(0, $4::int - 1) n
         cross join lateral (select date_trunc('day', now()) - ($5::int - $6::int) * interval '1 day' + n * interval '1 millisecond' as at) a
         cross join lateral (select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid as id) i
         cross join (select decode(repeat('00', 32), 'hex') as d) z
         cross join lateral (select jsonb_build_object('url', 'https://site.example/' || n % 500, 'canonicalUrl', 'https://site.example/' || n % 500, 'type', 'other') as s) j`,
      [accountId, panels, entityId, Math.floor(count / days), days, day],
    );
  }
  await client.query("vacuum (analyze) observations");
  await client.end();
  const panelId = "00000000-0000-7000-8000-000000000000";
  const { rows: since } = await database.query<{ id: string; at: Date }>(
    `select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid as id, at
       from (select now() - interval '28 days' as at) a`,
  );
  const counter = await countPages(url);
  t.after(() => counter.close());
  const pagesOf = async (what: string, work: () => Promise<number>) => {
    const startedAt = performance.now();
    let size = 0;
    const pages = await counter.pagesOf(async () => (size = await work()));
    t.diagnostic(`${what}: ${pages} pages, ${(performance.now() - startedAt).toFixed(0)} ms (${size})`);
    return pages;
  };
  const observedFrom = since[0]?.at.toISOString() ?? "";
  const byDay = async (where: string, values: readonly unknown[]) => {
    const { rows } = await counter.database.query<{ answers: number }>(perDay(where), [accountId, entityId, ...values]);
    return rows.reduce((sum, { answers }) => sum + answers, 0);
  };
  const view = await pagesOf("answers, with sources and mentioning, by day, prompt and platform", () =>
    byDay("o.panel_id = $3 and o.id >= $4", [panelId, since[0]?.id]),
  );
  const page = await pagesOf("a page of 200", async () => {
    const listed = await listObservations(
      counter.database,
      accountId,
      { panelId, observedFrom },
      { beforeId: null, limit: 200 },
    );
    return listed.observations.length;
  });
  const sources = async (by: "domain" | "address") => {
    const counted = await countSources(counter.database, accountId, {
      filter: { panelId, observedFrom },
      by,
      limit: 100,
    });
    return counted.answers;
  };
  const domains = await pagesOf("sources by domain", () => sources("domain"));
  const addresses = await pagesOf("sources by address", () => sources("address"));
  const all = await pagesOf("the same of all answers, of any panel and day", () => byDay("true", []));
  for (const [what, pages] of Object.entries({ view, page, domains, addresses }))
    assert.ok(pages < all / 8, `${what}: ${pages} pages, and ${all} of all answers`);
});
