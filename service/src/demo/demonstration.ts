/** The demonstration in an account of its own, as operators make and delete it: with a command, or in the console. */
import { demonstrationAccount, type Demonstration } from "@querent/contract";
import { deleteAccount, findAccount } from "../accounts/index.ts";
import { ProblemError } from "../api/problem-error.ts";
import type { Database } from "../db/index.ts";
import { noteAudit } from "../runtime/audited.ts";
import type { EntitySearch } from "../observations/entities/entity-search.ts";
import { fillDemo, findDemo, type FilledDemo } from "./fill-demo.ts";

/** The account of the demonstration, unless another is given. */
export const demoAccount = demonstrationAccount;
/** Enough for the sample batch of the console and a few questions more, and little if a platform with a price is asked. */
export const demoPoints = 100;

export interface DemonstrationDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  readonly retentionMs: number;
  readonly createAccount: (input: { name: string; points: number }) => Promise<string>;
}

/** Creates the account with the demonstration in it. `filled` is null if it was there already. */
export async function makeDemonstration(
  deps: DemonstrationDeps,
): Promise<Demonstration & { readonly filled: FilledDemo | null }> {
  const { database } = deps;
  const existing = await findAccount(database, demoAccount);
  const existingPanel = existing === null ? null : await findDemo(database, existing);
  if (existing !== null && existingPanel !== null) return { accountId: existing, panelId: existingPanel, filled: null };
  // An account without the panel is what an interrupted attempt left.
  const accountId = existing ?? (await deps.createAccount({ name: demoAccount, points: demoPoints }));
  const filled = await fillDemo(database, accountId, deps);
  return { accountId, panelId: filled.panelId, filled };
}

/** Deletes the account of the demonstration, and nothing that is not one. False: there was none. */
export async function deleteDemonstration(database: Database): Promise<boolean> {
  const accountId = await findAccount(database, demoAccount);
  if (accountId === null) return false;
  if ((await findDemo(database, accountId)) === null)
    throw new ProblemError(
      "state_conflict",
      `The account ${demoAccount} has no demonstration, so it is somebody's own. Nothing was deleted.`,
    );
  noteAudit({ target: { type: "account", id: accountId }, before: { name: demoAccount } });
  if (!(await deleteAccount(database, accountId)))
    throw new ProblemError(
      "state_conflict",
      `The account ${demoAccount} has tasks that have not ended. Nothing was deleted. Cancel them, or wait for them, and try again.`,
    );
  return true;
}
