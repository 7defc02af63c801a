/**
 * The whole service, in this process, on a database of its own, with real HTTP. Every response to this client is checked
 * against the contract, so that every test also tests the schemas. When the test file ends, everything is stopped, and nothing
 * may be left: no connection, no timer, and no error in the log that a test did not expect.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import {
  Problem,
  scopes as allScopes,
  type ProblemCode,
  type ProblemItem,
  type Scope,
  type SubmissionAccepted,
  type TaskRecord,
} from "@querent/contract";
import { pino } from "pino";
import { Agent, request } from "undici";
import { createToken } from "../../src/accounts/index.ts";
import { createAccount } from "../../src/app/accounts.ts";
import { startService } from "../../src/app/compose.ts";
import { roles as allRoles, type Role } from "../../src/app/roles/names.ts";
import { readConfig } from "../../src/app/config.ts";
import { Database } from "../../src/db/index.ts";
import type { EgressGuard } from "../../src/egress/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import type { Tracer } from "../../src/kernel/trace.ts";
import { MasterKey } from "../../src/vault/index.ts";
import type { Log, LogEvent } from "../../src/telemetry/index.ts";
import { checkAnswer, type HttpAnswer } from "./check-answer.ts";
import { testDatabase } from "./database.ts";
import { until, waiting } from "./wait.ts";

export interface ServiceAnswer<Body> extends HttpAnswer {
  /** Parsed, if it is JSON. */
  readonly body: Body;
}

export interface TestCallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string or a Buffer is sent unchanged. None: no body. */
  readonly body?: unknown;
}

