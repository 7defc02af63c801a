/** Reports that are sent on a schedule: what arrives at a real mail server, how often, and to whom it does not. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  reportSchedulesMax,
  type DeliveryDetail,
  type DeliveryPage,
  type EntityRecord,
  type EventPage,
  type MailSettings,
  type MailTest,
  type PanelReport,
  type ReportSchedule,
  type ReportSchedules,
  type SentReport,
  type SentReports,
} from "@querent/contract";
import { queueDue, queueForRun, takeReport } from "../../src/reports/sending/sent-reports.ts";
import { mailLogin, refusal, startMailServer } from "../harness/mail-server.ts";
import { invalidAt, refused, startTestService, type TestAccount } from "../harness/service.ts";
import { newId } from "../../src/kernel/ids.ts";
import { testDatabase } from "../harness/database.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

/** Recipients of whose next message the server has everything when it breaks off. */
const dropping = new Set<string>();
const taken = new Map<string, string[]>();
/** Recipients that the server refuses at present, with its reply code. */
const refusing = new Map<string, number>();

suite("reports that are sent", { timeout: 600_000 }, async () => {
  const server = await startMailServer({
    authOptional: false,
    breaksOff(email, raw) {
      if (!dropping.delete(email)) return false;
      taken.set(email, [...(taken.get(email) ?? []), raw]);
      return true;
    },
    onRcptTo({ address }, _session, done) {
      const code = refusing.get(address);
      done(code === undefined ? null : refusal(code, "not now"));
    },
  });
  test.after(() => server[Symbol.asyncDispose]());
  const environment = {
    QUERENT_SMTP_URL: `smtp://${mailLogin.user}:${encodeURIComponent(mailLogin.password)}@localhost:${server.port}`,
    QUERENT_MAIL_FROM: "Reports <reports@querent.example>",
    QUERENT_EGRESS_CA: server.caFile,
    QUERENT_PUBLIC_URL: "https://querent.example",
  };
  const service = await startTestService({ environment });
  const account = await service.account();
  await account.call<EntityRecord>("POST", "/v1/entities", { body: { name: "Acme Mills", relation: "own" } });
  const panel = await createPanel(account, {
    name: "Grinders\u2028& co",
    prompts: [{ text: "Which? brands=Acme_Mills:1@1 sources=2", promptId: "p1" }],
  });
  const path = `/v1/panels/${panel.panelId}/report`;
  const answered = async (count: number) => {
    assert.equal((await runPanel(account, panel.panelId)).status, 202);
    await until("the answers are observed", async () => {
      const { rows } = await service.database.query<{ count: number }>(
        "select count(*)::int as count from observations where panel_id = $1",
        [panel.panelId],
      );
      return rows[0]?.count === count;
    });
  };
  await answered(1);

  const schedule = async (body: object, of: TestAccount = account): Promise<ReportSchedule> => {
    const made = await of.call<ReportSchedule>("POST", `${path}/schedules`, {
      body: { every: "month", contents: "link", ...body },
    });
    assert.equal(made.status, 201, made.text);
    return made.body;
  };
  // A panel has few of them.
  test.beforeEach(() => service.database.query("delete from report_schedules"));
  const sent = async () => (await account.get<SentReports>(`${path}/sent`)).body.reports;
  /** Sends, and waits until every mail of it has ended. */
  const send = async ({ scheduleId }: ReportSchedule): Promise<SentReport> => {
    const asked = await account.call<SentReport>("POST", `${path}/schedules/${scheduleId}/sending`);
    assert.equal(asked.status, 202, asked.text);
    return until("the report has been sent", async () => {
      const found = (await sent()).find(({ reportId }) => reportId === asked.body.reportId);
      const isOver = found?.state !== "preparing" && found?.recipients.every(({ state }) => state !== "pending");
      return isOver ? found : undefined;
    });
  };
  const to = (email: string) => server.mails.filter((mail) => mail.to.includes(email));
  /** The path of a link, at this service. */
  const pathOf = (url: string) => url.replace("https://querent.example", "");
  const unsubscribeUrlOf = (raw: string) =>
    /^List-Unsubscribe: <([^>]+)>/m.exec(raw.replaceAll("\r\n ", ""))?.[1] ?? "";

  test("arrive one by one, with the figures of the report, a link that opens it, and the PDF", async () => {
    const made = await send(
      await schedule({
        contents: "link_and_pdf",
        clientName: "Müller & Söhne",
        recipients: ["ana@client.example", "ANA@client.example", "bo@client.example"],
      }),
    );
    assert.equal(made.state, "sent");
    assert.deepEqual(
      made.recipients.map(({ email, state }) => [email, state]),
      [
        ["ana@client.example", "delivered"],
        ["bo@client.example", "delivered"],
      ],
    );
    const [mail = assert.fail()] = to("ana@client.example");
    assert.deepEqual(mail.to, ["ana@client.example"]);
    assert.equal(to("ana@client.example").length, 1);
    const { subject = "", text = "", html, attachments } = mail.parsed;
    assert.match(subject, /^Grinders & co: report of /);
    const { body: report } = await account.get<PanelReport>(`${path}?from=${made.window?.from}&to=${made.window?.to}`);
    const presence = report.summary.find(({ measure }) => measure === "presence")?.thesePrompts.value ?? assert.fail();
    assert.ok(
      text.includes(`Acme Mills is named in ${Math.round(presence * 100)} % of the answers of simulator (sample) (`),
      text,
    );
    assert.match(text, /for Müller & Söhne/);
    assert.match(String(html), /M(ü|&#xFC;)ller &#x26; S/);
    assert.deepEqual(
      attachments.map(({ contentType, filename }) => [contentType, filename?.replace(/\d.*/, "")]),
      [["application/pdf", "Grinders-co-"]],
    );
    assert.match(attachments[0]?.content.subarray(0, 5).toString() ?? "", /^%PDF-/);
    assert.equal(attachments[0]?.content.length, made.pdfBytes);
    assert.ok(text.includes(made.shareUrl ?? "none"));
    const opened = await service.call("GET", pathOf(made.shareUrl ?? ""));
    assert.equal(opened.status, 200);
    assert.match(opened.text, /Acme Mills/);
    assert.doesNotMatch(mail.raw, /bo@client\.example/, "nobody sees who else gets it");
  });

  test("are deliveries with a log, which nobody repeats once they were taken", async () => {
    const made = await send(await schedule({ recipients: ["log@client.example"] }));
    const deliveryId = made.recipients[0]?.deliveryId ?? "";
    const { body: delivery } = await account.get<DeliveryDetail>(`/v1/deliveries/${deliveryId}`);
    assert.deepEqual(
      [delivery.state, delivery.event, delivery.url, delivery.request, delivery.attempts.length],
      ["delivered", "report.ready", "mailto:log@client.example", null, 1],
    );
    assert.equal(delivery.attempts[0]?.status, 250);
    const { rows } = await service.database.query("select 1 from delivery_queue where $1 = any(delivery_ids)", [
      deliveryId,
    ]);
    assert.equal(rows.length, 0);
    assert.equal(to("log@client.example")[0]?.parsed.messageId, `<${deliveryId}@querent.example>`);
    // The feed is of the account's own events: it has none for each recipient, and this account has not subscribed.
    const { body: page } = await account.get<EventPage>("/v1/events?types=report.ready");
    assert.deepEqual(page.events, []);
    const again = await account.call("POST", `/v1/deliveries/${deliveryId}/redelivery`);
    assert.equal(again.status, 202, again.text);
    await until("the redelivery has arrived", () => to("log@client.example").length === 2);
  });

  test("are sent once more, with the same id, if the server breaks off after the message, and not after it has said that it took it", async () => {
    const email = "twice@client.example";
    dropping.add(email);
    const made = await send(await schedule({ recipients: [email] }));
    assert.equal(made.recipients[0]?.state, "delivered");
    assert.equal(taken.get(email)?.length, 1, "the server had the first, and did not say so");
    const [mail = assert.fail(), ...more] = to(email);
    assert.deepEqual(more, []);
    const { body: delivery } = await account.get<DeliveryDetail>(`/v1/deliveries/${made.recipients[0]?.deliveryId}`);
    assert.deepEqual(
      delivery.attempts.map(({ status, fault }) => [status, fault]),
      [
        [null, "reset"],
        [250, null],
      ],
    );
    assert.equal(mail.parsed.messageId, `<${delivery.deliveryId}@querent.example>`);
    assert.match(taken.get(email)?.[0] ?? "", new RegExp(`^Message-ID: ${mail.parsed.messageId}\r$`, "m"));
  });

  test("show what is no longer known of them as that, and not as delivered", async () => {
    const made = await send(await schedule({ recipients: ["old@client.example"] }));
    await service.database.query("delete from deliveries where task_id = $1", [made.recipients[0]?.deliveryId]);
    const found = (await sent()).find(({ reportId }) => reportId === made.reportId);
    assert.deepEqual(found?.recipients[0], {
      ...{ email: "old@client.example", state: "unknown", deliveryId: null, problem: null },
    });
  });

  test("that one recipient's server refuses reach the others, and are not attempted again", async () => {
    refusing.set("gone@client.example", 550).set("grey@client.example", 451);
    const all = ["gone@client.example", "grey@client.example", "fine@client.example"];
    const { scheduleId } = await schedule({ recipients: all });
    await account.call("POST", `${path}/schedules/${scheduleId}/sending`);
    const latest = async () => (await sent()).find((one) => one.scheduleId === scheduleId)?.recipients ?? [];
    await until("the others have their mail, and one is refused", async () => {
      const states = new Map((await latest()).map(({ email, state }) => [email, state]));
      return states.get("fine@client.example") === "delivered" && states.get("gone@client.example") === "failed";
    });
    const [gone = assert.fail(), grey = assert.fail()] = await latest();
    assert.match(gone.problem ?? "", /550 not now/);
    const { body: delivery } = await account.get<DeliveryDetail>(`/v1/deliveries/${gone.deliveryId}`);
    assert.deepEqual([delivery.state, delivery.failureReason, delivery.attempts.length], ["failed", "refused", 1]);
    // A temporary refusal is attempted again with the schedule of all deliveries.
    await until("the refusal for now is in the log", async () => ((await latest())[1]?.problem ?? "").includes("451"));
    refusing.clear();
    await until("it arrives", () => to(grey.email).length === 1, 120_000);
    const { rows } = await service.database.query("select 1 from delivery_breakers where account_id = $1", [
      account.accountId,
    ]);
    assert.equal(rows.length, 0, "refusals of recipients say nothing about the server");
  });

  test("reach nobody who has unsubscribed with one request, until somebody says that they have asked for it", async () => {
    const email = "eve@client.example";
    const made = await schedule({ recipients: [email, "stays@client.example"] });
    await send(made);
    const url = unsubscribeUrlOf(to(email)[0]?.raw ?? "");
    assert.match(url, /^https:\/\/querent\.example\/unsubscribe\/[\w-]{64}$/);
    assert.match(to(email)[0]?.raw ?? "", /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);

    // Opening the link changes nothing, because programs that look for harmful mail do so.
    const page = await service.call("GET", pathOf(url), { headers: { "accept-language": "zh-CN" } });
    assert.match(page.text, /<form method="post"><button type="submit">退订/);
    assert.match(String(page.headers["content-security-policy"]), /form-action 'self'/);
    assert.equal((await send(made)).recipients[0]?.state, "delivered");

    const form = { "content-type": "application/x-www-form-urlencoded" };
    const asked = await service.call("POST", pathOf(url), { headers: form, body: "List-Unsubscribe=One-Click" });
    assert.equal(asked.status, 200, asked.text);
    assert.match(asked.text, /You are unsubscribed/);
    const repeated = await service.call("POST", pathOf(url), {
      headers: { "content-type": "multipart/form-data; boundary=x" },
      body: "--x--",
    });
    assert.equal(repeated.status, 200);

    const after = await send(made);
    assert.deepEqual(
      after.recipients.map(({ state }) => state),
      ["unsubscribed", "delivered"],
    );
    const list = async () => (await account.get<ReportSchedules>(`${path}/schedules`)).body.schedules;
    const of = async () => (await list()).find(({ scheduleId }) => scheduleId === made.scheduleId)?.recipients[0];
    assert.notEqual((await of())?.unsubscribedAt, null);
    const put = (more: object) =>
      account.call("PUT", `${path}/schedules/${made.scheduleId}`, {
        body: { every: "month", contents: "link", recipients: [email], ...more },
      });
    // Neither entering the address again nor another schedule is consent.
    assert.equal((await put({})).status, 200);
    const other = await send(await schedule({ recipients: [email.toUpperCase()] }));
    assert.equal(other.state, "failed");
    assert.match(other.problem ?? "", /All recipients have unsubscribed/);
    assert.equal(to(email).length, 2);

    assert.equal((await put({ contactAgain: [email] })).status, 200);
    assert.equal((await send(made)).recipients[0]?.state, "delivered");
    assert.match(to(email)[2]?.parsed.text ?? "", /has added you again, and says that you have asked for it/);
    assert.equal((await send(made)).recipients[0]?.state, "delivered");
    assert.doesNotMatch(to(email)[3]?.parsed.text ?? "", /added you again/);
  });

  test("that wait when their recipient unsubscribes are not sent", async () => {
    const email = "late@client.example";
    refusing.set(email, 451);
    const made = await schedule({ recipients: [email] });
    await account.call("POST", `${path}/schedules/${made.scheduleId}/sending`);
    const latest = async () => (await sent()).find(({ scheduleId }) => scheduleId === made.scheduleId)?.recipients[0];
    await until("it was refused for now", async () => ((await latest())?.problem ?? "").includes("451"));
    await service.database.query("update mail_recipients set unsubscribed_at = now() where email = $1", [email]);
    refusing.clear();
    const state = await until("it has ended", async () => {
      const { state: now } = (await latest()) ?? assert.fail();
      return now === "pending" ? undefined : now;
    });
    assert.deepEqual([state, to(email).length], ["unsubscribed", 0]);
  });

  test("links to unsubscribe that were not made here change nothing", async () => {
    const token = "a".repeat(64);
    for (const method of ["GET", "POST"]) refused(await service.call(method, `/unsubscribe/${token}`), "not_found");
    const html = await fetch(`${service.address}/unsubscribe/${token}`, { headers: { accept: "text/html" } });
    assert.equal(html.status, 404);
    assert.match(await html.text(), /There is nothing at this address/);
    const share = (await send(await schedule({ recipients: ["x@client.example"] }))).shareUrl ?? "";
    refused(await service.call("POST", `/unsubscribe/${share.split("/").at(-1)}`), "not_found");
  });

  test("are sent once for each run, in the transaction that ends it, and not while paused", async () => {
    const mine = await schedule({ every: "run", recipients: ["run@client.example"] });
    await schedule({ every: "run", paused: true, recipients: ["paused@client.example"] });
    await answered(2);
    await server.received(1);
    await until("the report of the run has arrived", () => to("run@client.example").length === 1);
    const report = (await sent()).find(({ scheduleId }) => scheduleId === mine.scheduleId) ?? assert.fail();
    assert.equal(report.reason, "run");
    const { rows } = await service.database.query<{ occasion: string }>(
      "select occasion from sent_reports where id = $1",
      [report.reportId],
    );
    const runId = rows[0]?.occasion.slice("run ".length) ?? "";
    await service.database.transaction((tx) =>
      queueForRun(tx, { accountId: account.accountId, panelId: panel.panelId, runId }),
    );
    assert.equal((await sent()).filter(({ scheduleId }) => scheduleId === mine.scheduleId).length, 1);
    assert.deepEqual(to("paused@client.example"), []);
    await account.call("DELETE", `${path}/schedules/${mine.scheduleId}`);
  });

  test("are sent once when their time has come, for several that have passed, by whichever process", async () => {
    const made = await schedule({
      every: "week",
      weekday: 3,
      time: "07:30",
      timeZone: "Europe/Berlin",
      recipients: ["week@client.example"],
    });
    const next = new Date(made.nextAt ?? "");
    const local = new Intl.DateTimeFormat("en-GB", {
      timeZone: "Europe/Berlin",
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
    });
    assert.match(local.format(next), /Wed.*07:30/);
    await service.database.query("update report_schedules set next_at = now() - interval '30 days' where id = $1", [
      made.scheduleId,
    ]);
    await Promise.all(Array.from({ length: 5 }, () => queueDue(service.database)));
    await until("it has arrived", () => to("week@client.example").length === 1);
    const list = (await account.get<ReportSchedules>(`${path}/schedules`)).body.schedules;
    assert.equal(list.find(({ scheduleId }) => scheduleId === made.scheduleId)?.nextAt, made.nextAt);
    assert.equal((await sent()).filter(({ scheduleId }) => scheduleId === made.scheduleId).length, 1);
  });

  test("say so if there is nothing to report", async () => {
    const empty = await createPanel(account, { name: "Empty" });
    const made = await account.call<ReportSchedule>("POST", `/v1/panels/${empty.panelId}/report/schedules`, {
      body: { every: "week", recipients: ["empty@client.example"] },
    });
    await account.call("POST", `/v1/panels/${empty.panelId}/report/schedules/${made.body.scheduleId}/sending`);
    const report = await until("it has ended", async () => {
      const { reports } = (await account.get<SentReports>(`/v1/panels/${empty.panelId}/report/sent`)).body;
      return reports.find(({ state }) => state !== "preparing");
    });
    assert.equal(report.state, "nothing_to_report");
    assert.deepEqual(to("empty@client.example"), []);
    assert.equal((await account.call("DELETE", `/v1/panels/${empty.panelId}`)).status, 204);
    refused(await account.get(`/v1/panels/${empty.panelId}/report/sent`), "not_found");
  });

  test("announce themselves to an account that has subscribed, as one event", async () => {
    await service.database.query("update webhooks set events = events || '{report.ready}' where account_id = $1", [
      account.accountId,
    ]);
    const made = await send(await schedule({ recipients: ["a@client.example", "b@client.example"] }));
    const { body: page } = await account.get<EventPage<"report.ready">>("/v1/events?types=report.ready");
    assert.deepEqual(
      page.events.map(({ notification }) => [notification.data.reportId, notification.data.mail]),
      [[made.reportId, undefined]],
    );
    assert.deepEqual(page.events[0]?.notification.data.figures[0]?.name, "Acme Mills");
    const { body: skipped } = await account.get<DeliveryPage>("/v1/deliveries?state=skipped");
    assert.equal(skipped.deliveries.filter(({ event }) => event === "report.ready").length, 1);
  });

  test("are refused with every error at its field, in the names and addresses that others would read", async () => {
    const post = (body: object) => account.call("POST", `${path}/schedules`, { body });
    invalidAt(
      await post({
        ...{
          every: "run",
          weekday: 1,
          time: "08:00",
          clientName: "x\r\nBcc: y@z.example",
          contactAgain: ["no@one.example"],
        },
        recipients: ["ana@client.example", "a@b\r\nRCPT TO:<c@d.example>", "a@localhost"],
      }),
      {
        "/weekday": "not_allowed",
        "/time": "not_allowed",
        "/clientName": "malformed",
        "/recipients/1": "malformed",
        "/recipients/2": "malformed",
        "/contactAgain/0": "not_allowed",
      },
    );
    invalidAt(await post({ every: "week", timeZone: "Mars/Olympus", recipients: ["a@b.example"] }), {
      "/timeZone": "not_allowed",
    });
    invalidAt(await post({ every: "week", recipients: [] }), { "/recipients": "too_few" });
    const many = Array.from({ length: 51 }, (_, number) => `a${number}@b.example`);
    invalidAt(await post({ every: "week", recipients: many }), { "/recipients": "too_many" });
  });

  test("belong to their account, and to those who may write panels", async () => {
    const made = await schedule({ recipients: ["own@client.example"] });
    const other = await service.account();
    const reader = await account.withToken({ scopes: ["panels:read"] });
    const one = `${path}/schedules/${made.scheduleId}`;
    const body = { every: "week", recipients: ["own@client.example"] };
    for (const [method, at] of [
      ["GET", `${path}/schedules`],
      ["GET", `${path}/sent`],
      ["POST", `${one}/sending`],
      ["DELETE", one],
    ] as const)
      refused(await other.call(method, at), "not_found");
    refused(await other.call("PUT", one, { body }), "not_found");
    refused(await other.call("POST", `${path}/schedules`, { body }), "not_found");
    assert.equal((await reader.get(`${path}/schedules`)).status, 200);
    refused(await reader.call("POST", `${one}/sending`), "scope_missing");
    refused(await reader.call("DELETE", one), "scope_missing");
  });

  test("a panel has a bounded number of schedules", async () => {
    const many = await createPanel(account, { name: "Many" });
    const at = `/v1/panels/${many.panelId}/report/schedules`;
    const body = { every: "week", recipients: ["many@client.example"] };
    for (let count = 0; count < reportSchedulesMax; count++)
      assert.equal((await account.call("POST", at, { body })).status, 201);
    refused(await account.call("POST", at, { body }), "state_conflict");
  });

  test("an operator tests mail, and learns what is wrong with it", async () => {
    const { body: settings } = await account.get<MailSettings>("/v1/admin/mail");
    assert.deepEqual(settings, {
      from: "Reports <reports@querent.example>",
      missing: null,
      server: { host: "localhost", port: server.port, tls: "starttls" },
    });
    const { body: passed } = await account.call<MailTest>("POST", "/v1/admin/mail/test", {
      body: { to: "me@client.example" },
    });
    assert.equal(passed.passed, true, passed.detail);
    assert.equal(to("me@client.example").length, 1);
    refusing.set("me@client.example", 550);
    const { body: failed } = await account.call<MailTest>("POST", "/v1/admin/mail/test", {
      body: { to: "me@client.example" },
    });
    assert.deepEqual([failed.passed, failed.stage, failed.status], [false, "recipient", 550]);
    invalidAt(await account.call("POST", "/v1/admin/mail/test", { body: { to: "x\r\ny@z.example" } }), {
      "/to": "malformed",
    });
  });

  test("without mail, a schedule is refused with what the operator sets", async () => {
    const { DATABASE_URL: url = "", QUERENT_MASTER_KEY: text = "" } = service.commandEnvironment;
    const without = await startTestService({ on: { url, masterKey: Buffer.from(text, "base64") }, roles: ["api"] });
    const body = { every: "week", recipients: ["a@b.example"] };
    const answer = await without.as(account.accountId, account.token).call("POST", `${path}/schedules`, { body });
    assert.match(refused(answer, "state_conflict").detail ?? "", /QUERENT_SMTP_URL and QUERENT_MAIL_FROM/);
    await without.stop();
  });
});

test("an account with many reports to be sent keeps nobody else's waiting", async () => {
  const { database } = await testDatabase();
  const [busy = "", other = "", third = ""] = [newId(), newId(), newId()].toSorted();
  for (const [accountId, count, due] of [
    [busy, 4, "1 hour"],
    [third, 1, "1 minute"],
    [other, 2, "1 minute"],
  ] as const)
    await database.query(
      `insert into sent_reports (account_id, id, panel_id, schedule_id, reason, occasion, state, due_at, created_at)
       select $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'time', 'time ' || n, 'preparing', now() - $3::interval, now()
         from generate_series(1, $2::int) n`,
      [accountId, count, due],
    );
  const taken: string[] = [];
  for (let last: string | null = null; ;) {
    const next = await takeReport(database, last);
    if (next === null) break;
    taken.push((last = next.accountId));
  }
  assert.deepEqual(taken, [busy, other, third, busy, other, busy, busy]);
});
