import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Cap, PanelBridge, PanelFigures, PanelRecord, PanelRun, PanelRunDiff } from "@querent/client";
import { parse } from "csv-parse/sync";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
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

  writeFileSync(join(home.path, "twice.csv"), '\ntext,promptId\n"Which\nmill?",a\n,\nWhich stone?,a\n');
  const twice = await querent("create", "--name", "W", "--prompts", "twice.csv", "-p", "simulator");
  assert.equal(twice.code, 4);
  assert.match(twice.stderr, /twice\.csv:6: The same text or `promptId`/);

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
  const nothingBefore = await querent("diff", panel.panelId);
  assert.equal(nothingBefore.code, 4);
  assert.match(nothingBefore.stderr, /no run before it to compare with/);
  const second = JSON.parse((await querent("run", panel.panelId)).stdout) as PanelRun;
  const diff = JSON.parse((await querent("diff", panel.panelId, "--with", run.runId)).stdout) as PanelRunDiff;
  assert.deepEqual([diff.before.runId, diff.after.runId], [run.runId, second.runId]);
  assert.match((await querent("diff", panel.panelId, "--text")).stdout, /cells in both/);
  const planned = await querent(
    ...[
      "plan",
      panel.panelId,
      "--measure",
      "empty_rate",
      "-p",
      "simulator",
      "--width",
      "0.1",
      "--locale",
      "DE/",
      "--text",
    ],
  );
  assert.equal(planned.code, 0, planned.stderr);
  assert.match(planned.stdout, /There are not answers to 5 prompts in 3 runs/);
  const alone = await querent("bridge", panel.panelId, "--from-platform", "simulator", "--to-platform", "simulator");
  assert.equal(alone.code, 4);
  assert.match(alone.stderr, /\?toPlatform +It is the same platform\./);
  assert.equal((await querent("delete", panel.panelId)).code, 0);
  assert.equal((await querent("show", panel.panelId)).code, 4);
});

test("a panel asks in waves, keeps that in a file, and asks everything at once again", async () => {
  writeFileSync(join(home.path, "prompts.csv"), "text\nWhich grinder?\n");
  const options = ["--name", "In waves", "--prompts", "prompts.csv", "-p", "simulator"];
  const created = await querent("create", ...options, "--until-width", "0.2", "--max-repeats", "20");
  assert.equal(created.code, 0, created.stderr);
  const { panelId, askUntil, digest } = JSON.parse(created.stdout) as PanelRecord;
  assert.deepEqual(askUntil, { width: 0.2, measure: "presence", entityId: null, repeatsMax: 20, pointsMax: null });
  assert.equal((await querent("export", panelId, "-o", "waves.yaml")).code, 0);
  assert.equal((JSON.parse((await querent("import", "waves.yaml")).stdout) as PanelRecord).digest, digest);
  const shown = await querent("show", panelId, "--text");
  assert.match(shown.stdout, /1 task a wave\n.*until the interval is 0\.2 wide, each cell at most 20 times/);
  assert.match(shown.stdout, /a run costs 3 to 20 points;/);
  // The account has no brand, so there is one wave.
  const { runId } = JSON.parse((await querent("run", panelId)).stdout) as PanelRun;
  const status = await until("the run to end", async () => {
    const { stdout } = await querent("run-status", panelId, runId, "--text");
    return stdout.includes("\nended ") ? stdout : null;
  });
  assert.match(status, /1 of at most 20 waves; stopped: nothing_to_measure, 19 points saved/);
  const tooFew = await querent("edit", panelId, "--max-repeats", "14");
  assert.match(tooFew.stderr, /\/askUntil\/repeatsMax/);
  const wrong = await querent("edit", panelId, "--until-width", "wide");
  assert.match(wrong.stderr, /Expected a number above 0, such as 0.08, or none/);
  const atOnce = JSON.parse((await querent("edit", panelId, "--until-width", "none")).stdout) as PanelRecord;
  assert.deepEqual([atOnce.askUntil, atOnce.revision], [undefined, 2]);
  assert.match((await querent("edit", panelId, "--max-repeats", "20")).stderr, /Set a width with --until-width/);
});

