/** `querent panel propose`, as a user types it. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { PromptProposals } from "@querent/client";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { runCli } from "./run-cli.ts";

const service = await startTestService();
const home = temporaryFolder();
test.after(() => home[Symbol.dispose]());

test("proposals come from a Search Console export, questions and templates, and become a table of prompts", async () => {
  const account = await service.account();
  const querent = (...words: string[]) =>
    runCli(words, { url: service.address, token: account.token, home: home.path });
  await account.call("POST", "/v1/entities", { body: { name: "Bolt Grind", relation: "competitor" } });
  const [csv, questions] = [join(home.path, "Queries.csv"), join(home.path, "questions.txt")];
  writeFileSync(
    csv,
    "\ufeffTop queries,Clicks,Impressions,CTR,Position\nbest coffee grinder,12,340,3.5%,8.2\nbolt grind review,3,40,7%,2\n",
  );
  writeFileSync(questions, "I bought one. Which grinder is quiet?\n");
  const from = ["--search-console", csv, "--questions", questions, "--topic", "coffee grinder"];

  const { code, stdout, stderr } = await querent("panel", "propose", ...from);
  assert.equal(code, 0, stderr);
  const { proposals } = JSON.parse(stdout) as PromptProposals;
  const origins = new Map(proposals.map(({ text, origins: of }) => [text, of]));
  assert.deepEqual(origins.get("Which grinder is quiet?"), ["pasted"]);
  assert.equal(proposals.find(({ text }) => text === "bolt grind review")?.branded, true);

  const text = (await querent("panel", "propose", ...from, "--text")).stdout;
  assert.match(text, /TOPIC.*PROMPT[^]*bolt grind review.*names a brand/);

  const listed = (await querent("panel", "propose", ...from, "--csv")).stdout;
  assert.match(listed, /^text,topic,intent,promptId\r?\n/);
  assert.match(listed, /What are the best coffee grinders\?|What is the best coffee grinder\?/);
  assert.doesNotMatch(listed, /bolt grind/i, "what names a brand is left out");
  assert.match((await querent("panel", "propose", ...from, "--csv", "--branded")).stdout, /bolt grind/i);
});

test("without a source, or with a file that is not there, nothing is sent", async () => {
  const account = await service.account();
  const querent = (...words: string[]) =>
    runCli(words, { url: service.address, token: account.token, home: home.path });
  for (const [said, words] of [
    [/Nothing to propose from/, []],
    [/cannot be read/, ["--search-console", join(home.path, "missing.csv")]],
    [/Only one of the files/, ["--search-console", "-", "--questions", "-"]],
  ] as const) {
    const { code, stderr } = await querent("panel", "propose", ...words);
    assert.notEqual(code, 0);
    assert.match(stderr, said);
  }
});
