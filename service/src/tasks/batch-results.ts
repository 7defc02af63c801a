import { Readable } from "node:stream";
import type { TaskRecord } from "@querent/contract";
import type { Database } from "../db/index.ts";
import { csvLines } from "../kernel/csv.ts";
import { getBatchTasks } from "./get-task.ts";

/** Records read at once: results may be large, and the client may be slow. */
const pageSize = 50;

/** Whose results, and since when they ended; null: all, and those that have not ended. */
interface WantedResults {
  readonly batchId: string;
  readonly endedFrom: string | null;
}

const csvColumns = [
  "taskId", "clientReference", "platformCode", "question", "state", "content", "modelVersion", "observedAt", "sources",
  "products", "videos", "media", "searchProcess", "reasoningProcess", "screenshotUrl", "shareUrl", "failureCode",
  "chargedPoints", "revision", "expired", "createdAt", "completedAt",
] as const; // prettier-ignore

/** A batch's records as a stream: NDJSON, one record a line. */
export function batchResultsAsNdjson(database: Database, wanted: WantedResults): Readable {
  return Readable.from(
    pages(database, wanted, (records) => records.map((record) => `${JSON.stringify(record)}\n`).join("")),
  );
}

/** A batch's records as CSV with a header; lists stand as JSON in their cell. */
export function batchResultsAsCsv(database: Database, wanted: WantedResults): Readable {
  return Readable.from(
    (async function* () {
      yield csvLines([csvColumns]);
      yield* pages(database, wanted, (records) => csvLines(records.map(csvRow)));
    })(),
  );
}

async function* pages(
  database: Database,
  { batchId, endedFrom }: WantedResults,
  write: (records: TaskRecord[]) => string,
): AsyncGenerator<string> {
  for (let afterIndex = -1; ;) {
    const page = await getBatchTasks(database, batchId, { afterIndex, limit: pageSize, endedFrom });
    const last = page.at(-1);
    if (last === undefined) return;
    yield write(page.map((task) => task.record));
    afterIndex = last.index;
  }
}

function csvRow(record: TaskRecord): (string | number | boolean | null)[] {
  return csvColumns.map((column) => {
    const value = column === "failureCode" ? (record.failure?.code ?? null) : record[column];
    if (value === null || (Array.isArray(value) && value.length === 0)) return null;
    return typeof value === "object" ? JSON.stringify(value) : value;
  });
}
