import type { PlatformSetup } from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { to } from "../../app/address.ts";
import { phrases } from "../../i18n/phrases.ts";
import { setupMessages } from "../../i18n/setups.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as room from "./operator.module.css";

interface KeyFormProps {
  readonly setup: PlatformSetup;
  readonly keyOf: NonNullable<PlatformSetup["key"]>;
  readonly stored: () => void;
  readonly cancel: () => void;
}

/** Takes a key. It leaves the page with the request, and is in none of its addresses or storages. */
export function KeyForm({ setup: { platformCode, name }, keyOf: { variable, page }, stored, cancel }: KeyFormProps) {
  const t = setupMessages.value;
  const [key, setKey] = useState("");
  const { busy, failed, run } = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      await querent.platformSetups.putKey(platformCode, key.trim());
      setKey("");
      stored();
    });
  };
  return (
    <form class="form" aria-label={t.keyOf(name)} onSubmit={submit}>
      <label class="field">
        <span>{t.key}</span>
        <input
          ref={field}
          class="input mono"
          type="password"
          required
          autocomplete="off"
          spellcheck={false}
          // Spaces around it, which copying adds, are removed before it is sent.
          maxLength={1100}
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
        <span class="quiet small">{t.keyHint(variable)}</span>
      </label>
      {page === null ? null : (
        <p>
          <VendorLink name={name} page={page} />
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={busy}>
          {t.store}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {phrases.value.cancel}
        </button>
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
    </form>
  );
}

/** The vendor's own page. */
export function VendorLink({ name, page }: { name: string; page: string }) {
  const t = setupMessages.value;
  return (
    <a class="link" href={page} target="_blank" rel="noopener noreferrer">
      {t.getKey(name)}
      <span class="unseen"> ({t.newWindow})</span>
    </a>
  );
}

interface SettingsFormProps {
  readonly setup: PlatformSetup;
  readonly saved: () => void;
  readonly cancel: () => void;
}

type Price = keyof PlatformSetup["price"];
type Set = { readonly value: string | number; readonly from: "file" | "stored" | "built_in" };

/** What a field begins with: nothing for what is built in, which an empty field restores. */
const begin = (set: Set | null): string => (set?.from === "stored" ? String(set.value) : "");

/** The models and the prices of a platform. What the file sets can't be changed here. */
export function SettingsForm({ setup, saved, cancel }: SettingsFormProps) {
  const t = setupMessages.value;
  const { platformCode, name, model, deepModel, price } = setup;
  const parts = Object.keys(t.points) as Price[];
  const [models, setModels] = useState({ model: begin(model), deepModel: begin(deepModel) });
  const [points, setPoints] = useState(
    () => Object.fromEntries(parts.map((part) => [part, begin(price[part])])) as Record<Price, string>,
  );
  const { busy, failed, run } = useAttempt();
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      await querent.platformSetups.putSettings(platformCode, {
        model: models.model.trim() || null,
        deepModel: models.deepModel.trim() || null,
        price: Object.fromEntries(
          parts.map((part) => [part, points[part].trim() === "" ? null : Number(points[part])]),
        ),
      });
      saved();
    });
  };
  return (
    <form class={`form ${room.inlineForm}`} aria-label={t.settingsOf(name)} onSubmit={submit}>
      {(["model", "deepModel"] as const).map((which) => {
        const set = which === "model" ? model : deepModel;
        if (set === null) return null;
        if (set.from === "file") return <Fixed key={which} label={t[which]} value={set.value} />;
        return (
          <label key={which} class="field">
            <span>{t[which]}</span>
            <input
              class="input mono"
              type="text"
              autocomplete="off"
              spellcheck={false}
              maxLength={200}
              placeholder={set.from === "built_in" ? set.value : ""}
              value={models[which]}
              onInput={({ currentTarget }) => setModels({ ...models, [which]: currentTarget.value })}
            />
            <span class="quiet small">{t.builtIn}</span>
          </label>
        );
      })}
      {parts.map((part) => {
        const set = price[part];
        if (set.from === "file") return <Fixed key={part} label={t.points[part]} value={number(set.value)} />;
        return (
          <NumberField
            key={part}
            label={t.points[part]}
            hint={set.from === "built_in" ? `${t.builtIn} (${number(set.value)})` : t.builtIn}
            optional
            min={0}
            max={1_000_000}
            value={points[part]}
            change={(value) => setPoints({ ...points, [part]: value })}
          />
        );
      })}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={busy}>
          {t.save}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {phrases.value.cancel}
        </button>
        <span class="quiet small">{t.pricesAbout}</span>
        <a class="link small" href={to("/operator")}>
          {t.limits}
        </a>
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
    </form>
  );
}

function Fixed({ label, value }: { label: string; value: string }) {
  const t = setupMessages.value;
  return (
    <div class="field">
      <span>{label}</span>
      <span data-fixed>{t.byFile(value)}</span>
    </div>
  );
}
