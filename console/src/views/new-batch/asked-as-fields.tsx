import type { PlatformRecord } from "@querent/client";
import type { ComponentChildren } from "preact";
import { Segments } from "../../ui/segments.tsx";
import { askedAsMessages, type Member } from "../../i18n/asked-as.ts";
import { fields, membersOf, type AskedAsDraft, type Field } from "./asked-as-draft.ts";
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
  const missing = [...new Set(fields.map(({ member }) => member))].filter(
    (member) => !members.includes(member) && isSome(member),
  );
  return (
    <details class={css.askedAs}>
      <summary>{t.title}</summary>
      <div class={css.askedAsFields}>
        {members.length === 0 ? <p class="quiet">{t.none}</p> : null}
        {fields
          .filter(({ member }) => members.includes(member))
          .map((field) => (
            <OptionField
              key={field.name}
              field={field}
              value={draft[field.name]}
              platforms={platforms}
              change={(value) => change({ ...draft, [field.name]: value })}
            />
          ))}
        {missing.length === 0 ? null : (
          <p class="quiet small">{t.notByAll(missing.map((member) => t.labels[member]).join(", "))}</p>
        )}
      </div>
    </details>
  );
}

interface OptionFieldProps {
  readonly field: Field;
  readonly value: string;
  readonly platforms: readonly PlatformRecord[];
  readonly change: (value: string) => void;
}

function OptionField({ field, value, platforms, change }: OptionFieldProps) {
  const t = askedAsMessages.value;
  const { name, kind, choices } = field;
  const label = t.labels[name];
  if (name === "model") return <ModelField value={value} change={change} platforms={platforms} />;
  switch (kind) {
    case "choice": {
      const dashed = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const labels = Object.fromEntries((["unset", ...choices] as const).map((choice) => [choice, t.choices[choice]]));
      return (
        <div class="option-line">
          <span class="quiet" id={`${dashed}-label`}>
            {label}
          </span>
          <Segments name={dashed} labelledBy={`${dashed}-label`} labels={labels} value={value} choose={change} />
        </div>
      );
    }
    case "date":
      return (
        <Labelled id={`asked-${name}`} label={label}>
          <input
            id={`asked-${name}`}
            type="date"
            class="input"
            value={value}
            onInput={({ currentTarget }) => change(currentTarget.value)}
          />
        </Labelled>
      );
    default:
      return (
        <TextField
          name={name}
          label={label}
          hint={t.hints[name] ?? null}
          value={value}
          long={kind === "paragraph"}
          change={change}
        />
      );
  }
}

function ModelField({ value, change, platforms }: Omit<OptionFieldProps, "field">) {
  const t = askedAsMessages.value;
  const [first, ...others] = platforms.map(({ optionValues }) => optionValues.model);
  const models = (first ?? []).filter((model) => others.every((list) => list.includes(model)));
  return (
    <Labelled id="asked-model" label={t.labels.model}>
      <select
        id="asked-model"
        class="input"
        value={value}
        onChange={({ currentTarget }) => change(currentTarget.value)}
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
