/** What is in the audit log and what is not, for whom, and that nothing in it can be altered unnoticed. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  api,
  auditKindOf,
  type Alert,
  type AuditEntry,
  type AuditPage,
  type BatchRecord,
  type Channel,
  type CreatedInvitation,
  type DeliveryPage,
  type EntityRecord,
  type ProjectRecord,
  type IssuedToken,
  type LoginList,
  type MemberList,
  type NewSecondFactor,
  type PasskeyOptions,
  type PasskeyRecord,
  type RecoveryCodes,
  type PanelRecord,
  type FigureLink,
  type ReportSchedule,
  type ReportShare,
  type WebhookRecord,
  type ConnectionAnswer,
  type ConnectionList,
} from "@querent/contract";
import { TOTP } from "otpauth";
import { auditRequests, installationId, pruneEntries, sealEntries, verifyChain } from "../../src/audit/index.ts";
import { createAccount } from "../../src/app/accounts.ts";
import { publishedKeys, signingKey } from "../../src/evidence/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { publicToken } from "../../src/artifacts/index.ts";
import { MasterKey, storedKey } from "../../src/vault/index.ts";
import { invite, makePasswordLink } from "../../src/people/index.ts";
import { startMailServer } from "../harness/mail-server.ts";
import { startReceiver } from "../harness/receiver.ts";
import { item, refused, startTestService, type ServiceAnswer, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { answerWith, makePasskey, type Passkey } from "../people/authenticator.ts";
import { decide, newChallenge, openRequest, register, requestAddress, visit } from "../people/assistant.ts";
import { goodPassword, joinAs, openBrowser, type TestPerson } from "../people/browser.ts";

const receiver = await startReceiver();
const mailServer = await startMailServer();
const service = await startTestService({
  environment: {
    ...{ QUERENT_EGRESS_ALLOW: "127.0.0.0/8", QUERENT_EGRESS_CA: receiver.caFile },
    QUERENT_SMTP_URL: `smtp://localhost:${mailServer.port}`,
    QUERENT_MAIL_FROM: "reports@querent.example",
  },
});
test.after(() => receiver.close());
test.after(() => mailServer[Symbol.asyncDispose]());
const { database } = service;
const masterKey = new MasterKey(Buffer.from(service.commandEnvironment["QUERENT_MASTER_KEY"] ?? "", "base64"));
const signer = () => signingKey(database, masterKey);
const changing = api.operations.filter((operation) => auditKindOf(operation) === "change");

const entriesOf = async (requestId: string | undefined) => {
  const { rows } = await database.query<{
    account_id: string;
    operation: string;
    target_id: string | null;
    kind: string;
  }>("select account_id, operation, target_id, kind from audit_entries where request_id = $1", [requestId]);
  return rows;
};

/** Waits until every entry has its place. */
const sealed = async () =>
  until("the entries to be sealed", async () => {
    await sealEntries(database, signer);
    const { rows } = await database.query<{ open: boolean }>(
      "select exists (select from audit_entries where sequence is null) as open",
    );
    return rows[0]?.open === false;
  });
const verdictOf = async (accountId: string) => verifyChain(database, accountId, await publishedKeys(database));

test("the entry of every operation that changes something is committed with the change, and rolled back with it", async () => {
  const { accountId } = await service.account();
  const caller = {
    ...{
      accountId,
      accountName: "a",
      name: "b",
      tokenId: newId(),
      accessId: newId(),
      scopes: [],
      projects: null,
      person: null,
    },
  };
  const audited = auditRequests(database);
  const write =
    "insert into audit_chains (account_id, first, anchor, sequence, digest, kid, signature) values ($1, 1, '', 0, '', '', '')";
  for (const operation of changing) {
    const request = (requestId: string) => ({ operation, caller, params: {}, address: "127.0.0.1", requestId });
    const [kept, failed] = [newId(), newId()];
    const seen: number[] = [];
    await audited(request(kept), async () => {
      await database.transaction((tx) => tx.query(write, [newId()]));
      seen.push((await entriesOf(kept)).length);
      await database.transaction((tx) => tx.query(write, [newId()]));
      return { status: 200 };
    });
    // Before the handler has returned, so it was part of the first transaction; and once.
    assert.deepEqual([seen, (await entriesOf(kept)).length], [[1], 1], operation.id);
    const work = async () => {
      await database.transaction(async (tx) => {
        await tx.query(write, [newId()]);
        throw new Error("it fails");
      });
      return { status: 200 };
    };
    await assert.rejects(audited(request(failed), work), /it fails/);
    assert.deepEqual(await entriesOf(failed), [], operation.id);
  }
  await database.query("delete from audit_chains where sequence = 0 and kid = ''");
});

