import type { PanelSeal } from "@querent/contract";
import { writePanelSeal, type PublicKey } from "@querent/evidence";
import type { KeyObject } from "node:crypto";
import type { Database, Queryable } from "../../db/index.ts";
import { digestText } from "../../panels/definitions/cells.ts";

/** The service's current evidence key. */
export type ReadSigningKey = () => Promise<{ readonly publicKey: PublicKey; readonly privateKey: KeyObject }>;

interface SealRow {
  panel_id: string;
  revision: number;
  digest: Buffer;
  sealed_at: Date;
  runs_before: number;
  seal: string;
  signature: string;
}

/** Seals a panel's current revision, once. Null: the account has no such panel. */
export async function sealPanel(
  database: Database,
  signing: ReadSigningKey,
  { accountId, panelId }: { readonly accountId: string; readonly panelId: string },
): Promise<PanelSeal | null> {
  // Before the transaction: on first use, the key is made.
  const { publicKey: key, privateKey } = await signing();
  const revision = await database.transaction(async (tx) => {
    // Locks: the panel's row, and so its runs: one that is being started is counted, and none starts before the seal is there.
    const { rows } = await tx.query<{ revision: number; digest: Buffer }>(
      `select p.revision, r.digest from panels p
         join panel_revisions r on r.account_id = p.account_id and r.panel_id = p.id and r.revision = p.revision
        where p.account_id = $1 and p.id = $2 for update of p`,
      [accountId, panelId],
    );
    const [panel] = rows;
    if (panel === undefined) return null;
    // Index: the primary key.
    const { rows: counts } = await tx.query<{ runs: number; now: Date }>(
      `select count(*)::int as runs, date_trunc('milliseconds', clock_timestamp()) as now from panel_runs
        where account_id = $1 and panel_id = $2 and revision = $3 and state = 'started'`,
      [accountId, panelId, panel.revision],
    );
    const [{ runs, now } = { runs: 0, now: new Date() }] = counts;
    const { seal, signature } = writePanelSeal(
      {
        panelId,
        revision: panel.revision,
        digest: digestText(panel.digest),
        sealedAt: now.toISOString(),
        runsBefore: runs,
        key,
      },
      privateKey,
    );
    await tx.query(
      `insert into panel_seals (account_id, panel_id, revision, sealed_at, runs_before, seal, signature)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [accountId, panelId, panel.revision, now, runs, seal, signature],
    );
    return panel.revision;
  });
  return revision === null ? null : readSeal(database, { accountId, panelId, revision });
}

/** The seal of a revision, by default the current one; null if it has none. */
export async function readSeal(
  db: Queryable,
  { accountId, panelId, revision }: { accountId: string; panelId: string; revision?: number | undefined },
): Promise<PanelSeal | null> {
  // Index: the primary keys.
  const { rows } = await db.query<SealRow>(
    `select s.panel_id, s.revision, r.digest, s.sealed_at, s.runs_before, s.seal, s.signature from panels p
       join panel_seals s on s.account_id = p.account_id and s.panel_id = p.id and s.revision = coalesce($3, p.revision)
       join panel_revisions r on r.account_id = s.account_id and r.panel_id = s.panel_id and r.revision = s.revision
      where p.account_id = $1 and p.id = $2`,
    [accountId, panelId, revision ?? null],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    panelId: row.panel_id,
    revision: row.revision,
    digest: digestText(row.digest),
    sealedAt: row.sealed_at.toISOString(),
    runsBefore: row.runs_before,
    seal: row.seal,
    signature: row.signature,
  };
}
