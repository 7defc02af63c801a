/** Alerts: what is told, to whom, once, and when. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type {
  Alert,
  Alerts,
  AuditPage,
  Channel,
  FoundChange,
  FoundInstrumentChange,
  Overview,
  ToldFindings,
} from "@querent/contract";
import { Database } from "../../src/db/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import {
  quietHoursFault,
  quietUntil,
  forgetFindings,
  raiseFound,
  type AlertCondition,
} from "../../src/reports/alerts/findings.ts";
import { lookAtConditions, tellDue, type AlertsDeps } from "../../src/reports/alerts/tell-findings.ts";
import type { Found } from "../../src/reports/index.ts";
import { startMailServer } from "../harness/mail-server.ts";
import { startReceiver, type Received } from "../harness/receiver.ts";
import { invalidAt, refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel } from "./fixture.ts";

const routingKey = "0123456789abcdef0123456789abcdef";
const figure = (value: number) => ({ value }) as FoundChange["before"];

/** A change, as an evaluation finds it. */
function found(panelId: string, more: Partial<FoundChange> = {}): Found {
  const data = {
    changeId: newId(),
    panelId,
    measure: "presence",
    entityId: null,
    domain: "acme.example",
    platformCode: "simulator",
    direction: "down",
    since: "2026-11-20",
    before: figure(0.4),
    after: figure(0.2),
    ...more,
  } as FoundChange;
  return { kind: "change", series: data.changeId, day: "2026-11-20", data, basis: null };
}

function instrument(panelId: string): Found {
  const side = (modelVersion: string) => [{ modelVersion }] as FoundInstrumentChange["before"];
  const data = {
    ...{ changeId: newId(), panelId, platformCode: "simulator", kind: "sample", since: "2026-11-20" },
    ...{ sinceRunId: null, foundAt: "2026-11-20T00:00:00.000Z", figures: [] },
    ...{ before: side("alpha"), after: side("beta") },
  } as FoundInstrumentChange;
  return { kind: "instrument", series: data.changeId, day: "2026-11-20", data, basis: null };
}