/** Needs a browser, a platform or an identity provider: only the test above has them. */
const withoutCall = new Set([
  "signInWithProvider",
  "signInByProxy",
  ...["startSignIn", "sendSignInInput", "saveSignIn", "cancelSignIn"],
  ...["putSession", "deleteSession", "resumeSession", "testPlatformKey"],
]);

test("each operation that changes something leaves one entry, when it is called", { timeout: 300_000 }, async () => {
  const account = await service.account();
  const operator = await service.account();
  const owner = await joinAs(service, account.accountId, "owner");
  const person = await joinAs(service, account.accountId, "editor");
  const calls = callsOf(account, operator, owner, person);
  assert.deepEqual(
    changing.map(({ id }) => id).filter((id) => !(id in calls) && !withoutCall.has(id)),
    [],
    "operations without a call",
  );
  for (const [id, call] of Object.entries(calls)) {
    const answer = await call();
    assert.ok(answer.status < 300, `${id}: ${answer.status} ${answer.text}`);
    const rows = await entriesOf(answer.headers["x-request-id"]);
    assert.deepEqual(
      rows.map(({ operation, kind }) => [operation, kind]),
      [[id, "change"]],
      id,
    );
  }
  const { rows } = await database.query<{ text: string }>("select row_to_json(e)::text as text from audit_entries e");
  const log = rows.map(({ text }) => text).join("\n");
  for (const secret of secrets) {
    assert.ok(secret.length > 5, secret);
    assert.ok(!log.includes(secret), `the log has the secret ${secret.slice(0, 8)}…`);
  }
});

const question = "Which umbrella is never in the log?";
const secrets = new Set([question, receiver.url("/secret-path-of-the-receiver").slice(-20)]);

