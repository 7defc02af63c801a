import type { QuerentError } from "@querent/client";
import { CopyAs } from "../../copy-as/copy-as.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { number } from "../../ui/time.tsx";
import { newBatchMessages } from "../../i18n/new-batch.ts";
import type { PlannedItem } from "./plan-items.ts";
import { Submitted, SubmitProgress } from "./submit-progress.tsx";
import type { ItemFault, QuoteSum } from "./use-quote.ts";
import { useSubmission } from "./use-submission.ts";
import * as css from "./quote-panel.module.css";

interface QuotePanelProps {
  readonly items: readonly PlannedItem[];
  /** Rows that could not be read at all. */
  readonly faults: readonly ItemFault[];
  readonly quote: QuoteSum | null;
  readonly failed: QuerentError | null;
  readonly sum: string;
  readonly submitted: () => void;
}

/** A command holds a few questions; more belong in a file. */
const commandItemsMax = 20;

/** The summary of a submission: its tasks, its points, what is wrong with it, and the button that submits it. */
export function QuotePanel({ items, faults, quote, failed, sum, submitted }: QuotePanelProps) {
  const t = newBatchMessages.value;
  const { plan, refused, unkept, finished, submit } = useSubmission(items, submitted);

  const isShort = quote !== null && quote.done && quote.points > quote.available;
  const allFaults = [...faults, ...(quote?.faults ?? [])];
  const isReady = quote?.done === true && allFaults.length === 0 && !isShort && plan === null;

  return (
    <aside class={`panel ${css.quote}`} aria-label={t.summary}>
      <h2>{t.summary}</h2>
      {items.length === 0 && faults.length === 0 ? <p class="quiet">{t.nothingYet}</p> : <p>{sum}</p>}
      {failed === null ? null : <FailureNote failed={failed} />}
      {quote === null ? null : <QuoteFigures quote={quote} />}
      {quote !== null && !quote.done ? (
        <p class="quiet">{t.checking(number(quote.checked), number(items.length))}</p>
      ) : null}
      {isShort && quote !== null ? (
        <p class="note note-warn" role="alert">
          {t.short(number(quote.points - quote.available))}
        </p>
      ) : null}
      {allFaults.length === 0 ? null : <Faults faults={allFaults} count={(quote?.faultCount ?? 0) + faults.length} />}
      {unkept ? (
        <p class="note note-bad" role="alert">
          {t.notKept}
        </p>
      ) : null}
      {refused === null ? null : <FailureNote failed={refused} />}
      {plan === null ? null : <SubmitProgress plan={plan} />}
      {finished === null ? null : <Submitted plan={finished} />}
      <button type="button" class="button primary wide" aria-disabled={!isReady} onClick={() => isReady && submit()}>
        <Icon name="send" />
        {items.length === 0 ? t.submit : t.submitCount(items.length)}
      </button>
      {items.length > 0 && items.length <= commandItemsMax ? (
        <CopyAs items={() => items.map(({ item }) => item)} />
      ) : null}
    </aside>
  );
}

function QuoteFigures({ quote }: { quote: QuoteSum }) {
  const t = newBatchMessages.value;
  return (
    <dl class={css.quoteFigures}>
      <div>
        <dt>{t.points}</dt>
        <dd class="figure">{number(quote.points)}</dd>
      </div>
      <div>
        <dt>{t.available}</dt>
        <dd class="figure">{number(quote.available)}</dd>
      </div>
    </dl>
  );
}

function Faults({ faults, count }: { faults: readonly ItemFault[]; count: number }) {
  const t = newBatchMessages.value;
  return (
    <section class={css.faults} aria-label={t.faults}>
      <h3>{t.faultCount(number(count))}</h3>
      <ol>
        {faults.slice(0, 100).map((fault, index) => (
          <li key={index}>
            <span class={css.faultLine}>{t.line(fault.line)}</span> <span>{fault.detail}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
