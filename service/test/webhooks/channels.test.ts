/** Channels: messages to real receivers that answer as Slack, Teams, PagerDuty and endpoints do. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { suite, test } from "node:test";
import {
  channelsMax,
  type AuditPage,
  type Channel,
  type Channels,
  type ChannelTest,
  type DeliveryDetail,
  type EntityRecord,
  type ReportSchedule,
  type SentReport,
  type SentReports,
  type WebhookRecord,
} from "@querent/contract";
import { meaningOf } from "../../src/webhooks/send/send-channel.ts";
import { signature } from "../../src/webhooks/index.ts";
import { createPanel, runPanel } from "../insight/fixture.ts";
import { startReceiver, type Received } from "../harness/receiver.ts";
import { invalidAt, refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

type Reply = (response: ServerResponse) => void;
const text =
  (status: number, body: string, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** What the vendors document, and how it ends. */
const slackOk = text(200, "ok", { "content-type": "text/html" });
const teamsOk = text(202, "");
const pagerDutyOk = text(202, '{"status":"success","message":"Event processed","dedup_key":"x"}');

const routingKey = "0123456789abcdef0123456789abcdef";
const hostileName = "<!channel> <@U024BE7LH> @here [x](https://evil.example) {{DATE(2026)}}";

suite("channels", { timeout: 600_000 }, async () => {
  /** The reply of each path; by default that of Slack. */
  const replies = new Map<string, Reply>();
  const receiver = await startReceiver(({ path }, response) => (replies.get(path) ?? slackOk)(response));
  const service = await startTestService({
    environment: {
      QUERENT_EGRESS_ALLOW: "127.0.0.0/8,::1",
      QUERENT_EGRESS_CA: receiver.caFile,
      QUERENT_PUBLIC_URL: "https://querent.example",
    },
    pagerDuty: { us: receiver.url("/pagerduty"), eu: receiver.url("/pagerduty-eu") },
  });
  const account = await service.account();
  test.after(() => receiver.close());

  const create = async (body: object, of: TestAccount = account): Promise<Channel> => {
    const made = await of.call<Channel>("POST", "/v1/channels", { body: { name: "a channel", ...body } });
    assert.equal(made.status, 201, made.text);
    return made.body;
  };
  const list = async (of: TestAccount = account) => (await of.get<Channels>("/v1/channels")).body.channels;
  const tested = async ({ channelId }: Channel): Promise<ChannelTest> => {
    const answer = await account.call<ChannelTest>("POST", `/v1/channels/${channelId}/test`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const sentTo = (path: string): Received[] => receiver.requests.filter((one) => one.path === path);
  const bodyOf = (received: Received | undefined) =>
    JSON.parse(received?.body.toString() ?? "null") as Record<string, unknown>;
  test.beforeEach(async () => {
    replies.clear();
    await service.database.query("delete from channels");
    await service.database.query("delete from delivery_breakers");
  });

  test("keep their secret: it is encrypted, in no reply, in no log, and in no delivery", async () => {
    const secret = receiver.url("/services/T000/B000/XXXXSECRETXXXX");
    const made = await create({ kind: "slack", secret });
    assert.match(made.address, /^localhost:\d+\/…XXXX$/);
    const { rows } = await service.database.query<{ all: string }>(
      "select row_to_json(c)::text || encode(c.sealed, 'escape') as all from channels c",
    );
    assert.doesNotMatch(rows[0]?.all ?? "", /SECRET/);
    await tested(made);
    const replaced = await account.call<Channel>("PUT", `/v1/channels/${made.channelId}`, {
      body: { name: "renamed" },
    });
    assert.equal(replaced.body.name, "renamed");
    assert.equal((await tested(made)).passed, true, "without a new secret, the stored one stays");
    const { body: log, text: logged } = await account.get<AuditPage>("/v1/audit?limit=20");
    assert.deepEqual(
      log.entries
        .map(({ operation, target }) => [operation, target?.type])
        .filter(([operation]) => /Channel/.test(operation ?? "")),
      [
        ["testChannel", "channel"],
        ["putChannel", "channel"],
        ["testChannel", "channel"],
        ["createChannel", "channel"],
      ],
    );
    const all = [logged, JSON.stringify(await list()), JSON.stringify(service.events), replaced.text];
    for (const one of all) assert.doesNotMatch(one, /SECRET/);
  });

  test("are tested in the form of their service", async () => {
    replies.set("/teams", teamsOk).set("/pagerduty", pagerDutyOk).set("/own", text(204, ""));
    const slack = await create({ kind: "slack", name: hostileName, secret: receiver.url("/slack") });
    const teams = await create({ kind: "teams", secret: receiver.url("/teams") });
    const pagerDuty = await create({ kind: "pagerduty", secret: routingKey });
    const own = await create({ kind: "webhook", secret: receiver.url("/own") });
    for (const channel of [slack, teams, pagerDuty, own])
      assert.equal((await tested(channel)).passed, true, channel.kind);
    assert.doesNotMatch(sentTo("/slack")[0]?.body.toString() ?? "", /<!channel>|<@U/);
    assert.equal(bodyOf(sentTo("/teams")[0])["type"], "message");
    assert.deepEqual(
      sentTo("/pagerduty").map((one) => [bodyOf(one)["event_action"], bodyOf(one)["routing_key"]]),
      [
        ["trigger", routingKey],
        ["resolve", routingKey],
      ],
    );
    assert.deepEqual(
      sentTo("/slack").flatMap(({ headers }) => Object.keys(headers).filter((name) => /signature|secret/.test(name))),
      [],
      "nobody else gets a signature of the account",
    );
    const { body: webhook } = await account.get<WebhookRecord>("/v1/webhook");
    const [received = assert.fail()] = sentTo("/own");
    assert.equal(received.headers["x-service-signature"], signature(webhook.signingSecret, received.body));
    assert.equal(bodyOf(received)["event"], "channel.test");
  });

  test("say what a test met, and what to do", async () => {
    const channel = await create({ kind: "slack", secret: receiver.url("/slack") });
    const meets = async (reply: Reply) => {
      replies.set("/slack", reply);
      return tested(channel);
    };
    assert.match((await meets(text(400, "invalid_payload"))).detail, /Slack replied with 400: invalid_payload/);
    const limited = await meets(text(429, "rate_limited", { "retry-after": "30" }));
    assert.deepEqual([limited.passed, limited.status], [false, 429]);
    const moved = await meets(text(302, "", { location: receiver.url("/elsewhere") }));
    assert.match(moved.detail, /Redirects are not followed/);
    assert.equal(sentTo("/elsewhere").length, 0);
    const gone = await meets(text(404, "no_service"));
    assert.match(gone.detail, /no_service.*Create an incoming webhook anew in Slack/);
    assert.equal((await list())[0]?.state, "gone");
    assert.equal((await meets(slackOk)).passed, true);
    assert.equal((await list())[0]?.state, "active", "a passed test ends it");
    const hung = await meets(() => undefined);
    assert.deepEqual([hung.passed, hung.fault], [false, "timeout"]);
  });

  test("are refused if they could not work, or lead into the network of the service", async () => {
    const post = (body: object) => account.call("POST", "/v1/channels", { body: { name: "x", ...body } });
    for (const secret of ["http://hooks.slack.com/x", "https://10.0.0.1/x", "https://user:pw@example.com/x", "no url"])
      invalidAt(await post({ kind: "slack", secret }), { "/secret": "address_not_allowed" });
    invalidAt(await post({ kind: "pagerduty", secret: "https://events.pagerduty.com" }), { "/secret": "malformed" });
    invalidAt(await post({ kind: "slack", secret: receiver.url("/x"), region: "eu" }), { "/region": "not_allowed" });
    for (let count = 0; count < channelsMax; count++) await create({ kind: "pagerduty", secret: routingKey });
    refused(await post({ kind: "pagerduty", secret: routingKey }), "state_conflict");
  });

  test("are those of their account alone", async () => {
    const channel = await create({ kind: "slack", secret: receiver.url("/slack") });
    const other = await service.account();
    const at = `/v1/channels/${channel.channelId}`;
    assert.deepEqual(await list(other), []);
    refused(await other.call("PUT", at, { body: { name: "mine" } }), "not_found");
    refused(await other.call("DELETE", at), "not_found");
    refused(await other.call("POST", `${at}/test`), "not_found");
    const panel = await createPanel(other, { name: "p", prompts: [{ text: "Which?", promptId: "p1" }] });
    const schedule = await other.call("POST", `/v1/panels/${panel.panelId}/report/schedules`, {
      body: { every: "week", recipients: [], channels: [channel.channelId] },
    });
    invalidAt(schedule, { "/channels/0": "not_allowed" });
  });

  test("understand the replies that the vendors document", () => {
    const meanings = [
      ["slack", 404, "no_service", "gone"],
      ["slack", 410, "channel_is_archived", "gone"],
      ["slack", 403, "invalid_token", "gone"],
      ["slack", 403, "action_prohibited", "again"],
      ["slack", 400, "invalid_blocks", "refused"],
      ["slack", 429, "rate_limited", "again"],
      ["slack", 500, "rollup_error", "again"],
      ["teams", 404, '{"error":{"code":"WorkflowNotFound"}}', "gone"],
      ["teams", 400, '{"error":{"code":"WorkflowTriggerIsNotEnabled"}}', "again"],
      ["teams", 413, "", "refused"],
      ["pagerduty", 400, '{"status":"invalid event","errors":["Invalid routing key"]}', "gone"],
      ["pagerduty", 400, '{"status":"invalid event","errors":["\'payload.severity\' is invalid"]}', "refused"],
      ["pagerduty", 429, "", "again"],
      ["webhook", 404, "", "again"],
      ["webhook", 410, "", "gone"],
    ] as const;
    for (const [kind, status, reply, meaning] of meanings)
      assert.equal(meaningOf(kind, status, reply), meaning, `${kind} ${status} ${reply}`);
  });

  suite("to which reports are sent", async () => {
    await account.call<EntityRecord>("POST", "/v1/entities", { body: { name: "Acme Mills", relation: "own" } });
    const panel = await createPanel(account, {
      name: `Grinders ${hostileName}`,
      prompts: [{ text: "Which? brands=Acme_Mills:1@1 sources=2", promptId: "p1" }],
    });
    const path = `/v1/panels/${panel.panelId}/report`;
    assert.equal((await runPanel(account, panel.panelId)).status, 202);
    await until("the answer is observed", async () => {
      const { rows } = await service.database.query<{ count: number }>(
        "select count(*)::int as count from observations where panel_id = $1",
        [panel.panelId],
      );
      return rows[0]?.count === 1;
    });
    const schedule = async (channels: readonly Channel[], more: object = {}): Promise<ReportSchedule> => {
      const made = await account.call<ReportSchedule>("POST", `${path}/schedules`, {
        body: {
          every: "month",
          contents: "pdf",
          recipients: [],
          channels: channels.map((one) => one.channelId),
          ...more,
        },
      });
      assert.equal(made.status, 201, made.text);
      return made.body;
    };
    const latest = async ({ scheduleId }: ReportSchedule): Promise<SentReport | undefined> =>
      (await account.get<SentReports>(`${path}/sent`)).body.reports.find((one) => one.scheduleId === scheduleId);
    const send = async (made: ReportSchedule): Promise<SentReport> => {
      const asked = await account.call("POST", `${path}/schedules/${made.scheduleId}/sending`);
      assert.equal(asked.status, 202, asked.text);
      return until("the report has been sent", async () => {
        const found = await latest(made);
        const isOver = found?.state !== "preparing" && found?.channels.every(({ state }) => state !== "pending");
        return isOver ? found : undefined;
      });
    };
    test.beforeEach(() => service.database.query("delete from report_schedules"));

    test("get one message each, with what it found and a link that opens it, without mail being set up", async () => {
      replies.set("/r-teams", teamsOk).set("/r-own", text(200, "thanks"));
      const slack = await create({ kind: "slack", name: "#grinders", secret: receiver.url("/r-slack") });
      const teams = await create({ kind: "teams", secret: receiver.url("/r-teams") });
      const own = await create({ kind: "webhook", secret: receiver.url("/r-own") });
      const made = await schedule([slack, teams, own]);
      assert.deepEqual(made.channels[0], { channelId: slack.channelId, kind: "slack", name: "#grinders" });
      const sent = await send(made);
      assert.deepEqual(
        sent.channels.map(({ name, state }) => [name, state]),
        [
          ["#grinders", "delivered"],
          ["a channel", "delivered"],
          ["a channel", "delivered"],
        ],
      );
      for (const one of ["/r-slack", "/r-teams"]) {
        assert.equal(sentTo(one).length, 1);
        const message = sentTo(one)[0]?.body.toString() ?? "";
        assert.match(message, /Acme Mills is named in/);
        assert.match(message, /Nothing has changed by more than chance explains/);
        assert.ok(message.includes(sent.shareUrl ?? "none"));
        if (one === "/r-slack") assert.doesNotMatch(message, /<!channel>|<@U/);
        else assert.doesNotMatch(message, /\{\{/);
      }
      const event = bodyOf(sentTo("/r-own")[0]);
      assert.equal(event["event"], "report.ready");
      const opened = await service.call("GET", (sent.shareUrl ?? "").replace("https://querent.example", ""));
      assert.equal(opened.status, 200);
      const { body: delivery } = await account.get<DeliveryDetail>(`/v1/deliveries/${sent.channels[0]?.deliveryId}`);
      assert.deepEqual(
        [delivery.url, delivery.request, delivery.state, delivery.attempts.length],
        [`channel:${slack.channelId}`, null, "delivered", 1],
      );
    });

    test("are tried again as long as they ask for, and get the message once", async () => {
      let asked = 0;
      replies.set("/r-limited", (response) =>
        (++asked === 1 ? text(429, "rate_limited", { "retry-after": "7" }) : slackOk)(response),
      );
      const slack = await create({ kind: "slack", secret: receiver.url("/r-limited") });
      const sent = await send(await schedule([slack]));
      assert.equal(sent.channels[0]?.state, "delivered");
      const { body: delivery } = await account.get<DeliveryDetail>(`/v1/deliveries/${sent.channels[0]?.deliveryId}`);
      const [first = assert.fail(), second = assert.fail()] = delivery.attempts;
      assert.ok(Date.parse(second.startedAt) - Date.parse(first.startedAt) >= 7000);
      assert.equal(asked, 2);
    });

    test("that are gone get nothing more, delay nobody else, and get it after their address is replaced", async () => {
      replies.set("/r-gone", text(404, "no_service"));
      const gone = await create({ kind: "slack", secret: receiver.url("/r-gone") });
      const fine = await create({ kind: "slack", secret: receiver.url("/r-fine") });
      const made = await schedule([gone, fine]);
      const sent = await send(made);
      assert.deepEqual(
        sent.channels.map(({ state }) => state),
        ["failed", "delivered"],
      );
      assert.match(sent.channels[0]?.problem ?? "", /404: no_service/);
      const at = `/v1/deliveries/${sent.channels[0]?.deliveryId}`;
      const { body: failed } = await account.get<DeliveryDetail>(at);
      assert.deepEqual([failed.failureReason, failed.attempts.length], ["gone", 1]);
      const again = await send(made);
      assert.match(again.channels[0]?.problem ?? "", /The channel is gone/);
      assert.equal(sentTo("/r-gone").length, 1, "nobody asks an address that is gone");
      assert.equal(sentTo("/r-fine").length, 2);
      const put = await account.call<Channel>("PUT", `/v1/channels/${gone.channelId}`, {
        body: { name: "anew", secret: receiver.url("/r-anew") },
      });
      assert.equal(put.body.state, "active");
      assert.equal((await account.call("POST", `${at}/redelivery`)).status, 202);
      await until("the redelivery arrives", () => sentTo("/r-anew").length === 1);
      assert.equal((await account.call("DELETE", `/v1/channels/${gone.channelId}`)).status, 204);
      assert.deepEqual((await send(made)).channels.length, 1, "a deleted channel is no destination");
    });

    test("may not be incidents, and a schedule has somebody to send to", async () => {
      const pagerDuty = await create({ kind: "pagerduty", secret: routingKey });
      const post = (body: object) =>
        account.call("POST", `${path}/schedules`, { body: { every: "week", recipients: [], ...body } });
      invalidAt(await post({ channels: [pagerDuty.channelId] }), { "/channels/0": "not_allowed" });
      invalidAt(await post({}), { "/recipients": "too_few" });
    });
  });
});