function callsOf(
  account: TestAccount,
  operator: TestAccount,
  owner: TestPerson,
  person: TestPerson,
): Record<string, () => Promise<ServiceAnswer<unknown>>> {
  const key = () => ({ "idempotency-key": newId() });
  let panelId = "";
  let entityId = "";
  let projectId = "";
  let shareId = "";
  let linkId = "";
  let scheduleId = "";
  let channelId = "";
  let alertId = "";
  const recipient = "recipient@client.example";
  // The log names no people who are not members.
  secrets.add(recipient).add("me@client.example");
  let batchId = "";
  let taskId = "";
  let tokenId = "";
  let invitationId = "";
  let deliveryId = "";
  let created = "";
  let createdToken = "";
  let guarded = person;
  let recovery: readonly string[] = [];
  let passkeyId = "";
  let connectionIds: readonly string[] = [];
  let passkey: Passkey | null = null;
  const headers = { host: `localhost:${new URL(service.address).port}` };
  const panelBody = { name: "Umbrellas", prompts: [{ text: question }], platforms: ["simulator"] };
  const slow = () => item(`${question} delay=600s`, { webhookUrl: receiver.url("/a") });
  const secretOf = async (answer: Promise<ServiceAnswer<WebhookRecord>>) => {
    const { body } = await answer;
    secrets.add(body.signingSecret);
    return answer;
  };
  return {
    submitBatch: async () => {
      const answer = await account.post([slow(), slow(), slow()]);
      batchId = answer.body.batchId;
      taskId = answer.body.tasks[0]?.taskId ?? "";
      return answer;
    },
    createDemonstration: () => operator.call("POST", "/v1/admin/demonstration"),
    deleteDemonstration: () => operator.call("DELETE", "/v1/admin/demonstration"),
    putPlatformKey: () => {
      const key = `sk-${newId()}`;
      secrets.add(key);
      return operator.call("PUT", "/v1/admin/platforms/openai/key", { body: { key } });
    },
    deletePlatformKey: () => operator.call("DELETE", "/v1/admin/platforms/openai/key"),
    putPlatformSettings: () =>
      operator.call("PUT", "/v1/admin/platforms/openai/settings", { body: { price: { base: 7 } } }),
    cancelTask: () => account.call("POST", `/v1/tasks/${taskId}/cancellation`),
    cancelBatch: () => account.call<BatchRecord>("POST", `/v1/batches/${batchId}/cancellation`),
    createPanel: async () => {
      const answer = await account.call<PanelRecord>("POST", "/v1/panels", { body: panelBody });
      ({ panelId } = answer.body);
      return answer;
    },
    putPanel: () => account.call("PUT", `/v1/panels/${panelId}`, { body: { ...panelBody, name: "Parasols" } }),
    runPanel: () => account.call("POST", `/v1/panels/${panelId}/runs`, { headers: key() }),
    sealPanel: () => account.call("POST", `/v1/panels/${panelId}/seal`),
    putReportLooks: () =>
      account.call("PUT", `/v1/projects/${account.accountId}/looks`, { body: { name: "Acme", color: "#0b5c7a" } }),
    shareReport: async () => {
      const answer = await account.call<ReportShare>("POST", `/v1/panels/${panelId}/report/shares`, {
        body: { days: 1 },
      });
      ({ shareId } = answer.body);
      secrets.add(answer.body.url?.split("/").at(-1) ?? "");
      return answer;
    },
    putReportSharePassword: () => {
      const password = "mule-lantern-violet-42";
      secrets.add(password);
      return account.call("PUT", `/v1/panels/${panelId}/report/shares/${shareId}/password`, { body: { password } });
    },
    revokeReportShare: () => account.call("DELETE", `/v1/panels/${panelId}/report/shares/${shareId}`),
    createFigureLink: async () => {
      const answer = await account.call<FigureLink>("POST", `/v1/panels/${panelId}/figures/links`, {
        body: { by: "run" },
      });
      ({ linkId } = answer.body);
      secrets.add(answer.body.url?.split("/").at(-1) ?? "");
      return answer;
    },
    revokeFigureLink: () => account.call("DELETE", `/v1/panels/${panelId}/figures/links/${linkId}`),
    createReportSchedule: async () => {
      const answer = await account.call<ReportSchedule>("POST", `/v1/panels/${panelId}/report/schedules`, {
        body: { every: "month", recipients: [recipient] },
      });
      ({ scheduleId } = answer.body);
      return answer;
    },
    putReportSchedule: () =>
      account.call("PUT", `/v1/panels/${panelId}/report/schedules/${scheduleId}`, {
        body: { every: "month", contents: "link", recipients: [recipient] },
      }),
    sendReport: () => account.call("POST", `/v1/panels/${panelId}/report/schedules/${scheduleId}/sending`),
    unsubscribe: async () => {
      const { rows } = await database.query<{ id: string }>("select id from mail_recipients where email = $1", [
        recipient,
      ]);
      const key = await storedKey(database, masterKey, "public addresses");
      const token = publicToken(key, "unsubscribe", rows[0]?.id ?? "");
      secrets.add(token);
      return service.call("POST", `/unsubscribe/${token}`);
    },
    deleteReportSchedule: () => account.call("DELETE", `/v1/panels/${panelId}/report/schedules/${scheduleId}`),
    createChannel: async () => {
      const secret = receiver.url("/secret-path-of-the-channel");
      secrets.add("secret-path-of-the-channel");
      const answer = await account.call<Channel>("POST", "/v1/channels", {
        body: { kind: "slack", name: "#a", secret },
      });
      ({ channelId } = answer.body);
      return answer;
    },
    putChannel: () => account.call("PUT", `/v1/channels/${channelId}`, { body: { name: "#b" } }),
    testChannel: () => account.call("POST", `/v1/channels/${channelId}/test`),
    createAlert: async () => {
      const body = { name: "Changes", kinds: ["figure_changed"], channels: [channelId], recipients: [recipient] };
      const answer = await account.call<Alert>("POST", "/v1/alerts", { body });
      ({ alertId } = answer.body);
      return answer;
    },
    putAlert: () =>
      account.call("PUT", `/v1/alerts/${alertId}`, {
        body: { name: "Problems", kinds: ["points_short"], channels: [channelId] },
      }),
    deleteAlert: () => account.call("DELETE", `/v1/alerts/${alertId}`),
    deleteChannel: () => account.call("DELETE", `/v1/channels/${channelId}`),
    testMail: () => operator.call("POST", "/v1/admin/mail/test", { body: { to: "me@client.example" } }),
    putCaps: () => account.call("PUT", "/v1/caps", { body: { caps: [{ kind: "account", dayPoints: 1_000_000 }] } }),
    createEntity: async () => {
      const answer = await account.call<EntityRecord>("POST", "/v1/entities", { body: { name: "Acme" } });
      ({ entityId } = answer.body);
      return answer;
    },
    putEntity: () => account.call("PUT", `/v1/entities/${entityId}`, { body: { name: "Acme Two" } }),
    putEntities: () => account.call("PUT", "/v1/entities", { body: [{ name: "Another" }] }),
    decideNames: () =>
      account.call("POST", `/v1/entities/${entityId}/proposals`, {
        body: { approve: [{ kind: "alias", text: "Acme Ltd" }], decline: [] },
      }),
    createProject: async () => {
      const answer = await account.call<ProjectRecord>("POST", "/v1/projects", { body: { name: "Acme" } });
      ({ projectId } = answer.body);
      return answer;
    },
    putProject: () => account.call("PUT", `/v1/projects/${projectId}`, { body: { name: "Acme Mills" } }),
    moveToProject: async () => {
      await account.call("POST", `/v1/projects/${projectId}/contents`, { body: { entityIds: [entityId] } });
      const body = { entityIds: [entityId] };
      return account.call("POST", `/v1/projects/${account.accountId}/contents`, { body });
    },
    deleteProject: () => account.call("DELETE", `/v1/projects/${projectId}`),
    deleteEntity: () => account.call("DELETE", `/v1/entities/${entityId}`),
    importAnswers: () =>
      account.call("POST", "/v1/imports?name=first", {
        headers: { "content-type": "application/x-ndjson" },
        body: JSON.stringify({
          ...{ id: "a", question, platformCode: "chatgpt", observedAt: "2026-05-24T15:56:04Z", content: "Acme." },
        }),
      }),
    recountMentions: () => account.call("POST", "/v1/observations/recount"),
    deleteObservations: () => account.call("DELETE", "/v1/observations?platformCode=chatgpt"),
    deletePanel: () => account.call("DELETE", `/v1/panels/${panelId}`),
    putWebhook: () =>
      secretOf(account.call("PUT", "/v1/webhook", { body: { url: receiver.url("/secret-path-of-the-receiver") } })),
    rotateSigningSecret: () => secretOf(account.call("POST", "/v1/webhook/signing-secret/rotation")),
    testWebhook: () => account.call("POST", "/v1/webhook/test"),
    redeliver: async () => {
      const delivered = await until("a delivery", async () => {
        const { body } = await account.get<DeliveryPage>("/v1/deliveries?state=delivered");
        return body.deliveries[0];
      });
      ({ deliveryId } = delivered);
      return account.call("POST", `/v1/deliveries/${deliveryId}/redelivery`);
    },
    recoverDeliveries: () => account.call("POST", "/v1/webhook/recovery", { body: { since: "2026-01-01T00:00:00Z" } }),
    issueToken: async () => {
      const body = { name: "a program", scopes: ["tasks:read"] };
      const answer = await account.call<IssuedToken>("POST", "/v1/tokens", { body });
      ({ tokenId } = answer.body.record);
      secrets.add(answer.body.token.slice(8));
      return answer;
    },
    revokeToken: () => account.call("POST", `/v1/tokens/${tokenId}/revocation`),
    createInvitation: async () => {
      const body = { email: "new@example.com", role: "viewer" };
      const answer = await owner.call<CreatedInvitation>("POST", "/v1/invitations", { body });
      ({ invitationId } = answer.body.record);
      secrets.add(answer.body.link.split("#")[1] ?? "");
      return answer;
    },
    revokeInvitation: () => owner.call("DELETE", `/v1/invitations/${invitationId}`),
    decideConnectionRequest: async () => {
      const connect = async () => openRequest(person, requestAddress(service, await register(service), newChallenge()));
      const both = ["tasks:read", "reports:read"];
      // A registered client is one connection, so the second is of another.
      await decide(person, await connect(), both);
      const { requestId, accountId } = await connect();
      const body = { requestId, accountId, scopes: both };
      const answer = await person.call<ConnectionAnswer>("POST", "/v1/connection-request/decision", { body });
      await visit(person, answer.body.address);
      const { body: list } = await person.call<ConnectionList>("GET", "/v1/login/connections");
      connectionIds = list.connections.map((one) => one.connectionId);
      return answer;
    },
    endOwnConnection: () => person.call("DELETE", `/v1/login/connections/${connectionIds[0]}`),
    endConnection: () => owner.call("DELETE", `/v1/connections/${connectionIds[1]}`),
    setMemberRole: () => owner.call("PUT", `/v1/members/${person.state.memberId}`, { body: { role: "viewer" } }),
    signIn: () => {
      secrets.add(person.password);
      return person.call("POST", "/v1/login", { body: { email: person.email, password: person.password } });
    },
    setPassword: () => {
      const newPassword = goodPassword();
      secrets.add(newPassword);
      return person.call("PUT", "/v1/login/password", { body: { currentPassword: person.password, newPassword } });
    },
    beginSecondFactor: async () => {
      // A person of its own, who then signs in with codes.
      guarded = await joinAs(service, account.accountId, "viewer");
      const body = { password: guarded.password };
      const answer = await guarded.call<NewSecondFactor>("POST", "/v1/login/second-factor", { body });
      secrets.add(answer.body.secret);
      return answer;
    },
    confirmSecondFactor: async () => {
      const answer = await guarded.call<RecoveryCodes>("PUT", "/v1/login/second-factor", {
        body: { code: new TOTP({ secret: [...secrets].at(-1) ?? "" }).generate() },
      });
      recovery = answer.body.recoveryCodes;
      for (const code of recovery) secrets.add(code);
      return answer;
    },
    removeSecondFactor: () =>
      guarded.call("POST", "/v1/login/second-factor/removal", {
        body: { password: guarded.password, code: recovery[0] },
      }),
    resetSecondFactor: () => owner.call("DELETE", `/v1/members/${guarded.state.memberId}/second-factor`),
    addPasskey: async () => {
      const begun = await person.call<PasskeyOptions>("POST", "/v1/login/passkeys/attempts", { body: {}, headers });
      const made = makePasskey(begun.body.options, `http://${headers.host}`);
      ({ passkey } = made);
      const body = made.sent;
      const answer = await person.call<PasskeyRecord>("POST", "/v1/login/passkeys", { body, headers });
      ({ passkeyId } = answer.body);
      return answer;
    },
    renamePasskey: () => person.call("PUT", `/v1/login/passkeys/${passkeyId}`, { body: { name: "Laptop" } }),
    signInWithPasskey: async () => {
      const begun = await person.call<PasskeyOptions>("POST", "/v1/login/passkey/attempts", { body: {}, headers });
      if (passkey === null) throw new Error("there is no passkey");
      const body = answerWith(passkey, begun.body.options, `http://${headers.host}`);
      return person.call("POST", "/v1/login/passkey", { body, headers });
    },
    removePasskey: () => person.call("POST", `/v1/login/passkeys/${passkeyId}/removal`, { body: {} }),
    resetPasskeys: async () => {
      const other = await joinAs(service, account.accountId, "viewer");
      return owner.call("DELETE", `/v1/members/${other.state.memberId}/passkeys`);
    },
    setSecondFactorRule: () => owner.call("PUT", "/v1/account/second-factor", { body: { required: false } }),
    setLoginAccount: () => person.call("PUT", "/v1/login/account", { body: { accountId: account.accountId } }),
    acceptLink: async () => {
      const token = await database.transaction((tx) => makePasswordLink(tx, person.state.person.personId, 1));
      secrets.add(token);
      return person.call("POST", "/v1/links/acceptance", { body: { token, password: goodPassword() } });
    },
    endLogins: () => person.call("DELETE", "/v1/logins"),
    endLogin: async () => {
      const { accountId } = account;
      const { token } = await database.transaction((tx) =>
        invite(tx, { accountId, email: null, role: "viewer", days: 1 }),
      );
      const [first, second] = [openBrowser(service), openBrowser(service)];
      const [email, password] = [`${newId()}@example.com`, goodPassword()];
      await first.call("POST", "/v1/links/acceptance", { body: { token, email, name: "Eve", password } });
      await second.call("POST", "/v1/login", { body: { email, password } });
      const { body } = await first.call<LoginList>("GET", "/v1/logins");
      return first.call("DELETE", `/v1/logins/${body.logins.find(({ current }) => !current)?.loginId}`);
    },
    endMemberLogins: () => owner.call("DELETE", `/v1/members/${person.state.memberId}/logins`),
    removeMember: async () => {
      const { body } = await owner.call<MemberList>("GET", "/v1/members");
      const other = body.members.find(({ memberId }) => memberId === person.state.memberId);
      return owner.call("DELETE", `/v1/members/${other?.memberId}`);
    },
    signOut: () => owner.call("DELETE", "/v1/login"),
    signOutAtProvider: async () => {
      const { accountId } = account;
      return (await joinAs(service, accountId, "viewer")).call("POST", "/v1/login/sign-out");
    },
    setPlatformLimits: () =>
      operator.call("PUT", "/v1/admin/platforms/simulator/limits", { body: { runningMax: 50, rate: null } }),
    removePlatformLimits: () => operator.call("DELETE", "/v1/admin/platforms/simulator/limits"),
    createAccount: async () => {
      const body = { name: newId(), points: 5 };
      const answer = await operator.call<{ accountId: string }>("POST", "/v1/admin/accounts", { body });
      created = answer.body.accountId;
      return answer;
    },
    setAccountLimits: () =>
      operator.call("PUT", `/v1/admin/accounts/${created}/limits`, { body: { unfinishedMax: 10 } }),
    grantPoints: () => operator.call("POST", `/v1/admin/accounts/${created}/grants`, { body: { points: 7 } }),
    issueAccountToken: async () => {
      const body = { name: "made by an operator", scopes: ["tasks:read"] };
      const answer = await operator.call<IssuedToken>("POST", `/v1/admin/accounts/${created}/tokens`, { body });
      createdToken = answer.body.record.tokenId;
      return answer;
    },
    revokeAnyToken: () => operator.call("POST", `/v1/admin/tokens/${createdToken}/revocation`),
  };
}

