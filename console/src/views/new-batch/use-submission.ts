import { QuerentError } from "@querent/client";
import { useState } from "preact/hooks";
import { chunksOf, type PlannedItem } from "./plan-items.ts";
import type { StoredPlan } from "./plan-store.ts";
import { makePlan, submitPlan } from "./submit-plan.ts";

interface Submission {
  /** What is being submitted. */
  readonly plan: StoredPlan | null;
  readonly refused: QuerentError | null;
  /** True when the browser could not store the plan, in which case nothing was submitted. */
  readonly unkept: boolean;
  readonly finished: StoredPlan | null;
  readonly submit: () => void;
}

/** Submits the items. The plan is stored first, so that it can be resumed after the page is closed. */
export function useSubmission(items: readonly PlannedItem[], submitted: () => void): Submission {
  const [plan, setPlan] = useState<StoredPlan | null>(null);
  const [refused, setRefused] = useState<QuerentError | null>(null);
  const [unkept, setUnkept] = useState(false);
  const [finished, setFinished] = useState<StoredPlan | null>(null);

  const keep = async () => {
    try {
      return await makePlan(
        chunksOf(items).map(({ body }) => body),
        items.length,
      );
    } catch (error) {
      if (error instanceof QuerentError) throw error;
      setUnkept(true);
      return null;
    }
  };
  const submit = async () => {
    setRefused(null);
    setFinished(null);
    try {
      const made = await keep();
      if (made === null) return;
      setPlan(made);
      setFinished(await submitPlan(made, new AbortController().signal, setPlan));
      submitted();
    } catch (error) {
      if (!(error instanceof QuerentError)) throw error;
      setRefused(error);
    } finally {
      setPlan(null);
    }
  };
  return { plan, refused, unkept, finished, submit: () => void submit() };
}
