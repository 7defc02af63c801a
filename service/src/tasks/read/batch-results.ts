import { Readable } from "node:stream";
import { csvLines, resultCells, resultColumns } from "@querent/client";
import type { TaskRecord } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { getBatchTasks, sizeBatchTasks } from "./get-task.ts";

/** The maximum of records measured at once. */
const measuredMax = 50;
/**
 * The maximum of result bytes read at once, unless a single result is longer: the client may be slow, and what was read stays
 * in memory.
 */
const pageBytesMax = 4 * 1024 * 1024;
/** Short records are combined up to this length. */
const chunkLength = 64 * 1024;

/** Whose results, and the time since which they ended; null: all, including tasks that have not ended. */
interface WantedResults {
  readonly accountId: string;
  readonly batchId: string;
  readonly endedFrom: string | null;
  /** Called before each page: false aborts the stream. */
  readonly isAllowed: () => Promise<boolean>;
}

/** A batch's records as a stream of NDJSON, one record per line. */
export function batchResultsAsNdjson(database: Queryable, wanted: WantedResults): Readable {
  return Readable.from(chunks(lines(database, wanted, (record) => `${JSON.stringify(record)}\n`)));
}

/** A batch's records as CSV with a header; lists are JSON in their cell. */
export function batchResultsAsCsv(database: Queryable, wanted: WantedResults): Readable {
  return Readable.from(
    (async function* () {
      yield csvLines([resultColumns]);
      yield* chunks(lines(database, wanted, (record) => csvLines([resultCells(record)])));
    })(),
  );
}

/** Serialized one by one, as the client reads them: a page of them may be longer than the maximum length of a string. */
async function* lines(
  database: Queryable,
  { accountId, batchId, endedFrom, isAllowed }: WantedResults,
  write: (record: TaskRecord) => string,
): AsyncGenerator<string> {
  for (let afterIndex = -1; ;) {
    const sizes = await sizeBatchTasks(database, accountId, batchId, { afterIndex, limit: measuredMax, endedFrom });
    if (sizes.length === 0) return;
    for (const lastIndex of lastIndexes(sizes)) {
      if (!(await isAllowed())) throw new Error("the token was revoked, or has expired");
      for (const record of await getBatchTasks(database, accountId, batchId, { afterIndex, lastIndex, endedFrom }))
        yield write(record);
      afterIndex = lastIndex;
    }
  }
}

/** The index of the last record of each page. */
function lastIndexes(sizes: readonly { index: number; bytes: number }[]): number[] {
  const ends: number[] = [];
  let bytesOfPage = 0;
  for (const [n, { index, bytes }] of sizes.entries()) {
    bytesOfPage += bytes;
    const next = sizes[n + 1];
    if (next !== undefined && bytesOfPage + next.bytes <= pageBytesMax) continue;
    ends.push(index);
    bytesOfPage = 0;
  }
  return ends;
}

async function* chunks(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = "";
  for await (const part of parts) {
    if (chunk !== "" && chunk.length + part.length > chunkLength) {
      yield chunk;
      chunk = "";
    }
    chunk += part;
  }
  if (chunk !== "") yield chunk;
}
