import { useState } from "preact/hooks";
import { language } from "../../i18n/language.ts";
import { panelFormMessages } from "../../i18n/panel-form.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { Segments } from "../../ui/segments.tsx";
import { allDays, cronOf, readCron, type DailyTimes } from "./daily-times.ts";
import { dateTime } from "./date-time.ts";
import type { PanelDraft } from "./panel-draft.ts";
import * as css from "./panel-view.module.css";

const kinds = ["request", "days", "cron"] as const;
type Kind = (typeof kinds)[number];

interface ScheduleFieldProps {
  readonly draft: PanelDraft;
  readonly change: (draft: PanelDraft) => void;
  /** The next times, as the service has them. */
  readonly nextSlots: readonly string[];
  readonly error: string | null;
}

/** When the panel is asked: on which days and at what time, in words, with the cron expression beside. */
export function ScheduleField({ draft, change, nextSlots, error }: ScheduleFieldProps) {
  const t = panelFormMessages.value;
  const times = readCron(draft.cron);
  const [wantsCron, setWantsCron] = useState(draft.cron.trim() !== "" && times === null);
  const kind: Kind = draft.cron.trim() === "" && !wantsCron ? "request" : wantsCron || times === null ? "cron" : "days";
  const choose = (chosen: Kind) => {
    setWantsCron(chosen === "cron");
    if (chosen === "request") change({ ...draft, cron: "" });
    else if (times === null) change({ ...draft, cron: cronOf({ days: [1], hour: 6, minute: 0 }) });
  };
  const set = (next: Partial<DailyTimes>) => {
    const changed = { ...(times ?? { days: [1], hour: 6, minute: 0 }), ...next };
    if (changed.days.length > 0) change({ ...draft, cron: cronOf(changed) });
  };
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [next] = nextSlots;
  return (
    <fieldset class="field" data-field="schedule">
      <legend>{t.schedule}</legend>
      <Segments name="panel-schedule" value={kind} labels={t.scheduleKinds} choose={choose} look="wrap" />
      {kind === "days" && times !== null ? (
        <div class={css.schedule}>
          <div class={css.days} role="group" aria-label={t.weekdays}>
            {allDays.map((day) => (
              <label key={day} class={css.day}>
                <input
                  type="checkbox"
                  class="unseen"
                  checked={times.days.includes(day)}
                  onChange={({ currentTarget }) =>
                    set({
                      days: allDays.filter((each) =>
                        each === day ? currentTarget.checked : times.days.includes(each),
                      ),
                    })
                  }
                />
                {weekday(day, "short")}
              </label>
            ))}
          </div>
          <label class={css.timeOfDay}>
            <span class="small quiet">{t.time}</span>
            <input
              class="input"
              type="time"
              required
              value={`${two(times.hour)}:${two(times.minute)}`}
              onInput={({ currentTarget }) => {
                const [hour, minute] = currentTarget.value.split(":").map(Number);
                if (hour !== undefined && minute !== undefined) set({ hour, minute });
              }}
            />
          </label>
        </div>
      ) : null}
      {kind === "cron" ? (
        <label class={css.cron}>
          <span class="small quiet">{t.cron}</span>
          <input
            id="panel-cron"
            class="input mono"
            autocomplete="off"
            value={draft.cron}
            aria-invalid={error === null ? undefined : true}
            aria-describedby="panel-cron-hint"
            onInput={({ currentTarget }) => change({ ...draft, cron: currentTarget.value })}
          />
          <span id="panel-cron-hint" class="quiet small">
            {panelsMessages.value.hints.cron}
          </span>
        </label>
      ) : null}
      {kind === "request" ? (
        <p class="quiet small">{t.onRequestText}</p>
      ) : (
        <>
          <label class={css.cron}>
            <span class="small quiet">{panelsMessages.value.form.timeZone}</span>
            <select
              class="input"
              value={draft.timeZone}
              onChange={({ currentTarget }) => change({ ...draft, timeZone: currentTarget.value })}
            >
              {[...new Set([here, draft.timeZone, "UTC", ...Intl.supportedValuesOf("timeZone")])].map((zone) => (
                <option key={zone} value={zone}>
                  {zone === here ? t.yourZone(zone) : zone}
                </option>
              ))}
            </select>
          </label>
          <p class="small" data-schedule-words>
            {times === null ? null : <strong>{scheduleWords(times, draft.timeZone)}</strong>}{" "}
            <code class="quiet">{draft.cron}</code>
            {next === undefined ? null : (
              <span class="quiet"> {t.nextRun(dateTime(next), draft.timeZone === here ? null : here)}</span>
            )}
          </p>
          <label class="choice">
            <input
              type="checkbox"
              checked={draft.paused}
              onChange={({ currentTarget }) => change({ ...draft, paused: currentTarget.checked })}
            />
            <span>{panelsMessages.value.form.paused}</span>
          </label>
        </>
      )}
      {error === null ? null : <p class="field-error small">{error}</p>}
    </fieldset>
  );
}

const two = (value: number) => String(value).padStart(2, "0");

/** A Sunday, so that a day of the week has a name. */
const sunday = Date.UTC(2026, 10, 1);
const dayMs = 86_400_000;

/** 0 and 7 are Sunday. */
export const weekday = (day: number, form: "short" | "long") =>
  new Intl.DateTimeFormat(language.value, { weekday: form, timeZone: "UTC" }).format(sunday + day * dayMs);

/** `Every Monday and Thursday at 06:00 (Europe/Berlin)` */
export function scheduleWords({ days, hour, minute }: DailyTimes, timeZone: string): string {
  const t = panelFormMessages.value;
  const time = `${two(hour)}:${two(minute)}`;
  if (days.length === 7) return t.everyDay(time, timeZone);
  const names = new Intl.ListFormat(language.value, { type: "conjunction" }).format(
    days.map((day) => weekday(day, "long")),
  );
  return t.everyWeek(names, time, timeZone);
}
