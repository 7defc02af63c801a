import type { BatchPage, BatchRecord, CallOptions } from "@querent/client";
import { NotFoundError } from "@querent/client";
import { querent } from "../../api/querent.ts";

export const batchStates = ["pending", "finished", "failed"] as const;
/** Still going on, finished, or with tasks that failed. */
export type BatchState = (typeof batchStates)[number];

interface ReadBatchesInput {
  /** Looked for in the first question, the platforms and the id. */
  readonly text: string;
  readonly state: BatchState | null;
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly call: CallOptions;
}

export interface FoundBatches extends BatchPage {
  /** How many batches were looked through. */
  readonly looked: number;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const pageSizeMax = 200;
/** The number of batches examined for one page of matches; a link continues further back. */
const lookedMax = 2000;

/** A page of batches. The service lists them all: those that are not wanted are left out here. */
export async function readBatches({ text, state, cursor, limit, call }: ReadBatchesInput): Promise<FoundBatches> {
  const wanted = text.trim().toLowerCase();
  if (uuid.test(wanted)) return readOne(wanted, call);
  const isFiltered = wanted !== "" || state !== null;
  const found: BatchRecord[] = [];
  let next = cursor;
  let looked = 0;
  do {
    const page = await querent.batches.page(
      { limit: isFiltered ? pageSizeMax : limit, ...(next === undefined ? {} : { cursor: next }) },
      call,
    );
    looked += page.batches.length;
    found.push(...page.batches.filter((batch) => isWanted(batch, wanted, state)));
    next = page.nextCursor ?? undefined;
  } while (isFiltered && next !== undefined && found.length < limit && looked < lookedMax);
  return { batches: found, nextCursor: next ?? null, looked };
}

async function readOne(batchId: string, call: CallOptions): Promise<FoundBatches> {
  try {
    return { batches: [await querent.batches.get(batchId, call)], nextCursor: null, looked: 1 };
  } catch (error) {
    if (error instanceof NotFoundError) return { batches: [], nextCursor: null, looked: 0 };
    throw error;
  }
}

function isWanted(batch: BatchRecord, text: string, state: BatchState | null): boolean {
  if (state === "failed" ? batch.counts.failed === 0 : state !== null && batch.state !== state) return false;
  return [batch.firstQuestion, batch.batchId, ...batch.platformCodes].some((part) => part.toLowerCase().includes(text));
}