export interface TestService {
  readonly address: string;
  /** For checks below the API: what was written, and what was not. */
  readonly database: Database;
  /** The environment of operator's commands for it. */
  readonly commandEnvironment: Readonly<Record<string, string>>;
  /** The log so far. */
  readonly events: readonly LogEvent[];
  /** Sends a request without a token. */
  call<Body = unknown>(method: string, path: string, options?: TestCallOptions): Promise<ServiceAnswer<Body>>;
  /** A new account with points and a token of every scope. */
  account(input?: { points?: number; scopes?: readonly Scope[] }): Promise<TestAccount>;
  /** An existing account. */
  as(accountId: string, token: string): TestAccount;
  /** Row counts of everything that a submission may write, of one account or of all. */
  counts(accountId?: string): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

export interface TestAccount {
  readonly accountId: string;
  readonly token: string;
  call<Body = unknown>(method: string, path: string, options?: TestCallOptions): Promise<ServiceAnswer<Body>>;
  get<Body = unknown>(path: string, headers?: Readonly<Record<string, string>>): Promise<ServiceAnswer<Body>>;
  /** Sends a submission, and returns any response. */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<ServiceAnswer<SubmissionAccepted>>;
  /** Submits, and expects acceptance. */
  submit(items: readonly object[], key?: string): Promise<SubmissionAccepted>;
  /** Submits one question; returns the id of its task. */
  ask(question: string, more?: object): Promise<string>;
  task(taskId: string): Promise<TaskRecord>;
  /** Waits for the end of a task. */
  ended(taskId: string): Promise<TaskRecord>;
  /** Submits one question and waits for its end. */
  answerTo(question: string, more?: object): Promise<TaskRecord>;
  /** Another token of the same account. */
  withToken(input: {
    scopes?: readonly Scope[];
    expiresAt?: Date | null;
    name?: string;
  }): Promise<TestAccount & { tokenId: string }>;
}

export interface TestServiceOptions {
  /** Environment variables in addition to those of a test. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly roles?: readonly Role[];
  /** A database with its master key, instead of a new one. */
  readonly on?: { readonly url: string; readonly masterKey: Buffer };
  /** Returns the URL through which to reach the database, if not directly. */
  readonly through?: (url: string) => Promise<string> | string;
  readonly tracer?: Tracer;
  /** Where the Events API of PagerDuty is, by region. */
  readonly pagerDuty?: Readonly<Record<"us" | "eu", string>>;
  /** Checks the sites that are read, instead of refusing those that are not public. */
  readonly siteGuard?: EgressGuard;
  /** The tests of this file expect errors in the log. */
  readonly faultsExpected?: boolean;
}

/** An item that is accepted and answered immediately. */
export const item = (question = "Why?", more: object = {}) => ({
  question,
  platformCode: "simulator",
  options: {},
  ...more,
});

/** Running services of this file, and what kept the process alive before the first. */
let running = 0;
let resourcesBefore = 0;

/** Starts a service for the tests of one file. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  if (running++ === 0) resourcesBefore = resources().length;
  let stop = async () => {};
  // Before the database's own hook: hooks run in the order in which they were set.
  after(() => stop());

  const { url } = options.on ?? (await testDatabase());
  const applicationName = `service ${newId()}`;
  const open = (connectionString: string, name: string) =>
    new Database({
      connection: { connectionString },
      connectionsMax: 10,
      connectTimeoutMs: 180_000,
      applicationName: name,
    });
  const serviceDatabase = open((await options.through?.(url)) ?? url, applicationName);
  const database = open(url, "test");
  const folder = mkdtempSync(join(tmpdir(), "querent-test-"));
  const keyBytes = options.on?.masterKey ?? randomBytes(32);
  const masterKey = new MasterKey(keyBytes);
  const events: LogEvent[] = [];
  const log: Log = Object.assign((event: LogEvent) => void events.push(event), { logger: pino({ level: "silent" }) });
  const config = readConfig({
    QUERENT_PORT: "0",
    QUERENT_DATA_DIR: folder,
    QUERENT_DRAIN_SECONDS: "0",
    QUERENT_WRONG_TOKENS_PER_MINUTE: "0",
    QUERENT_SIGN_INS_PER_MINUTE: "0",
    DATABASE_URL: url,
    ...options.environment,
  });
  const service = await startService(
    {
      config,
      environment: options.environment ?? {},
      database: serviceDatabase,
      masterKey,
      alone: true,
      log,
      tracer: options.tracer ?? null,
      ...(options.pagerDuty === undefined ? {} : { pagerDuty: options.pagerDuty }),
      ...(options.siteGuard === undefined ? {} : { siteGuard: options.siteGuard }),
    },
    options.roles ?? allRoles,
  );
  const address = service.address ?? "";
  const agent = new Agent({ connections: 64 });

  const call: TestService["call"] = (method, path, callOptions) => send(agent, address, method, path, callOptions);
  let stopped: Promise<void> | undefined;
  stop = () =>
    (stopped ??= (async () => {
      await agent.close();
      await service.stop();
      await serviceDatabase.close();
      rmSync(folder, { recursive: true, force: true });
      await until("the service's connections to close", async () => {
        const { rows } = await database.query<{ open: number }>(
          "select count(*) as open from pg_stat_activity where application_name = $1",
          [applicationName],
        );
        return rows[0]?.open === 0;
      });
      await database.close();
      if (--running === 0)
        await until(`nothing to be left: ${resources().join(", ")}`, () => resources().length <= resourcesBefore);
      if (options.faultsExpected !== true)
        assert.deepEqual(
          events.filter(({ event }) => event.endsWith(".fault")),
          [],
        );
    })());

  return {
    address,
    database,
    commandEnvironment: { DATABASE_URL: url, QUERENT_MASTER_KEY: keyBytes.toString("base64") },
    events,
    call,
    account: async ({ points = 1_000_000, scopes = allScopes } = {}) => {
      const accountId = await createAccount(database, masterKey, { name: newId(), points });
      const { token } = await createToken(database, { accountId, scopes, name: null, expiresAt: null });
      return accountOf(call, database, accountId, token);
    },
    as: (accountId, token) => accountOf(call, database, accountId, token),
    counts: (accountId) => countRows(database, accountId ?? null),
    stop,
  };
}

function accountOf(call: TestService["call"], database: Database, accountId: string, token: string): TestAccount {
  const account: TestAccount = {
    accountId,
    token,
    call: (method, path, options = {}) =>
      call(method, path, { ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } }),
    get: (path, headers = {}) => account.call("GET", path, { headers }),
    post: (body, headers = {}) =>
      account.call("POST", "/v1/tasks/batch", { body, headers: { "idempotency-key": newId(), ...headers } }),
    submit: async (items, key = newId()) => {
      const answer = await account.post(items, { "idempotency-key": key });
      assert.equal(answer.status, 202, answer.text);
      return answer.body;
    },
    ask: async (question, more) => (await account.submit([item(question, more)])).tasks[0]?.taskId ?? "",
    task: async (taskId) => {
      const answer = await account.get<TaskRecord>(`/v1/tasks/${taskId}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
    ended: (taskId) =>
      until(`the end of task ${taskId}`, async () => {
        const { body } = await account.get<TaskRecord>(`/v1/tasks/${taskId}`, { prefer: "wait=20" });
        return body.state === "pending" ? null : body;
      }),
    answerTo: async (question, more) => account.ended(await account.ask(question, more)),
    withToken: async ({ scopes = allScopes, expiresAt = null, name = null }) => {
      const made = await createToken(database, { accountId, scopes, name, expiresAt });
      return { ...accountOf(call, database, accountId, made.token), tokenId: made.tokenId };
    },
  };
  return account;
}

async function send<Body>(
  agent: Agent,
  address: string,
  method: string,
  path: string,
  { headers = {}, body }: TestCallOptions = {},
): Promise<ServiceAnswer<Body>> {
  const raw = typeof body === "string" || Buffer.isBuffer(body);
  const response = await request(`${address}${path}`, {
    dispatcher: agent,
    // Longer than any request waits by its own will. What computes for seconds on a machine at rest computes for minutes on a busy one.
    headersTimeout: 70_000 * waiting(),
    method: method as "GET",
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
  });
  const text = await response.body.text();
  const flat = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
  );
  const answer: HttpAnswer = { status: response.statusCode, headers: flat, text };
  checkAnswer({ method, path }, answer);
  const isJson = /^application\/(problem\+)?json\b/.test(flat["content-type"] ?? "") && text !== "";
  return { ...answer, body: (isJson ? JSON.parse(text) : undefined) as Body };
}

/** Expects a problem; returns it. */
export function refused(answer: ServiceAnswer<unknown>, code: ProblemCode): Problem {
  const problem = answer.body as Problem | undefined;
  assert.equal(problem?.code, code, answer.text.slice(0, 1000));
  return problem;
}

/** Expects that the request was invalid at exactly these positions. */
export function invalidAt(
  answer: ServiceAnswer<unknown>,
  places: Readonly<Record<string, ProblemItem["code"]>>,
): Problem {
  const problem = refused(answer, "validation_failed");
  assert.deepEqual(Object.fromEntries((problem.errors ?? []).map(({ pointer, code }) => [pointer, code])), places);
  return problem;
}

async function countRows(database: Database, accountId: string | null): Promise<Record<string, number>> {
  const of = (table: string) => `(select count(*) from ${table} where $1::uuid is null or account_id = $1) as ${table}`;
  const tables = ["tasks", "batches", "dispatch", "ledger", "idempotency_keys", "deliveries"];
  const { rows } = await database.query<Record<string, number>>(
    `select ${tables.map(of).join(", ")}, coalesce(sum(points_held), 0)::bigint as held,
            coalesce(sum(unfinished_tasks), 0)::bigint as unfinished
     from accounts where $1::uuid is null or id = $1`,
    [accountId],
  );
  return rows[0] ?? {};
}

/** Resources that would keep the process alive. */
function resources(): string[] {
  // Counted once anything has used them, as a library may that is loaded later.
  void [process.stdin, process.stdout, process.stderr];
  return process
    .getActiveResourcesInfo()
    .filter((kind) => /Timeout|Immediate|TCP|TLS|Pipe|FSEvent|StatWatcher|Process|DNS|GetAddrInfo/i.test(kind));
}
