import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReportSchedule } from "@querent/client";
import { createPanel } from "../../service/test/insight/fixture.ts";
import { startMailServer } from "../../service/test/harness/mail-server.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { place } from "./place.ts";

const server = await startMailServer();
const service = await startTestService({
  environment: {
    QUERENT_SMTP_URL: `smtp://localhost:${server.port}`,
    QUERENT_MAIL_FROM: "reports@querent.example",
    QUERENT_EGRESS_CA: server.caFile,
  },
});
test.after(() => server[Symbol.asyncDispose]());

test("reports are scheduled, sent, listed and ended from a terminal", async () => {
  using at = await place(service);
  const { panelId } = await createPanel(at.account);
  const sending = (...words: string[]) => at.run(["panel", "sending", ...words, "--text"]);
  assert.match((await sending("list", panelId)).stdout, /^no schedules/);
  const flags = [
    "--every",
    "week",
    "--weekday",
    "5",
    "--time",
    "17:15",
    "--time-zone",
    "Europe/Berlin",
    "--contents",
    "link",
  ];
  const added = await at.run([
    "panel",
    "sending",
    "add",
    panelId,
    ...flags,
    "--to",
    "ana@client.example",
    "bo@client.example",
  ]);
  assert.equal(added.code, 0, added.stderr);
  const { scheduleId } = JSON.parse(added.stdout) as ReportSchedule;
  const listed = await sending("list", panelId);
  assert.match(
    listed.stdout,
    /each Friday at 17:15 \(Europe\/Berlin\): link to ana@client\.example, bo@client\.example, next at 2/,
  );
  assert.equal((await sending("now", panelId, scheduleId)).code, 0);
  const log = await until("it has ended", async () => {
    const { stdout } = await sending("log", panelId);
    return stdout.includes("preparing") ? undefined : stdout;
  });
  assert.match(log, /nothing to report: The panel has no answers/);
  assert.equal((await sending("remove", panelId, scheduleId)).code, 0);
  assert.match((await sending("list", panelId)).stdout, /^no schedules/);
  const wrong = await sending("add", panelId, "--every", "week", "--to", "not an address");
  assert.notEqual(wrong.code, 0);
  assert.match(wrong.stderr, /It is not a mail address like ana@example\.com/);
});
