import type { SubmissionItem } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { itemOf } from "../../copy-as/item-of.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { number } from "../../ui/time.tsx";
import { matchingMessages } from "../../i18n/matching.ts";
import { chunksOf, type PlannedItem } from "../new-batch/plan-items.ts";
import type { StoredPlan } from "../new-batch/plan-store.ts";
import { makePlan, submitPlan } from "../new-batch/submit-plan.ts";
import { Submitted, SubmitProgress } from "../new-batch/submit-progress.tsx";
import { useRun } from "./use-run.ts";
import { UnderWay } from "./under-way.tsx";
import { walk, type Chosen } from "./walk.ts";
import * as room from "./matching.module.css";

const askedMax = 100_000;

type Step =
  | { readonly kind: "finding"; readonly count: number }
  | { readonly kind: "too_many" }
  | { readonly kind: "checking"; readonly done: number; readonly all: number }
  | { readonly kind: "priced"; readonly priced: Priced }
  | { readonly kind: "asking"; readonly plan: StoredPlan }
  | { readonly kind: "asked"; readonly plan: StoredPlan };

interface Priced {
  readonly items: readonly PlannedItem[];
  readonly refused: number;
  readonly points: number;
  readonly available: number;
}

/** Asks the same questions again: found, priced, and submitted as a plan that survives a reload. */
export function AskMatching({ chosen, begin }: { chosen: Chosen; begin?: () => void }) {
  const t = matchingMessages.value;
  const [step, setStep] = useState<Step>({ kind: "finding", count: 0 });
  const { running, failed, start, stop } = useRun();

  const find = () =>
    start(async (signal) => {
      setStep({ kind: "finding", count: 0 });
      const items = await walk({
        chosen,
        keep: itemOf,
        most: askedMax,
        onProgress: (count) => setStep({ kind: "finding", count }),
        signal,
      });
      if (items === null) return setStep({ kind: "too_many" });
      const priced = await price(items, signal, (done) => setStep({ kind: "checking", done, all: items.length }));
      setStep({ kind: "priced", priced });
    });
  useEffect(find, []);
  const ask = ({ items }: Priced) =>
    start(async (signal) => {
      begin?.();
      const plan = await makePlan(
        chunksOf(items).map(({ body }) => body),
        items.length,
      );
      setStep({ kind: "asking", plan });
      setStep({
        kind: "asked",
        plan: await submitPlan(plan, signal, (moved) => setStep({ kind: "asking", plan: moved })),
      });
    });

  return (
    <div class={room.matchingWay}>
      <p class="quiet small">{t.againText}</p>
      {step.kind === "asking" ? <SubmitProgress plan={step.plan} /> : null}
      {step.kind === "asked" ? <Submitted plan={step.plan} /> : null}
      <div class="actions" role="status">
        {step.kind === "asking" ? null : running ? (
          <UnderWay
            text={
              step.kind === "checking"
                ? t.checking(number(step.done), number(step.all))
                : t.found(number(step.kind === "finding" ? step.count : 0))
            }
            stop={stop}
          />
        ) : step.kind === "priced" ? (
          <PricedNote priced={step.priced} ask={() => ask(step.priced)} />
        ) : (
          <span>{step.kind === "too_many" ? t.tooMany(number(askedMax)) : ""}</span>
        )}
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
    </div>
  );
}

function PricedNote({ priced: { items, points, available, refused }, ask }: { priced: Priced; ask: () => void }) {
  const t = matchingMessages.value;
  const isShort = points > available;
  return (
    <>
      <span>
        {t.price(number(points), number(available))} {isShort ? t.short(number(points - available)) : ""}{" "}
        {refused === 0 ? "" : t.faulty(number(refused))}
      </span>
      <button
        type="button"
        class="button primary"
        aria-disabled={isShort || items.length === 0}
        onClick={() => !isShort && items.length > 0 && ask()}
      >
        {t.againYes(number(items.length))}
      </button>
    </>
  );
}

/** What the items would cost today, and which of them would be refused. */
async function price(
  items: readonly SubmissionItem[],
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Priced> {
  const good: PlannedItem[] = [];
  let [points, available, done] = [0, 0, 0];
  for (const chunk of chunksOf(items.map((item, line) => ({ line, item: { ...item } })))) {
    const quote = await querent.tasks.quote(chunk.body, { signal });
    points += quote.estimatedPoints;
    available = quote.availablePoints;
    for (const { index, points: price } of quote.items) {
      const item = chunk.items[index];
      if (price !== null && item !== undefined) good.push(item);
    }
    done += chunk.items.length;
    onProgress(done);
  }
  return { items: good, refused: items.length - good.length, points, available };
}
