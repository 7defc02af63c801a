/** `querent project`, and `--project` of the other commands, as a user types them. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { EntityRecord, MovedToProject, PanelRecord, PanelSummary, ProjectRecord } from "@querent/client";
import { tokenWith } from "../../service/test/projects/fixture.ts";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { runCli } from "./run-cli.ts";

const service = await startTestService();
const home = temporaryFolder();
test.after(() => home[Symbol.dispose]());
const account = await service.account();
const as =
  (token: string) =>
  (...words: string[]) =>
    runCli(words, { url: service.address, token, home: home.path });
const querent = as(account.token);

const lines = <Row>(stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);

async function record<Made>(...words: string[]): Promise<Made> {
  const { code, stdout, stderr } = await querent(...words);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Made;
}

const projectsNow = async () => (await record<{ projects: ProjectRecord[] }>("project", "list")).projects;

writeFileSync(join(home.path, "prompts.csv"), "text\nWhich mill?\n");
const panelIn = (name: string, ...more: string[]) =>
  record<PanelRecord>(
    ...["panel", "create", "--name", name, "--prompts", "prompts.csv", "-p", "simulator", "--own", "Acme"],
    ...more,
  );

test("projects are created, renamed, archived, restored and deleted by their names or ids", async () => {
  const made = await record<ProjectRecord>("project", "create", "Passing");
  assert.deepEqual([made.name, made.panelCount, made.isDefault], ["Passing", 0, false]);
  assert.equal((await record<ProjectRecord>("project", "rename", "Passing", "Past")).projectId, made.projectId);
  assert.notEqual((await record<ProjectRecord>("project", "archive", made.projectId)).archivedAt, null);
  assert.match((await querent("project", "list", "--text")).stdout, /PROJECT[^]*default[^]*Past .*archived/);
  assert.equal((await record<ProjectRecord>("project", "restore", "Past")).archivedAt, null);
  const twice = await querent("project", "create", "Past");
  assert.match(twice.stderr, /The account has a project with the name Past/);
  assert.notEqual(twice.code, 0);
  assert.equal((await querent("project", "delete", "Past")).code, 0);
  assert.ok(!(await projectsNow()).some(({ name }) => name === "Past"));
  const gone = await querent("project", "delete", "Past");
  assert.deepEqual([gone.code, /There is no project Past\..*`querent project list`/.test(gone.stderr)], [2, true]);
});

test("brands and panels are made and listed in a project, and a brand of the same name in another is another", async () => {
  for (const name of ["Mills", "Ovens"]) await record("project", "create", name);
  for (const name of ["Mills", "Ovens"])
    await record("entity", "add", "Acme", "--relation", "own", "--project", name, "--alias", `${name} Co`);
  const [mills, ovens] = [await panelIn("Mills", "--project", "Mills"), await panelIn("Ovens", "--project", "Ovens")];
  assert.notEqual(mills.brands?.own[0]?.entityId, ovens.brands?.own[0]?.entityId);

  const panels = async (...more: string[]) =>
    lines<PanelSummary>((await querent("panel", "list", ...more)).stdout).map(({ name }) => name);
  assert.deepEqual(await panels("--project", "Mills"), ["Mills"]);
  assert.deepEqual(await panels("--project", ovens.projectId), ["Ovens"]);
  assert.deepEqual((await panels()).toSorted(), ["Mills", "Ovens"]);
  assert.equal((await querent("panel", "list", "--project", "Nobody's")).code, 4);

  const brands = lines<EntityRecord>((await querent("entity", "list", "--project", "Ovens")).stdout);
  assert.deepEqual(
    brands.map(({ aliases }) => aliases.map(({ text }) => text)),
    [["Ovens Co"]],
  );
  const exported = (await querent("entity", "export", "--project", "Ovens")).stdout;
  assert.match(exported, /Ovens Co/);
  assert.doesNotMatch(exported, /Mills Co/);
  await record("project", "create", "Copies");
  writeFileSync(join(home.path, "brands.csv"), exported);
  assert.equal((await record<{ created: number }>("entity", "import", "brands.csv", "--project", "Copies")).created, 1);
  writeFileSync(join(home.path, "text.txt"), "Ask Mills Co.");
  const tried = async (project: string) =>
    (await record<{ mentions: object[] }>("entity", "try", "text.txt", "--project", project)).mentions.length;
  assert.deepEqual([await tried("Mills"), await tried("Ovens")], [1, 0]);

  // A name means the brand of the panel's project; where no panel says which, it has to be said.
  const prices = await querent("panel", "prices", mills.panelId, "--entity", "Acme");
  assert.equal(prices.code, 0, prices.stderr);
  const unclear = await querent("entity", "propose", "Acme");
  assert.deepEqual([unclear.code, /3 entities Acme, in different projects.*--project/.test(unclear.stderr)], [2, true]);
  assert.equal((await querent("entity", "propose", "Acme", "--project", "Mills")).code, 0);

  assert.equal((await querent("panel", "export", mills.panelId, "-o", "panel.json")).code, 0);
  const copy = await record<PanelRecord>("panel", "import", "panel.json", "--project", "Copies");
  assert.notEqual(copy.projectId, mills.projectId);
});

test("a panel moves with its brands", async () => {
  await record("project", "create", "From");
  await record("project", "create", "To");
  await record("entity", "add", "Acme", "--relation", "own", "--project", "From");
  const panel = await panelIn("Moves", "--project", "From");
  const moved = await record<MovedToProject>("project", "move", "To", panel.panelId);
  assert.deepEqual([moved.panelIds, moved.entityIds.length], [[panel.panelId], 1]);
  assert.match(
    (await querent("project", "move", "From", panel.panelId, "--text")).stdout,
    /^moved 1 panel and 1 brand to From\n$/,
  );
  assert.equal((await querent("project", "move", "To")).code, 2);
});

test("a token that is limited to projects needs no --project if there is one, and is told to name one of several", async () => {
  const [one, two] = [
    await record<ProjectRecord>("project", "create", "One"),
    await record<ProjectRecord>("project", "create", "Two"),
  ];
  const scopes = ["panels:write", "panels:read", "reports:read"] as const;
  const tokenOf = async (projects: string[]) => (await tokenWith(service, account, scopes, projects)).token;
  const ofOne = as(await tokenOf([one.projectId]));
  const made = await ofOne("entity", "add", "Brand of One", "--relation", "own");
  assert.equal(made.code, 0, made.stderr);
  const listed = lines<EntityRecord>((await ofOne("entity", "list")).stdout);
  assert.deepEqual(
    listed.map(({ projectId }) => projectId),
    [one.projectId],
  );
  const shown = lines<{ projects: ProjectRecord[] }>((await ofOne("project", "list")).stdout);
  assert.deepEqual(
    shown[0]?.projects.map(({ name }) => name),
    ["One"],
  );
  const ofBoth = as(await tokenOf([one.projectId, two.projectId]));
  const refused = await ofBoth("entity", "add", "Whose?", "--relation", "own");
  assert.equal(refused.code, 4, refused.stderr);
  assert.match(refused.stderr, /name the one in which it is created/);
  assert.equal((await ofBoth("entity", "add", "Whose?", "--relation", "own", "--project", "Two")).code, 0);
  const foreign = await ofOne("entity", "list", "--project", "Two");
  assert.deepEqual([foreign.code, foreign.stdout], [4, ""]);
});
