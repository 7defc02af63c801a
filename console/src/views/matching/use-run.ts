import { QuerentError } from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";

export interface MatchingRun {
  readonly running: boolean;
  readonly failed: QuerentError | null;
  readonly start: (work: (signal: AbortSignal) => Promise<void>) => void;
  readonly stop: () => void;
}

/** A long-running operation that the user started and may stop, and which ends with a result to show. */
export function useRun(): MatchingRun {
  const [running, setRunning] = useState(false);
  const [failed, setFailed] = useState<QuerentError | null>(null);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  const start = async (work: (signal: AbortSignal) => Promise<void>) => {
    if (current.current !== null) return;
    const aborting = new AbortController();
    current.current = aborting;
    setRunning(true);
    setFailed(null);
    try {
      await work(aborting.signal);
    } catch (error) {
      if (aborting.signal.aborted) return;
      if (!(error instanceof QuerentError)) throw error;
      setFailed(error);
    } finally {
      current.current = null;
      setRunning(false);
    }
  };
  return { running, failed, start: (work) => void start(work), stop: () => current.current?.abort() };
}
