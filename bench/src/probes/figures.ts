/** The figures and the report of a large panel over 90 days, over HTTP, among many observations of others; compared with reading the rows alone. */
import { readFileSync } from "node:fs";
import type { EntityRecord } from "@querent/contract";
import { createToken } from "../../../service/src/accounts/index.ts";
import type { Database } from "../../../service/src/db/index.ts";
import type { Bench } from "../bench.ts";
import { spread } from "../statistics.ts";
import type { Installation } from "../contenders/querent.ts";
import { withInstallation, type Line } from "./probe.ts";

const panelId = "00000002-0000-7000-8000-000000000001";
const days = 90;
const prompts = 50;
const platforms = ["p1", "p2", "p3", "p4", "p5"];
const locales = ["DE", "US"];
const cells = prompts * platforms.length * locales.length;
const from = new Date("2026-01-05T00:00:00.000Z");
const to = new Date(from.getTime() + days * 86_400_000);

const requests = (entityId: string) =>
  [
    ["the summary, of 5 entities", ""],
    ["presence of one entity", `&measure=presence&entityId=${entityId}`],
    ["presence of one entity, by prompt", `&measure=presence&entityId=${entityId}&by=prompt`],
    ["citation rate of ten domains", "&measure=citation_rate"],
  ] as const;

export function figures(bench: Bench): Promise<Line[]> {
  return withInstallation(bench, "figures", {}, async (installation) => {
    const { database } = installation;
    const accountId = installation.accountIds[0] ?? "";
    const scopes = ["panels:read", "panels:write", "tasks:read"] as const;
    const { token } = await createToken(database, { accountId, scopes, name: null, expiresAt: null });
    const service = await installation.serve({ roles: "api" });
    const call = callerOf(service.address, token);
    const entityIds: string[] = [];
    for (const [index, name] of ["Acme Mills", "Globex Corp", "Initech Ltd", "Hooli Inc", "Umbra Co"].entries()) {
      const relation = index === 0 ? "own" : "competitor";
      entityIds.push((await call<EntityRecord>("POST", "/v1/entities", { name, relation })).entityId);
    }
    const count = Math.max(bench.scale.backlog, cells * days);
    await fill(database, { accountId, entityIds, count });
    const rounds = Math.max(3, bench.scale.repetitions);
    const floorMs = await medianMs(rounds, () =>
      database.query(
        `select sum(length(o.sources::text) + length(o.mentions::text)) from observations o
          where o.account_id = $1 and o.panel_id = $2`,
        [accountId, panelId],
      ),
    );
    await service.end("SIGTERM");
    const what = `floor: the lists of ${cells * days} of ${count} observations, in PostgreSQL`;
    const lines: Line[] = [{ what, figure: `${floorMs.toFixed(0)} ms`, ratio: "", target: "" }];
    const window = `from=${from.toISOString()}&to=${to.toISOString()}`;
    for (const [asked, query] of requests(entityIds[0] ?? ""))
      lines.push(
        ...(await measure(installation, { what: asked, path: `figures?${window}${query}`, token, rounds, floorMs })),
      );
    for (const format of ["json", "html", "zip"]) {
      const asked = `the report as ${format}`;
      lines.push(
        ...(await measure(installation, {
          what: asked,
          path: `report?${window}&format=${format}`,
          token,
          rounds,
          floorMs,
        })),
      );
    }
    return lines;
  });
}

interface Measured {
  readonly what: string;
  readonly path: string;
  readonly token: string;
  readonly rounds: number;
  readonly floorMs: number;
}

/** In a process of its own, so that its memory is that of this request alone. */
async function measure(installation: Installation, { what, path, token, rounds, floorMs }: Measured): Promise<Line[]> {
  await using service = await installation.serve({ roles: "api" });
  const url = `${service.address}/v1/panels/${panelId}/${path}`;
  await callerOf(service.address, token)("GET", `/v1/panels/${panelId}`);
  const restMiB = peakMiB(service.pid);
  let bytes = 0;
  const cpuBefore = cpuMs(service.pid);
  const ms = await medianMs(rounds, async () => {
    bytes = await sizeOf(url, token);
  });
  const cpu = (cpuMs(service.pid) - cpuBefore) / (rounds + 1);
  const aboveMiB = peakMiB(service.pid) - restMiB;
  const waitMs = await longestWaitMs(service.address, sizeOf(url, token));
  return [
    {
      what,
      figure: `${ms.toFixed(0)} ms (${cpu.toFixed(0)} ms of processor time), ${(bytes / 2 ** 20).toFixed(1)} MiB`,
      ratio: `x ${(ms / floorMs).toFixed(1)}`,
      target: "2,000 ms at most",
    },
    {
      what: `${what}: memory of the API at rest, and above it`,
      figure: `${restMiB.toFixed(0)} + ${aboveMiB.toFixed(0)} MiB`,
      ratio: "",
      target: "300 MiB at most",
    },
    {
      what: `${what}: longest wait of another request meanwhile`,
      figure: `${waitMs.toFixed(0)} ms`,
      ratio: "",
      target: "100 ms at most",
    },
  ];
}

/** The longest wait for the event loop of requests that need nothing, sent one after the other until the work is done. */
async function longestWaitMs(address: string, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let longest = 0;
  while (!isDone) {
    const startedAt = performance.now();
    await (await fetch(`${address}/healthz`)).text();
    longest = Math.max(longest, performance.now() - startedAt);
  }
  await done;
  return longest;
}

