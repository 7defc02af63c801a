/** Windows and quotes of panels that run once a week. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PanelFigures, PanelQuote, PanelReport } from "@querent/contract";
import { firstIdAt } from "../../src/kernel/ids.ts";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { createPanel, panel } from "./fixture.ts";

const service = await startTestService({ roles: ["api"] });
const weekMs = 7 * 86_400_000;
const weekly = { cron: "0 6 * * MON", timeZone: "Etc/UTC" };

async function ran(account: TestAccount, panelId: string, times: readonly number[]): Promise<void> {
  for (const [index, time] of times.entries())
    await service.database.query(
      `insert into panel_runs (account_id, panel_id, id, revision, request_key, state, cell_count, task_count, points, created_at, ended_at)
       values ($1, $2, $3, 1, $4, 'started', 2, 2, 0, $5, $5)`,
      [account.accountId, panelId, firstIdAt(new Date(time)), `k${index}`, new Date(time)],
    );
}

test("the default window of a weekly panel has seven runs, and that of a daily one 28 days", async () => {
  const account = await service.account();
  const { panelId } = await createPanel(account);
  const now = Date.now();
  const windowOf = async (path: string) =>
    (await account.get<PanelFigures | PanelReport>(`/v1/panels/${panelId}/${path}`)).body.window;
  const daysOf = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
  assert.equal(daysOf(await windowOf("figures")), 28);
  const weeks = Array.from({ length: 9 }, (_, week) => now - week * weekMs - 3_600_000);
  await ran(account, panelId, weeks);
  for (const path of ["figures", "report"])
    assert.equal((await windowOf(path)).from, new Date(weeks[6] ?? 0).toISOString(), path);
  // An older end has its own seven runs, and a start that is given stays.
  const to = new Date(now - 2 * weekMs).toISOString();
  assert.equal((await windowOf(`figures?to=${to}`)).from, new Date(weeks[8] ?? 0).toISOString());
  const from = new Date(now - 3 * 86_400_000).toISOString();
  assert.equal((await windowOf(`figures?from=${from}`)).from, from);
});

test("a quote says with which times of the schedule the first interval and the first verdict will be there", async () => {
  const account = await service.account();
  const quoteOf = async (body: object) =>
    (await account.call<PanelQuote>("POST", "/v1/panels/quote", { body: panel(body) })).body;
  const quote = await quoteOf({ schedule: weekly });
  assert.deepEqual([quote.firstInterval, quote.firstVerdict], [quote.nextSlots[4], quote.nextSlots[4]]);
  // Five runs are there after five hours, and five days after four midnights.
  const hourly = await quoteOf({ schedule: { ...weekly, cron: "0 * * * *" } });
  assert.equal(hourly.firstInterval, hourly.nextSlots[4]);
  assert.match(hourly.firstVerdict ?? "", /T00:00:00/);
  const often = await quoteOf({ schedule: { ...weekly, cron: "*/5 * * * *" } });
  assert.match(often.firstVerdict ?? "", /T00:00:00/);
  const days = Date.parse(hourly.firstVerdict ?? "") - Date.parse(hourly.nextSlots[0]?.slice(0, 10) ?? "");
  assert.equal(days, 4 * 86_400_000);
  const never = await quoteOf({});
  assert.deepEqual([never.firstInterval, never.firstVerdict], [null, null]);

  const { panelId } = await createPanel(account, { schedule: weekly });
  const stored = async () => (await account.call<PanelQuote>("POST", `/v1/panels/${panelId}/quote`)).body;
  const hours = [50, 3, 2, 1].map((hour) => Date.now() - hour * 3_600_000);
  await ran(account, panelId, hours.slice(0, 3));
  const later = await stored();
  assert.equal(later.firstInterval, later.nextSlots[1]);
  await service.database.query("delete from panel_runs where panel_id = $1", [panelId]);
  await ran(account, panelId, [...hours, Date.now() - weekMs, Date.now() - 2 * weekMs]);
  const known = await stored();
  assert.equal(known.firstInterval, null);
});
