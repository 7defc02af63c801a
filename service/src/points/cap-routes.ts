import { api, type Cap, type CapsChange } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Route } from "../api/route.ts";
import { rowsAs, type Database, type Queryable, type Transaction } from "../db/index.ts";
import { noteAudit } from "../runtime/audited.ts";
import { dayHeld, monthHeld } from "./caps.ts";

export function capRoutes({ database }: { readonly database: Database }): Route[] {
  return [
    route(api.getCaps, async ({ caller }) => ({
      status: 200,
      body: { caps: await readCaps(database, caller.accountId) },
    })),
    route(api.putCaps, async ({ caller, body }) => {
      const caps = complete(body);
      await database.transaction(async (tx) => {
        await replaceCaps(tx, caller.accountId, caps);
        noteAudit({ after: { caps } });
      });
      return { status: 200, body: { caps: await readCaps(database, caller.accountId) } };
    }),
  ];
}

type NewCap = Pick<Cap, "kind" | "runPoints" | "dayPoints" | "monthPoints"> & { readonly subject: string };

function complete({ caps }: CapsChange): NewCap[] {
  const seen = new Set<string>();
  const errors = caps.flatMap(({ kind, subject, runPoints, dayPoints, monthPoints }, index) => {
    const key = `${kind} ${subject ?? ""}`;
    const problem = (code: "required" | "not_allowed", detail: string, below = "") => [
      { pointer: `/caps/${index}${below}`, code, detail },
    ];
    if (seen.has(key)) return problem("not_allowed", "There is a cap of this kind and subject before it.");
    seen.add(key);
    if (kind === "account" && (subject ?? null) !== null)
      return problem("not_allowed", "The cap of the account has no subject.", "/subject");
    if (kind !== "account" && (subject ?? null) === null)
      return problem("required", kind === "tag" ? "The tag." : `The ${kind}'s id.`, "/subject");
    if ((runPoints ?? dayPoints ?? monthPoints ?? null) === null)
      return problem("required", "Set at least one of `runPoints`, `dayPoints` and `monthPoints`.");
    return [];
  });
  if (errors.length > 0)
    throw new ProblemError("validation_failed", "The caps are not valid. Nothing was changed.", {
      errors: errors.slice(0, 100),
    });
  return caps.map(({ kind, subject, runPoints, dayPoints, monthPoints }) => ({
    kind,
    subject: (kind === "tag" ? subject : subject?.toLowerCase()) ?? "",
    runPoints: runPoints ?? null,
    dayPoints: dayPoints ?? null,
    monthPoints: monthPoints ?? null,
  }));
}

const capRows = rowsAs<NewCap>("t", {
  kind: ["text", (cap) => cap.kind],
  subject: ["text", (cap) => cap.subject],
  run_points: ["bigint", (cap) => cap.runPoints],
  day_points: ["bigint", (cap) => cap.dayPoints],
  month_points: ["bigint", (cap) => cap.monthPoints],
});

async function replaceCaps(tx: Transaction, accountId: string, caps: readonly NewCap[]): Promise<void> {
  // Locks: the account's caps, in the order of their keys, as submissions lock them.
  const { rows: before } = await tx.query<NewCap>(
    `select kind, subject, run_points as "runPoints", day_points as "dayPoints", month_points as "monthPoints"
       from caps where account_id = $1 order by kind, subject for update`,
    [accountId],
  );
  noteAudit({ before: { caps: before } });
  await tx.query(
    `delete from caps where account_id = $1 and (kind, subject) not in (select t.kind, t.subject from ${capRows.after(1)})`,
    [accountId, ...capRows.values(caps)],
  );
  await tx.query(
    `insert into caps as c (account_id, day, day_held, month, month_held, created_at, ${capRows.columns})
     select $1, (now() at time zone 'UTC')::date, 0, date_trunc('month', now() at time zone 'UTC')::date, 0,
            date_trunc('milliseconds', now()), t.*
       from ${capRows.after(1)}
      order by t.kind, t.subject
     on conflict (account_id, kind, subject) do update
       set run_points = excluded.run_points, day_points = excluded.day_points, month_points = excluded.month_points`,
    [accountId, ...capRows.values(caps)],
  );
}

async function readCaps(db: Queryable, accountId: string): Promise<Cap[]> {
  const { rows } = await db.query<Omit<Cap, "countedFrom"> & { counted_from: Date } & Record<string, unknown>>(
    `select c.kind, nullif(c.subject, '') as subject, c.run_points as "runPoints", c.day_points as "dayPoints",
            c.month_points as "monthPoints", ${dayHeld} as "dayHeld", ${monthHeld} as "monthHeld", c.created_at as counted_from
       from caps c where c.account_id = $1 order by c.kind, c.subject`,
    [accountId],
  );
  return rows.map(({ counted_from: countedFrom, ...cap }) => ({ ...cap, countedFrom: countedFrom.toISOString() }));
}
