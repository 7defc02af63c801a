/** Invitations that are mailed: what arrives, what whoever invites is told, and how many there can be. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { CreatedInvitation, InvitationList, OneTimeLinkState } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { startMailServer, refusal } from "../harness/mail-server.ts";
import { refused, startTestService, type TestService } from "../harness/service.ts";
import { joinAs, openBrowser } from "./browser.ts";

const mails = await startMailServer({
  onRcptTo: ({ address }, _session, done) =>
    address.startsWith("nobody") ? done(refusal(550, "5.1.1 no such user at mx7.internal")) : done(),
  breaksOff: (email) => email.startsWith("silent"),
});
after(() => mails[Symbol.asyncDispose]());
const service = await startTestService({
  environment: {
    QUERENT_SMTP_URL: `smtp://localhost:${mails.port}`,
    QUERENT_MAIL_FROM: "Querent <querent@example.com>",
    QUERENT_EGRESS_CA: mails.caFile,
  },
});

const newOwner = async (of: TestService = service) => {
  const { accountId } = await of.account();
  const owner = await joinAs(of, accountId, "owner");
  const invite = (email: string | null, mail: string | null = "en") =>
    owner.call<CreatedInvitation>("POST", "/v1/invitations", {
      body: { ...(email === null ? {} : { email }), role: "editor", ...(mail === null ? {} : { mail }) },
    });
  return { owner, accountId, invite };
};

test("the mail says who invites to what, and its link is that of the response", async () => {
  const { owner, invite } = await newOwner();
  const { body: list } = await owner.call<InvitationList>("GET", "/v1/invitations");
  assert.deepEqual(list.mail, { from: "Querent <querent@example.com>", missing: null });
  for (const [language, words] of [
    ["en", "invites you to the account"],
    ["zh-CN", "邀请您加入"],
  ] as const) {
    const email = `${newId()}@client.example`;
    const before = mails.mails.length;
    const { status, body } = await invite(email, language);
    assert.deepEqual([status, body.mail?.state], [201, "accepted"]);
    const [mail = assert.fail()] = (await mails.received(before + 1)).slice(before);
    assert.deepEqual(mail.to, [email]);
    const { text = "", html } = mail.parsed;
    assert.ok(text.includes(words) && text.includes(owner.email) && text.includes(email), text);
    assert.ok(text.includes(body.link), "the link stands in the text");
    assert.ok(String(html).includes(`href="${body.link}"`), "and in the page");
    const read = await openBrowser(service).call<OneTimeLinkState>("POST", "/v1/links/reading", {
      body: { token: body.link.split("#")[1] ?? "" },
    });
    assert.equal(read.body.email, email);
  }
});

test("without being asked for, nothing is mailed, and a language that there is not is refused before anything is made", async () => {
  const { owner, invite } = await newOwner();
  const before = mails.mails.length;
  const email = `${newId()}@client.example`;
  assert.equal((await invite(email, null)).body.mail, null);
  refused(await invite(`${newId()}@client.example`, "tlh"), "validation_failed");
  refused(await invite(null), "validation_failed");
  assert.equal(mails.mails.length, before);
  const { body } = await owner.call<InvitationList>("GET", "/v1/invitations");
  assert.deepEqual(
    body.invitations.map((invitation) => invitation.email),
    [email],
  );
});

test("a refused address and a server that breaks off are told without what concerns the operator, and the link works", async () => {
  const { invite } = await newOwner();
  for (const [email, state] of [
    ["nobody@client.example", "refused"],
    ["silent@client.example", "unknown"],
  ] as const) {
    const { body } = await invite(email);
    assert.equal(body.mail?.state, state);
    assert.doesNotMatch(body.mail.detail, /internal|localhost|550/);
    const read = await openBrowser(service).call<OneTimeLinkState>("POST", "/v1/links/reading", {
      body: { token: body.link.split("#")[1] ?? "" },
    });
    assert.equal(read.status, 200);
  }
  const told = service.events.filter(({ event }) => event === "invitation.mail_failed");
  assert.match(JSON.stringify(told), /mx7\.internal/, "the log says what the server replied");
});

test("a mailbox is not filled: the sixth mail of a day to an address is not sent, whichever account asks for it", async () => {
  const email = `${newId()}@client.example`;
  const before = mails.mails.length;
  const [one, other] = [await newOwner(), await newOwner()];
  const states: (string | undefined)[] = [];
  for (const { invite } of [one, other, one, other, one, other]) states.push((await invite(email)).body.mail?.state);
  assert.deepEqual(states, [...Array<string>(5).fill("accepted"), "failed"]);
  assert.equal(mails.mails.length, before + 5);
});

test("without a mail server, the response says so, and the link is there to be sent by hand", async () => {
  const bare = await startTestService();
  const { owner, invite } = await newOwner(bare);
  const { body: list } = await owner.call<InvitationList>("GET", "/v1/invitations");
  assert.match(list.mail.missing ?? "", /QUERENT_SMTP_URL/);
  const { status, body } = await invite(`${newId()}@client.example`);
  assert.deepEqual([status, body.mail?.state], [201, "failed"]);
  assert.match(body.link, /#[\w-]{43}$/);
});