const peakMiB = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** In user mode and in the kernel, of all threads: on a busy machine, it says more than the time that passed. */
function cpuMs(pid: number): number {
  const [, after = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = after.split(" ");
  // Hundredths of a second.
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

function callerOf(address: string, token: string) {
  return async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${response.status} to ${path}: ${await response.text()}`);
    return (await response.json()) as Body;
  };
}

async function sizeOf(url: string, token: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`${response.status} to ${url}: ${await response.text()}`);
  return (await response.arrayBuffer()).byteLength;
}

async function medianMs(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  // Once for the pages that are read from disk.
  await work();
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return spread(times).median;
}

/** One panel with an answer for each cell and day, and the observations of others, in the order of their times. */
async function fill(
  database: Database,
  { accountId, entityIds, count }: { accountId: string; entityIds: readonly string[]; count: number },
): Promise<void> {
  const content = {
    prompts: Array.from({ length: prompts }, (_, n) => ({
      promptId: `p${n}`,
      text: `Question ${n}?`,
      topic: `topic ${n % 25}`,
      intent: null,
    })),
    platforms,
    locales: locales.map((country) => ({ country })),
    personas: [],
    repeats: 1,
    tags: [],
    options: {},
  };
  const hex = (n: string) => `lpad(to_hex(${n}), 12, '0')`;
  const every = Math.max(1, Math.floor(count / (cells * days)));
  const stepMs = (days * 86_400_000) / (cells * days * every);
  const at = `(${from.getTime()}::bigint + floor(n * ${stepMs}))::bigint`;
  const client = await database.connect();
  try {
    await client.query("set synchronous_commit = off; set work_mem = '256MB'; set statement_timeout = 0");
    await client.query(
      `insert into panels (account_id, id, revision, name, created_at, updated_at) values ($1, $2, 1, 'bench', now(), now())`,
      [accountId, panelId],
    );
    await client.query(
      `insert into panel_revisions (account_id, panel_id, revision, digest, content, created_at)
       values ($1, $2, 1, sha256('bench'), $3, now())`,
      [accountId, panelId, JSON.stringify(content)],
    );
    // A thousand lists of ten sources of 200 domains, and of the mentions of some entities.
    await client.query(
      `create temporary table lists as
       select v, (select array_agg(distinct 'site' || (s * v * 7 + s * s) % 200 || '.example') from generate_series(1, 10) s) as domains,
              (select jsonb_agg(jsonb_build_object(
                        'url', 'https://www.site' || (s * v * 7 + s * s) % 200 || '.example/articles/the-best-of-' || (v % 50) || '?utm_source=x',
                        'canonicalUrl', 'https://www.site' || (s * v * 7 + s * s) % 200 || '.example/articles/the-best-of-' || (v % 50),
                        'domain', 'site' || (s * v * 7 + s * s) % 200 || '.example', 'type', 'news')) from generate_series(1, 10) s) as sources,
              (select '[' || string_agg(distinct format('["www.site%1$s.example","site%1$s.example","news",1]', (s * v * 7 + s * s) % 200), ',') || ']'
                 from generate_series(1, 10) s) as sites,
              coalesce((select jsonb_agg(jsonb_build_object('entityId', e.id, 'start', e.n * 100, 'end', e.n * 100 + 10,
                        'listPosition', e.n)) from unnest($1::uuid[]) with ordinality as e(id, n)
                        where (v * e.n) % 3 <> 0), '[]') as mentions
         from generate_series(0, 999) v`,
      [entityIds],
    );
    await client.query(
      `insert into observations (account_id, id, observed_at, task_id, revision, result_digest, panel_id, panel_revision, run_id,
         prompt_id, prompt_digest, platform, locale, persona, repeat, platform_kind, model_version, reader, matcher, source_rules,
         content_length, search_count, duration_ms, points, domains, sources, cited_sites, mentions)
       select case when o.ours then $1::uuid else ('00000003-0000-7000-8000-' || ${hex("n % 50")})::uuid end,
              o.id, to_timestamp(${at} / 1000.0), o.id, 1, sha256(int8send(n)),
              case when o.ours then $2::uuid else ('00000004-0000-7000-8000-' || ${hex("n % 200")})::uuid end, 1,
              ('00000005-0000-7000-8000-' || ${hex(`o.nth / ${cells}`)})::uuid, 'p' || o.nth % ${prompts}, sha256('question'),
              ($3::text[])[1 + (o.nth / ${prompts}) % ${platforms.length}],
              ($4::text[])[1 + (o.nth / ${prompts * platforms.length}) % ${locales.length}], '', 1, 'api', 'model-1', 1, '3-icu', '1/1',
              3000, 3, 4000, 1, l.domains, l.sources, l.sites, l.mentions
         from generate_series(0::bigint, ${cells * days * every - 1}) n
         cross join lateral (
           select n % ${every} = 0 as ours, n / ${every} as nth,
                  (left(${hex(at)}, 8) || '-' || right(${hex(at)}, 4) || '-7000-8000-' || ${hex("n")})::uuid as id
         ) o
         join lists l on l.v = (n * 31 + n / 1000) % 1000`,
      [accountId, panelId, platforms, locales],
    );
    await client.query("vacuum analyze observations");
  } finally {
    await client.end();
  }
}