test("what was refused, and what repeats an accepted request, leaves no entry", async () => {
  const account = await service.account();
  const key = newId();
  const first = await account.post([item()], { "idempotency-key": key });
  const again = await account.post([item()], { "idempotency-key": key });
  assert.equal(again.headers["idempotent-replayed"], "true");
  assert.equal((await entriesOf(first.headers["x-request-id"])).length, 1);
  assert.deepEqual(await entriesOf(again.headers["x-request-id"]), []);
  const reader = await account.withToken({ scopes: ["panels:read"] });
  for (const answer of [
    await account.post([{ question: "" }]),
    await reader.call("PUT", "/v1/caps", { body: { caps: [] } }),
    await account.call("DELETE", `/v1/panels/${newId()}`),
    await account.call("DELETE", `/v1/entities/${newId()}`),
    await account.call("POST", `/v1/tasks/${newId()}/cancellation`),
    await account.call("PUT", `/v1/admin/platforms/no-such/limits`, { body: { runningMax: 1, rate: null } }),
  ]) {
    assert.ok(answer.status >= 400, answer.text);
    assert.deepEqual(await entriesOf(answer.headers["x-request-id"]), [], answer.text);
  }
});

test("reading a secret, an export and the spending of others is in the log; reading a page is not", async () => {
  const account = await service.account();
  const { batchId } = await account.submit([item()]);
  const csv = { accept: "text/csv" };
  for (const [path, headers, kind] of [
    ["/v1/webhook", {}, "secret"],
    ["/v1/webhook?secret=false", {}, null],
    ["/v1/admin/accounts", {}, "spend"],
    [`/v1/batches/${batchId}/results`, {}, "export"],
    ["/v1/observations", csv, "export"],
    ["/v1/usage/ledger", csv, "export"],
    ["/v1/audit", { accept: "application/x-ndjson" }, "export"],
    ["/v1/observations", {}, null],
    ["/v1/usage/ledger", {}, null],
    ["/v1/audit", {}, null],
    ["/v1/tasks", {}, null],
  ] as const) {
    const answer = await account.get(path, headers);
    assert.equal(answer.status, 200, answer.text);
    const kinds = (await entriesOf(answer.headers["x-request-id"])).map((row) => row.kind);
    assert.deepEqual(kinds, kind === null ? [] : [kind], path);
  }
});

