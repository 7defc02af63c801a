/** A platform that nobody has set up: what a client learns from the list and from the refusal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlatformList, Quote } from "@querent/contract";
import { invalidAt, item, startTestService } from "../harness/service.ts";

const service = await startTestService();

/** By what sets them up. */
const commands = {
  openai: "OPENAI_API_KEY=YOUR_KEY querentd serve",
  qwen: "DASHSCOPE_API_KEY=YOUR_KEY querentd serve",
  "chatgpt-web": "querentd session sign-in chatgpt-web",
  "gemini-web": "querentd session sign-in gemini-web",
  "google-ai-mode": "querentd session sign-in google-ai-mode",
};

test("the list says of each platform that cannot be asked why, and the one command that sets it up", async () => {
  const account = await service.account();
  const { platforms } = (await account.get<PlatformList>("/v1/platforms")).body;
  for (const { platformCode, configured, setUp, standIn, unavailable } of platforms) {
    assert.equal(standIn, false, platformCode);
    assert.equal(setUp === null, configured, platformCode);
    if (setUp === null) continue;
    assert.ok(setUp.reason.endsWith("."), setUp.reason);
    assert.equal(unavailable?.detail, `${setUp.reason} To set it up, the operator runs: ${setUp.command}`);
  }
  for (const [code, command] of Object.entries(commands))
    assert.equal(platforms.find(({ platformCode }) => platformCode === code)?.setUp?.command, command);
});

for (const [platformCode, command] of Object.entries(commands))
  test(`a batch with one item for ${platformCode} is refused as a whole, with the sentence and the command of the list`, async () => {
    const account = await service.account();
    const batch = [item(), item("Why?", { platformCode, options: { resultFormat: "all" } }), item()];
    const problem = invalidAt(await account.post(batch), { "/1/platformCode": "platform_not_configured" });
    assert.ok(problem.errors?.[0]?.detail.endsWith(`To set it up, the operator runs: ${command}`));
    const { platforms } = (await account.get<PlatformList>("/v1/platforms")).body;
    const listed = platforms.find((platform) => platform.platformCode === platformCode);
    assert.equal(problem.errors?.[0]?.detail, listed?.unavailable?.detail);
    const quote = await account.call<Quote>("POST", "/v1/tasks/quote", { body: batch });
    assert.deepEqual(quote.body.items[1]?.errors, problem.errors);
    const counts = await service.counts(account.accountId);
    assert.deepEqual([counts["tasks"], counts["batches"], counts["held"]], [0, 0, 0]);
  });
