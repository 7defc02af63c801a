/** Where the command line is run by somebody who has an account. */
import { join } from "node:path";
import type { TaskRecord } from "@querent/client";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import type { TestAccount, TestService } from "../../service/test/harness/service.ts";
import { runCli, startCli } from "./run-cli.ts";

/** An account, a folder, and the command line in it. */
export async function place(service: TestService, points?: number) {
  const folder = temporaryFolder();
  const account = await service.account(points === undefined ? {} : { points });
  const options = { url: service.address, token: account.token, home: folder.path };
  return {
    account,
    path: (name: string) => join(folder.path, name),
    run: (words: readonly string[], input?: string | Buffer) =>
      runCli(words, { ...options, ...(input === undefined ? {} : { input }) }),
    start: (words: readonly string[]) => startCli(words, options),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

export const recordsOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as TaskRecord);

export async function charged(account: TestAccount): Promise<{ captured: number; held: number }> {
  const { body } = await account.get<{ balance: { captured: number; held: number } }>("/v1/usage");
  return { captured: body.balance.captured, held: body.balance.held };
}
