import type { Channel, ChannelTest } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { Allowed } from "../../app/allowed.tsx";
import { alertsMessages } from "../../i18n/alerts.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { ItemActions } from "../../ui/item-actions.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { dateTime } from "../panels/date-time.ts";
import * as css from "./alerts.module.css";

interface PartProps {
  readonly channels: readonly Channel[];
  readonly changed: () => void;
}

/** Where reports and alerts arrive beside mail: created, tested and deleted. */
export function ChannelsPart({ channels, changed }: PartProps) {
  const t = alertsMessages.value;
  const [edited, setEdited] = useState<Channel | "new" | null>(null);
  const done = () => {
    setEdited(null);
    changed();
  };
  return (
    <section class={`panel ${css.part}`} aria-labelledby="alert-channels">
      <h2 id="alert-channels">{t.channels}</h2>
      <p class="quiet">{t.channelsAbout}</p>
      {channels.length === 0 ? null : (
        <ul class={css.list}>
          {channels.map((channel) => (
            <Row key={channel.channelId} channel={channel} edit={() => setEdited(channel)} changed={changed} />
          ))}
        </ul>
      )}
      <Allowed scope="panels:write" otherwise={<p class="quiet small">{t.mayNot}</p>}>
        {edited === null ? (
          <div class="actions">
            <button
              type="button"
              class={channels.length === 0 ? "button primary" : "button"}
              onClick={() => setEdited("new")}
            >
              {t.addChannel}
            </button>
          </div>
        ) : (
          <ChannelForm
            key={edited === "new" ? "new" : edited.channelId}
            before={edited === "new" ? null : edited}
            done={done}
            cancel={() => setEdited(null)}
          />
        )}
      </Allowed>
    </section>
  );
}

interface RowProps {
  readonly channel: Channel;
  readonly edit: () => void;
  readonly changed: () => void;
}

function Row({ channel, edit, changed }: RowProps) {
  const t = alertsMessages.value;
  const { channelId, kind, name, address, state, problem, lastSuccessAt } = channel;
  const { busy, failed, run } = useAttempt();
  const [tested, setTested] = useState<ChannelTest | null>(null);
  const sendTest = () =>
    run(async () => {
      setTested(null);
      const result = await querent.channels.test(channelId);
      setTested(result);
      announce(result.detail);
      changed();
    });
  const remove = () =>
    run(async () => {
      await querent.channels.delete(channelId);
      announce(t.removed);
      changed();
    });
  return (
    <li class={css.item} data-channel={channelId}>
      <p>
        <strong dir="auto">{name}</strong> · {t.channelKinds[kind]} <code class="small">{address}</code>
      </p>
      <p class="quiet small">
        {state === "gone" ? t.gone : lastSuccessAt === null ? t.neverUsed : t.lastSuccess(dateTime(lastSuccessAt))}
      </p>
      {tested === null ? (
        problem === null ? null : (
          <p class="small">{problem}</p>
        )
      ) : (
        <p class={tested.passed ? "small" : "field-error small"}>{tested.detail}</p>
      )}
      <Allowed scope="panels:write">
        <ItemActions words={t} sure={t.removeChannelSure} busy={busy} edit={edit} remove={remove}>
          <button type="button" class="button" disabled={busy} onClick={sendTest}>
            {t.sendTest}
          </button>
        </ItemActions>
      </Allowed>
      {failed === null ? null : <FailureNote failed={failed} />}
    </li>
  );
}

interface FormProps {
  /** Null: a new one. */
  readonly before: Channel | null;
  readonly done: () => void;
  readonly cancel: () => void;
}

function ChannelForm({ before, done, cancel }: FormProps) {
  const t = alertsMessages.value;
  const { busy, failed, run } = useAttempt();
  const [kind, setKind] = useState<Channel["kind"]>(before?.kind ?? "slack");
  const [name, setName] = useState(before?.name ?? "");
  const [secret, setSecret] = useState("");
  const [region, setRegion] = useState<"us" | "eu">(before?.region ?? "us");
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      const about = { name: name.trim(), ...(kind === "pagerduty" ? { region } : {}) };
      const typed = secret.trim();
      await (before === null
        ? querent.channels.create({ ...about, kind, secret: typed })
        : querent.channels.put(before.channelId, { ...about, ...(typed === "" ? {} : { secret: typed }) }));
      announce(t.saved);
      done();
    });
  };
  return (
    <form class="form" aria-label={t.channelForm} onSubmit={submit}>
      {before !== null ? null : (
        <fieldset class="field">
          <legend>{t.kind}</legend>
          <Segments name="channel-kind" value={kind} labels={t.channelKinds} choose={setKind} look="wrap" />
        </fieldset>
      )}
      <label class="field">
        <span>{t.name}</span>
        <input
          class="input"
          type="text"
          required
          maxLength={100}
          autocomplete="off"
          placeholder={t.namePlaceholder}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>{t.secrets[kind]}</span>
        <input
          class="input"
          type="password"
          required={before === null}
          maxLength={2048}
          autocomplete="off"
          spellcheck={false}
          value={secret}
          aria-describedby="channel-secret-hint"
          onInput={({ currentTarget }) => setSecret(currentTarget.value)}
        />
        <span id="channel-secret-hint" class="quiet small">
          {t.secretHints[kind]} {before === null ? t.secretKept : t.secretStays}
        </span>
      </label>
      {kind !== "pagerduty" ? null : (
        <Segments
          name="channel-region"
          value={region}
          labels={t.regions}
          choose={setRegion}
          label={t.region}
          look="small"
        />
      )}
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
