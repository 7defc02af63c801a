import type { ImportFormat, ImportRecord } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";

export interface ImportRow {
  id: string;
  name: string;
  format: ImportFormat;
  panel_id: string | null;
  next_line: number;
  imported: number;
  duplicates: number;
  created_at: Date;
  updated_at: Date;
}

export const importColumns =
  "i.id, i.name, i.format, i.panel_id, i.next_line, i.imported, i.duplicates, i.created_at, i.updated_at";

export function importRecord(row: ImportRow): ImportRecord {
  return {
    importId: row.id,
    name: row.name,
    format: row.format,
    panelId: row.panel_id,
    nextLine: row.next_line,
    importedCount: row.imported,
    duplicateCount: row.duplicates,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export async function getImport(db: Queryable, accountId: string, importId: string): Promise<ImportRecord | null> {
  // Index: the primary key.
  const { rows } = await db.query<ImportRow>(
    `select ${importColumns} from imports i where i.account_id = $1 and i.id = $2`,
    [accountId, importId],
  );
  return rows[0] === undefined ? null : importRecord(rows[0]);
}

/** The account's imports, newest first: those below `beforeId`. */
export async function listImports(
  db: Queryable,
  accountId: string,
  { name, beforeId, limit }: { name: string | null; beforeId: string | null; limit: number },
): Promise<{ imports: ImportRecord[]; nextId: string | null }> {
  // Index: the primary key, or import_by_name.
  const { rows } = await db.query<ImportRow>(
    `select ${importColumns} from imports i
      where i.account_id = $1 and i.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        and ($3::text is null or i.name = $3)
      order by i.id desc limit $4::int + 1`,
    [accountId, beforeId, name, limit],
  );
  const shown = rows.slice(0, limit);
  return { imports: shown.map(importRecord), nextId: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}
