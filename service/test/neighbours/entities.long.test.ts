/** Entities that are made to be slow do not stop a process that takes up tasks after a SIGKILL. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { scopes, type SubmissionAccepted } from "@querent/contract";
import { createToken } from "../../src/accounts/index.ts";
import { createAccount } from "../../src/app/accounts.ts";
import { newId } from "../../src/kernel/ids.ts";
import { MasterKey } from "../../src/vault/index.ts";
import { testDatabase } from "../harness/database.ts";
import { startServiceProcess, temporaryFolder, type ServiceProcess } from "../harness/process.ts";
import { until } from "../harness/wait.ts";
import { respelled } from "./respelled.ts";

const { url, database } = await testDatabase();
const key = randomBytes(32);

async function createCaller(): Promise<{ accountId: string; token: string }> {
  const accountId = await createAccount(database, new MasterKey(key), { name: newId(), points: 1_000_000 });
  return { accountId, ...(await createToken(database, { accountId, scopes, name: null, expiresAt: null })) };
}

async function call(
  { address }: ServiceProcess,
  { token, method, path, body }: { token: string; method: string; path: string; body: unknown },
): Promise<unknown> {
  const response = await fetch(address + path, {
    method,
    headers: { "content-type": "application/json", "idempotency-key": newId(), authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, text.slice(0, 1000));
  return JSON.parse(text);
}

const ask = async (service: ServiceProcess, token: string, count: number, question: string) => {
  const body = Array.from({ length: count }, (_, nth) => ({
    question: `${nth} ${question}`,
    platformCode: "simulator",
  }));
  return (await call(service, { token, method: "POST", path: "/v1/tasks/batch", body })) as SubmissionAccepted;
};

async function ended(accountId: string): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    "select count(*)::int as n from tasks where account_id = $1 and state = 'completed'",
    [accountId],
  );
  return rows[0]?.n ?? 0;
}

/** The most processor time of the main thread during a request that needs nothing but its event loop. */
async function watch({ address, child }: ServiceProcess, signal: AbortSignal): Promise<number> {
  const spentMs = () => {
    const fields = readFileSync(`/proc/${child.pid}/task/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };
  let longest = 0;
  while (!signal.aborted) {
    const before = spentMs();
    await (await fetch(`${address}/healthz`)).text();
    longest = Math.max(longest, spentMs() - before);
    await sleep(20);
  }
  return longest;
}

test("a process that takes up the tasks of an account with a hundred thousand aliases of one word serves a neighbour at once", async (t) => {
  using folder = temporaryFolder();
  const environment = {
    DATABASE_URL: url,
    QUERENT_MASTER_KEY: key.toString("base64"),
    QUERENT_DATA_DIR: folder.path,
  };
  let service = await startServiceProcess(environment);
  try {
    const [attacker, neighbour] = [await createCaller(), await createCaller()];
    const entities = respelled("this answer is simulated");
    for (let from = 0; from < entities.length; from += 200)
      await call(service, {
        token: attacker.token,
        method: "PUT",
        path: "/v1/entities",
        body: entities.slice(from, from + 200),
      });
    const tasks = 200;
    await ask(service, attacker.token, tasks, "delay=1s size=65536");
    await until("some of the attacker's tasks to end", async () => (await ended(attacker.accountId)) > 0);
    await service.end("SIGKILL");
    const before = await ended(attacker.accountId);
    assert.ok(before < tasks, "the kill came in the middle");

    service = await startServiceProcess(environment);
    const watching = new AbortController();
    const watched = watch(service, watching.signal);
    await ask(service, neighbour.token, 20, "Why?");
    await until("the neighbour's tasks to end", async () => (await ended(neighbour.accountId)) === 20);
    const left = tasks - (await ended(attacker.accountId));
    await until("the attacker's tasks to end", async () => (await ended(attacker.accountId)) === tasks, 300_000);
    watching.abort();
    const longest = await watched;
    t.diagnostic(
      `${before} of ${tasks} tasks of the attacker had ended before the SIGKILL; ${left} were left when the neighbour's had ended; the main thread took ${longest} ms at the longest`,
    );
    assert.ok(longest < 500, `${longest} ms`);
  } finally {
    await service.end("SIGKILL");
  }
});
