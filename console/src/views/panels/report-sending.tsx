import type { Channel, QuerentError, ReportSchedule, ReportScheduleRequest, SentReport } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { to } from "../../app/address.ts";
import { Allowed } from "../../app/allowed.tsx";
import { may } from "../../app/session.ts";
import { language } from "../../i18n/language.ts";
import { alertsMessages } from "../../i18n/alerts.ts";
import { reportSendingMessages } from "../../i18n/report-sending.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { ItemActions } from "../../ui/item-actions.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { dateTime } from "./date-time.ts";
import { weekday } from "./schedule-field.tsx";
import * as css from "./panel-view.module.css";

const refreshMs = 5000;
const reportsShown = 10;

/** Reports that are sent by themselves: the schedules of a panel, and what was sent. */
export function ReportSending({ panelId }: { panelId: string }) {
  const t = reportSendingMessages.value;
  const [edited, setEdited] = useState<ReportSchedule | "new" | null>(null);
  const { value, failed, refresh } = useLive(`sending of ${panelId}`, (call) => readSending(panelId, call), {
    everyMs: refreshMs,
  });
  const close = () => {
    setEdited(null);
    refresh();
  };
  return (
    <section class={`panel ${css.part}`} aria-labelledby="report-sending">
      <h2 id="report-sending">{t.title}</h2>
      <p class="quiet">{t.about}</p>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : (
        <>
          {value.mail.missing === null ? null : <Missing why={value.mail.missing} />}
          {value.schedules.length === 0 ? null : (
            <ul class={css.list}>
              {value.schedules.map((schedule) => (
                <Schedule
                  key={schedule.scheduleId}
                  schedule={schedule}
                  edit={() => setEdited(schedule)}
                  changed={refresh}
                />
              ))}
            </ul>
          )}
          <Allowed scope="panels:write" otherwise={<p class="quiet small">{t.mayNot}</p>}>
            {edited === null ? (
              value.mail.missing === null || value.channels.length > 0 ? (
                <div class="actions">
                  <button type="button" class="button primary" onClick={() => setEdited("new")}>
                    {t.add}
                  </button>
                </div>
              ) : null
            ) : (
              <SendingForm
                key={edited === "new" ? "new" : edited.scheduleId}
                panelId={panelId}
                channels={value.channels}
                hasMail={value.mail.missing === null}
                before={edited === "new" ? null : edited}
                done={close}
                cancel={() => setEdited(null)}
              />
            )}
          </Allowed>
          {value.reports.length === 0 ? null : (
            <>
              <h3>{t.log}</h3>
              <ul class={css.list}>
                {value.reports.slice(0, reportsShown).map((report) => (
                  <Sent key={report.reportId} report={report} />
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </section>
  );
}

async function readSending(panelId: string, call: object) {
  const [{ schedules, mail }, reports, channels] = await Promise.all([
    querent.reports.schedules(panelId, call),
    querent.reports.sent(panelId, call),
    querent.channels.list(call),
  ]);
  // A report is no incident.
  return { schedules, mail, reports, channels: channels.filter(({ kind }) => kind !== "pagerduty") };
}

function Missing({ why }: { why: string }) {
  const t = reportSendingMessages.value;
  return (
    <div class="note">
      <p>{why}</p>
      <Allowed scope="admin">
        <a class="link" href={to("/operator/mail")}>
          {t.setUp}
        </a>
      </Allowed>
    </div>
  );
}

/** `Every Monday at 08:00 (Europe/Berlin)` */
function whenWords({ every, weekday: day, dayOfMonth, time, timeZone }: ReportSchedule): string {
  const t = reportSendingMessages.value;
  if (every === "run") return t.afterRun;
  if (every === "week") return t.everyWeek(weekday(day ?? 1, "long"), time ?? "", timeZone ?? "");
  return t.everyMonth(dayOfMonth ?? 1, time ?? "", timeZone ?? "");
}

interface ScheduleProps {
  readonly schedule: ReportSchedule;
  readonly edit: () => void;
  readonly changed: () => void;
}

function Schedule({ schedule, edit, changed }: ScheduleProps) {
  const t = reportSendingMessages.value;
  const { panelId, scheduleId, recipients, channels, contents, clientName, nextAt, paused } = schedule;
  const { busy, failed, run } = useAttempt();
  const send = () =>
    run(async () => {
      await querent.reports.sendNow(panelId, scheduleId);
      announce(t.sending);
      changed();
    });
  const remove = () =>
    run(async () => {
      await querent.reports.deleteSchedule(panelId, scheduleId);
      announce(t.removed);
      changed();
    });
  return (
    <li class={css.sending} data-schedule={scheduleId}>
      <p>
        <strong>{whenWords(schedule)}</strong> · {t.contentsChoices[contents]}
        {clientName === null ? null : <span dir="auto"> · {clientName}</span>}
        <span class="quiet small"> {paused ? t.isPaused : nextAt === null ? null : t.next(dateTime(nextAt))}</span>
      </p>
      {channels.length === 0 ? null : (
        <p class="small" dir="auto">
          {channels.map(({ name }) => name).join(", ")}
        </p>
      )}
      <p class="small">
        {recipients.map(({ email, unsubscribedAt }, index) => (
          <span key={email} class={unsubscribedAt === null ? undefined : "quiet"}>
            {index === 0 ? "" : ", "}
            {email}
            {unsubscribedAt === null ? "" : ` (${t.unsubscribed})`}
          </span>
        ))}
      </p>
      <Allowed scope="panels:write">
        <ItemActions words={t} sure={t.removeSure} busy={busy} edit={edit} remove={remove}>
          <button type="button" class="button" disabled={busy} onClick={send}>
            {t.sendNow}
          </button>
        </ItemActions>
      </Allowed>
      {failed === null ? null : <FailureNote failed={failed} />}
    </li>
  );
}

function Sent({ report }: { report: SentReport }) {
  const t = reportSendingMessages.value;
  const { state, createdAt, problem, recipients, channels, shareUrl } = report;
  const all = [
    ...recipients.map((one) => ({ ...one, to: one.email })),
    ...channels.map((one) => ({ ...one, to: one.name })),
  ];
  const wanted = all.filter((one) => one.state !== "unsubscribed" && one.state !== "unknown");
  const delivered = wanted.filter((one) => one.state === "delivered").length;
  const outcome =
    state !== "sent"
      ? t.states[state]
      : wanted.length === 0
        ? t.states.sent
        : delivered === wanted.length
          ? t.deliveredAll(delivered)
          : t.some(delivered, wanted.length);
  return (
    <li data-report={report.reportId} data-state={state}>
      <details>
        <summary>
          {dateTime(createdAt)} · {outcome}
        </summary>
        {problem === null ? null : <p class="small">{problem}</p>}
        <ul class="small">
          {all.map((one) => (
            <li key={one.deliveryId ?? one.to}>
              {one.to}: {t.mails[one.state]}
              {one.problem === null ? "" : `. ${one.problem}`}{" "}
              {one.deliveryId !== null && may("webhook:manage") ? (
                <a class={css.inText} href={to(`/webhooks/deliveries/${one.deliveryId}`)}>
                  {t.delivery}
                </a>
              ) : null}
            </li>
          ))}
        </ul>
        {shareUrl === null ? null : (
          <a class="link small" href={shareUrl} target="_blank" rel="noreferrer">
            {t.open}
          </a>
        )}
      </details>
    </li>
  );
}

interface FormProps {
  readonly panelId: string;
  /** To which reports may go. */
  readonly channels: readonly Channel[];
  readonly hasMail: boolean;
  /** Null: a new one. */
  readonly before: ReportSchedule | null;
  readonly done: () => void;
  readonly cancel: () => void;
}

const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

function SendingForm({ panelId, channels, hasMail, before, done, cancel }: FormProps) {
  const t = reportSendingMessages.value;
  const { busy, failed, run } = useAttempt();
  const [every, setEvery] = useState<ReportSchedule["every"]>(before?.every ?? "week");
  const [day, setDay] = useState(before?.weekday ?? 1);
  const [dayOfMonth, setDayOfMonth] = useState(before?.dayOfMonth ?? 1);
  const [time, setTime] = useState(before?.time ?? "08:00");
  const [timeZone, setTimeZone] = useState(before?.timeZone ?? zoneHere());
  const [contents, setContents] = useState(before?.contents ?? "link_and_pdf");
  const [text, setText] = useState(before?.recipients.map(({ email }) => email).join("\n") ?? "");
  const [clientName, setClientName] = useState(before?.clientName ?? "");
  const [paper, setPaper] = useState(before?.paper ?? "a4");
  const [spoken, setSpoken] = useState<ReportSchedule["language"]>(before?.language ?? language.value);
  const [paused, setPaused] = useState(before?.paused ?? false);
  const [again, setAgain] = useState<ReadonlySet<string>>(new Set());
  const [to, setTo] = useState<ReadonlySet<string>>(
    new Set(
      before?.channels.map(({ channelId }) => channelId) ?? (hasMail ? [] : channels.map((one) => one.channelId)),
    ),
  );
  const recipients = text.split(/[\s,;]+/).filter((part) => part !== "");
  const unsubscribed = (before?.recipients ?? []).filter(
    ({ email, unsubscribedAt }) =>
      unsubscribedAt !== null && recipients.some((one) => one.toLowerCase() === email.toLowerCase()),
  );
  const request: ReportScheduleRequest = {
    ...{ every, contents, recipients, paper, paused, language: spoken, channels: [...to] },
    ...(every === "week" ? { weekday: day } : {}),
    ...(every === "month" ? { dayOfMonth } : {}),
    ...(every === "run" ? {} : { time, timeZone }),
    ...(clientName.trim() === "" ? {} : { clientName: clientName.trim() }),
    ...(before === null ? {} : { linkDays: before.linkDays }),
    ...(again.size === 0 ? {} : { contactAgain: [...again] }),
  };
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      await (before === null
        ? querent.reports.createSchedule(panelId, request)
        : querent.reports.putSchedule(panelId, before.scheduleId, request));
      announce(t.saved);
      done();
    });
  };
  const wrong = wrongAddresses(failed, recipients);
  const zones = [...new Set([zoneHere(), timeZone, "UTC", ...Intl.supportedValuesOf("timeZone")])];
  return (
    <form class="form" aria-label={t.form} onSubmit={submit}>
      <label class="field">
        <span>{t.recipients}</span>
        <textarea
          class="input"
          rows={3}
          required={to.size === 0}
          disabled={!hasMail}
          autocomplete="off"
          spellcheck={false}
          value={text}
          aria-invalid={wrong.length === 0 ? undefined : true}
          aria-describedby="sending-recipients-hint"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <span id="sending-recipients-hint" class="quiet small">
          {t.recipientsHint}
        </span>
        {wrong.map((address) => (
          <span key={address} class="field-error small">
            {t.notAnAddress(address)}
          </span>
        ))}
      </label>
      {channels.length === 0 ? null : (
        <fieldset class="field">
          <legend>{alertsMessages.value.reportChannels}</legend>
          {channels.map(({ channelId, name }) => (
            <label key={channelId} class="choice">
              <input
                type="checkbox"
                checked={to.has(channelId)}
                onChange={({ currentTarget: { checked } }) =>
                  setTo(new Set(checked ? [...to, channelId] : [...to].filter((one) => one !== channelId)))
                }
              />
              <span dir="auto">{name}</span>
            </label>
          ))}
          <span class="quiet small">{alertsMessages.value.reportChannelsHint}</span>
        </fieldset>
      )}
      {unsubscribed.map(({ email }) => (
        <label key={email} class="choice">
          <input
            type="checkbox"
            checked={again.has(email)}
            onChange={({ currentTarget: { checked } }) =>
              setAgain(new Set(checked ? [...again, email] : [...again].filter((one) => one !== email)))
            }
          />
          <span>
            {t.hasUnsubscribed(email)} {t.contactAgain}
          </span>
        </label>
      ))}
      <fieldset class="field">
        <legend>{t.every}</legend>
        <Segments name="sending-every" value={every} labels={t.everyChoices} choose={setEvery} look="wrap" />
        {every === "run" ? null : (
          <div class={css.schedule}>
            {every === "week" ? (
              <label class={css.timeOfDay}>
                <span class="small quiet">{t.weekday}</span>
                <select class="input" value={day} onChange={({ currentTarget }) => setDay(Number(currentTarget.value))}>
                  {[1, 2, 3, 4, 5, 6, 7].map((each) => (
                    <option key={each} value={each}>
                      {weekday(each, "long")}
                    </option>
                  ))}
                </select>
              </label>
            ) : (
              <label class={css.timeOfDay}>
                <span class="small quiet">{t.dayOfMonth}</span>
                <input
                  class="input"
                  type="number"
                  required
                  min={1}
                  max={28}
                  value={dayOfMonth}
                  onInput={({ currentTarget }) => setDayOfMonth(Number(currentTarget.value))}
                />
              </label>
            )}
            <label class={css.timeOfDay}>
              <span class="small quiet">{t.time}</span>
              <input
                class="input"
                type="time"
                required
                value={time}
                onInput={({ currentTarget }) => setTime(currentTarget.value)}
              />
            </label>
            <label class={css.cron}>
              <span class="small quiet">{t.timeZone}</span>
              <select class="input" value={timeZone} onChange={({ currentTarget }) => setTimeZone(currentTarget.value)}>
                {zones.map((zone) => (
                  <option key={zone} value={zone}>
                    {zone === zoneHere() ? t.yourZone(zone) : zone}
                  </option>
                ))}
              </select>
            </label>
          </div>
        )}
      </fieldset>
      <fieldset class="field">
        <legend>{t.contents}</legend>
        <Segments
          name="sending-contents"
          value={contents}
          labels={t.contentsChoices}
          choose={setContents}
          look="wrap"
        />
        {contents === "pdf" ? null : <span class="quiet small">{t.linkHint}</span>}
      </fieldset>
      <label class="field">
        <span>{t.clientName}</span>
        <input
          class="input"
          type="text"
          maxLength={100}
          autocomplete="off"
          value={clientName}
          onInput={({ currentTarget }) => setClientName(currentTarget.value)}
        />
      </label>
      <div class="option-line">
        <Segments
          name="sending-language"
          value={spoken}
          labels={t.languages}
          choose={setSpoken}
          label={t.language}
          look="wrap"
        />
        {contents === "link" ? null : (
          <Segments
            name="sending-paper"
            value={paper}
            labels={t.papers}
            choose={setPaper}
            label={t.paper}
            look="small"
          />
        )}
      </div>
      <label class="choice">
        <input type="checkbox" checked={paused} onChange={({ currentTarget }) => setPaused(currentTarget.checked)} />
        <span>{t.paused}</span>
      </label>
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={busy}>
          {t.save}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {t.cancel}
        </button>
      </div>
      {failed === null || wrong.length > 0 ? null : <FailureNote failed={failed} />}
    </form>
  );
}

/** What was typed where the service found no mail address, if it found nothing else wrong. */
function wrongAddresses(failed: QuerentError | null, recipients: readonly string[]): string[] {
  const errors = failed?.problem?.errors ?? [];
  const indexes = errors.map(({ pointer }) => /^\/recipients\/(\d+)$/.exec(pointer)?.[1]);
  if (indexes.includes(undefined)) return [];
  return indexes.flatMap((index) => recipients[Number(index)] ?? []);
}
