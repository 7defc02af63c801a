import { reportSharesMax, type ReportShare, type ReportLanguage } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { countStored, measureDeleted } from "../../accounts/index.ts";
import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import { hasPanel } from "../../panels/definitions/panels.ts";
import { noteAudit } from "../../runtime/audited.ts";
import type { LockedLink } from "./link-lock.ts";

type Share = Omit<ReportShare, "url">;

interface ShareRow {
  id: string;
  panel_id: string;
  window_from: Date;
  window_to: Date;
  created_at: Date;
  expires_at: Date;
  has_password: boolean;
}

const columns =
  "id, panel_id, window_from, window_to, created_at, expires_at, password_hash is not null as has_password";

export interface NewShare {
  readonly accountId: string;
  readonly panelId: string;
  readonly window: { readonly from: string; readonly to: string };
  readonly days: number;
  readonly page: string;
  readonly language: ReportLanguage;
  /** Null: it opens without a password. */
  readonly passwordHash: string | null;
}

/** Stores a page that can be opened with a link. Deletes the account's pages that have expired. */
export async function insertShare(tx: Transaction, share: NewShare): Promise<Share> {
  const { accountId, panelId, window, days, page, language, passwordHash } = share;
  // Locks: the panel, so that it is not deleted meanwhile, and one share is stored after the other. Index: the primary key.
  if (!(await hasPanel(tx, { accountId, panelId }, "for update")))
    throw new ProblemError("not_found", "The panel was deleted meanwhile. Nothing was shared.");
  await tx.query("delete from report_shares where account_id = $1 and expires_at <= now()", [accountId]);
  // Locks: only the new row. Index: the primary key.
  const { rows } = await tx.query<ShareRow & Record<string, unknown>>(
    `insert into report_shares (account_id, id, panel_id, window_from, window_to, created_at, expires_at, language, password_hash, page, guarded_page)
       select $1, $2, $3, $4, $5, date_trunc('milliseconds', now()),
              date_trunc('milliseconds', now()) + $6::int * interval '1 day', $9, $10::text,
              case when $10::text is null then $7 else '' end, case when $10::text is not null then $7 end
        where (select count(*) from report_shares where account_id = $1) < $8
       returning ${columns}`,
    [accountId, newId(), panelId, window.from, window.to, days, page, reportSharesMax, language, passwordHash],
  );
  const [row] = rows;
  if (row === undefined)
    throw new ProblemError(
      "state_conflict",
      `The account has ${reportSharesMax} links to reports, which is the most. Nothing was shared. Revoke one.`,
    );
  await countStored(tx, { accountId, kind: "reports" }, row.id);
  noteAudit({
    target: { type: "share", id: row.id },
    after: { panelId, ...window, days, password: passwordHash !== null },
  });
  return shareOf(row);
}

/** The links of a panel that work, newest first. Null: the account has no such panel. */
export async function listShares(db: Queryable, accountId: string, panelId: string): Promise<Share[] | null> {
  if (!(await hasPanel(db, { accountId, panelId }))) return null;
  // Index: report_shares_panel.
  const { rows } = await db.query<ShareRow & Record<string, unknown>>(
    `select ${columns} from report_shares
      where account_id = $1 and panel_id = $2 and expires_at > now() order by id desc`,
    [accountId, panelId],
  );
  return rows.map(shareOf);
}

/** False: there is no such link. */
export async function revokeShare(
  database: Database,
  accountId: string,
  { panelId, shareId }: { readonly panelId: string; readonly shareId: string },
): Promise<boolean> {
  // Locks: the deleted row. Index: the primary key.
  const { rowCount } = await database.transaction((tx) =>
    tx.query("delete from report_shares where account_id = $1 and id = $2 and panel_id = $3", [
      accountId,
      shareId,
      panelId,
    ]),
  );
  await measureDeleted(database, accountId, ["reports"]);
  return rowCount === 1;
}

/** Sets, changes or removes the password of a link. Null: there is no such link. */
export async function setSharePassword(
  database: Database,
  accountId: string,
  { panelId, shareId, passwordHash }: { panelId: string; shareId: string; passwordHash: string | null },
): Promise<Share | null> {
  return database.transaction(async (tx) => {
    // Locks: the link's row. Index: the primary key. The page moves to where code that knows no passwords does not find it.
    const { rows } = await tx.query<ShareRow & Record<string, unknown>>(
      `update report_shares
          set password_hash = $4::text,
              page = case when $4::text is null then coalesce(guarded_page, page) else '' end,
              guarded_page = case when $4::text is not null then coalesce(guarded_page, page) end
        where account_id = $1 and id = $2 and panel_id = $3 and expires_at > now()
       returning ${columns}`,
      [accountId, shareId, panelId, passwordHash],
    );
    const [row] = rows;
    if (row === undefined) return null;
    noteAudit({ target: { type: "share", id: shareId }, after: { password: passwordHash !== null } });
    return shareOf(row);
  });
}

/** What a link opens. */
export interface OpenedShare {
  /** Its lock; null: it opens without a password. */
  readonly lock: LockedLink | null;
  /** Null: of a link that code before passwords made. */
  readonly language: ReportLanguage | null;
}

/** Null: it has expired, or was revoked. */
export async function findShare(db: Queryable, shareId: string): Promise<OpenedShare | null> {
  // Index: report_shares_id.
  const { rows } = await db.query<{
    password_hash: string | null;
    language: ReportLanguage | null;
    expires_at: Date;
  }>("select password_hash, language, expires_at from report_shares where id = $1 and expires_at > now()", [shareId]);
  const [row] = rows;
  if (row === undefined) return null;
  const { password_hash: passwordHash, language, expires_at: expiresAt } = row;
  return { lock: passwordHash === null ? null : { id: shareId, passwordHash, expiresAt }, language };
}

/** The page of a link as long as its password is the one of this lock; null: it has expired, was revoked, or has another one. */
export async function readSharedPage(db: Queryable, shareId: string, lock: LockedLink | null): Promise<string | null> {
  // Index: report_shares_id.
  const { rows } = await db.query<{ page: string }>(
    `select coalesce(guarded_page, page) as page from report_shares
      where id = $1 and expires_at > now() and password_hash is not distinct from $2`,
    [shareId, lock?.passwordHash ?? null],
  );
  return rows[0]?.page ?? null;
}

const shareOf = (row: ShareRow): Share => ({
  shareId: row.id,
  panelId: row.panel_id,
  window: { from: row.window_from.toISOString(), to: row.window_to.toISOString() },
  hasPassword: row.has_password,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
});
