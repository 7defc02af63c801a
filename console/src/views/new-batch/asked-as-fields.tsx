import type { PlatformRecord } from "@querent/client";
import type { ComponentChildren } from "preact";
import { Segments } from "../../ui/segments.tsx";
import { askedAsMessages } from "../../i18n/asked-as.ts";
import { membersOf, type AskedAsDraft, type Member } from "./asked-as-draft.ts";
import * as css from "./new-batch-view.module.css";

interface AskedAsFieldsProps {
  readonly draft: AskedAsDraft;
  readonly change: (draft: AskedAsDraft) => void;
  /** The chosen platforms. */
  readonly platforms: readonly PlatformRecord[];
}

/** The fields for from where, as whom and with what is asked: only what all chosen platforms support. */
export function AskedAsFields({ draft, change, platforms }: AskedAsFieldsProps) {
  const t = askedAsMessages.value;
  const members = membersOf(platforms);
  const isSome = (member: Member) => platforms.some(({ options }) => options[member] !== "unsupported");
  const missing = (Object.keys(t.labels) as (keyof typeof t.labels)[]).filter(
    (member): member is Member => isMember(member) && !members.includes(member) && isSome(member),
  );
  const field = (name: keyof AskedAsDraft & keyof typeof t.labels, hint: string | null, long = false) => (
    <TextField
      name={name}
      label={t.labels[name]}
      hint={hint}
      value={draft[name]}
      long={long}
      change={(value) => change({ ...draft, [name]: value })}
    />
  );
  return (
    <details class={css.askedAs}>
      <summary>{t.title}</summary>
      <div class={css.askedAsFields}>
        {members.length === 0 ? <p class="quiet">{t.none}</p> : null}
        {members.includes("country") ? field("countries", t.hints.countries) : null}
        {members.includes("language") ? field("language", t.hints.language) : null}
        {members.includes("location") ? field("location", t.hints.location) : null}
        {members.includes("persona") ? field("persona", t.hints.persona, true) : null}
        {members.includes("model") ? <ModelField draft={draft} change={change} platforms={platforms} /> : null}
        {members.includes("searchDepth") ? (
          <div class="option-line">
            <span class="quiet" id="search-depth-label">
              {t.labels.searchDepth}
            </span>
            <Segments
              name="search-depth"
              labelledBy="search-depth-label"
              labels={t.depths}
              value={draft.searchDepth}
              choose={(searchDepth) => change({ ...draft, searchDepth })}
            />
          </div>
        ) : null}
        {members.includes("domains") ? field("allow", t.hints.domains) : null}
        {members.includes("domains") ? field("deny", t.hints.domains) : null}
        {members.includes("since") ? (
          <Labelled id="asked-since" label={t.labels.since}>
            <input
              id="asked-since"
              type="date"
              class="input"
              value={draft.since}
              onInput={({ currentTarget }) => change({ ...draft, since: currentTarget.value })}
            />
          </Labelled>
        ) : null}
        {missing.length === 0 ? null : (
          <p class="quiet small">{t.notByAll(missing.map((member) => t.labels[member]).join(", "))}</p>
        )}
      </div>
    </details>
  );
}

const isMember = (name: string): name is Member => !["countries", "allow", "deny"].includes(name);

function ModelField({ draft, change, platforms }: AskedAsFieldsProps) {
  const t = askedAsMessages.value;
  const [first, ...others] = platforms.map(({ optionValues }) => optionValues.model);
  const models = (first ?? []).filter((model) => others.every((list) => list.includes(model)));
  return (
    <Labelled id="asked-model" label={t.labels.model}>
      <select
        id="asked-model"
        class="input"
        value={draft.model}
        onChange={({ currentTarget }) => change({ ...draft, model: currentTarget.value })}
      >
        <option value="">{t.anyModel}</option>
        {models.map((model) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

interface TextFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string | null;
  readonly value: string;
  readonly long: boolean;
  readonly change: (value: string) => void;
}

function TextField({ name, label, hint, value, long, change }: TextFieldProps) {
  const id = `asked-${name}`;
  const described = hint === null ? undefined : `${id}-hint`;
  return (
    <Labelled id={id} label={label}>
      {long ? (
        <textarea
          id={id}
          class="input"
          rows={3}
          maxLength={2000}
          value={value}
          aria-describedby={described}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      ) : (
        <input
          id={id}
          class="input"
          value={value}
          aria-describedby={described}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      {hint === null ? null : (
        <p id={described} class="quiet small">
          {hint}
        </p>
      )}
    </Labelled>
  );
}

function Labelled({ id, label, children }: { id: string; label: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
    </div>
  );
}
