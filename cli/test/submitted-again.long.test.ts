/** `querent submit --again`, which starts a new run of a file, and its interruptions. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { suite, test } from "node:test";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { charged, place } from "./place.ts";

const service = await startTestService();

suite("a file that is submitted again", () => {
  const count = 600;
  const words = ["submit", "q.jsonl", "-p", "simulator", "--chunk", "50", "-o", "answers.jsonl"];
  const lines = Array.from({ length: count }, (_, index) => JSON.stringify(`Why ${index}?`)).join("\n");

  test("--again that is killed goes on with the same new run, and is a new run only once that one is done", async () => {
    using at = await place(service);
    writeFileSync(at.path("q.jsonl"), lines);
    assert.equal((await at.run(words)).code, 0);
    const journal = () => readFileSync(at.path("q.jsonl.querent-journal"), "utf8");
    const first = journal();
    for (const accepted of [3, 7]) {
      const cli = at.start([...words, "--again"]);
      await until("some to be accepted", () => {
        const text = journal();
        return text !== first && (text.match(/"accepted"/g) ?? []).length >= accepted;
      });
      cli.child.kill(accepted === 3 ? "SIGINT" : "SIGKILL");
      const ended = await cli.ended;
      if (accepted === 3) assert.match(ended.stderr, /To resume, run the same command/);
    }
    const { code, stderr } = await at.run([...words, "--again"]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Resuming the submission/);
    assert.deepEqual(await charged(at.account), { captured: 2 * count, held: 0 });
    assert.equal((await at.run(words)).code, 0);
    assert.deepEqual(
      await charged(at.account),
      { captured: 2 * count, held: 0 },
      "without the flag: the results again",
    );
    assert.equal((await at.run([...words, "--again"])).code, 0);
    assert.deepEqual(await charged(at.account), { captured: 3 * count, held: 0 });
  });

  test("--again that is stopped while it waits for the answers goes on waiting", async () => {
    using at = await place(service);
    writeFileSync(at.path("q.jsonl"), '"Why?"\n"delay=8s"\n');
    assert.equal((await at.run(words)).code, 0);
    const cli = at.start([...words, "--again"]);
    await until("it to be accepted", () => cli.stderr().includes("accepted in 1 batch"));
    cli.child.kill("SIGINT");
    assert.equal((await cli.ended).code, 130);
    const again = await at.run([...words, "--again"]);
    assert.equal(again.code, 0, again.stderr);
    assert.deepEqual(await charged(at.account), { captured: 4, held: 0 });
  });

  test("two --again at once are one new run", async () => {
    using at = await place(service);
    writeFileSync(at.path("q.jsonl"), lines);
    assert.equal((await at.run(words)).code, 0);
    const both = await Promise.all([at.run([...words, "--again"]), at.run([...words, "--again", "-o", "b.jsonl"])]);
    for (const { code, stderr } of both) assert.equal(code, 0, stderr);
    assert.deepEqual(await charged(at.account), { captured: 2 * count, held: 0 });
  });

  test("an unfinished run is not given up by accident: --again with another file names what to delete", async () => {
    using at = await place(service);
    writeFileSync(at.path("q.jsonl"), '"delay=30m"\n');
    const cli = at.start(words);
    await until("it to be accepted", () => cli.stderr().includes("accepted in 1 batch"));
    cli.child.kill("SIGINT");
    await cli.ended;
    writeFileSync(at.path("q.jsonl"), '"Something else?"\n');
    const { code, stderr } = await at.run([...words, "--again"]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /changed since.*not finished: 1 of its questions.*delete q\.jsonl\.querent-journal/s);
    assert.equal((await service.counts(at.account.accountId))["tasks"], 1);
  });
});
