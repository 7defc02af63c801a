/** Addresses to which mail of an account goes, and those that have unsubscribed. */
import { rowsAs, type Queryable, type Transaction } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import type { MailAddress } from "../../kernel/mail-address.ts";

export interface Recipient {
  readonly id: string;
  readonly email: string;
  /** No mail goes there since then; null: it does. */
  readonly unsubscribedAt: Date | null;
  /** Who has added the recipient again, which the next mail says. */
  readonly addedAgainBy: string | null;
}

const columns = `id, email, unsubscribed_at as "unsubscribedAt", added_again_by as "addedAgainBy"`;

const addressRows = rowsAs<MailAddress & { readonly id: string }>("a", {
  id: ["uuid", ({ id }) => id],
  email: ["text", ({ text }) => text],
  email_key: ["text", ({ key }) => key],
  nth: ["int", (_, nth) => nth],
});

/**
 * Stores recipients, and returns them in the given order. One who has unsubscribed stays so, unless `again` names the key of the address:
 * then `by` says that the recipient has asked for it.
 */
export async function putRecipients(
  tx: Transaction,
  accountId: string,
  addresses: readonly MailAddress[],
  { again, by }: { readonly again: ReadonlySet<string>; readonly by: string },
): Promise<Recipient[]> {
  // Locks: the recipients' rows, in the order of their keys. Index: the unique one.
  const sorted = addresses.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map((address) => ({ ...address, id: newId() }));
  await tx.query(
    `insert into mail_recipients (account_id, id, email, email_key, created_at)
     select $1, a.id, a.email, a.email_key, date_trunc('milliseconds', now()) from ${addressRows.after(1)} order by a.nth
     on conflict (account_id, email_key) do nothing`,
    [accountId, ...addressRows.values(sorted)],
  );
  await tx.query(
    `update mail_recipients set unsubscribed_at = null, added_again_by = $3
      where account_id = $1 and email_key = any($2::text[]) and unsubscribed_at is not null`,
    [accountId, [...again], by],
  );
  const { rows } = await tx.query<Recipient & { email_key: string }>(
    `select ${columns}, email_key from mail_recipients where account_id = $1 and email_key = any($2::text[])`,
    [accountId, addresses.map(({ key }) => key)],
  );
  const found = new Map(rows.map((row) => [row.email_key, row]));
  return addresses.flatMap(({ key }) => found.get(key) ?? []);
}

/** These recipients, by id. */
export async function readRecipients(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Recipient>> {
  // Index: the primary key. Locks nothing.
  const { rows } = await db.query<Recipient & Record<string, unknown>>(
    `select ${columns} from mail_recipients where account_id = $1 and id = any($2::uuid[])`,
    [accountId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export async function readRecipient(db: Queryable, accountId: string, email: string): Promise<Recipient | null> {
  // Index: the unique one. Locks nothing.
  const { rows } = await db.query<Recipient & Record<string, unknown>>(
    `select ${columns} from mail_recipients where account_id = $1 and email_key = $2`,
    [accountId, email.toLowerCase()],
  );
  return rows[0] ?? null;
}

/** The mail that says that these were added again is on its way. */
export async function toldOfAdding(tx: Transaction, accountId: string, ids: readonly string[]): Promise<void> {
  // Locks: the recipients' rows. Index: the primary key.
  await tx.query(
    "update mail_recipients set added_again_by = null where account_id = $1 and id = any($2::uuid[]) and added_again_by is not null",
    [accountId, ids],
  );
}

export interface Subscription {
  readonly accountId: string;
  readonly email: string;
  readonly unsubscribedAt: Date | null;
}

/** The recipient of a link to unsubscribe. Null: the account has been deleted. */
export async function findSubscription(db: Queryable, recipientId: string): Promise<Subscription | null> {
  // Index: mail_recipients_id. Locks nothing.
  const { rows } = await db.query<Subscription & Record<string, unknown>>(
    `select account_id as "accountId", email, unsubscribed_at as "unsubscribedAt" from mail_recipients where id = $1`,
    [recipientId],
  );
  return rows[0] ?? null;
}

/** Unsubscribes. Repeated, it changes nothing. */
export async function unsubscribeRecipient(tx: Transaction, recipientId: string): Promise<Subscription | null> {
  // Locks: the recipient's row. Index: mail_recipients_id.
  await tx.query(
    "update mail_recipients set unsubscribed_at = date_trunc('milliseconds', now()), added_again_by = null where id = $1 and unsubscribed_at is null",
    [recipientId],
  );
  return findSubscription(tx, recipientId);
}
