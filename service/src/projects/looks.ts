/** How the reports of a project look. */
import type { ReportLooks, ReportLooksChange } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import type { Queryable, Transaction } from "../db/index.ts";
import { noteAudit } from "../runtime/audited.ts";
import { LogoRefused, readLogo, type Logo } from "./read-logo.ts";
import { noSuchProject } from "./projects.ts";

interface OfProject {
  readonly accountId: string;
  readonly projectId: string;
}

const none: ReportLooks = { name: null, color: null, logo: null };

/** Of a project that has none, all members are null. */
export async function readLooks(db: Queryable, { accountId, projectId }: OfProject): Promise<ReportLooks> {
  // Index: the primary key. Locks nothing.
  const { rows } = await db.query<{
    name: string | null;
    color: string | null;
    logo: Buffer | null;
    logo_type: Logo["type"] | null;
    logo_width: number | null;
    logo_height: number | null;
  }>(
    "select name, color, logo, logo_type, logo_width, logo_height from report_looks where account_id = $1 and project_id = $2",
    [accountId, projectId],
  );
  const [row] = rows;
  if (row === undefined) return none;
  const { name, color, logo, logo_type: type, logo_width: width, logo_height: height } = row;
  const isWhole = logo !== null && type !== null && width !== null && height !== null;
  return { name, color, logo: isWhole ? { type, width, height, data: logo.toString("base64") } : null };
}

/** Looks that were read from a request. */
export interface CheckedLooks {
  readonly name: string | null;
  readonly color: string | null;
  readonly logo: Logo | null;
}

/** Throws all errors of a request at once. */
export function checkLooks({ name, color, logo }: ReportLooksChange): CheckedLooks {
  const errors: { pointer: string; code: "malformed"; detail: string }[] = [];
  const trimmed = name?.trim() ?? "";
  if (/[\p{Cc}\u2028\u2029]/u.test(trimmed))
    errors.push({ pointer: "/name", code: "malformed", detail: "It has a control character, such as a line break." });
  let read: Logo | null = null;
  if ((logo ?? null) !== null)
    try {
      read = readLogo(decoded(logo ?? ""));
    } catch (error) {
      if (!(error instanceof LogoRefused)) throw error;
      errors.push({ pointer: "/logo", code: "malformed", detail: error.message });
    }
  if (errors.length > 0)
    throw new ProblemError("validation_failed", "The looks are not valid. Nothing was stored.", { errors });
  return { name: trimmed === "" ? null : trimmed, color: color?.toLowerCase() ?? null, logo: read };
}

function decoded(text: string): Buffer {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new LogoRefused("It is not base64.");
  return Buffer.from(text, "base64");
}

/** Replaces the looks of a project. */
export async function putLooks(
  tx: Transaction,
  { accountId, projectId }: OfProject,
  { name, color, logo }: CheckedLooks,
): Promise<void> {
  // Locks: the project's row, against its deletion. Index: the primary key. The default project may have no row, and is not deleted.
  const { rowCount } = await tx.query("select 1 from projects where account_id = $1 and id = $2 for share", [
    accountId,
    projectId,
  ]);
  if (rowCount === 0 && projectId !== accountId) throw noSuchProject();
  const looks = [name, color, logo?.bytes ?? null, logo?.type ?? null, logo?.width ?? null, logo?.height ?? null];
  // Locks: the row of the looks. Index: the primary key.
  if (looks.every((part) => part === null))
    await tx.query("delete from report_looks where account_id = $1 and project_id = $2", [accountId, projectId]);
  else
    await tx.query(
      `insert into report_looks (account_id, project_id, name, color, logo, logo_type, logo_width, logo_height, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, date_trunc('milliseconds', now()))
       on conflict (account_id, project_id) do update
         set name = excluded.name, color = excluded.color, logo = excluded.logo, logo_type = excluded.logo_type,
             logo_width = excluded.logo_width, logo_height = excluded.logo_height, updated_at = excluded.updated_at`,
      [accountId, projectId, ...looks],
    );
  noteAudit({ target: { type: "project", id: projectId }, after: { name, color, logo: logo?.type ?? null } });
}
