import { QuerentError } from "@querent/client";
import { useState } from "preact/hooks";

export interface TriedAction {
  /** True while the action runs; pressing again does nothing. */
  readonly busy: boolean;
  /** What the service refused last. */
  readonly failed: QuerentError | null;
  readonly run: (act: () => Promise<void>) => void;
}

/** Runs the action of a button, one at a time, and keeps the error if the service refuses it. */
export function useAttempt(): TriedAction {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<QuerentError | null>(null);
  const attempt = async (act: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setFailed(null);
    try {
      await act();
    } catch (error) {
      if (!(error instanceof QuerentError)) throw error;
      setFailed(error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, failed, run: (act) => void attempt(act) };
}
