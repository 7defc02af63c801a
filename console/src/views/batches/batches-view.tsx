import { useRef } from "preact/hooks";
import { useLive } from "../../api/use-live.ts";
import { Allowed } from "../../app/allowed.tsx";
import { query, to } from "../../app/address.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Pager } from "../../ui/pager.tsx";
import { number } from "../../ui/time.tsx";
import { useRetries } from "../../ui/use-retries.ts";
import { batchesMessages } from "../../i18n/batches.ts";
import { moveSelection } from "../tasks/move-selection.ts";
import { BatchRow } from "./batch-row.tsx";
import { BatchSearch } from "./batch-search.tsx";
import { batchStates, readBatches, type BatchState, type FoundBatches } from "./read-batches.ts";
import { useTitle } from "../../ui/use-title.ts";
import * as css from "./batches-view.module.css";

const refreshMs = 3000;
/** Filtering reads many batches to find a few, so it is repeated less often. */
const filteredRefreshMs = 15_000;
const pageSize = 25;

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
  useTitle(t.title);
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
        <Allowed scope="tasks:write">
          <a class="button primary" href={to("/ask")}>
            <Icon name="add" />
            {t.ask}
          </a>
        </Allowed>
      </header>
      <div class={css.listFilters}>
        <BatchSearch input={search} text={text} state={state} />
        <StateLinks text={text} state={state} />
      </div>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : value.batches.length > 0 ? (
        <ul class={css.batchList}>
          {value.batches.map((batch) => (
            <BatchRow key={batch.batchId} batch={batch} retries={retries.get(batch.batchId) ?? null} />
          ))}
        </ul>
      ) : isFiltered ? (
        <NoneFound looked={older === null ? null : value.looked} />
      ) : cursor === undefined ? (
        <NothingAsked />
      ) : null}
      {value === null ? null : (
        <Pager
          newest={cursor === undefined ? undefined : to("/batches", { q: text, state: state ?? "" })}
          older={older === null ? undefined : to("/batches", { q: text, state: state ?? "", cursor: older })}
          words={t}
        />
      )}
    </div>
  );
}

function StateLinks({ text, state }: { text: string; state: BatchState | null }) {
  const t = batchesMessages.value;
  return (
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
  );
}

/** `looked`: how many batches were looked through, when there are more to look through. */
function NoneFound({ looked }: { looked: number | null }) {
  const t = batchesMessages.value;
  return (
    <div class="empty">
      <h2>{t.noneTitle}</h2>
      <p class="quiet">{looked === null ? t.noneText : t.noneYet(number(looked))}</p>
      <a class="button" href={to("/batches")}>
        {t.clear}
      </a>
    </div>
  );
}

function NothingAsked() {
  const t = batchesMessages.value;
  return (
    <div class="empty">
      <h2>{t.emptyTitle}</h2>
      <p class="quiet">{t.emptyText}</p>
      <Allowed scope="tasks:write">
        <a class="button primary" href={to("/ask")}>
          {t.ask}
        </a>
      </Allowed>
    </div>
  );
}
