/** A submission of a file that is killed and begun again. */
import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { charged, place, recordsOf } from "./place.ts";

const service = await startTestService();

test("4,000 questions, killed twice and begun again: every row once, in order, charged once", async () => {
  using at = await place(service);
  const count = 4_000;
  const rows = Array.from({ length: count }, (_, index) => `"Why, ""${index}""?",r${index}`);
  writeFileSync(at.path("questions.csv"), `question,reference\r\n${rows.join("\r\n")}\r\n`);
  const words = ["submit", "questions.csv", "-p", "simulator", "--chunk", "200", "-o", "answers.jsonl"];
  const journal = () =>
    existsSync(at.path("questions.csv.querent-journal"))
      ? readFileSync(at.path("questions.csv.querent-journal"), "utf8")
      : "";
  for (const accepted of [4, 15]) {
    const cli = at.start(words);
    await until("some to be accepted", () => (journal().match(/"accepted"/g) ?? []).length >= accepted);
    cli.child.kill("SIGKILL");
    assert.equal((await cli.ended).code, null);
  }
  // A line that was being written when the power went.
  appendFileSync(at.path("questions.csv.querent-journal"), '{"accepted":77,"dig');
  const { code, stderr } = await at.run(words);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /Resuming the submission/);
  const records = recordsOf(readFileSync(at.path("answers.jsonl"), "utf8"));
  assert.deepEqual(
    records.map(({ clientReference }) => clientReference),
    Array.from({ length: count }, (_, index) => `r${index}`),
  );
  assert.equal(records[7]?.question, 'Why, "7"?');
  assert.deepEqual(await charged(at.account), { captured: count, held: 0 });
  assert.equal((await service.counts(at.account.accountId))["tasks"], count);

  const again = await at.run(words);
  assert.equal(again.code, 0);
  assert.deepEqual(await charged(at.account), { captured: count, held: 0 }, "a file is not submitted twice by mistake");
  assert.ok(!existsSync(at.path("answers.jsonl.part")));
});
