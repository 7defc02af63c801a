/** What the tests of storage store. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { StorageKind, StorageUse, UsageRecord } from "@querent/contract";
import { measureStored } from "../../src/accounts/index.ts";
import type { Database } from "../../src/db/index.ts";
import type { TestAccount } from "../harness/service.ts";

export const storageOf = async (account: TestAccount): Promise<StorageUse> =>
  (await account.get<UsageRecord>("/v1/usage")).body.storage;
export const kindOf = (storage: StorageUse, kind: StorageKind) => {
  const found = storage.kinds.find((each) => each.kind === kind);
  assert.ok(found);
  return found;
};

export const line = (n: number, content = "These.") =>
  JSON.stringify({
    id: `a-${n}`,
    question: "Which?",
    platformCode: "chatgpt",
    observedAt: "2026-05-24T15:56:04Z",
    content,
  });
export const importLines = (account: TestAccount, name: string, lines: readonly string[]) =>
  account.call("POST", `/v1/imports?name=${encodeURIComponent(name)}`, {
    headers: { "content-type": "application/x-ndjson" },
    body: lines.join("\n"),
  });
export const panel = (name: string, more: object = {}) => ({
  name,
  prompts: [{ text: `Which shoes does ${name} recommend?` }],
  platforms: ["simulator"],
  ...more,
});
export const createPanel = (account: TestAccount, name: string, more: object = {}) =>
  account.call<{ panelId: string }>("POST", "/v1/panels", { body: panel(name, more) });
export const entity = (name: string, more: object = {}) => ({
  name,
  relation: "own",
  aliases: [{ text: name }],
  ...more,
});

export function hardToCompress(seed: number, length: number): string {
  let text = "";
  for (let nth = 0; text.length < length; nth++) text += createHash("sha512").update(`${seed} ${nth}`).digest("base64");
  return text.slice(0, length);
}

/** Measures again, and says of which kinds the count had been another one. */
export async function disagreements(
  database: Database,
  accountId: string,
  kinds: readonly StorageKind[],
): Promise<string[]> {
  const read = async () =>
    (
      await database.query<{ kind: StorageKind; row_count: number; bytes: number }>(
        "select kind, row_count, bytes from account_storage where account_id = $1 and kind = any($2) order by kind",
        [accountId, kinds],
      )
    ).rows;
  const counted = await read();
  await measureStored(database, accountId, kinds);
  return (await read()).flatMap((row) => {
    const before = counted.find(({ kind }) => kind === row.kind);
    const isSame = before?.row_count === row.row_count && before.bytes === row.bytes;
    return isSame
      ? []
      : [`${row.kind}: ${before?.row_count}/${before?.bytes} counted, ${row.row_count}/${row.bytes} held`];
  });
}
