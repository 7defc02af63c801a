import assert from "node:assert/strict";
import type { PanelRecord, PanelRun } from "@querent/contract";
import type { Queryable } from "../../src/db/index.ts";
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

/**
 * The simulator answers what the texts of the prompts say, so tests reword them. Afterwards, all answers are those of the last wording,
 * as if the platform had begun to answer otherwise.
 */
export const asOneWording = (database: Queryable, panelId: string) =>
  database.query(
    `update observations o set panel_revision = r.revision, prompt_digest = sha256(convert_to(prompt->>'text', 'UTF8'))
       from panels p join panel_revisions r on r.account_id = p.account_id and r.panel_id = p.id and r.revision = p.revision
       cross join jsonb_array_elements(r.content->'prompts') as prompt
      where p.id = $1 and o.account_id = p.account_id and o.panel_id = p.id and o.prompt_id = prompt->>'promptId'`,
    [panelId],
  );
