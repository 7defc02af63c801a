import {
  alertKinds,
  type Alert,
  type AlertRequest,
  type Alerts,
  type Channel,
  type PanelRecord,
} from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { may } from "../../app/session.ts";
import { alertsMessages } from "../../i18n/alerts.ts";
import { language } from "../../i18n/language.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./alerts.module.css";

/** What an alert may be of, and where it may go. */
export interface AlertChoices {
  readonly channels: readonly Channel[];
  readonly panels: readonly Pick<PanelRecord, "panelId" | "name">[];
  readonly mail: Alerts["mail"];
}

interface FormProps {
  /** Null: a new one. */
  readonly before: Alert | null;
  readonly choices: AlertChoices;
  readonly done: () => void;
  readonly cancel: () => void;
}

type Kind = Alert["kinds"][number];
/** Those that somebody may choose, and what the alert has. */
const kindsFor = (chosen: readonly Kind[]) =>
  (Object.keys(alertsMessages.value.kindNames) as Kind[]).filter(
    (kind) => !alertKinds[kind].needsAdmin || may("admin") || chosen.includes(kind),
  );
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The values without this one, or with it. */
const toggled = <Value extends string>(values: readonly Value[], value: Value, isIn: boolean): readonly Value[] =>
  isIn ? [...values, value] : values.filter((one) => one !== value);

