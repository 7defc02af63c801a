import { panelInput, QuerentError, type PanelInput, type PanelQuote, type PanelRecord } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { PanelFileField, type FoundInFile } from "./panel-file-field.tsx";
import { draftOf, inputOf, type PanelDraft } from "./panel-draft.ts";
import { QuoteNote } from "./quote-note.tsx";

/** The pause in typing after which the price is asked for again. */
const quietMs = 400;

interface PanelFormProps {
  /** The panel that is edited; null for a new one. */
  readonly before: PanelRecord | null;
  readonly done: (panel: PanelRecord) => void;
  readonly cancel: () => void;
}

/** Creates or edits a panel, and shows what a run of it would cost. What the form doesn't show stays as it was. */
export function PanelForm({ before, done, cancel }: PanelFormProps) {
  const t = panelsMessages.value;
  const [base, setBase] = useState<PanelInput | null>(() => (before === null ? null : panelInput(before)));
  const [draft, setDraft] = useState<PanelDraft>(() => draftOf(base));
  const { busy, failed, run } = useAttempt();
  const panel = inputOf(draft, base);
  const { quote, failed: unpriced, retry } = useQuote(panel);
  const save = (event: Event) => {
    event.preventDefault();
    if (panel === null) return;
    run(async () => {
      done(await (before === null ? querent.panels.create(panel) : querent.panels.replace(before.panelId, panel)));
    });
  };
  const take = (found: FoundInFile) => {
    if (found.panel !== undefined) {
      setBase(found.panel);
      return setDraft(draftOf(found.panel));
    }
    const next = { name: draft.name, platforms: [], ...base, prompts: found.prompts };
    setBase(next);
    setDraft({ ...draft, prompts: draftOf(next).prompts });
  };
  return (
    <form class="panel form" onSubmit={save}>
      <PanelFileField take={take} />
      {fields.map((member) =>
        member === "repeatsMax" && draft.untilWidth.trim() === "" ? null : (
          <Field key={member} member={member} draft={draft} change={setDraft} />
        ),
      )}
      <label class="choice">
        <input
          type="checkbox"
          checked={draft.paused}
          onChange={({ currentTarget }) => setDraft({ ...draft, paused: currentTarget.checked })}
        />
        <span>{t.form.paused}</span>
      </label>
      <section aria-label={t.preview}>
        {panel?.platforms.length === 0 ? (
          <p class="quiet">{t.neverAsked}</p>
        ) : unpriced !== null ? (
          <FailureNote failed={unpriced} retry={retry} />
        ) : quote !== null ? (
          <QuoteNote quote={quote} panelId={before?.panelId} {...moreOf(draft, setDraft)} />
        ) : panel === null ? (
          <p class="quiet">{t.notReady}</p>
        ) : null}
      </section>
      {failed === null ? null : <FailureNote failed={failed} />}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={panel === null || busy}>
          {t.save}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {t.cancel}
        </button>
      </div>
    </form>
  );
}

/** One click to twice as many repeats, which make intervals narrower; not for panels that ask until it is known. */
function moreOf(draft: PanelDraft, change: (draft: PanelDraft) => void): { more?: () => void } {
  const repeats = 2 * (Number(draft.repeats) || 1);
  if (draft.untilWidth.trim() !== "" || repeats > (limits.repeats?.max ?? 0)) return {};
  return { more: () => change({ ...draft, repeats: String(repeats) }) };
}

const fields = [
  "name",
  "prompts",
  "platforms",
  "locales",
  "personas",
  "own",
  "competitors",
  "repeats",
  "untilWidth",
  "repeatsMax",
  "cron",
  "timeZone",
] as const;

/** What is typed into fields of numbers. */
const limits: Partial<Record<keyof PanelDraft, { min: number; max: number; step?: number }>> = {
  repeats: { min: 1, max: 100 },
  untilWidth: { min: 1, max: 50, step: 0.1 },
  repeatsMax: { min: 15, max: 100 },
};

interface FieldProps {
  readonly member: Exclude<keyof PanelDraft, "paused">;
  readonly draft: PanelDraft;
  readonly change: (draft: PanelDraft) => void;
}

function Field({ member, draft, change }: FieldProps) {
  const t = panelsMessages.value;
  const id = `panel-${member}`;
  const isBrands = member === "own" || member === "competitors";
  const isList = member === "prompts" || member === "locales" || member === "personas" || isBrands;
  const hint =
    (isList && member !== "competitors") || member === "cron" || member === "platforms" || member === "untilWidth"
      ? t.hints[member]
      : null;
  const shared = {
    id,
    class: "input",
    value: draft[member],
    spellcheck: member === "prompts",
    ...(hint === null ? {} : { "aria-describedby": `${id}-hint` }),
  };
  const set = (value: string) => change({ ...draft, [member]: value });
  return (
    <div class="field">
      <label for={id}>{t.form[member]}</label>
      {isList ? (
        <textarea
          {...shared}
          rows={member === "prompts" ? 8 : 2}
          dir="auto"
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      ) : (
        <input
          {...shared}
          autocomplete="off"
          {...(limits[member] === undefined ? {} : { type: "number", ...limits[member] })}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
      {hint === null ? null : (
        <p id={`${id}-hint`} class="quiet small">
          {hint}
        </p>
      )}
    </div>
  );
}

interface Quoted {
  /** What a run would cost; null while the form has too little for it, or the quote has not been read. */
  readonly quote: PanelQuote | null;
  /** Why it could not be read. */
  readonly failed: QuerentError | null;
}

const notQuoted: Quoted = { quote: null, failed: null };

/** The price of what is in the form, once nobody has typed for a moment. */
function useQuote(panel: PanelInput | null): Quoted & { readonly retry: () => void } {
  const [quoted, setQuoted] = useState(notQuoted);
  const [tries, setTries] = useState(0);
  const text = JSON.stringify(panel);
  useEffect(() => {
    if (panel === null) return setQuoted(notQuoted);
    const stop = new AbortController();
    const read = async () => {
      try {
        setQuoted({ quote: await querent.panels.quote(panel, { signal: stop.signal }), failed: null });
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!(error instanceof QuerentError)) throw error;
        setQuoted({ quote: null, failed: error });
      }
    };
    const timer = window.setTimeout(() => void read(), quietMs);
    return () => {
      window.clearTimeout(timer);
      stop.abort();
    };
  }, [text, tries]);
  return { ...quoted, retry: () => setTries(tries + 1) };
}
