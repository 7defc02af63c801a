import { ConflictError } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { ConfirmButtons } from "../../ui/confirm-buttons.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { number } from "../../ui/time.tsx";
import { matchingMessages } from "../../i18n/matching.ts";
import { useRun } from "./use-run.ts";
import { UnderWay } from "./under-way.tsx";
import { pendingOf, walk, type Chosen } from "./walk.ts";
import * as room from "./matching.module.css";

/** Cancellations under way at once. */
const atOnce = 6;
const canceledMax = 1_000_000;

type Step =
  | { readonly kind: "finding"; readonly count: number }
  | { readonly kind: "found"; readonly taskIds: readonly string[] }
  | { readonly kind: "canceling"; readonly done: number; readonly all: number }
  | { readonly kind: "canceled"; readonly count: number };

interface CancelMatchingProps {
  readonly chosen: Chosen;
  /** Called once the cancellation has been confirmed. */
  readonly begin: () => void;
  readonly close: () => void;
}

/** Cancels unfinished tasks: finds and counts them first, then asks for confirmation. */
export function CancelMatching({ chosen, begin, close }: CancelMatchingProps) {
  const t = matchingMessages.value;
  const [step, setStep] = useState<Step>({ kind: "finding", count: 0 });
  const { running, failed, start, stop } = useRun();

  const find = () =>
    start(async (signal) => {
      setStep({ kind: "finding", count: 0 });
      const taskIds = await walk({
        chosen: pendingOf(chosen),
        keep: ({ taskId }) => taskId,
        most: canceledMax,
        onProgress: (count) => setStep({ kind: "finding", count }),
        signal,
      });
      setStep({ kind: "found", taskIds: taskIds ?? [] });
    });
  useEffect(find, []);
  const cancel = (taskIds: readonly string[]) =>
    start(async (signal) => {
      begin();
      const left = [...taskIds];
      let [done, canceled] = [0, 0];
      setStep({ kind: "canceling", done, all: taskIds.length });
      const work = async () => {
        for (let taskId = left.shift(); taskId !== undefined; taskId = left.shift()) {
          if (await cancelOne(taskId, signal)) canceled++;
          setStep({ kind: "canceling", done: ++done, all: taskIds.length });
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      setStep({ kind: "canceled", count: canceled });
    });

  return (
    <div class={room.matchingWay}>
      <p class="quiet small">{t.cancelText}</p>
      <div class="actions" role="status">
        {running ? (
          <UnderWay
            text={
              step.kind === "canceling"
                ? t.canceling(number(step.done), number(step.all))
                : t.found(number(step.kind === "finding" ? step.count : 0))
            }
            stop={stop}
          />
        ) : step.kind === "found" && step.taskIds.length > 0 ? (
          <>
            <span>{t.cancelSure(number(step.taskIds.length))}</span>
            <ConfirmButtons
              yes={t.cancelYes(number(step.taskIds.length))}
              confirm={() => cancel(step.taskIds)}
              no={t.keep}
              withdraw={close}
            />
          </>
        ) : (
          <span>
            {step.kind === "canceled" ? t.canceled(number(step.count)) : step.kind === "found" ? t.nonePending : ""}
          </span>
        )}
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
    </div>
  );
}

/** Cancels a task; false if it has ended meanwhile. */
async function cancelOne(taskId: string, signal: AbortSignal): Promise<boolean> {
  try {
    await querent.tasks.cancel(taskId, { signal });
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
}
