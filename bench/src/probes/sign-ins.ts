/** What the check of a sign-in adds to a request, compared with the same request with a token; and that tokens and tasks pay nothing for it. */
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { invite } from "../../../service/src/people/index.ts";
import type { Database } from "../../../service/src/db/index.ts";
import type { Bench } from "../bench.ts";
import { question, type Installation } from "../contenders/querent.ts";
import { spread } from "../statistics.ts";
import { withInstallation, type Line } from "./probe.ts";

/** Requests of each kind in a repetition, in turns. */
const requestsOf = 400;
const otherLogins = 20_000;
const addedMsMax = 0.2;
/** PostgreSQL's processes tell what they have read at most once in a second. */
const countedAfterMs = 2500;

export function signIns(bench: Bench): Promise<Line[]> {
  return withInstallation(bench, "sign_ins", {}, async (installation) => {
    const { database, tokens, accountIds } = installation;
    const [token = ""] = tokens;
    const [accountId = ""] = accountIds;
    const api = await installation.serve({ roles: "api" });
    const ways: Readonly<Record<"token" | "login" | "limited", Readonly<Record<string, string>>>> = {
      token: { authorization: `Bearer ${token}` },
      login: await signIn(installation, api.address, null),
      limited: await signIn(installation, api.address, [accountId]),
    };
    const get = async (headers: Readonly<Record<string, string>>) => {
      const { statusCode, body } = await request(`${api.address}/v1/panels`, { headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${statusCode} to GET /v1/panels`);
    };
    const times = { token: [] as number[], login: [] as number[], limited: [] as number[] };
    const measure = async (count: number) => {
      for (const list of Object.values(times)) list.length = 0;
      for (let round = 0; round < count; round++)
        for (const way of ["token", "login", "limited"] as const) {
          const from = performance.now();
          await get(ways[way]);
          times[way].push(performance.now() - from);
        }
      // The difference within a round, in which the machine is about as busy.
      const added = (way: "login" | "limited") =>
        spread(times[way].map((time, round) => time - (times.token[round] ?? 0))).median;
      return {
        token: spread(times.token).median,
        login: added("login"),
        limited: added("limited"),
      };
    };
    // Once for what is compiled and read from disk.
    await measure(requestsOf);
    const few = await measure(bench.scale.repetitions * requestsOf);
    await addLogins(database, accountId);
    const many = await measure(bench.scale.repetitions * requestsOf);

    const byTokens = await readsOfPeople(database, async () => {
      for (let index = 0; index < requestsOf; index++) await get(ways.token);
    });
    const byLogins = await readsOfPeople(database, async () => {
      for (let index = 0; index < requestsOf; index++) await get(ways.login);
    });
    await api.end("SIGTERM");
    const tasks = 500;
    await using all = await installation.serve();
    const byTasks = await readsOfPeople(database, () => runTasks(all.address, token, tasks));
    const ms = (value: number) => `${value.toFixed(2)} ms`;
    const added = (of: typeof few, way: "login" | "limited", what: string): Line => ({
      what: `sign-in: ${what}`,
      figure: `adds ${ms(of[way])}`,
      ratio: `x ${(1 + of[way] / of.token).toFixed(2)}`,
      target: `adds ${addedMsMax} ms at most`,
    });
    return [
      { what: "floor: GET /v1/panels with a token", figure: ms(few.token), ratio: "", target: "" },
      added(few, "login", "the same with a login"),
      added(few, "limited", "with a login that is limited to projects"),
      {
        what: `with a token, beside ${otherLogins} logins of others`,
        figure: ms(many.token),
        ratio: `x ${(many.token / few.token).toFixed(2)}`,
        target: "",
      },
      added(many, "login", `with a login, beside ${otherLogins} of others`),
      {
        what: `reads of the tables of people by ${requestsOf} requests with a login; with a token; by ${tasks} tasks`,
        figure: `${byLogins}; ${byTokens}; ${byTasks}`,
        ratio: "",
        target: "with a token 0, by tasks those of housekeeping",
      },
    ];
  });
}

/** A person who has joined the account: what the browser sends. */
async function signIn(
  { database, accountIds }: Installation,
  address: string,
  projects: readonly string[] | null,
): Promise<Record<string, string>> {
  const [accountId = ""] = accountIds;
  const { token } = await database.transaction((tx) =>
    invite(tx, { accountId, email: null, role: "viewer", projects, days: 1 }),
  );
  const own = { "x-querent-login": "1", "sec-fetch-site": "same-origin" };
  const accept = () =>
    request(`${address}/v1/links/acceptance`, {
      method: "POST",
      headers: { ...own, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ token, email: `${projects === null ? "whole" : "limited"}@example.com` },
        ...{ name: "Ada", password: "orchid telescope lantern gravel" },
      }),
    });
  let answer = await accept();
  // A process that has just started opens its connections to the database, and hashing a password takes the machine for a while.
  for (let tries = 0; answer.statusCode === 503 && tries < 5; tries++) {
    await answer.body.dump();
    await sleep(1000);
    answer = await accept();
  }
  const { statusCode, headers, body } = answer;
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`${statusCode} to a link: ${text}`);
  const [cookie = ""] = [headers["set-cookie"] ?? ""].flat();
  return { ...own, cookie: cookie.split(";", 1)[0] ?? "" };
}

/** Logins of as many other persons, copied from the first. */
async function addLogins(database: Database, accountId: string): Promise<void> {
  const copies = async (table: string, change: string) => {
    const { rows } = await database.query<{ columns: string; values: string }>(
      `select string_agg(quote_ident(attname), ', ') as columns,
              string_agg(coalesce(($2::jsonb)->>attname, 'f.' || quote_ident(attname)), ', ') as values
         from pg_attribute where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table, change],
    );
    const [{ columns, values } = { columns: "", values: "" }] = rows;
    await database.query(
      `insert into ${table} (${columns}) select ${values} from generate_series(1, ${otherLogins}) as n,
         (select * from ${table} order by created_at limit 1) f`,
    );
  };
  const id = (kind: string) => `md5('${kind}' || n)::uuid`;
  await copies(
    "persons",
    JSON.stringify({ id: id("person"), email: "n || '@many.example'", email_key: "n || '@many.example'" }),
  );
  await copies("members", JSON.stringify({ id: id("member"), person_id: id("person") }));
  await copies(
    "logins",
    JSON.stringify({
      ...{ id: id("login"), person_id: id("person") },
      sha256: "sha256(n::text::bytea)",
    }),
  );
  await database.query("analyze persons, members, logins");
  const { rows } = await database.query<{ count: number }>(
    "select count(*)::int as count from members where account_id = $1",
    [accountId],
  );
  if ((rows[0]?.count ?? 0) < otherLogins) throw new Error("the logins of others are not there");
}

/** How often the tables of people were read meanwhile, by all processes. */
async function readsOfPeople(database: Database, work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    await sleep(countedAfterMs);
    const { rows } = await database.query<{ reads: number }>(
      `select sum(seq_scan + coalesce(idx_scan, 0))::int as reads from pg_stat_user_tables
        where relname in ('logins', 'members', 'persons')`,
    );
    return rows[0]?.reads ?? 0;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

async function runTasks(address: string, token: string, count: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const { statusCode, body } = await request(`${address}/v1/tasks/batch`, {
    method: "POST",
    headers: { ...headers, "idempotency-key": "bench" },
    body: JSON.stringify(Array.from({ length: count }, () => ({ question, platformCode: "simulator" }))),
  });
  const { tasks } = (await body.json()) as { tasks: { taskId: string }[] };
  if (statusCode !== 202) throw new Error(`${statusCode} to the tasks`);
  for (const { taskId } of tasks)
    for (let state = "pending"; state === "pending";) {
      const answer = await request(`${address}/v1/tasks/${taskId}`, { headers: { ...headers, prefer: "wait=30" } });
      ({ state } = (await answer.body.json()) as { state: string });
    }
}
