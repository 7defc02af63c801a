import { createHash } from "node:crypto";
import type { ImportedAnswer, ImportFormat, ImportRecord } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { countStored } from "../../accounts/index.ts";
import { retryDeadlock, type Database, type Transaction } from "../../db/index.ts";
import { idAt } from "../../kernel/id-at.ts";
import { newId } from "../../kernel/ids.ts";
import type { EntitySearch, Searched } from "../entities/entity-search.ts";
import { describeAnswer } from "../observations/describe-answer.ts";
import { insertImported, type ImportedObservation } from "./insert-imported.ts";
import { importColumns, importRecord, type ImportRow } from "./read-imports.ts";

export interface ImportPart {
  readonly accountId: string;
  readonly name: string;
  readonly format: ImportFormat;
  readonly firstLine: number;
  readonly lineCount: number;
  readonly answers: readonly ImportedAnswer[];
}

const notSearched: Searched = { entities: null, notSearched: "busy" };

/**
 * Stores a part of an import, as a whole or not at all. An answer that was imported before has the same id, and is left alone: so a
 * part can be sent again after any interruption. Texts are kept for `retentionMs`, as results are.
 */
export async function importAnswers(
  database: Database,
  part: ImportPart,
  { entities, retentionMs }: { readonly entities: EntitySearch; readonly retentionMs: number },
): Promise<ImportRecord> {
  const searched = await entities.observeAll(
    part.accountId,
    part.answers.map(({ content }) => content ?? ""),
  );
  const observations = uniqueById(
    part.answers.map((answer, index) => observationOf(answer, searched[index] ?? notSearched)),
  );
  return retryDeadlock(() =>
    database.transaction(async (tx) => {
      const { importId, isNew } = await lockImport(tx, part);
      const imported = await insertImported(tx, { accountId: part.accountId, importId, retentionMs }, observations);
      // Locks: the import's row, which is locked already. Index: the primary key.
      const { rows } = await tx.query<ImportRow>(
        `update imports i set imported = imported + $3, duplicates = duplicates + $4, next_line = greatest(next_line, $5),
                updated_at = date_trunc('milliseconds', now())
          where i.account_id = $1 and i.id = $2 returning ${importColumns}`,
        [
          part.accountId,
          importId,
          imported.length,
          part.answers.length - imported.length,
          part.firstLine + part.lineCount,
        ],
      );
      const [row] = rows;
      if (row === undefined) throw new Error("the row of the import is gone");
      await countStored(tx, { accountId: part.accountId, kind: "imports" }, imported, isNew ? importId : null);
      return importRecord(row);
    }),
  );
}

/** Creates the import, or finds it by its name. Parts of one import are stored one after the other. */
async function lockImport(
  tx: Transaction,
  { accountId, name, format }: ImportPart,
): Promise<{ importId: string; isNew: boolean }> {
  const newImportId = newId();
  // Locks: the import's row. Index: import_by_name.
  const { rows } = await tx.query<{ id: string; format: ImportFormat }>(
    `insert into imports (account_id, id, name, format, next_line, imported, duplicates, created_at, updated_at)
     values ($1, $2, $3, $4, 1, 0, 0, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()))
     on conflict (account_id, name) do update set updated_at = imports.updated_at
     returning id, format`,
    [accountId, newImportId, name, format],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the import was neither created nor found");
  if (row.format !== format)
    throw new ProblemError(
      "state_conflict",
      `The import "${name}" has the format ${row.format}. Nothing of this part was imported: use another name.`,
    );
  return { importId: row.id, isNew: row.id === newImportId };
}

function observationOf(answer: ImportedAnswer, searched: Searched): ImportedObservation {
  const observedAt = new Date(answer.observedAt);
  const line = JSON.stringify(answer);
  const identity = (answer.id ?? null) === null ? line : JSON.stringify([answer.platformCode, answer.id]);
  const products = (answer.products ?? []).map(({ title, url }, index) => ({
    position: index + 1,
    title,
    url: url ?? null,
  }));
  return {
    id: idAt(observedAt, uuidOf(sha256(identity))),
    observedAt,
    answer,
    lineDigest: sha256(line),
    promptDigest: sha256(answer.question),
    described: describeAnswer(
      {
        content: answer.content,
        sources: answer.sources ?? [],
        products,
        videos: [],
        media: [],
        searchProcess: answer.searches?.map((query) => ({ query })) ?? null,
        availability: null,
      },
      searched,
    ),
  };
}

const uniqueById = (all: readonly ImportedObservation[]) => [...new Map(all.map((each) => [each.id, each])).values()];

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

const uuidOf = (digest: Buffer): string =>
  digest.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
