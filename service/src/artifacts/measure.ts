import type { Queryable } from "../db/index.ts";

export interface ContentFigures {
  readonly contents: number;
  readonly bytes: number;
}

/** The number and size of the stored contents. Reads a row for each: the caller must not repeat it without a pause. */
export async function measureContents(db: Queryable): Promise<ContentFigures> {
  const { rows } = await db.query<ContentFigures & Record<string, unknown>>(
    `select count(*)::float8 as contents, coalesce(sum(bytes), 0)::float8 as bytes from artifact_contents where condemned_at is null`,
  );
  return rows[0] ?? { contents: 0, bytes: 0 };
}
