import {
  ConnectionError,
  QuerentError,
  RateLimitedError,
  RequestTimeoutError,
  UnavailableError,
  UnexpectedReplyError,
  type CallOptions,
} from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";

export interface Live<Value> {
  /** The value last read. Kept while the next read is in progress, and when it fails. */
  readonly value: Value | null;
  readonly failed: QuerentError | null;
  /** Reads again now, whether or not it is paused. */
  readonly refresh: () => void;
}

interface LiveOptions {
  /** Milliseconds between the end of one reading and the start of the next; null: one reading. */
  readonly everyMs: number | null;
  /** Only the first read, and those requested by `refresh`. */
  readonly paused?: boolean;
}

const backoffMsMax = 60_000;

/**
 * Reads something again and again while the page is looked at: one request at a time, none while the page is hidden or paused, fewer
 * while the service fails. What is read once is read again after a failure that may pass, too. A failure is shown at once, so `read`
 * passes on that the client is not to repeat by itself. Another `key` is another thing: what was read before is dropped, and what is
 * still being read is not kept. With `null` for a key nothing is read.
 */
export function useLive<Value>(
  key: string | null,
  read: (call: CallOptions, before: Value | null) => Promise<Value>,
  { everyMs, paused = false }: LiveOptions,
): Live<Value> {
  const [state, setState] = useState<{ key: string | null; value: Value | null; failed: QuerentError | null }>({
    key,
    value: null,
    failed: null,
  });
  const [asked, setAsked] = useState(0);
  const latest = useRef({ read, value: null as Value | null, key, done: -1 });
  if (latest.current.key !== key) latest.current = { read, value: null, key, done: -1 };
  latest.current.read = read;

  useEffect(() => {
    if (key === null) return;
    // An answer that comes between the rendering of another key and the end of this effect belongs to this key.
    const own = latest.current;
    const aborting = new AbortController();
    let timer: number | undefined;
    let failures = 0;
    let reading = false;
    let isDue = false;
    const next = (waitMs: number | null) => {
      isDue = waitMs !== null || everyMs !== null;
      if (waitMs === null || paused || document.hidden || aborting.signal.aborted) return;
      timer = window.setTimeout(() => void step(), waitMs);
    };
    const step = async () => {
      timer = undefined;
      reading = true;
      try {
        const value = await own.read({ signal: aborting.signal, maxRetries: 0 }, own.value);
        if (aborting.signal.aborted) return;
        reading = false;
        failures = 0;
        own.value = value;
        own.done = asked;
        setState({ key, value, failed: null });
        next(everyMs);
      } catch (error) {
        if (aborting.signal.aborted) return;
        if (!(error instanceof QuerentError)) throw error;
        reading = false;
        failures++;
        own.done = asked;
        setState({ key, value: own.value, failed: error });
        const waitMs = Math.min(backoffMsMax, Math.max(askedToWaitMs(error), 1000 * 2 ** failures));
        next(mayPass(error) ? waitMs : null);
      }
    };
    const onVisible = () => {
      if (!document.hidden && !paused && isDue && !reading && timer === undefined) next(0);
      if (document.hidden) {
        window.clearTimeout(timer);
        timer = undefined;
      }
    };
    // Pausing and resuming does not read again what was read already.
    if (own.done === asked) next(everyMs);
    else void step();
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      aborting.abort();
      window.clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [key, asked, paused, everyMs]);

  const refresh = () => setAsked((count) => count + 1);
  return state.key === key
    ? { value: state.value, failed: state.failed, refresh }
    : { value: null, failed: null, refresh };
}

/** False for errors that repeating the request can't resolve. */
function mayPass(error: QuerentError): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof RequestTimeoutError ||
    error instanceof RateLimitedError ||
    error instanceof UnavailableError ||
    error instanceof UnexpectedReplyError
  );
}

function askedToWaitMs(error: QuerentError): number {
  return error instanceof RateLimitedError || error instanceof UnavailableError ? (error.retryAfterMs ?? 0) : 0;
}
