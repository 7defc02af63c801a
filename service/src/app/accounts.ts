import { scopes, type Scope } from "@querent/contract";
import {
  createToken,
  findAccount,
  hasAccounts,
  insertAccount,
  isTokenUsable,
  type NewToken,
} from "../accounts/index.ts";
import type { Database } from "../db/index.ts";
import type { Config } from "./config.ts";
import { invite } from "../people/index.ts";
import { noteAudit } from "../runtime/audited.ts";
import { createSigningSecret } from "../webhooks/index.ts";
import type { MasterKey } from "../vault/index.ts";
import { grantPoints } from "../points/index.ts";

/** The account of a new data folder, and its initial points. */
export const firstAccount = { name: "default", points: 1_000_000 } as const;

/** Creates an account with everything it needs: its row, its signing secret, its points. */
export async function createAccount(
  database: Database,
  masterKey: MasterKey,
  input: { name: string; points: number },
): Promise<string> {
  return database.transaction(async (tx) => {
    const accountId = await insertAccount(tx, input.name);
    await createSigningSecret(tx, masterKey, accountId);
    noteAudit({ accountId, target: { type: "account", id: accountId }, after: input });
    if (input.points > 0) await grantPoints(tx, { accountId, points: input.points, note: "at the account's creation" });
    return accountId;
  });
}

/** What a first start shows once. */
export interface FirstAccess {
  /** The first token; null if QUERENT_ACCESS_TOKEN sets it. */
  readonly token: NewToken | null;
  /** The token of the link with which somebody becomes the owner. */
  readonly ownerLink: string;
}

/** How long the first link works. Later, `querentd invite create` makes another one. */
export const ownerLinkDays = 7;

/**
 * Creates the first account if there is none, with a token and a link whose texts are only returned now, and makes sure that the token of
 * QUERENT_ACCESS_TOKEN, if set, works. Null: there was an account. Safe to run in several processes concurrently.
 */
export async function ensureFirstAccount(
  database: Database,
  masterKey: MasterKey,
  givenToken: string | null,
): Promise<FirstAccess | null> {
  let created: FirstAccess | null = null;
  if (!(await hasAccounts(database))) {
    try {
      const accountId = await createAccount(database, masterKey, firstAccount);
      const { token: ownerLink } = await database.transaction((tx) =>
        invite(tx, { accountId, email: null, role: "owner", operator: true, days: ownerLinkDays }),
      );
      created = {
        token: givenToken === null ? await createToken(database, tokenInput(accountId, "first start")) : null,
        ownerLink,
      };
    } catch (error) {
      // Another process was faster.
      if ((await findAccount(database, firstAccount.name)) === null) throw error;
    }
  }
  if (givenToken !== null) await ensureToken(database, givenToken);
  return created;
}

async function ensureToken(database: Database, token: string): Promise<void> {
  const accountId = await findAccount(database, firstAccount.name);
  if (accountId === null)
    throw new Error(`QUERENT_ACCESS_TOKEN is for the account ${firstAccount.name}, and there is none.`);
  const isUsable = await isTokenUsable(database, token);
  if (isUsable === null) {
    await createToken(database, { ...tokenInput(accountId, "QUERENT_ACCESS_TOKEN"), token }).catch(
      async (error: unknown) => {
        // Another process was faster.
        if ((await isTokenUsable(database, token)) === null) throw error;
      },
    );
  } else if (!isUsable) {
    throw new Error(
      "QUERENT_ACCESS_TOKEN holds a token that was revoked or has expired. Set another one, or unset it.",
    );
  }
}

function tokenInput(
  accountId: string,
  name: string,
): { accountId: string; scopes: readonly Scope[]; name: string; expiresAt: null } {
  return { accountId, scopes, name, expiresAt: null };
}

/**
 * The address that links to the console begin with. On this machine it is `localhost`, a name that browsers trust without HTTPS, and not
 * the address behind it.
 */
export function linkBase({ publicUrl, port }: Pick<Config, "publicUrl" | "port">, own: string | null): string {
  return publicUrl ?? (own ?? `http://localhost:${port}`).replace("//127.0.0.1:", "//localhost:");
}