test("an account reads its own log, with owners and admins alone, and operators that of the installation", async () => {
  const [one, other] = [await service.account(), await service.account()];
  await one.call("PUT", "/v1/caps", { body: { caps: [{ kind: "account", dayPoints: 10 }] } });
  await one.call("PUT", "/v1/caps", { body: { caps: [{ kind: "account", dayPoints: 20 }] } });
  await other.call("POST", `/v1/admin/accounts/${one.accountId}/grants`, { body: { points: 3 } });
  const admin = await joinAs(service, one.accountId, "admin");
  const { entries } = (await admin.call<AuditPage>("GET", "/v1/audit")).body;
  assert.deepEqual(
    entries.map(({ operation }) => operation),
    ["acceptLink", "grantPoints", "putCaps", "putCaps"],
  );
  const [join, grant, caps] = entries;
  assert.deepEqual(join?.actor, { kind: "person", id: admin.state.person.personId, name: admin.email });
  assert.deepEqual([grant?.actor.kind, grant?.actor.name], ["operator", null], "an operator's name is not told");
  const capOf = (points: number) => ({
    caps: [{ kind: "account", subject: "", runPoints: null, dayPoints: points, monthPoints: null }],
  });
  assert.deepEqual([caps?.before, caps?.after], [capOf(10), capOf(20)]);
  const filtered = async (query: string) =>
    (await admin.call<AuditPage>("GET", `/v1/audit?${query}`)).body.entries.map(({ operation }) => operation);
  assert.deepEqual(await filtered("operation=putCaps&limit=1"), ["putCaps"]);
  assert.deepEqual(await filtered(`actorId=${admin.state.person.personId}`), ["acceptLink"]);
  assert.deepEqual(await filtered("kind=secret"), []);
  assert.deepEqual(await filtered(`from=${join?.at}`), ["acceptLink"]);
  assert.deepEqual(await filtered(`to=${grant?.at}`), ["putCaps", "putCaps"]);
  const page = (await admin.call<AuditPage>("GET", "/v1/audit?limit=3")).body;
  const rest = (await admin.call<AuditPage>("GET", `/v1/audit?limit=3&cursor=${page.nextCursor}`)).body;
  assert.deepEqual([rest.entries.length, rest.nextCursor], [1, null]);

  for (const role of ["editor", "viewer"] as const)
    refused(await (await joinAs(service, one.accountId, role)).call("GET", "/v1/audit"), "scope_missing");
  refused(await admin.call("GET", "/v1/audit?of=installation"), "scope_missing");
  await other.call("PUT", "/v1/admin/platforms/simulator/limits", { body: { runningMax: 40, rate: null } });
  const installation = (await other.get<AuditPage>("/v1/audit?of=installation&operation=setPlatformLimits&limit=1"))
    .body;
  assert.deepEqual(installation.entries[0]?.target, { type: "platform", id: "simulator" });
});

