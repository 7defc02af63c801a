import { QuerentError, type Quote } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { chunksOf, type PlannedItem } from "./plan-items.ts";

export interface ItemFault {
  readonly line: number;
  readonly detail: string;
}

export interface QuoteSum {
  readonly checked: number;
  readonly points: number;
  readonly available: number;
  readonly faultCount: number;
  /** The first of them. */
  readonly faults: readonly ItemFault[];
  readonly done: boolean;
}

const quietMs = 400;
const faultsShownMax = 200;

/** Has the service check and price the items, one submission's worth at a time, until they change. */
export function useQuote(items: readonly PlannedItem[]): { quote: QuoteSum | null; failed: QuerentError | null } {
  const [state, setState] = useState<{ items: unknown; quote: QuoteSum | null; failed: QuerentError | null }>({
    items: null,
    quote: null,
    failed: null,
  });
  useEffect(() => {
    if (items.length === 0) return;
    const aborting = new AbortController();
    const run = async () => {
      let sum: QuoteSum = { checked: 0, points: 0, available: 0, faultCount: 0, faults: [], done: false };
      try {
        for (const chunk of chunksOf(items)) {
          const quote = await querent.tasks.quote(chunk.body, { signal: aborting.signal });
          sum = add(sum, quote, chunk.items);
          setState({ items, quote: { ...sum, done: sum.checked === items.length }, failed: null });
        }
      } catch (error) {
        if (aborting.signal.aborted) return;
        if (!(error instanceof QuerentError)) throw error;
        setState({ items, quote: null, failed: error });
      }
    };
    const timer = window.setTimeout(() => void run(), quietMs);
    return () => {
      window.clearTimeout(timer);
      aborting.abort();
    };
  }, [items]);
  return state.items === items ? state : { quote: null, failed: null };
}

function add(sum: QuoteSum, quote: Quote, items: readonly PlannedItem[]): QuoteSum {
  const found = quote.items.flatMap(({ index, errors }) =>
    errors.map(({ pointer, detail }) => ({
      line: items[index]?.line ?? 0,
      detail: `${pointer.replace(/^\/\d+\/?/, "")} ${detail}`.trim(),
    })),
  );
  return {
    checked: sum.checked + quote.itemCount,
    points: sum.points + quote.estimatedPoints,
    available: quote.availablePoints,
    faultCount: sum.faultCount + quote.items.filter(({ points }) => points === null).length,
    faults: [...sum.faults, ...found].slice(0, faultsShownMax),
    done: false,
  };
}
