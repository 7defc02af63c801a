/** Whether the members of an account need a second factor. */
import type { SecondFactorRule } from "@querent/contract";
import type { Queryable, Transaction } from "../db/index.ts";
import { noteAudit } from "../runtime/audited.ts";
import { endConnectionsOf } from "./connection.ts";

interface RuleRow {
  second_factor_since: Date | null;
}

const ruleOf = (row: RuleRow | undefined): SecondFactorRule => {
  const since = row?.second_factor_since ?? null;
  return { required: since !== null, since: since?.toISOString() ?? null };
};

export async function readFactorRule(db: Queryable, accountId: string): Promise<SecondFactorRule> {
  const { rows } = await db.query<RuleRow>("select second_factor_since from accounts where id = $1", [accountId]);
  return ruleOf(rows[0]);
}

/**
 * Requires a second factor of the members, or no longer. Every login is looked at with each of its requests. Assistants that members have
 * connected before may have been given their access by a password alone, so they have to be connected again.
 */
export async function setFactorRule(
  tx: Transaction,
  { accountId, required }: { readonly accountId: string; readonly required: boolean },
): Promise<SecondFactorRule> {
  // Locks: the account's row.
  const { rows: before } = await tx.query<RuleRow>(
    "select second_factor_since from accounts where id = $1 for no key update",
    [accountId],
  );
  const { rows } = await tx.query<RuleRow>(
    `update accounts set second_factor_since = case when $2 then coalesce(second_factor_since, now()) end
      where id = $1 returning second_factor_since`,
    [accountId, required],
  );
  if (required && before[0]?.second_factor_since === null)
    // Locks: the account's connections, after its row.
    await endConnectionsOf(tx, { accountId });
  noteAudit({
    accountId,
    target: { type: "account", id: accountId },
    before: { secondFactorRequired: ruleOf(before[0]).required },
    after: { secondFactorRequired: required },
  });
  return ruleOf(rows[0]);
}
