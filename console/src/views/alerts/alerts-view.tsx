import { ForbiddenError, type Alert, type CallOptions, type ToldFinding } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { Allowed } from "../../app/allowed.tsx";
import { alertsMessages } from "../../i18n/alerts.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { ItemActions } from "../../ui/item-actions.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { useTitle } from "../../ui/use-title.ts";
import { dateTime } from "../panels/date-time.ts";
import { AlertForm, type AlertChoices } from "./alert-form.tsx";
import { ChannelsPart } from "./channels-part.tsx";
import * as css from "./alerts.module.css";

const refreshMs = 10_000;
const panelsMax = 500;
const findingsShown = 20;

/** Alerts of the account, and the channels in which they arrive. */
export function AlertsView() {
  const t = alertsMessages.value;
  useTitle(t.title);
  const { value, failed, refresh } = useLive("alerts", readAlerts, { everyMs: refreshMs });
  if (failed instanceof ForbiddenError) return <p class="note">{t.forbidden}</p>;
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
      </header>
      <p class="quiet">{t.lead}</p>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : (
        <>
          <ChannelsPart channels={value.channels} changed={refresh} />
          <AlertsPart alerts={value.alerts} choices={value} changed={refresh} />
        </>
      )}
    </div>
  );
}

async function readAlerts(call: CallOptions) {
  const panels = [];
  const [channels, { alerts, mail }] = await Promise.all([querent.channels.list(call), querent.alerts.list(call)]);
  for await (const panel of querent.panels.list(call)) {
    panels.push(panel);
    if (panels.length >= panelsMax) break;
  }
  return { channels, alerts, mail, panels };
}

interface PartProps {
  readonly alerts: readonly Alert[];
  readonly choices: AlertChoices;
  readonly changed: () => void;
}

function AlertsPart({ alerts, choices, changed }: PartProps) {
  const t = alertsMessages.value;
  const [edited, setEdited] = useState<Alert | "new" | null>(null);
  const done = () => {
    setEdited(null);
    changed();
  };
  return (
    <section class={`panel ${css.part}`} aria-labelledby="alert-rules">
      <h2 id="alert-rules">{t.alerts}</h2>
      {alerts.length === 0 ? null : (
        <ul class={css.list}>
          {alerts.map((alert) => (
            <Row key={alert.alertId} alert={alert} choices={choices} edit={() => setEdited(alert)} changed={changed} />
          ))}
        </ul>
      )}
      <Allowed scope="panels:write" otherwise={<p class="quiet small">{t.mayNot}</p>}>
        {edited !== null ? (
          <AlertForm
            key={edited === "new" ? "new" : edited.alertId}
            before={edited === "new" ? null : edited}
            choices={choices}
            done={done}
            cancel={() => setEdited(null)}
          />
        ) : choices.channels.length === 0 && choices.mail.missing !== null ? (
          <p class="quiet small">{t.firstChannel}</p>
        ) : (
          <div class="actions">
            <button type="button" class="button primary" onClick={() => setEdited("new")}>
              {t.addAlert}
            </button>
          </div>
        )}
      </Allowed>
    </section>
  );
}

interface RowProps {
  readonly alert: Alert;
  readonly choices: AlertChoices;
  readonly edit: () => void;
  readonly changed: () => void;
}

function Row({ alert, choices, edit, changed }: RowProps) {
  const t = alertsMessages.value;
  const { alertId, name, kinds, panels, channels, recipients, quietHours, paused, waiting, lastToldAt } = alert;
  const { busy, failed, run } = useAttempt();
  const [isOpen, setOpen] = useState(false);
  const remove = () =>
    run(async () => {
      await querent.alerts.delete(alertId);
      announce(t.removed);
      changed();
    });
  const nameOf = (id: string) => choices.panels.find(({ panelId }) => panelId === id)?.name ?? id;
  const to = [
    ...channels.map((channel) => channel.name),
    ...recipients.map(({ email, unsubscribedAt }) =>
      unsubscribedAt === null ? email : `${email} (${t.unsubscribed})`,
    ),
  ];
  return (
    <li class={css.item} data-alert={alertId}>
      <p>
        <strong dir="auto">{name}</strong> <span class="quiet small">{paused ? t.isPaused : null}</span>
      </p>
      <p class="small">
        {kinds.map((kind) => t.kindNames[kind]).join(" · ")}
        {panels === null ? null : <span dir="auto"> · {panels.map(nameOf).join(", ")}</span>}
      </p>
      <p class="small" dir="auto">
        → {to.join(", ")}
      </p>
      <p class="quiet small">
        {quietHours === null ? null : `${t.quietIs(quietHours.from, quietHours.to, quietHours.timeZone)} · `}
        {waiting === 0 ? null : `${t.waiting(waiting)} · `}
        {lastToldAt === null ? t.nothingTold : t.lastTold(dateTime(lastToldAt))}
      </p>
      <Allowed scope="panels:write">
        <ItemActions words={t} sure={t.removeAlertSure} busy={busy} edit={edit} remove={remove} />
      </Allowed>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary class="small">{t.log}</summary>
        {isOpen ? <Log alertId={alertId} /> : null}
      </details>
      {failed === null ? null : <FailureNote failed={failed} />}
    </li>
  );
}

function Log({ alertId }: { alertId: string }) {
  const t = alertsMessages.value;
  const { value, failed, refresh } = useLive(
    `findings of ${alertId}`,
    (call) => querent.alerts.findings(alertId, call),
    { everyMs: refreshMs },
  );
  if (failed !== null) return <FailureNote failed={failed} retry={refresh} />;
  if (value === null) return null;
  if (value.length === 0) return <p class="quiet small">{t.noLog}</p>;
  return (
    <ul class="small">
      {value.slice(0, findingsShown).map((finding) => (
        <li key={finding.subject}>{findingLine(finding)}</li>
      ))}
    </ul>
  );
}

function findingLine({ foundAt, kind, state, deliveries }: ToldFinding): string {
  const t = alertsMessages.value;
  const told = deliveries.map((one) => `${one.to}: ${t.deliveries[one.state]}`);
  return [dateTime(foundAt), t.kindNames[kind], t.states[state], ...told].join(" · ");
}