suite("alerts", { timeout: 180_000 }, async () => {
  const receiver = await startReceiver(
    ({ path }, response) => void response.writeHead(path === "/pagerduty" ? 202 : 200).end("ok"),
  );
  const server = await startMailServer();
  test.after(async () => {
    await receiver.close();
    await server[Symbol.asyncDispose]();
  });
  // Without the role worker, so that nothing is told unless a test says so.
  const service = await startTestService({
    roles: ["api", "notifier"],
    environment: {
      QUERENT_EGRESS_ALLOW: "127.0.0.0/8,::1",
      QUERENT_EGRESS_CA: receiver.caFile,
      QUERENT_SMTP_URL: `smtp://localhost:${server.port}?tls=off`,
      QUERENT_MAIL_FROM: "Querent <alerts@querent.example>",
      QUERENT_PUBLIC_URL: "https://querent.example",
    },
    pagerDuty: { us: receiver.url("/pagerduty"), eu: receiver.url("/pagerduty") },
  });
  const { database } = service;
  const holding = new Map<string, AlertCondition[]>();
  let now: Date | undefined;
  const deps = (of: Database = database): AlertsDeps => ({
    database: of,
    unsubscribeUrl: (id) => `https://querent.example/unsubscribe/${id}`,
    consoleUrl: (path) => `https://querent.example/console${path}`,
    accountName: async () => "Example <!channel>",
    conditions: async (accountId) => holding.get(accountId) ?? [],
    wake: () => undefined,
    onTold: () => undefined,
    onFault: (error) => assert.fail(String(error)),
    times: { overAfterSeconds: 0, collectSeconds: 0 },
    ...(now === undefined ? {} : { now: () => now ?? new Date() }),
  });
  const raise = (account: TestAccount, ...all: readonly Found[]) =>
    database.transaction(async (tx) => {
      for (const one of all) await raiseFound(tx, account.accountId, one, 0);
    });
  /** Tells all that is due. */
  const tell = async () => {
    while (await tellDue(deps()));
  };
  const look = async (account: TestAccount, conditions: readonly AlertCondition[]) => {
    holding.set(account.accountId, [...conditions]);
    await database.query("update alert_rules set look_at = now() where look_at is not null and account_id = $1", [
      account.accountId,
    ]);
    while (await lookAtConditions(deps()));
    await tell();
  };
  const channel = async (account: TestAccount, path: string, kind = "slack"): Promise<string> => {
    const secret = kind === "pagerduty" ? routingKey : receiver.url(path);
    const made = await account.call<Channel>("POST", "/v1/channels", { body: { kind, name: path || kind, secret } });
    assert.equal(made.status, 201, made.text);
    return made.body.channelId;
  };
  const create = async (account: TestAccount, body: object): Promise<Alert> => {
    const made = await account.call<Alert>("POST", "/v1/alerts", { body: { name: "Changes", ...body } });
    assert.equal(made.status, 201, made.text);
    return made.body;
  };
  const arrived = (path: string, count: number): Promise<Received[]> =>
    until(`${count} at ${path}`, () => {
      const some = receiver.requests.filter((one) => one.path === path);
      return some.length >= count ? some : undefined;
    });
  const counted = (path: string) => receiver.requests.filter((one) => one.path === path).length;
  const queued = async (account: TestAccount) =>
    (await database.query("select 1 from addressed_events where account_id = $1", [account.accountId])).rows.length;
  const panelOf = (account: TestAccount, name: string) =>
    createPanel(account, { name, prompts: [{ text: "Which?", promptId: "p1" }] });
  test.beforeEach(() => {
    now = undefined;
  });

  test("tell what several panels have found in one message, with names that ping nobody", async () => {
    const account = await service.account();
    const [one, two] = [await panelOf(account, "Grinders <!here>"), await panelOf(account, "Beans")];
    const slack = await channel(account, "/grouped");
    const made = await create(account, { kinds: ["figure_changed", "instrument_changed"], channels: [slack] });
    await raise(account, found(one.panelId, { domain: "<!channel>" }), instrument(one.panelId));
    await raise(account, found(two.panelId));
    await tell();
    const [{ body } = assert.fail()] = await arrived("/grouped", 1);
    const message = body.toString();
    assert.match(message, /Changes: 3 findings/);
    assert.match(
      message,
      /Grinders &lt;!here&gt;: mention rate of &lt;!channel&gt; on simulator from 40 % to 20 % since 2026-11-20/,
    );
    assert.match(message, /alpha → beta/);
    assert.match(message, /Beans: /);
    assert.doesNotMatch(message, /<!/);
    assert.match(message, /<https:\/\/querent\.example\/console\/panels\|Open in Querent>/);
    const { body: log } = await account.get<ToldFindings>(`/v1/alerts/${made.alertId}/findings`);
    assert.deepEqual(
      log.findings.map(({ state, deliveries }) => [state, deliveries.map(({ to }) => to)]),
      Array.from({ length: 3 }, () => ["told", ["/grouped"]]),
    );
    assert.equal(counted("/grouped"), 1);
  });

  test("tell a finding once, however often it is found", async () => {
    const account = await service.account();
    const { panelId } = await panelOf(account, "p");
    await create(account, { kinds: ["figure_changed"], channels: [await channel(account, "/once")] });
    const change = found(panelId);
    await raise(account, change, change);
    await tell();
    await raise(account, change);
    await tell();
    await arrived("/once", 1);
    assert.equal(await queued(account), 1);
  });

  test("tell only what they are of: their kinds, their panels, and a site that is gone", async () => {
    const account = await service.account();
    const [mine, other] = [await panelOf(account, "mine"), await panelOf(account, "other")];
    const slack = await channel(account, "/filtered");
    const gone = await create(account, { kinds: ["source_gone"], panels: [mine.panelId], channels: [slack] });
    const paused = await create(account, { kinds: ["figure_changed"], channels: [slack], paused: true });
    const site = { measure: "citation_rate", domain: "old.example", before: figure(0.5) } as const;
    await raise(
      account,
      found(mine.panelId, { ...site, after: figure(0.3) }),
      found(other.panelId, { ...site, after: figure(0) }),
      found(mine.panelId, { ...site, after: figure(0) }),
    );
    await tell();
    const [{ body } = assert.fail()] = await arrived("/filtered", 1);
    assert.match(
      body.toString(),
      /mine: answers of simulator cite old\.example no more since 2026-11-20; before, 50 % did/,
    );
    const log = async ({ alertId }: Alert) =>
      (await account.get<ToldFindings>(`/v1/alerts/${alertId}/findings`)).body.findings.length;
    assert.deepEqual([await log(gone), await log(paused), await queued(account)], [1, 0, 1]);
  });

  test("forget what a deleted panel has found, and what was told long ago", async () => {
    const account = await service.account();
    const { panelId } = await panelOf(account, "p");
    const made = await create(account, { kinds: ["figure_changed"], channels: [await channel(account, "/forgotten")] });
    const log = async () =>
      (await account.get<ToldFindings>(`/v1/alerts/${made.alertId}/findings`)).body.findings.map(({ state }) => state);
    await raise(account, found(panelId));
    await tell();
    await raise(account, found(panelId));
    await database.query("update alert_findings set found_at = now() - interval '91 days' where told_at is not null");
    await forgetFindings(database);
    assert.deepEqual(await log(), ["waiting"]);
    assert.equal((await account.call("DELETE", `/v1/panels/${panelId}`)).status, 204);
    assert.deepEqual(await log(), []);
    await tell();
    await arrived("/forgotten", 1);
    assert.equal(await queued(account), 1);
  });

  test("are told once by two processes that find them due at the same time", async () => {
    const account = await service.account();
    const { panelId } = await panelOf(account, "p");
    await create(account, { kinds: ["figure_changed"], channels: [await channel(account, "/twice")] });
    const others = Array.from(
      { length: 4 },
      () =>
        new Database({
          connection: { connectionString: service.commandEnvironment["DATABASE_URL"] ?? "" },
          connectionsMax: 2,
        }),
    );
    for (let round = 0; round < 5; round++) {
      await raise(account, found(panelId));
      await Promise.all([tellDue(deps()), ...others.map((one) => tellDue(deps(one)))]);
      await tell();
    }
    await Promise.all(others.map((one) => one.close()));
    assert.equal(await queued(account), 5);
    await arrived("/twice", 5);
  });

  test("hold back what is found in quiet hours until these end, in one message, and lose nothing", async () => {
    const account = await service.account();
    const { panelId } = await panelOf(account, "p");
    const made = await create(account, {
      kinds: ["figure_changed"],
      channels: [await channel(account, "/quiet")],
      quietHours: { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" },
    });
    now = new Date("2027-11-29T22:30:00Z");
    await raise(account, found(panelId));
    await tell();
    await raise(account, found(panelId));
    await tell();
    const list = async () => (await account.get<Alerts>("/v1/alerts")).body.alerts[0];
    assert.deepEqual([(await list())?.waiting, (await list())?.lastToldAt, await queued(account)], [2, null, 0]);
    const { body: log } = await account.get<ToldFindings>(`/v1/alerts/${made.alertId}/findings`);
    assert.deepEqual(new Set(log.findings.map(({ dueAt }) => dueAt)), new Set(["2027-11-30T06:00:00.000Z"]));
    now = new Date("2027-11-30T06:00:00Z");
    await database.query("update alert_findings set due_at = now() where due_at is not null");
    await tell();
    const [{ body } = assert.fail()] = await arrived("/quiet", 1);
    assert.match(body.toString(), /2 findings/);
    assert.deepEqual([(await list())?.waiting, await queued(account)], [0, 1]);
  });

  test("open an incident for each condition at PagerDuty, resolve it, and tell others of its beginning alone", async () => {
    const account = await service.account();
    const slack = await channel(account, "/conditions");
    await create(account, {
      kinds: ["points_short", "platform_failing", "figure_changed"],
      channels: [slack, await channel(account, "", "pagerduty")],
    });
    const low: AlertCondition = { code: "points_low", severity: "warning", about: "", detail: "5 points are left." };
    const failing: AlertCondition = { code: "platform_failing", severity: "error", about: "kimi", detail: "It fails." };
    const events = async (count: number) =>
      (await arrived("/pagerduty", count)).map(
        ({ body }) =>
          JSON.parse(body.toString()) as { event_action: string; dedup_key: string; payload?: { severity: string } },
      );
    await look(account, [low, failing]);
    await look(account, [low, failing]);
    const opened = await events(2);
    assert.deepEqual(opened.map(({ event_action: action, payload }) => `${action} ${payload?.severity}`).toSorted(), [
      "trigger error",
      "trigger warning",
    ]);
    assert.match(
      (await arrived("/conditions", 1))[0]?.body.toString() ?? "",
      /kimi: A platform is failing\. It fails\./,
    );
    await look(account, [low]);
    const resolved = (await events(3))[2];
    const failingKey = opened.find(({ payload }) => payload?.severity === "error")?.dedup_key;
    assert.deepEqual([resolved?.event_action, resolved?.dedup_key], ["resolve", failingKey]);
    // It has begun anew, so it is another matter.
    await look(account, [low, failing]);
    const again = (await events(4))[3];
    assert.equal(again?.event_action, "trigger");
    assert.notEqual(again?.dedup_key, failingKey);
    await arrived("/conditions", 2);
    assert.deepEqual([counted("/pagerduty"), counted("/conditions")], [4, 2]);
  });

  test("say of a condition that is over before the quiet hours end that it is, and open no incident", async () => {
    const account = await service.account();
    const before = counted("/pagerduty");
    await create(account, {
      kinds: ["points_short"],
      channels: [await channel(account, "/over"), await channel(account, "", "pagerduty")],
      quietHours: { from: "22:00", to: "07:00", timeZone: "UTC" },
    });
    now = new Date("2027-11-29T23:00:00Z");
    await look(account, [{ code: "points_low", severity: "warning", about: "", detail: "" }]);
    await look(account, []);
    assert.equal(await queued(account), 0);
    now = new Date("2027-11-30T07:00:00Z");
    await database.query("update alert_findings set due_at = now() where due_at is not null");
    await tell();
    assert.match((await arrived("/over", 1))[0]?.body.toString() ?? "", /It is over since/);
    assert.deepEqual([counted("/pagerduty"), await queued(account)], [before, 1]);
  });

  test("arrive by mail with a link to unsubscribe, and not at whoever has", async () => {
    const account = await service.account();
    const { panelId } = await panelOf(account, "Grinders");
    const made = await create(account, { kinds: ["figure_changed"], recipients: ["ana@client.example"] });
    await raise(account, found(panelId));
    await tell();
    const mail = await until("the mail", () => server.mails.find(({ to }) => to.includes("ana@client.example")));
    assert.match(mail.parsed.subject ?? "", /^Changes: Grinders: mention rate of acme\.example/);
    assert.match(mail.raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    assert.match(mail.parsed.text ?? "", /recipient of its alert “Changes”/);
    await database.query("update mail_recipients set unsubscribed_at = now() where account_id = $1", [
      account.accountId,
    ]);
    await raise(account, found(panelId));
    await tell();
    const { body: log } = await account.get<ToldFindings>(`/v1/alerts/${made.alertId}/findings`);
    assert.deepEqual(
      log.findings
        .map(({ deliveries }) => deliveries.map(({ to, state }) => `${to} ${state}`))
        .flat()
        .toSorted(),
      ["ana@client.example delivered", "ana@client.example unsubscribed"],
    );
  });

  test("are those of their account alone, and in its audit log without addresses of persons", async () => {
    const [account, other] = [await service.account(), await service.account()];
    const { panelId } = await panelOf(account, "p");
    const slack = await channel(account, "/tenant");
    const made = await create(account, {
      kinds: ["figure_changed"],
      channels: [slack],
      recipients: ["eve@client.example"],
    });
    await create(other, { kinds: ["figure_changed"], channels: [await channel(other, "/other-tenant")] });
    await raise(account, found(panelId));
    await tell();
    await arrived("/tenant", 1);
    assert.equal(await queued(other), 0);
    const at = `/v1/alerts/${made.alertId}`;
    const body = { name: "x", kinds: ["figure_changed"], channels: [slack] };
    refused(await other.call("PUT", at, { body }), "not_found");
    refused(await other.call("DELETE", at), "not_found");
    refused(await other.get(`${at}/findings`), "not_found");
    invalidAt(await other.call("POST", "/v1/alerts", { body: { ...body, panels: [panelId] } }), {
      "/panels/0": "not_allowed",
      "/channels/0": "not_allowed",
    });
    assert.equal((await account.call("DELETE", at)).status, 204);
    const { body: log, text } = await account.get<AuditPage>("/v1/audit?limit=20");
    assert.deepEqual(
      log.entries.map(({ operation }) => operation).filter((one) => /Alert/.test(one)),
      ["deleteAlert", "createAlert"],
    );
    assert.doesNotMatch(text, /eve@client/);
  });

  test("about the operator's sessions are for operators alone", async () => {
    const tenant = await service.account({ scopes: ["panels:read", "panels:write"] });
    const operator = await service.account();
    const body = { name: "Sessions", kinds: ["session_attention"], recipients: ["ops@client.example"] };
    refused(await tenant.call("POST", "/v1/alerts", { body }), "scope_missing");
    const made = await create(tenant, { ...body, kinds: ["points_short"] });
    refused(await tenant.call("PUT", `/v1/alerts/${made.alertId}`, { body }), "scope_missing");
    await create(operator, body);
  });

  test("are refused with all that is wrong with them", async () => {
    const account = await service.account();
    const pagerDuty = await channel(account, "", "pagerduty");
    const post = (body: object) =>
      account.call("POST", "/v1/alerts", { body: { name: "x", kinds: ["points_short"], ...body } });
    invalidAt(await post({}), { "/channels": "too_few" });
    const { panelId } = await panelOf(account, "p");
    invalidAt(await post({ name: "a\nb", recipients: ["nobody"], panels: [panelId] }), {
      "/name": "malformed",
      "/recipients/0": "malformed",
      "/panels": "not_allowed",
    });
    invalidAt(await post({ kinds: ["figure_changed"], channels: [pagerDuty] }), { "/channels/0": "not_allowed" });
    const quietHours = { from: "22:00", to: "07:00", timeZone: "Mars/Olympus" };
    invalidAt(await post({ channels: [pagerDuty], quietHours }), { "/quietHours/timeZone": "not_allowed" });
  });

  test("show a channel that is gone as a condition of the account", async () => {
    const account = await service.account();
    const id = await channel(account, "/gone");
    await database.query("update channels set gone_at = now(), problem = 'no_service' where id = $1", [id]);
    const { body } = await account.get<Overview>("/v1/overview");
    assert.deepEqual(
      body.conditions.filter(({ code }) => code === "channel_gone").map(({ severity }) => severity),
      ["error"],
    );
  });
});

void suite("quiet hours", () => {
  const berlin = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
  const end = (at: string, hours = berlin) => quietUntil(hours, new Date(at))?.toISOString() ?? null;

  void test("end at their time of the wall clock, also in the nights in which clocks are changed", () => {
    // Summer time begins on 29 March 2026 at 2:00, and ends on 25 October 2026 at 3:00.
    assert.equal(end("2026-03-28T21:30:00Z"), "2026-03-29T05:00:00.000Z");
    assert.equal(end("2026-03-29T04:59:00Z"), "2026-03-29T05:00:00.000Z");
    assert.equal(end("2026-03-29T05:00:00Z"), null);
    assert.equal(end("2026-10-24T20:30:00Z"), "2026-10-25T06:00:00.000Z");
    assert.equal(end("2026-10-25T05:59:00Z"), "2026-10-25T06:00:00.000Z");
    assert.equal(end("2026-10-25T06:00:00Z"), null);
  });

  void test("that end in the hour that a change leaves out end when it is over", () => {
    const hours = { ...berlin, to: "02:30" };
    const until = end("2026-03-29T00:30:00Z", hours) ?? "";
    assert.ok(until >= "2026-03-29T01:00:00.000Z" && until <= "2026-03-29T01:30:00.000Z", until);
    assert.equal(end(until, hours), null, "and are not held again");
  });

  void test("may be within a day, and are whole minutes", () => {
    const noon = { from: "12:00", to: "13:00", timeZone: "UTC" };
    assert.equal(end("2026-11-30T11:59:59Z", noon), null);
    assert.equal(end("2026-11-30T12:00:00Z", noon), "2026-11-30T13:00:00.000Z");
    assert.equal(end("2026-11-30T13:00:00Z", noon), null);
    assert.equal(quietHoursFault({ ...noon, to: "12:00" })?.pointer, "/quietHours/to");
  });
});
