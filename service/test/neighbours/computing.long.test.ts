/** What computes over many answers stops nobody: attacks that ended the service, or kept others from it, when everything was loaded. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { EntityRecord } from "@querent/contract";
import { request } from "undici";
import { markDue } from "../../src/reports/changes/evaluations.ts";
import { fillAnswers } from "../insight/many-answers.ts";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { until, waiting } from "../harness/wait.ts";

const MiB = 2 ** 20;
const aboveIdleMax = 1024 * MiB;
const service = await startTestService();
const { database } = service;
after(() => service.stop());

interface Filled {
  readonly account: TestAccount;
  readonly panelId: string;
  readonly runIds: readonly string[];
  readonly entityId: string;
}

async function filled(answers: Omit<Parameters<typeof fillAnswers>[2], "entityIds">): Promise<Filled> {
  const account = await service.account();
  const entityIds: string[] = [];
  for (const name of ["Acme Mills", "Globex Corp", "Initech Ltd", "Hooli Inc", "Umbra Co"]) {
    const relation = entityIds.length === 0 ? "own" : "competitor";
    const { body } = await account.call<EntityRecord>("POST", "/v1/entities", { body: { name, relation } });
    entityIds.push(body.entityId);
  }
  const { panelId, runIds } = await fillAnswers(database, account.accountId, { ...answers, entityIds });
  return { account, panelId, runIds, entityId: entityIds[0] ?? "" };
}

interface Result {
  readonly status: number;
  readonly bytes: number;
}

const send = ({ account, panelId }: Filled, path: string, body?: object, signal?: AbortSignal): Promise<Result> =>
  sendTo(account, `/v1/panels/${panelId}/${path}`, { body, signal });

/** Reads the reply without keeping it: the test's own memory is in the same process. */
async function sendTo(
  { token }: TestAccount,
  path: string,
  { accept = "*/*", body, signal }: { accept?: string; body?: object | undefined; signal?: AbortSignal | undefined },
): Promise<Result> {
  const response = await request(service.address + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, accept, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  let bytes = 0;
  for await (const chunk of response.body) bytes += (chunk as Buffer).length;
  return { status: response.statusCode, bytes };
}

/** The most memory of this process above what it had, and the longest that its event loop was silent, while something is done. */
async function watched<Value>(work: () => Promise<Value>): Promise<{ value: Value; above: number; silentMs: number }> {
  const idle = process.memoryUsage.rss();
  let most = 0;
  let silentMs = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    silentMs = Math.max(silentMs, now - last - 10);
    last = now;
    most = Math.max(most, process.memoryUsage.rss());
  }, 10);
  try {
    return { value: await work(), above: Math.max(0, most - idle), silentMs };
  } finally {
    clearInterval(timer);
  }
}

const times = <Value>(count: number, value: (nth: number) => Value) =>
  Array.from({ length: count }, (_, nth) => value(nth));

/** An attack: each request is answered, or is told to come again, or what to narrow; and the service goes on. */
async function attack(what: string, work: () => Promise<Result>[]): Promise<Result[]> {
  const { value, above, silentMs } = await watched(() => Promise.all(work()));
  const statuses = new Set(value.map(({ status }) => status));
  assert.ok(
    value.some(({ status }) => status === 200),
    `${what}: ${[...statuses].join()}`,
  );
  assert.deepEqual(
    [...statuses].filter((status) => ![200, 422, 429, 503].includes(status)),
    [],
    what,
  );
  assert.ok(above < aboveIdleMax, `${what}: ${(above / MiB).toFixed(0)} MiB above idle`);
  assert.ok(silentMs < 500 * waiting(), `${what}: silent for ${silentMs.toFixed(0)} ms`);
  await untilOver();
  return value;
}

const untilOver = () =>
  until("every turn to be over", async () => {
    const metrics = (await small.account.get("/metrics")).text;
    return /querent_figures_processes 0/.test(metrics) && /querent_figures_memory_bytes 0/.test(metrics);
  });

const long = await filled({ prompts: 30, runs: 2, textLength: MiB, sources: 1000 });
const many = await filled({ prompts: 50, runs: 1000, platforms: ["simulator", "manual"] });
const others = await filled({ prompts: 50, runs: 1000, platforms: ["simulator", "manual"] });
/** Observations of 200 kB. */
const wide = await filled({ prompts: 50, runs: 10, sources: 1000 });
const small = await filled({ prompts: 5, runs: 20 });