test("figures are a table, JSON or CSV; below the floor they say how many more are needed", async () => {
  const own = await service.account();
  const run = (...words: string[]) => runCli(words, { url: service.address, token: own.token, home: home.path });
  writeFileSync(join(home.path, "brands.csv"), "text,topic\nWhich? brands=Acme_Mills:1@1 sources=2,mills\n");
  assert.equal((await run("entity", "add", "Acme Mills", "--relation", "own")).code, 0);
  const created = await run("panel", "create", "--name", "M", "--prompts", "brands.csv", "-p", "simulator");
  const { panelId } = JSON.parse(created.stdout) as PanelRecord;
  assert.match((await run("panel", "figures", panelId, "--text")).stderr, /no answers in the window/);
  assert.equal((await run("panel", "run", panelId)).code, 0);
  await until("the answer is observed", async () => {
    const { body } = await own.get<{ observations: unknown[] }>(`/v1/observations?panelId=${panelId}`);
    return body.observations.length === 1;
  });
  const table = await run("panel", "figures", panelId, "--measure", "presence", "--entity", "acme mills", "--text");
  assert.equal(table.code, 0, table.stderr);
  assert.match(table.stdout, /presence +Acme Mills +simulator \(sample\) +100\.0 % +too few runs: 4 more needed +1/);
  const json = await run("panel", "figures", panelId, "--measure", "citation_rate,answer_length", "--by", "prompt");
  const { rows } = JSON.parse(json.stdout) as PanelFigures;
  assert.deepEqual([...new Set(rows.map(({ measure }) => measure))], ["citation_rate", "answer_length"]);
  assert.ok(rows.every(({ group }) => group.promptId !== null));
  const csv = await run("panel", "figures", panelId, "--measure", "presence", "--csv");
  const [first, second] = parse(csv.stdout, { columns: true }) as Record<string, string>[];
  assert.deepEqual(
    [first?.["scope"], first?.["value"], first?.["entityName"], second?.["scope"]],
    ["these_prompts", "1", "Acme Mills", "prompts_like_these"],
  );
  const unknown = await run("panel", "figures", panelId, "--measure", "fame");
  assert.match(unknown.stderr, /There is no measure fame\. The measures are presence, /);
});

test("a report is written as a PDF for a client, and no other file takes a paper or a client", async () => {
  const { stdout } = await querent("create", "--name", "Printed", "--prompts", "prompts.csv", "-p", "simulator");
  const { panelId } = JSON.parse(stdout) as PanelRecord;
  const written = await querent("report", panelId, "-o", "report.pdf", "--client", "Acme Mills", "--paper", "letter");
  assert.equal(written.code, 0, written.stderr);
  const bytes = readFileSync(join(home.path, "report.pdf"), "latin1");
  assert.match(bytes, /^%PDF-/);
  assert.match(bytes, /\/MediaBox \[0 0 612 792\]/);
  const refused = await querent("report", panelId, "-o", "report.html", "--client", "Acme Mills");
  assert.equal(refused.code, 2, refused.stderr);
  assert.match(refused.stderr, /are of a PDF/);
});

test("a bridge says how much another platform tells, and what is missing for an interval", async () => {
  const own = await service.account();
  const run = (...words: string[]) => runCli(words, { url: service.address, token: own.token, home: home.path });
  writeFileSync(join(home.path, "bridged.csv"), "text\nWhich?\n");
  const platforms = ["-p", "sample,simulator"];
  const created = await run("panel", "create", "--name", "B", "--prompts", "bridged.csv", ...platforms);
  const { panelId } = JSON.parse(created.stdout) as PanelRecord;
  const asked = ["panel", "bridge", panelId, "--from-platform", "sample", "--to-platform", "simulator"];
  const unknown = await run(...asked, "--measure", "fame");
  assert.match(unknown.stderr, /There is no measure fame/);
  const json = JSON.parse((await run(...asked, "--measure", "empty_rate")).stdout) as PanelBridge;
  assert.deepEqual([json.pairCount, json.thesePrompts.verdict], [0, "too_few"]);
  const text = await run(...asked, "--measure", "empty_rate", "--text");
  assert.equal(text.code, 0, text.stderr);
  assert.match(text.stdout, /^empty_rate on simulator, with the help of sample\n/);
  assert.match(text.stdout, /these prompts +- +-\n/);
  assert.match(text.stdout, /too few answers to tell whether one platform informs about the other/);
  assert.match(text.stdout, /There are 0 prompts in runs that both platforms answered; \d+ are needed\./);
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
