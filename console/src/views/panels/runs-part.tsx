import type { PanelQuote, PanelRecord, PanelRun } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { Allowed } from "../../app/allowed.tsx";
import { panelsMessages } from "../../i18n/panels.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { dateTime } from "./date-time.ts";
import * as css from "./panel-view.module.css";
import type { PanelFileForm } from "./panel-file.ts";
import { isSimulatedPlatform } from "../figures/choice.ts";
import { readCron } from "./daily-times.ts";
import { scheduleWords } from "./schedule-field.tsx";
import { PanelRuns } from "./panel-runs.tsx";
import { QuoteNote } from "./quote-note.tsx";

const panelForms = ["yaml", "csv"] as const;

// Fetched separately, because of the YAML writer.
async function save(panel: PanelRecord, form: PanelFileForm): Promise<void> {
  const { savePanel } = await import("./panel-file.ts");
  savePanel(panel, form);
}

export interface ShownPanel {
  readonly panel: PanelRecord;
  readonly quote: PanelQuote;
  readonly runs: readonly PanelRun[];
}

interface RunsPartProps {
  readonly shown: ShownPanel;
  readonly edit: () => void;
  readonly ran: () => void;
}

/** What a run costs, the runs, when it runs next, and what it asks. */
export function RunsPart({ shown, edit, ran }: RunsPartProps) {
  return (
    <>
      <Actions shown={shown} edit={edit} ran={ran} />
      <PanelRuns runs={shown.runs} />
      <Calendar quote={shown.quote} schedule={shown.panel.schedule} />
      <Prompts panel={shown.panel} />
    </>
  );
}

function Actions({ shown: { panel, quote }, edit, ran }: RunsPartProps) {
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
  const isDemo = panel.platforms.length > 0 && panel.platforms.every(isSimulatedPlatform);
  const canRun = quote.valid && quote.affordable && quote.capExceeded === null;
  return (
    <section class={`panel ${css.part}`} aria-label={t.preview}>
      {panel.schedule?.paused === true && !isDemo ? <p class="note note-warn">{t.pausedText}</p> : null}
      {panel.platforms.length === 0 ? (
        <p class="quiet">{t.neverAsked}</p>
      ) : isDemo ? (
        <p class="quiet">{t.simulated}</p>
      ) : (
        <QuoteNote quote={quote} panelId={panel.panelId} />
      )}
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
            <Allowed scope="panels:write">
              <button type="button" class="button primary" disabled={!canRun || busy} onClick={() => setSure(true)}>
                {t.run}
              </button>
              <button type="button" class="button" onClick={edit}>
                {t.edit}
              </button>
            </Allowed>
            {panelForms.map((form) => (
              <button key={form} type="button" class="button" onClick={() => void save(panel, form)}>
                {t.file.save[form]}
              </button>
            ))}
          </>
        )}
      </div>
    </section>
  );
}

function Calendar({ quote, schedule }: { quote: PanelQuote; schedule: PanelRecord["schedule"] }) {
  const t = panelsMessages.value;
  const timeZone = schedule?.timeZone;
  const times = schedule === null ? null : readCron(schedule.cron);
  return (
    <section class={`panel ${css.part}`} aria-labelledby="panel-calendar">
      <h2 id="panel-calendar">
        {t.calendar}
        {timeZone === undefined || quote.nextSlots.length === 0 ? "" : ` (${timeZone})`}
      </h2>
      {times === null || schedule === null ? null : (
        <p>
          {scheduleWords(times, schedule.timeZone)} <code class="quiet">{schedule.cron}</code>
        </p>
      )}
      {quote.nextSlots.length === 0 ? (
        <p class="quiet">{schedule?.paused === true ? t.pausedCalendar : t.noCalendar}</p>
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
