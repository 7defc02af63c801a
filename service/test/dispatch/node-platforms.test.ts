/** What nodes report of the platforms, what follows from it for their tasks, and to which platforms a worker is restricted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { WorkerPlatforms } from "../../src/app/worker-platforms.ts";
import type { Database } from "../../src/db/index.ts";
import {
  browserElsewhere,
  reportBrowser,
  judgePlatforms,
  reportPlatforms,
  type Lack,
} from "../../src/dispatch/node/node-platforms.ts";
import { newId } from "../../src/kernel/ids.ts";
import { testEngine } from "../harness/engine.ts";

const report = (
  database: Database,
  nodeId: string,
  what: { askable?: readonly string[]; lacking?: Readonly<Record<string, Lack>> },
  alone = false,
) => {
  const { askable = [], lacking = {} } = what;
  const about = { nodeId, roles: ["worker"], slotsMax: 10, onlyPlatforms: null };
  return reportPlatforms(database, { ...about, askable, lacking: new Map(Object.entries(lacking)) }, alone);
};

const noKey = { p: { why: "Set the environment variable P_KEY." } };

test("a platform can be asked if a node of the last minute can ask it; otherwise the nodes' reports say why not, and whether tasks are accepted", async () => {
  const engine = await testEngine();
  const { database } = engine;
  const [one, two, three] = [newId(), newId(), newId()];
  const age = (nodeId: string, seconds: number) =>
    database.query("update node_platforms set seen_at = now() - $2 * interval '1 second' where node_id = $1", [
      nodeId,
      seconds,
    ]);
  const judged = async () => {
    await judgePlatforms(database);
    const { rows } = await database.query<{ askable: string | null; why: string | null }>(
      "select askable, askable_why as why from platforms where code = 'p'",
    );
    return [rows[0]?.askable, rows[0]?.why];
  };
  assert.deepEqual(await judged(), [null, null], "nobody has reported");

  await report(database, one, { lacking: noKey });
  assert.deepEqual(await judged(), ["lacking", noKey.p.why]);
  await report(database, two, { askable: ["p"] });
  assert.deepEqual(await judged(), ["yes", null]);
  await age(two, 50);
  assert.deepEqual(await judged(), ["yes", null], "it may be starting anew");
  await age(two, 61);
  assert.deepEqual(await judged(), ["lacking", noKey.p.why], "it has gone, and what remains lacks the key");

  await database.query(
    "insert into nodes (id, name, version, lease_until) values ($1, 'two', '0', now() - interval '30 seconds')",
    [two],
  );
  assert.deepEqual(await judged(), ["yes", null], "the database was away for a minute; it has not reported again yet");
  await database.query("delete from nodes");

  await report(database, one, { askable: ["other"] });
  assert.deepEqual(
    await judged(),
    ["no_worker", "No running worker takes its tasks."],
    "the last one that took them could",
  );
  await report(database, three, { lacking: { p: { why: "No browser.", browser: true } } });
  assert.deepEqual(await judged(), ["no_worker", "No browser."], "a browser may come");
  await report(database, two, { lacking: noKey });
  assert.deepEqual(await judged(), ["lacking", noKey.p.why], "a browser would not be enough for all");

  // A node of an earlier version: it has no address, and reports nothing.
  await database.query(
    `insert into nodes (id, name, version, started_at, lease_until)
     values ($1, 'old', '0.1.0', now() - interval '1 hour', now() + interval '1 hour')`,
    [newId()],
  );
  assert.deepEqual(await judged(), [null, null], "what it can ask is unknown");
  await database.query("delete from nodes where name = 'old'");
  await report(database, one, { askable: ["p"] }, true);
  assert.deepEqual(await judged(), ["yes", null]);
  const { rows } = await database.query("select from node_platforms");
  assert.equal(rows.length, 1, "the reports of others are invalid for a process that is alone");
});

test("platforms that nobody can ask are listed while tasks wait for them, and only then", async () => {
  const engine = await testEngine();
  const { database } = engine;
  await report(database, newId(), { lacking: noKey });
  assert.deepEqual(await judgePlatforms(database), []);
  await engine.submit(await engine.account("a"), 2);
  assert.deepEqual(await judgePlatforms(database), [{ platform: "p", why: noKey.p.why }]);
  await report(database, newId(), { askable: ["p"] });
  assert.deepEqual(await judgePlatforms(database), []);
  await database.query("delete from dispatch");
});

test("a browser elsewhere counts for the platforms that its node can ask", async () => {
  const { database } = await testEngine();
  const [one, two] = [newId(), newId()];
  await reportBrowser(database, { nodeId: two, why: null }, false);
  assert.equal(await browserElsewhere(database, one), "all", "a node of an earlier version says nothing of platforms");
  await report(database, two, { askable: ["chatgpt-web"], lacking: noKey });
  assert.deepEqual(await browserElsewhere(database, one), new Set(["chatgpt-web"]));
  assert.deepEqual(await browserElsewhere(database, two), new Set());
});

test("a worker is restricted to web pages, to all others, or to platforms by their codes", () => {
  const platforms = new Map(
    (["openai", "sample", "chatgpt-web", "own-page"] as const).map((code) => [
      code,
      {
        code,
        kind: code === "chatgpt-web" || code === "own-page" ? ("web" as const) : ("api" as const),
        missing: null,
      },
    ]),
  );
  const codes = (...only: string[]) =>
    new WorkerPlatforms({
      database: { query: () => assert.fail("nothing is reported") } as unknown as Database,
      platforms,
      only,
      roles: ["worker"],
      slotsMax: 1,
      alone: true,
      whyNoBrowser: () => null,
      log: () => undefined,
      onFault: () => undefined,
    }).codes.toSorted();
  assert.deepEqual(codes(), ["chatgpt-web", "openai", "own-page", "sample"]);
  assert.deepEqual(codes("web"), ["chatgpt-web", "own-page"]);
  assert.deepEqual(codes("api"), ["openai", "sample"]);
  assert.deepEqual(codes("openai", "own-page"), ["openai", "own-page"]);
  assert.deepEqual(codes("web", "sample"), ["chatgpt-web", "own-page", "sample"]);
  assert.throws(() => codes("opnai"), /QUERENT_WORKER_PLATFORMS names opnai, .*Did you mean openai\?/u);
});
