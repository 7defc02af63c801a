import { reportSharesMax, type ReportShare } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { countStored, measureDeleted } from "../../accounts/index.ts";
import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import { hasPanel } from "../../panels/definitions/panels.ts";
import { noteAudit } from "../../runtime/audited.ts";

type Share = Omit<ReportShare, "url">;

interface ShareRow {
  id: string;
  panel_id: string;
  window_from: Date;
  window_to: Date;
  created_at: Date;
  expires_at: Date;
}

const columns = "id, panel_id, window_from, window_to, created_at, expires_at";

export interface NewShare {
  readonly accountId: string;
  readonly panelId: string;
  readonly window: { readonly from: string; readonly to: string };
  readonly days: number;
  readonly page: string;
}

/** Stores a page that can be opened with a link. Deletes the account's pages that have expired. */
export async function insertShare(tx: Transaction, share: NewShare): Promise<Share> {
  const { accountId, panelId, window, days, page } = share;
  // Locks: the panel, so that it is not deleted meanwhile, and one share is stored after the other. Index: the primary key.
  if (!(await hasPanel(tx, { accountId, panelId }, "for update")))
    throw new ProblemError("not_found", "The panel was deleted meanwhile. Nothing was shared.");
  await tx.query("delete from report_shares where account_id = $1 and expires_at <= now()", [accountId]);
  // Locks: only the new row. Index: the primary key.
  const { rows } = await tx.query<ShareRow & Record<string, unknown>>(
    `insert into report_shares (account_id, id, panel_id, window_from, window_to, created_at, expires_at, page)
       select $1, $2, $3, $4, $5, date_trunc('milliseconds', now()),
              date_trunc('milliseconds', now()) + $6::int * interval '1 day', $7
        where (select count(*) from report_shares where account_id = $1) < $8
       returning ${columns}`,
    [accountId, newId(), panelId, window.from, window.to, days, page, reportSharesMax],
  );
  const [row] = rows;
  if (row === undefined)
    throw new ProblemError(
      "state_conflict",
      `The account has ${reportSharesMax} links to reports, which is the most. Nothing was shared. Revoke one.`,
    );
  await countStored(tx, { accountId, kind: "reports" }, row.id);
  noteAudit({ target: { type: "share", id: row.id }, after: { panelId, ...window, days } });
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

/** The page of a link; null: it has expired, or was revoked. */
export async function openShare(db: Queryable, shareId: string): Promise<string | null> {
  // Index: report_shares_id.
  const { rows } = await db.query<{ page: string }>(
    "select page from report_shares where id = $1 and expires_at > now()",
    [shareId],
  );
  return rows[0]?.page ?? null;
}

const shareOf = (row: ShareRow): Share => ({
  shareId: row.id,
  panelId: row.panel_id,
  window: { from: row.window_from.toISOString(), to: row.window_to.toISOString() },
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
});
