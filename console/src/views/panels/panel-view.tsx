import type { PanelQuote, PanelRecord, PanelRun } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { to } from "../../app/address.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { dateTime } from "./date-time.ts";
import * as css from "./panel-view.module.css";
import { PanelForm } from "./panel-form.tsx";
import { PanelReport } from "./panel-report.tsx";
import { PanelRuns } from "./panel-runs.tsx";
import { QuoteNote } from "./quote-note.tsx";

const refreshMs = 5000;
const runsShown = 20;

interface Shown {
  readonly panel: PanelRecord;
  readonly quote: PanelQuote;
  readonly runs: readonly PanelRun[];
}

/** One panel: what a run costs, its runs, when it runs next, and what it asks. */
export function PanelView({ panelId }: { panelId: string }) {
  const t = panelsMessages.value;
  const { value, failed, refresh } = useLive<Shown>(panelId, (call) => readPanel(panelId, call), {
    everyMs: refreshMs,
  });
  const [isEdited, setEdited] = useState(false);
  const name = value?.panel.name ?? t.title;
  useEffect(() => {
    document.title = `${name} · Querent`;
  }, [name]);
  const close = () => {
    setEdited(false);
    refresh();
  };
  return (
    <div class="view">
      <header class="view-head">
        <h1 dir="auto">{name}</h1>
        <a class="button" href={to("/panels")}>
          {t.all}
        </a>
      </header>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : isEdited ? (
        <PanelForm before={value.panel} done={close} cancel={() => setEdited(false)} />
      ) : (
        <>
          <Actions shown={value} edit={() => setEdited(true)} ran={refresh} />
          <PanelReport panelId={panelId} />
          <PanelRuns runs={value.runs} />
          <Calendar quote={value.quote} timeZone={value.panel.schedule?.timeZone} />
          <Prompts panel={value.panel} />
        </>
      )}
    </div>
  );
}

async function readPanel(panelId: string, call: object): Promise<Shown> {
  const [panel, quote] = await Promise.all([querent.panels.get(panelId, call), querent.panels.quote(panelId, call)]);
  const runs: PanelRun[] = [];
  for await (const run of querent.panels.runs(panelId, call)) {
    runs.push(run);
    if (runs.length >= runsShown) break;
  }
  return { panel, quote, runs };
}

function Actions({ shown: { panel, quote }, edit, ran }: { shown: Shown; edit: () => void; ran: () => void }) {
  const t = panelsMessages.value;
  const { busy, failed, run } = useAttempt();
  const [isSure, setSure] = useState(false);
  const start = () =>
    run(async () => {
      setSure(false);
      // What was shown is what is paid at most.
      await querent.panels.run(panel.panelId, { maxPoints: quote.estimatedPoints });
      ran();
    });
  const canRun = quote.valid && quote.affordable && quote.capExceeded === null;
  return (
    <section class={`panel ${css.part}`} aria-label={t.preview}>
      <QuoteNote quote={quote} />
      {failed === null ? null : <FailureNote failed={failed} />}
      <div class="actions">
        {isSure ? (
          <>
            <button type="button" class="button primary" aria-disabled={busy} onClick={start}>
              {t.runSure(number(quote.taskCount), number(quote.estimatedPoints))}
            </button>
            <button type="button" class="button" onClick={() => setSure(false)}>
              {t.cancel}
            </button>
          </>
        ) : (
          <>
            <button type="button" class="button primary" disabled={!canRun || busy} onClick={() => setSure(true)}>
              {t.run}
            </button>
            <button type="button" class="button" onClick={edit}>
              {t.edit}
            </button>
          </>
        )}
      </div>
    </section>
  );
}

function Calendar({ quote, timeZone }: { quote: PanelQuote; timeZone: string | undefined }) {
  const t = panelsMessages.value;
  return (
    <section class={`panel ${css.part}`} aria-labelledby="panel-calendar">
      <h2 id="panel-calendar">
        {t.calendar}
        {timeZone === undefined || quote.nextSlots.length === 0 ? "" : ` (${timeZone})`}
      </h2>
      {quote.nextSlots.length === 0 ? (
        <p class="quiet">{t.noCalendar}</p>
      ) : (
        <ol class={css.list}>
          {quote.nextSlots.slice(0, 8).map((slot) => (
            <li key={slot}>
              <time dateTime={slot}>{dateTime(slot, timeZone)}</time>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Prompts({ panel }: { panel: PanelRecord }) {
  const t = panelsMessages.value;
  return (
    <section class={`panel ${css.part}`} aria-labelledby="panel-prompts">
      <h2 id="panel-prompts">{t.prompts}</h2>
      <ul class={css.list}>
        {panel.prompts.map(({ promptId, text, topic }) => (
          <li key={promptId} dir="auto">
            {text} {topic === null ? null : <span class="quiet small">{topic}</span>}
          </li>
        ))}
      </ul>
      <p class="quiet small">{panel.platforms.join(", ")}</p>
    </section>
  );
}