test("a program follows the log by the places in the chain, as JSON lines, CSV and events of OCSF", async () => {
  const account = await service.account();
  for (const dayPoints of [1, 2, 3])
    await account.call("PUT", "/v1/caps", { body: { caps: [{ kind: "account", dayPoints }] } });
  await sealed();
  const lines = async (query: string) =>
    (await account.get(`/v1/audit?${query}`, { accept: "application/x-ndjson" })).text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as AuditEntry & Record<string, unknown>);
  const all = await lines("");
  assert.deepEqual(all.map(({ sequence }) => sequence).slice(0, 3), [1, 2, 3]);
  assert.deepEqual(
    (await lines("after=2&operation=putCaps")).map(({ sequence }) => sequence),
    [3],
  );
  const [event] = await lines("ocsf=true&after=2");
  assert.deepEqual(
    [event?.["class_uid"], event?.["category_uid"], event?.["activity_id"], event?.["type_uid"], event?.["time"]],
    [6003, 6, 3, 600_303, Date.parse(all[2]?.at ?? "")],
  );
  const { text } = await account.get("/v1/audit", { accept: "text/csv" });
  assert.match(text, /^accountId,sequence,at,kind,operation,/);
  assert.match(text.split("\r\n")[1] ?? "", new RegExp(`^${account.accountId},1,.*,change,putCaps,token,`));
});

