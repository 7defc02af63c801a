import type { BatchRecord } from "@querent/client";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLive } from "../../api/use-live.ts";
import { go, query, to } from "../../app/address.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { BatchProgress } from "../../ui/batch-progress.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Ago, number } from "../../ui/time.tsx";
import { useRetries, type Retries } from "../../ui/use-retries.ts";
import { batchesMessages } from "../../i18n/batches.ts";
import { RetryFailed } from "../matching/retry-failed.tsx";
import { moveSelection } from "../tasks/move-selection.ts";
import { endOf } from "./end-of.ts";
import { batchStates, readBatches, type FoundBatches } from "./read-batches.ts";
import * as css from "./batches-view.module.css";

const refreshMs = 3000;
/** Many are looked through for a few. */
const filteredRefreshMs = 15_000;
const pageSize = 25;
const quietMs = 300;

/** The account's batches, newest first: searched, by state, and how far each is. */
export function BatchesView() {
  const t = batchesMessages.value;
  const cursor = query.value.get("cursor") ?? undefined;
  const text = query.value.get("q") ?? "";
  const wanted = query.value.get("state");
  const state = batchStates.find((known) => known === wanted) ?? null;
  const isFiltered = text !== "" || state !== null;
  const { value, failed, refresh } = useLive<FoundBatches>(
    JSON.stringify([cursor ?? null, text, state]),
    (call) => readBatches({ text, state, cursor, limit: pageSize, call }),
    { everyMs: isFiltered ? filteredRefreshMs : refreshMs },
  );
  const search = useRef<HTMLInputElement>(null);
  const isWaiting = value?.batches.some(({ counts, running }) => counts.pending > running) === true;
  const retries = useRetries(null, !isWaiting);
  useEffect(() => {
    document.title = `${t.title} · Querent`;
  }, [t]);
  useShortcuts({
    j: () => moveSelection(1),
    k: () => moveSelection(-1),
    "/": () => search.current?.focus(),
  });
  const older = value?.nextCursor ?? null;

  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
        <a class="button primary" href={to("/ask")}>
          <Icon name="add" />
          {t.ask}
        </a>
      </header>
      <div class={css.listFilters}>
        <BatchSearch input={search} text={text} state={state} />
        <ul class="segments state-links" aria-label={t.stateLabel}>
          {[null, ...batchStates].map((choice) => (
            <li key={choice ?? "all"}>
              <a
                class="segment"
                aria-current={state === choice ? "true" : undefined}
                href={to("/batches", { q: text, state: choice ?? "" })}
              >
                {choice === null ? t.allStates : t.states[choice]}
              </a>
            </li>
          ))}
        </ul>
      </div>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : value.batches.length > 0 ? (
        <ul class={css.batchList}>
          {value.batches.map((batch) => (
            <BatchRow key={batch.batchId} batch={batch} retries={retries.get(batch.batchId) ?? null} />
          ))}
        </ul>
      ) : isFiltered ? (
        <div class="empty">
          <h2>{t.noneTitle}</h2>
          <p class="quiet">{older === null ? t.noneText : t.noneYet(number(value.looked))}</p>
          <a class="button" href={to("/batches")}>
            {t.clear}
          </a>
        </div>
      ) : cursor === undefined ? (
        <div class="empty">
          <h2>{t.emptyTitle}</h2>
          <p class="quiet">{t.emptyText}</p>
          <a class="button primary" href={to("/ask")}>
            {t.ask}
          </a>
        </div>
      ) : null}
      {value === null ? null : (
        <footer class="pager">
          <span />
          {cursor === undefined ? null : (
            <a class="button" href={to("/batches", { q: text, state: state ?? "" })}>
              <Icon name="back" />
              {t.newest}
            </a>
          )}
          {older === null ? null : (
            <a class="button" href={to("/batches", { q: text, state: state ?? "", cursor: older })}>
              {t.older}
              <Icon name="forward" />
            </a>
          )}
        </footer>
      )}
    </div>
  );
}

interface BatchSearchProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly state: string | null;
}

function BatchSearch({ input, text, state }: BatchSearchProps) {
  const t = batchesMessages.value;
  const [draft, setDraft] = useState(text);
  useEffect(() => setDraft(text), [text]);
  useEffect(() => {
    if (draft === text) return;
    const timer = window.setTimeout(
      () => go(to("/batches", { q: draft.trim(), state: state ?? "" }), { replace: true }),
      quietMs,
    );
    return () => window.clearTimeout(timer);
  }, [draft]);
  return (
    <div class="search">
      <Icon name="search" />
      <input
        ref={input}
        class="input"
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        autocomplete="off"
        spellcheck={false}
        value={draft}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      />
    </div>
  );
}

function BatchRow({ batch, retries }: { batch: BatchRecord; retries: Retries | null }) {
  const t = batchesMessages.value;
  return (
    <li class={css.batchRow} data-batch={batch.batchId}>
      <div class={css.batchWhat}>
        <a
          data-task={batch.batchId}
          class={`batch-link ${css.oneLine}`}
          href={to(`/batches/${batch.batchId}`)}
          title={batch.firstQuestion}
          dir="auto"
        >
          {batch.firstQuestion}
        </a>
        <p class="quiet small">
          {batch.taskCount === 1 ? "" : `${t.more(number(batch.taskCount - 1))} · `}
          {batch.platformCodes.join(", ")} · <Ago at={batch.createdAt} />
        </p>
      </div>
      <BatchProgress batch={batch} retries={retries} />
      <div class={css.batchAct}>
        {batch.counts.failed === 0 ? null : <RetryFailed batchId={batch.batchId} failed={batch.counts.failed} />}
      </div>
      <div class={css.batchEnd}>
        <span>{endOf(batch)}</span>
        <span class="quiet small">{t.charged(number(batch.points.charged), number(batch.points.estimated))}</span>
      </div>
    </li>
  );
}
