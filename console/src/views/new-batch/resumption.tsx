import { QuerentError } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { FailureNote } from "../../ui/failure-note.tsx";
import { number } from "../../ui/time.tsx";
import { newBatchMessages } from "../../i18n/new-batch.ts";
import { forgetPlan, planKeptMs, unfinishedPlan, type StoredPlan } from "./plan-store.ts";
import { planOwner, submitPlan } from "./submit-plan.ts";
import { Submitted, SubmitProgress } from "./submit-progress.tsx";

/** A submission that was cut off by a reload or a lost connection: offered to be gone on with, as long as its keys are good. */
export function Resumption() {
  const t = newBatchMessages.value;
  const [plan, setPlan] = useState<StoredPlan | null>(null);
  const [going, setGoing] = useState(false);
  const [finished, setFinished] = useState<StoredPlan | null>(null);
  const [failed, setFailed] = useState<QuerentError | null>(null);

  useEffect(() => {
    const look = async () => {
      try {
        setPlan(await unfinishedPlan(await planOwner()));
      } catch {
        // The browser keeps nothing: then there is nothing to go on with.
      }
    };
    void look();
  }, []);

  if (finished !== null) return <Submitted plan={finished} />;
  if (plan === null) return null;
  const isTooOld = Date.now() - plan.createdAt > planKeptMs;
  const goOn = async () => {
    setGoing(true);
    setFailed(null);
    try {
      setFinished(await submitPlan(plan, new AbortController().signal, setPlan));
    } catch (error) {
      if (!(error instanceof QuerentError)) throw error;
      setFailed(error);
    } finally {
      setGoing(false);
    }
  };
  const drop = async () => {
    await forgetPlan(plan.planId);
    setPlan(null);
  };
  return (
    <section class="note note-warn" aria-label={t.cutOff}>
      <strong>{t.cutOff}</strong>
      <p>
        {t.cutOffText(number(plan.itemCount), plan.batchIds.length, plan.partCount)}{" "}
        {isTooOld ? t.cutOffTooOld : t.cutOffSafe}
      </p>
      {failed === null ? null : <FailureNote failed={failed} />}
      {going ? (
        <SubmitProgress plan={plan} />
      ) : (
        <div class="actions">
          {isTooOld ? null : (
            <button type="button" class="button primary" onClick={() => void goOn()}>
              {t.goOn}
            </button>
          )}
          <button type="button" class="button" onClick={() => void drop()}>
            {t.discard}
          </button>
        </div>
      )}
    </section>
  );
}