test("a flipped byte, a removed entry, an inserted one and a cut end are found, also with a rewritten chain", async () => {
  const made = async () => {
    const account = await service.account();
    for (let points = 1; points <= 5; points++)
      await account.call("PUT", "/v1/caps", { body: { caps: [{ kind: "account", dayPoints: points }] } });
    await sealed();
    const verdict = await verdictOf(account.accountId);
    assert.deepEqual([verdict.entries, verdict.faults], [5, []]);
    return account.accountId;
  };
  const tampered = async (text: string, expected: RegExp) => {
    const accountId = await made();
    await database.query(text, [accountId]);
    const { faults } = await verdictOf(accountId);
    assert.match(faults.join("\n"), expected, text);
  };
  const third = "where account_id = $1 and sequence = 3";
  for (const change of [
    "after = overlay(after placing '9' from 5)",
    "at = at + interval '1 microsecond'",
    "actor_id = null",
    "actor_name = 'somebody else'",
    "operation = 'putPanel'",
    "address = '10.0.0.1'",
    "target_id = 'x'",
    "kind = 'export'",
    "request_id = 'x'",
    "digest = sha256('x')",
  ])
    await tampered(`update audit_entries set ${change} ${third}`, /Entry 3, of .* was altered/);
  await tampered(`delete from audit_entries ${third}`, /Entry 3 is missing/);
  await tampered("delete from audit_entries where account_id = $1 and sequence > 3", /end is cut off: entries 4 to 5/);
  await tampered("delete from audit_entries where account_id = $1 and sequence < 3", /Entries 1 to 2 are missing/);
  await tampered("delete from audit_entries where account_id = $1", /end is cut off: entries 1 to 5/);
  await tampered(
    `insert into audit_entries (account_id, id, kind, operation, actor_kind, sequence, digest)
     values ($1, gen_random_uuid(), 'change', 'putCaps', 'person', 6, 'x')`,
    /Entry 6 is behind the head/,
  );
  await tampered("delete from audit_chains where account_id = $1", /head of the chain is missing/);
  await tampered(
    "with gone as (delete from audit_chains where account_id = $1) delete from audit_entries where account_id = $1",
    /whole chain is missing/,
  );
  // Whoever can write the database and has not the key cuts the end off, and sets the head to what is left.
  await tampered(
    `with cut as (delete from audit_entries where account_id = $1 and sequence > 3)
     update audit_chains set sequence = 3, digest = (select digest from audit_entries ${third}) where account_id = $1`,
    /head is not signed/,
  );
  // With a former head, which was signed, only somebody who has noted the later one can tell.
  const accountId = await made();
  const [head] = (await database.query("select * from audit_chains where account_id = $1", [accountId])).rows as [
    Record<string, unknown> & { digest: Buffer },
  ];
  const noted = { sequence: 5, digest: head.digest.toString("hex") };
  const keys = await publishedKeys(database);
  assert.deepEqual((await verifyChain(database, accountId, keys, noted)).faults, []);
  const other = { ...noted, digest: createHash("sha256").digest("hex") };
  assert.match((await verifyChain(database, accountId, keys, other)).faults.join(), /with the digest that was noted/);
});

