import type { PlatformKeyTest, PlatformSetup } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { query } from "../../app/address.ts";
import { conditionsChanged } from "../../app/conditions.ts";
import { phrases } from "../../i18n/phrases.ts";
import { setupMessages } from "../../i18n/setups.ts";
import { announce } from "../../ui/announcer.tsx";
import { ConfirmButtons } from "../../ui/confirm-buttons.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Ago, number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { KeyForm, SettingsForm, VendorLink } from "./setup-forms.tsx";
import * as css from "./setups-part.module.css";

const refreshMs = 5000;

/** Keys of vendors, models and prices: what each platform is set up with, and what it lacks. */
export function SetupsPart() {
  const t = setupMessages.value;
  const { value, failed, refresh } = useLive<PlatformSetup[]>(
    "platform setups",
    (call) => querent.platformSetups.list(call),
    { everyMs: refreshMs },
  );
  const apis = (value ?? []).filter(({ model }) => model !== null);
  const others = (value ?? []).filter(({ model }) => model === null);
  const changed = () => {
    refresh();
    conditionsChanged();
  };
  return (
    <section class="stack" aria-labelledby="setups-title">
      <h2 id="setups-title">{t.title}</h2>
      <p class="quiet">{t.about}</p>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : (
        <>
          <Group id="setups-apis" title={t.apis} setups={inUseFirst(apis)} changed={changed} />
          <details>
            <summary>
              {t.others} <span class="count">{others.length}</span>
            </summary>
            <Group id="setups-others" title={t.others} about={t.othersAbout} setups={others} changed={changed} />
          </details>
        </>
      )}
    </section>
  );
}

/** Those with a key, and then those that need one, each in the service's order. */
const inUseFirst = (setups: readonly PlatformSetup[]): PlatformSetup[] =>
  setups.toSorted((one, other) => Number(other.missing === null) - Number(one.missing === null));

interface GroupProps {
  readonly id: string;
  readonly title: string;
  readonly about?: string;
  readonly setups: readonly PlatformSetup[];
  readonly changed: () => void;
}

function Group({ id, title, about, setups, changed }: GroupProps) {
  if (setups.length === 0) return null;
  return (
    <section class="stack" aria-labelledby={id}>
      <h3 id={id}>
        {title} <span class="count">{setups.length}</span>
      </h3>
      {about === undefined ? null : <p class="quiet">{about}</p>}
      <ul class={css.cards}>
        {setups.map((setup) => (
          <SetupCard key={setup.platformCode} setup={setup} changed={changed} />
        ))}
      </ul>
    </section>
  );
}

type Open = "key" | "settings" | "removing" | null;

function SetupCard({ setup, changed }: { setup: PlatformSetup; changed: () => void }) {
  const t = setupMessages.value;
  const { platformCode, name, key, missing, model, price } = setup;
  // A link from another view names the platform whose key it is about.
  const isAskedFor = query.value.get("platform") === platformCode && key !== null && key.from === null;
  const [open, setOpen] = useState<Open>(isAskedFor ? "key" : null);
  const [tested, setTested] = useState<PlatformKeyTest | null>(null);
  const { busy, failed, run } = useAttempt();
  const test = async () => {
    const result = await querent.platformSetups.testKey(platformCode);
    setTested(result);
    announce(t.results[result.result]);
    changed();
  };
  const remove = () =>
    run(async () => {
      await querent.platformSetups.deleteKey(platformCode);
      setOpen(null);
      setTested(null);
      announce(t.removed);
      changed();
    });
  const stored = () => {
    setOpen(null);
    setTested(null);
    changed();
    run(test);
  };
  return (
    <li class={`panel ${css.card}${open === "settings" ? ` ${css.wide}` : ""}`} data-platform={platformCode}>
      <div class={css.head}>
        <h4>
          {name} <code class={`quiet ${css.code}`}>{platformCode}</code>
        </h4>
        <Mark setup={setup} />
      </div>
      <p class="quiet small">
        {model === null ? null : `${t.asks(model.value)} · `}
        {t.price(number(price.base.value))}
      </p>
      {key === null ? null : <KeyState keyOf={key} />}
      {missing === null || key?.from === null ? null : (
        <p class="small" lang="en">
          {missing}
        </p>
      )}
      {busy && open !== "removing" ? <p role="status">{t.testing}</p> : null}
      {tested === null || busy ? null : <Tested tested={tested} />}
      {failed === null ? null : <FailureNote failed={failed} />}
      {open === "key" && key !== null ? (
        <KeyForm setup={setup} keyOf={key} stored={stored} cancel={() => setOpen(null)} />
      ) : open === "settings" ? (
        <SettingsForm
          setup={setup}
          saved={() => {
            setOpen(null);
            announce(t.saved);
            changed();
          }}
          cancel={() => setOpen(null)}
        />
      ) : (
        <div class="actions">
          {open === "removing" ? (
            <ConfirmButtons
              yes={t.reallyRemove}
              confirm={remove}
              no={phrases.value.cancel}
              withdraw={() => setOpen(null)}
            />
          ) : (
            <Actions setup={setup} busy={busy} open={setOpen} test={() => run(test)} />
          )}
          {key?.from === null && key.page !== null ? <VendorLink name={name} page={key.page} /> : null}
        </div>
      )}
    </li>
  );
}

