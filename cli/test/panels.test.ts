import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Cap, PanelRecord, PanelRun } from "@querent/client";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { runCli } from "./run-cli.ts";

const service = await startTestService();
const home = temporaryFolder();
test.after(() => home[Symbol.dispose]());
const account = await service.account();
const querent = (...words: string[]) =>
  runCli(["panel", ...words], { url: service.address, token: account.token, home: home.path });

test("a panel goes from a CSV file through an edit, a run, an export and an import, and is the same again", async () => {
  writeFileSync(join(home.path, "prompts.csv"), 'text;topic;intent\nWhich grinder?;grinders;buy\n"What; why?";;\n');
  const created = await querent(
    ...["create", "--name", "Grinders", "--prompts", "prompts.csv", "-p", "simulator", "--repeats", "2"],
    ...["--country", "DE,US", "--cron", "0 6 * * MON", "--time-zone", "Europe/Berlin"],
  );
  assert.equal(created.code, 0, created.stderr);
  const panel = JSON.parse(created.stdout) as PanelRecord;
  assert.deepEqual([panel.promptCount, panel.cellCount, panel.taskCount], [2, 4, 8]);
  assert.deepEqual(panel.prompts[1]?.text, "What; why?");

  const paused = await querent("edit", panel.panelId, "--pause");
  assert.equal((JSON.parse(paused.stdout) as PanelRecord).nextRunAt, null);
  const refused = await querent("run", panel.panelId, "--max-points", "7");
  assert.equal(refused.code, 6);
  assert.match(refused.stderr, /costs 8 points, and `X-Max-Points` allows 7/);
  const run = JSON.parse((await querent("run", panel.panelId, "--key", "k")).stdout) as PanelRun;
  assert.deepEqual([run.taskCount, run.points], [8, 8]);
  assert.equal((JSON.parse((await querent("run", panel.panelId, "--key", "k")).stdout) as PanelRun).runId, run.runId);

  for (const form of ["yaml", "json"]) {
    const file = `panel.${form}`;
    assert.equal((await querent("export", panel.panelId, "-o", file)).code, 0);
    const again = await querent("import", file);
    assert.equal(again.code, 0, again.stderr);
    assert.equal((JSON.parse(again.stdout) as PanelRecord).digest, panel.digest);
  }
  assert.match(readFileSync(join(home.path, "panel.yaml"), "utf8"), /^name: Grinders\n/);
  const csv = (await querent("export", panel.panelId, "--format", "csv")).stdout;
  writeFileSync(join(home.path, "again.csv"), csv);
  const same = await querent("import", "again.csv", "--panel", panel.panelId);
  assert.equal((JSON.parse(same.stdout) as PanelRecord).revision, 1);

  const listed = await querent("list", "--text");
  assert.match(listed.stdout, /Grinders/);
  const shown = await querent("show", panel.panelId, "--text");
  assert.match(shown.stdout, /a run costs 8 points/);
  assert.match(shown.stdout, /started on request: \d of 8 tasks completed/);
  assert.equal((await querent("delete", panel.panelId)).code, 0);
  assert.equal((await querent("show", panel.panelId)).code, 4);
});

test("every mistake of a file is named, and nothing is stored", async () => {
  writeFileSync(
    join(home.path, "bad.yaml"),
    "name: Bad\nprompts:\n  - text: ' '\n  - txt: Why?\nplatforms: [nobody]\n",
  );
  const { code, stderr } = await querent("import", "bad.yaml");
  assert.equal(code, 4);
  assert.match(stderr, /\/prompts\/1\/text: `text` is required/);
  assert.match(stderr, /\/prompts\/1\/txt/);
  writeFileSync(join(home.path, "broken.yaml"), "name: [\n");
  writeFileSync(join(home.path, "columns.csv"), "question,topic\nWhy?,x\n");
  for (const words of [
    ["import", "broken.yaml"],
    ["import", "nothing.yaml"],
    ["import", "columns.csv"],
    ["import", "columns.csv", "--panel", "x"],
    ["create", "--name", "x", "--prompts", "columns.csv", "-p", "simulator"],
  ])
    assert.ok([2, 4].includes((await querent(...words)).code ?? 0), words.join(" "));
});

test("caps are set one by one, shown with what is used of them, and taken away", async () => {
  const caps = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCli(["caps", ...words], {
      url: service.address,
      token: account.token,
      home: home.path,
    });
    return { code, stderr, caps: (code === 0 ? JSON.parse(stdout) : { caps: [] }) as { caps: Cap[] } };
  };
  const limits = ({ caps: { caps: some }, stderr }: Awaited<ReturnType<typeof caps>>) => {
    assert.equal(stderr, "");
    return some.map(({ kind, subject, runPoints, dayPoints, monthPoints }) => [
      kind,
      subject,
      runPoints,
      dayPoints,
      monthPoints,
    ]);
  };
  await caps("set", "--month", "500");
  await caps("set", "--tag", "coffee", "--day", "20", "--run", "10");
  assert.deepEqual(limits(await caps("set", "--tag", "coffee", "--run", "none")), [
    ["account", null, null, null, 500],
    ["tag", "coffee", null, 20, null],
  ]);
  assert.deepEqual(limits(await caps("set", "--month", "none")), [["tag", "coffee", null, 20, null]]);
  assert.deepEqual(limits(await caps("show")), [["tag", "coffee", null, 20, null]]);
  assert.equal((await caps("set", "--tag", "coffee")).code, 2);
  assert.equal((await caps("set", "--day", "many")).code, 2);
});
