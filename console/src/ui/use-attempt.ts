import { QuerentError } from "@querent/client";
import { useState } from "preact/hooks";

export interface TriedAction<Told extends string = never> {
  /** True while the action runs; pressing again does nothing. */
  readonly busy: boolean;
  /** What the service refused last, or what else the action is told. */
  readonly failed: QuerentError | Told | null;
  readonly run: (act: () => Promise<void>) => void;
}

/**
 * Runs the action of a button, one at a time, and keeps the error if the service refuses it. `toldBy` says of other errors what to keep;
 * null: it is a fault.
 */
export function useAttempt<Told extends string = never>(
  toldBy: (error: unknown) => Told | null = () => null,
): TriedAction<Told> {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<QuerentError | Told | null>(null);
  const attempt = async (act: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setFailed(null);
    try {
      await act();
    } catch (error) {
      const told = error instanceof QuerentError ? error : toldBy(error);
      if (told === null) throw error;
      setFailed(told);
    } finally {
      setBusy(false);
    }
  };
  return { busy, failed, run: (act) => void attempt(act) };
}