/** A new alert tells changes of figures to every channel that takes them, so that a name and a click are enough. */
export function AlertForm({ before, choices: { channels, panels, mail }, done, cancel }: FormProps) {
  const t = alertsMessages.value;
  const { busy, failed, run } = useAttempt();
  const [name, setName] = useState(before?.name ?? "");
  const [kinds, setKinds] = useState<readonly Kind[]>(before?.kinds ?? ["figure_changed", "instrument_changed"]);
  const [chosen, setChosen] = useState<readonly string[]>(
    // Without those that were deleted.
    (before?.panels ?? []).filter((id) => panels.some(({ panelId }) => panelId === id)),
  );
  const [isOfAll, setOfAll] = useState(before === null || before.panels === null);
  const [to, setTo] = useState<readonly string[]>(
    before?.channels.map(({ channelId }) => channelId) ??
      channels.filter(({ kind }) => kind !== "pagerduty").map(({ channelId }) => channelId),
  );
  const [text, setText] = useState(before?.recipients.map(({ email }) => email).join("\n") ?? "");
  const [again, setAgain] = useState<readonly string[]>([]);
  const [isQuiet, setQuiet] = useState((before?.quietHours ?? null) !== null);
  const [from, setFrom] = useState(before?.quietHours?.from ?? "20:00");
  const [until, setUntil] = useState(before?.quietHours?.to ?? "07:00");
  const [timeZone, setTimeZone] = useState(before?.quietHours?.timeZone ?? zoneHere());
  const [spoken, setSpoken] = useState<Alert["language"]>(before?.language ?? language.value);
  const [paused, setPaused] = useState(before?.paused ?? false);
  const recipients = text.split(/[\s,;]+/).filter((part) => part !== "");
  const unsubscribed = (before?.recipients ?? []).filter(
    ({ email, unsubscribedAt }) => unsubscribedAt !== null && recipients.includes(email),
  );
  const hasPanels = kinds.some((kind) => alertKinds[kind].isOfPanel);
  const request: AlertRequest = {
    name: name.trim(),
    kinds: [...kinds],
    channels: [...to],
    recipients,
    language: spoken,
    paused,
    ...(hasPanels && !isOfAll ? { panels: [...chosen] } : {}),
    ...(isQuiet ? { quietHours: { from, to: until, timeZone } } : {}),
    ...(again.length === 0 ? {} : { contactAgain: [...again] }),
  };
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      await (before === null ? querent.alerts.create(request) : querent.alerts.put(before.alertId, request));
      announce(t.saved);
      done();
    });
  };
  const zones = [...new Set([zoneHere(), timeZone, "UTC", ...Intl.supportedValuesOf("timeZone")])];
  return (
    <form class="form" aria-label={t.alertForm} onSubmit={submit}>
      <label class="field">
        <span>{t.name}</span>
        <input
          class="input"
          type="text"
          required
          maxLength={100}
          autocomplete="off"
          placeholder={t.alertPlaceholder}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <fieldset class="field">
        <legend>{t.kinds}</legend>
        {kindsFor(kinds).map((kind) => (
          <Choice
            key={kind}
            words={t.kindNames[kind]}
            isChosen={kinds.includes(kind)}
            choose={(isIn) => setKinds(toggled(kinds, kind, isIn))}
          />
        ))}
      </fieldset>
      {hasPanels && panels.length > 0 ? (
        <fieldset class="field">
          <legend>{t.panels}</legend>
          <Segments
            name="alert-panels"
            value={isOfAll ? "all" : "some"}
            labels={{ all: t.allPanels, some: t.somePanels }}
            choose={(value) => setOfAll(value === "all")}
            look="wrap"
          />
          {isOfAll
            ? null
            : panels.map(({ panelId, name: panel }) => (
                <Choice
                  key={panelId}
                  words={panel}
                  isChosen={chosen.includes(panelId)}
                  choose={(isIn) => setChosen(toggled(chosen, panelId, isIn))}
                />
              ))}
        </fieldset>
      ) : null}
      {channels.length === 0 ? null : (
        <fieldset class="field">
          <legend>{t.to}</legend>
          {channels.map(({ channelId, name: channel, kind }) => (
            <Choice
              key={channelId}
              words={`${channel} (${t.channelKinds[kind]})`}
              isChosen={to.includes(channelId)}
              choose={(isIn) => setTo(toggled(to, channelId, isIn))}
            />
          ))}
        </fieldset>
      )}
      {mail.missing !== null ? (
        <p class="quiet small">{t.mailMissing}</p>
      ) : (
        <label class="field">
          <span>{t.recipients}</span>
          <textarea
            class="input"
            rows={2}
            autocomplete="off"
            spellcheck={false}
            value={text}
            aria-describedby="alert-recipients-hint"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <span id="alert-recipients-hint" class="quiet small">
            {t.recipientsHint}
          </span>
        </label>
      )}
      {unsubscribed.map(({ email }) => (
        <Choice
          key={email}
          words={`${t.hasUnsubscribed(email)} ${t.contactAgain}`}
          isChosen={again.includes(email)}
          choose={(isIn) => setAgain(toggled(again, email, isIn))}
        />
      ))}
      <Choice words={t.quiet} isChosen={isQuiet} choose={setQuiet} />
      {!isQuiet ? null : (
        <div class={css.hours}>
          <label>
            <span class="small quiet">{t.from}</span>
            <input
              class="input"
              type="time"
              required
              value={from}
              onInput={({ currentTarget }) => setFrom(currentTarget.value)}
            />
          </label>
          <label>
            <span class="small quiet">{t.until}</span>
            <input
              class="input"
              type="time"
              required
              value={until}
              onInput={({ currentTarget }) => setUntil(currentTarget.value)}
            />
          </label>
          <label class={css.zone}>
            <span class="small quiet">{t.timeZone}</span>
            <select class="input" value={timeZone} onChange={({ currentTarget }) => setTimeZone(currentTarget.value)}>
              {zones.map((zone) => (
                <option key={zone} value={zone}>
                  {zone}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      <Segments
        name="alert-language"
        value={spoken}
        labels={t.languages}
        choose={setSpoken}
        label={t.language}
        look="wrap"
      />
      <Choice words={t.paused} isChosen={paused} choose={setPaused} />
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={busy}>
          {t.save}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {t.cancel}
        </button>
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
    </form>
  );
}

interface ChoiceProps {
  readonly words: string;
  readonly isChosen: boolean;
  readonly choose: (isChosen: boolean) => void;
}

function Choice({ words, isChosen, choose }: ChoiceProps) {
  return (
    <label class="choice">
      <input type="checkbox" checked={isChosen} onChange={({ currentTarget }) => choose(currentTarget.checked)} />
      <span dir="auto">{words}</span>
    </label>
  );
}