const diffPath = `runs/${long.runIds[1]}/diff?with=${long.runIds[0]}&results=true`;
const bridgePath = `bridge?entityId=${many.entityId}&fromPlatform=simulator&toPlatform=manual`;
const planned = {
  measure: "presence",
  entityId: many.entityId,
  platformCode: "simulator",
  scope: "these_prompts",
  width: 0.1,
};

test("fourteen diffs of runs with the longest possible answers stop nobody", async () => {
  await attack("diffs", () => times(14, () => send(long, diffPath)));
});

test("24 bridges of 100,000 answers stop nobody", async () => {
  await attack("bridges", () => times(24, () => send(many, bridgePath)));
});

test("24 plans from 100,000 answers stop nobody", async () => {
  await attack("plans", () => times(24, () => send(many, "plan", planned)));
});

test("figures of 100,000 answers by prompt come as one long result", async () => {
  const results = await attack("figures", () => times(8, () => send(many, "figures?by=prompt")));
  assert.ok(results.some(({ status, bytes }) => status === 200 && bytes > 4 * MiB));
});

for (const format of ["json", "html", "zip"])
  test(`reports of 100,000 answers as ${format}`, async () => {
    await attack(format, () => times(8, () => send(many, `report?format=${format}`)));
  });

test("exports of observations that are as long as they may be are read and sent in pieces", async () => {
  for (const accept of ["application/x-ndjson", "text/csv", "application/vnd.apache.parquet"]) {
    // An account has four at once, whose ends a client learns before the service does.
    await until("no export", async () =>
      (await small.account.get("/metrics")).text.includes('querent_places_taken{kind="exports"} 0'),
    );
    const { value, above, silentMs } = await watched(() =>
      Promise.all(times(4, () => sendTo(wide.account, "/v1/observations", { accept }))),
    );
    assert.ok(
      value.every(({ status, bytes }) => status === 200 && bytes > 4 * MiB),
      `${accept}: ${JSON.stringify(value)}`,
    );
    assert.ok(above < 300 * MiB, `${accept}: ${(above / MiB).toFixed(0)} MiB above idle`);
    assert.ok(silentMs < 500 * waiting(), `${accept}: silent for ${silentMs.toFixed(0)} ms`);
  }
});

test("exports whose client does not read them keep no list waiting", async () => {
  const clients = new AbortController();
  const exports = await Promise.all(
    times(4, () =>
      request(`${service.address}/v1/observations`, {
        headers: { authorization: `Bearer ${wide.account.token}`, accept: "text/csv" },
        signal: clients.signal,
        bodyTimeout: 0,
      }),
    ),
  );
  assert.deepEqual(
    exports.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200],
  );
  for (const { account } of [wide, small])
    for (const path of ["/v1/tasks", "/v1/observations?limit=1"])
      assert.equal((await account.get(path)).status, 200, path);
  clients.abort();
  await Promise.allSettled(exports.map(({ body }) => body.dump()));
  await until("no place to be taken", async () => {
    const metrics = (await small.account.get("/metrics")).text;
    return ["exports", "lists"].every((kind) => metrics.includes(`querent_places_taken{kind="${kind}"} 0`));
  });
});

test("changes of 100,000 answers are judged beside everything else", async () => {
  const isJudged = async () => {
    const { rows } = await database.query(
      "select from panel_evaluations where panel_id = $1 and verdicts is not null",
      [many.panelId],
    );
    return rows.length > 0;
  };
  const { above, silentMs } = await watched(async () => {
    await database.transaction((tx) => markDue(tx, { accountId: many.account.accountId, panelId: many.panelId }));
    await until("the verdicts", isJudged);
  });
  assert.ok(above < aboveIdleMax, `${(above / MiB).toFixed(0)} MiB above idle`);
  assert.ok(silentMs < 500 * waiting(), `silent for ${silentMs.toFixed(0)} ms`);
});

test("while two accounts have many large requests under way, a third has its figures, each time", async () => {
  const clients = new AbortController();
  const keepAsking = async (filledPanel: Filled, path: string) => {
    while (!clients.signal.aborted) await send(filledPanel, path, undefined, clients.signal).catch(() => undefined);
  };
  const asking = [many, others].flatMap((one) => times(6, () => keepAsking(one, "figures?by=prompt")));
  try {
    await until("the processes of both", async () =>
      /querent_figures_processes [2-9]/.test((await small.account.get("/metrics")).text),
    );
    for (let attempt = 0; attempt < 12; attempt++) {
      const { status } = await send(small, "figures");
      assert.equal(status, 200, `attempt ${attempt}`);
    }
  } finally {
    clients.abort();
    await Promise.all(asking);
  }
  await untilOver();
});
