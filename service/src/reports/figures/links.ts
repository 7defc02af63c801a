import { figureLinksMax, type FigureLink } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import type { Database, Queryable } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import { hasPanel } from "../../panels/definitions/panels.ts";
import { noteAudit } from "../../runtime/audited.ts";

type StoredLink = Omit<FigureLink, "url">;

interface LinkRow extends Record<string, unknown> {
  id: string;
  account_id: string;
  panel_id: string;
  figures: FigureLink["figures"];
  created_at: Date;
  expires_at: Date;
}

const columns = "id, account_id, panel_id, figures, created_at, expires_at";

/** Stores what an address computes. Deletes the account's addresses that have expired. */
export async function insertLink(
  database: Database,
  link: { accountId: string; panelId: string; figures: FigureLink["figures"]; days: number },
): Promise<StoredLink> {
  const { accountId, panelId, figures, days } = link;
  return database.transaction(async (tx) => {
    // Locks: the panel, so that it is not deleted meanwhile; then the expired rows. Index: the primary key.
    if (!(await hasPanel(tx, { accountId, panelId }, "for update")))
      throw new ProblemError("not_found", "There is no such panel.");
    await tx.query("delete from figure_links where account_id = $1 and expires_at <= now()", [accountId]);
    const { rows } = await tx.query<LinkRow>(
      `insert into figure_links (account_id, id, panel_id, figures, created_at, expires_at)
       select $1, $2, $3, $4, date_trunc('milliseconds', now()),
              date_trunc('milliseconds', now()) + $5::int * interval '1 day'
        where (select count(*) from figure_links where account_id = $1) < $6
       returning ${columns}`,
      [accountId, newId(), panelId, JSON.stringify(figures), days, figureLinksMax],
    );
    const [row] = rows;
    if (row === undefined)
      throw new ProblemError(
        "state_conflict",
        `The account has ${figureLinksMax} addresses of figures, which is the most. None was made. Revoke one.`,
      );
    noteAudit({ target: { type: "figure_link", id: row.id }, after: { panelId, ...figures, days } });
    return linkOf(row);
  });
}

/** The addresses of a panel that work, newest first. Null: the account has no such panel. */
export async function listLinks(db: Queryable, accountId: string, panelId: string): Promise<StoredLink[] | null> {
  if (!(await hasPanel(db, { accountId, panelId }))) return null;
  // Index: figure_links_panel.
  const { rows } = await db.query<LinkRow>(
    `select ${columns} from figure_links
      where account_id = $1 and panel_id = $2 and expires_at > now() order by id desc`,
    [accountId, panelId],
  );
  return rows.map(linkOf);
}

/** False: there is no such address. */
export async function revokeLink(
  database: Database,
  accountId: string,
  { panelId, linkId }: { readonly panelId: string; readonly linkId: string },
): Promise<boolean> {
  // Locks: the deleted row. Index: the primary key.
  const { rowCount } = await database.query(
    "delete from figure_links where account_id = $1 and id = $2 and panel_id = $3",
    [accountId, linkId, panelId],
  );
  return rowCount === 1;
}

/** What an address computes, and for whom; null: it has expired, or was revoked. */
export async function openLink(db: Queryable, linkId: string): Promise<{ accountId: string; link: StoredLink } | null> {
  // Index: figure_links_id.
  const { rows } = await db.query<LinkRow>(`select ${columns} from figure_links where id = $1 and expires_at > now()`, [
    linkId,
  ]);
  return rows[0] === undefined ? null : { accountId: rows[0].account_id, link: linkOf(rows[0]) };
}

const linkOf = (row: LinkRow): StoredLink => ({
  linkId: row.id,
  panelId: row.panel_id,
  figures: row.figures,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
});