interface ActionsProps {
  readonly setup: PlatformSetup;
  readonly busy: boolean;
  readonly open: (what: Open) => void;
  readonly test: () => void;
}

function Actions({ setup: { name, key, missing, model }, busy, open, test }: ActionsProps) {
  const t = setupMessages.value;
  const actions = [
    ...(key === null || key.from === "environment"
      ? []
      : [{ label: key.from === null ? t.addKey : t.replaceKey, act: () => open("key"), primary: key.from === null }]),
    ...(model === null || missing !== null ? [] : [{ label: t.test, act: test, primary: false }]),
    ...(key === null || key.storedAt === null
      ? []
      : [{ label: t.remove, act: () => open("removing"), primary: false }]),
    { label: t.settings, act: () => open("settings"), primary: false },
  ];
  return (
    <>
      {actions.map(({ label, act, primary }) => (
        <button
          key={label}
          type="button"
          class={`button${primary ? " primary" : ""}`}
          aria-label={`${label}: ${name}`}
          aria-disabled={busy}
          onClick={busy ? undefined : act}
        >
          {label}
        </button>
      ))}
    </>
  );
}

function Mark({ setup: { key, missing } }: { setup: PlatformSetup }) {
  const t = setupMessages.value;
  if (missing === null) return <span class="mark mark-good">{t.ready}</span>;
  return <span class="mark">{key?.from === null ? t.noKey : t.lacks}</span>;
}

type KeyOf = NonNullable<PlatformSetup["key"]>;

function KeyState({ keyOf: { variable, from, ending, storedAt, readable } }: { keyOf: KeyOf }) {
  const t = setupMessages.value;
  if (from === "environment")
    return (
      <p class="small">
        {t.inEnvironment(variable)} {storedAt === null ? null : t.alsoStored}
      </p>
    );
  if (storedAt === null) return null;
  if (!readable) return <p class="note note-bad small">{t.unreadable}</p>;
  return (
    <p class="small">
      {t.keyStored(ending)} <Ago at={storedAt} />
    </p>
  );
}

/** What came back, in words: ours, and below them the service's. */
function Tested({ tested: { result, detail, status, model, seconds } }: { tested: PlatformKeyTest }) {
  const t = setupMessages.value;
  if (result === "answered")
    return (
      <p class="note note-good" data-result={result}>
        <strong>{t.results.answered}</strong> {t.answeredIn(number(seconds), model)}
      </p>
    );
  return (
    <div class={`note ${result === "rate_limited" ? "note-warn" : "note-bad"}`} data-result={result}>
      <p>
        <strong>{t.results[result]}</strong>
      </p>
      <p class="small" lang="en">
        {t.says(detail, status === null ? null : String(status))}
      </p>
    </div>
  );
}
