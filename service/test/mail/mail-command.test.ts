/** `querentd mail test` and what `doctor` says of mail, against real servers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { examineMail } from "../../src/app/cli/doctor.ts";
import { readConfig } from "../../src/app/config.ts";
import { mailerOf, testMail } from "../../src/app/mail.ts";
import { mailLogin, startMailServer } from "../harness/mail-server.ts";

const from = { QUERENT_MAIL_FROM: "Querent <reports@querent.example>" };

test("doctor says what is set, what is missing and what is wrong, and sends nothing", async () => {
  await using server = await startMailServer({ authOptional: false });
  const url = (password: string) => `smtp://${mailLogin.user}:${encodeURIComponent(password)}@localhost:${server.port}`;
  const examine = (environment: Record<string, string>) => examineMail(readConfig(environment));
  assert.match(JSON.stringify(await examine({})), /"ok".*not set up/);
  assert.match(JSON.stringify(await examine(from)), /"missing".*QUERENT_SMTP_URL and restarted/);
  const trusted = { ...from, QUERENT_EGRESS_CA: server.caFile };
  const [works] = await examine({ ...trusted, QUERENT_SMTP_URL: url(mailLogin.password) });
  assert.deepEqual(works?.state, "ok", works?.detail);
  const [refused] = await examine({ ...trusted, QUERENT_SMTP_URL: url("wrong") });
  assert.match(`${refused?.state} ${refused?.detail}`, /^fault .*535.*Check the user name and the password/);
  assert.doesNotMatch(refused?.detail ?? "", /wrong:|:wrong@/, "no password in what it prints");
  const [untrusted] = await examine({ ...from, QUERENT_SMTP_URL: url(mailLogin.password) });
  assert.match(`${untrusted?.state} ${untrusted?.detail}`, /^fault No trusted TLS/);
  assert.equal(server.mails.length, 0);
});

test("a test mail arrives, or the test says why not", async () => {
  await using server = await startMailServer();
  const config = readConfig({
    ...from,
    QUERENT_SMTP_URL: `smtp://localhost:${server.port}`,
    QUERENT_EGRESS_CA: server.caFile,
  });
  const passed = await testMail(mailerOf(config), "ana@client.example");
  assert.equal(passed.passed, true, passed.detail);
  assert.equal(server.mails[0]?.parsed.subject, "Test of Querent's mail settings");
  await assert.rejects(testMail(mailerOf(config), "a@b\r\nRCPT TO:<c@d.example>"), /not a mail address/);
  const unset = await testMail(mailerOf(readConfig({})), "ana@client.example");
  assert.deepEqual([unset.passed, unset.stage], [false, "settings"]);
  assert.match(unset.detail, /QUERENT_SMTP_URL and QUERENT_MAIL_FROM/);
});