test("many at once have their entries, in one chain, and none of them waits for the sealer", async () => {
  const account = await service.account();
  const locked = await database.connect();
  try {
    await account.call("PUT", "/v1/caps", { body: { caps: [] } });
    await sealed();
    // The sealer holds the head for as long as it works.
    await locked.query("begin");
    await locked.query("select from audit_chains where account_id = $1 for update", [account.accountId]);
    await Promise.all(Array.from({ length: 60 }, () => account.submit([item()])));
    await locked.query("rollback");
  } finally {
    await locked.end();
  }
  await Promise.all([sealEntries(database, signer), sealEntries(database, signer)]);
  await sealed();
  const verdict = await verdictOf(account.accountId);
  assert.deepEqual([verdict.entries, verdict.faults], [61, []]);
});

test("what is older than its time is deleted from the beginning, which the chain tells", async () => {
  const accountId = await createAccount(database, masterKey, { name: newId(), points: 0 });
  for (const days of [40, 39, 38, 1])
    await database.query(
      `insert into audit_entries (account_id, id, at, kind, operation, actor_kind)
       values ($1, $2, now() - $3 * interval '1 day', 'change', 'putCaps', 'system')`,
      [accountId, newId(), days],
    );
  await sealed();
  assert.equal(await pruneEntries(database, signer, 30), 3);
  assert.equal(await pruneEntries(database, signer, 30), 0);
  await sealed();
  const verdict = await verdictOf(accountId);
  assert.deepEqual([verdict.entries, verdict.head?.sequence, verdict.faults], [2, 5, []]);
  const { rows } = await database.query<{ operation: string; after: string }>(
    "select operation, after from audit_entries where account_id = $1 and sequence = 5",
    [accountId],
  );
  assert.deepEqual(rows, [{ operation: "audit retention", after: '{"deletedThroughSequence":3}' }]);
});

test("the installation's own chain is whole, too", async () => {
  await sealed();
  assert.deepEqual((await verdictOf(installationId)).faults, []);
});
