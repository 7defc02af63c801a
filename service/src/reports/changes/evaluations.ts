import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { insertFound, type Found } from "./found-changes.ts";

/** The days (UTC) on which each platform's pages did not match the recipes. */
export type DriftDays = Readonly<Record<string, readonly string[]>>;

/** A panel that a process has taken, to judge it. */
export interface TakenPanel {
  readonly accountId: string;
  readonly panelId: string;
  readonly evaluatedAt: Date | null;
  readonly driftDays: DriftDays;
  /** How long it was due before it was taken. */
  readonly waitedSeconds: number;
  /** When another process may take it, as text with all of its digits. */
  readonly takenUntil: string;
}

export interface Evaluation {
  readonly evaluatedAt: Date;
  /** JSON: there may be many series. */
  readonly verdicts: string;
  readonly found: readonly Found[];
  readonly driftDays: DriftDays;
}

/** Marks a panel to be judged, in the transaction that ends one of its runs. */
export async function markDue(
  tx: Queryable,
  { accountId, panelId }: { accountId: string; panelId: string },
): Promise<void> {
  // Locks: the row of the panel's evaluation.
  await tx.query(
    `insert into panel_evaluations (account_id, panel_id, due_at) values ($1, $2, now())
     on conflict (account_id, panel_id) do update set due_at = now()`,
    [accountId, panelId],
  );
}

/**
 * Takes the panel that has been due the longest; null if none is. It is due again after five minutes, so a process that is
 * killed or fails delays it no longer than that.
 */
export async function takeDue(database: Database): Promise<TakenPanel | null> {
  // Index: panel_evaluations_due. Locks: one row that nobody else has locked.
  const { rows } = await database.query<{
    account_id: string;
    panel_id: string;
    evaluated_at: Date | null;
    drift_days: DriftDays;
    waited_seconds: number;
    taken_until: string;
  }>(
    `update panel_evaluations e set due_at = now() + interval '5 minutes'
       from (select account_id, panel_id, due_at from panel_evaluations where due_at <= now()
              order by due_at limit 1 for update skip locked) as due
      where e.account_id = due.account_id and e.panel_id = due.panel_id
      returning e.account_id, e.panel_id, e.evaluated_at, e.drift_days,
                extract(epoch from now() - due.due_at)::float8 as waited_seconds, e.due_at::text as taken_until`,
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    accountId: row.account_id,
    panelId: row.panel_id,
    evaluatedAt: row.evaluated_at,
    driftDays: row.drift_days,
    waitedSeconds: row.waited_seconds,
    takenUntil: row.taken_until,
  };
}

/** How long the panel waits that has been due the longest; 0 if none is due. */
export async function measureDuePanels(db: Queryable): Promise<{ readonly oldestSeconds: number }> {
  // Index: panel_evaluations_due. Locks nothing.
  const { rows } = await db.query<{ seconds: number }>(
    "select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as seconds from panel_evaluations where due_at <= now()",
  );
  return { oldestSeconds: rows[0]?.seconds ?? 0 };
}

/**
 * Stores an evaluation with what it found; `announce` is called for each change that was not known, in the same transaction. Nothing
 * is written if another process has stored one meanwhile. Returns what was announced.
 */
export async function storeEvaluation(
  database: Database,
  { accountId, panelId, evaluatedAt, takenUntil }: TakenPanel,
  evaluation: Evaluation,
  announce: (tx: Transaction, found: Found) => Promise<void>,
): Promise<Found[]> {
  return database.transaction(async (tx) => {
    // Locks: the row of the panel's evaluation, first. A run that has ended since leaves it due.
    const { rowCount } = await tx.query(
      `update panel_evaluations
          set evaluated_at = $3, verdicts = $4, drift_days = $5,
              due_at = case when due_at = $7::timestamptz then null else due_at end
        where account_id = $1 and panel_id = $2 and evaluated_at is not distinct from $6`,
      [
        accountId,
        panelId,
        evaluation.evaluatedAt,
        evaluation.verdicts,
        JSON.stringify(evaluation.driftDays),
        evaluatedAt,
        takenUntil,
      ],
    );
    const announced: Found[] = [];
    if (rowCount === 0) return announced;
    for (const found of evaluation.found) if (await insertFound(tx, accountId, panelId, found)) announced.push(found);
    // Last, because it locks the account's row.
    for (const found of announced) await announce(tx, found);
    return announced;
  });
}

/** There is no such panel any more, or it has not run. */
export async function forgetDue(database: Database, { accountId, panelId, takenUntil }: TakenPanel): Promise<void> {
  // Locks: the row of the panel's evaluation.
  await database.query(
    "update panel_evaluations set due_at = null where account_id = $1 and panel_id = $2 and due_at = $3::timestamptz",
    [accountId, panelId, takenUntil],
  );
}

/** With the verdicts as JSON, without those of `recommendation`, which is no longer measured. Null: the panel has not been judged. */
export async function readEvaluation(
  db: Queryable,
  accountId: string,
  panelId: string,
): Promise<{ readonly evaluatedAt: Date; readonly verdicts: string } | null> {
  // Index: the primary key. Locks nothing. Only verdicts of earlier versions have to be parsed.
  const { rows } = await db.query<{ evaluated_at: Date; verdicts: string }>(
    `select evaluated_at,
            case when strpos(verdicts::text, '"measure":"recommendation"') = 0 then verdicts::text
                 else (select coalesce(json_agg(one order by place), '[]')::text
                         from json_array_elements(verdicts) with ordinality as all_of_them(one, place)
                        where one->>'measure' <> 'recommendation')
            end as verdicts
       from panel_evaluations where account_id = $1 and panel_id = $2 and verdicts is not null`,
    [accountId, panelId],
  );
  const [row] = rows;
  return row === undefined ? null : { evaluatedAt: row.evaluated_at, verdicts: withDomains(row.verdicts) };
}

/** Versions that judged no sites wrote none. */
function withDomains(verdicts: string): string {
  if (verdicts.length < 3 || verdicts.includes('"domain":')) return verdicts;
  return JSON.stringify((JSON.parse(verdicts) as object[]).map((one) => ({ domain: null, ...one })));
}
