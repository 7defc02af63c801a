import assert from "node:assert/strict";
import type { PanelRecord, PanelRun } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import type { TestAccount } from "../harness/service.ts";

/** A panel of two prompts, as sent. */
export const panel = (more: object = {}) => ({
  name: "Grinders",
  prompts: [
    { text: "Which coffee grinder should I buy?", topic: "grinders", intent: "buy" },
    { text: "Which grinder is best for espresso?" },
  ],
  platforms: ["simulator"],
  ...more,
});

export async function createPanel(account: TestAccount, more: object = {}): Promise<PanelRecord> {
  const answer = await account.call<PanelRecord>("POST", "/v1/panels", { body: panel(more) });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

export const runPanel = (account: TestAccount, panelId: string, headers: Record<string, string> = {}) =>
  account.call<PanelRun>("POST", `/v1/panels/${panelId}/runs`, { headers: { "idempotency-key": newId(), ...headers } });
