import { QuerentError } from "@querent/client";
import { useState } from "preact/hooks";

export interface Attempt {
  /** Something is under way; a second press does nothing. */
  readonly busy: boolean;
  /** What the service refused last. */
  readonly failed: QuerentError | null;
  readonly run: (act: () => Promise<void>) => void;
}

/** One thing at a time that somebody asked for by a button; what the service refuses is kept, to be shown beside it. */
export function useAttempt(): Attempt {
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
