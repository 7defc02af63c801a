import {
  panelInput,
  QuerentError,
  type PanelInput,
  type PanelQuote,
  type PanelRecord,
  type PlatformRecord,
} from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { projectOfNew, projects } from "../../app/projects.ts";
import { panelFormMessages } from "../../i18n/panel-form.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { number } from "../../ui/time.tsx";
import { PlatformChoice } from "../new-batch/platform-choice.tsx";
import { BrandsField } from "./brands-field.tsx";
import { LocalesField } from "./locales-field.tsx";
import { PanelFileField, type FoundInFile } from "./panel-file-field.tsx";
import {
  draftOf,
  inputOf,
  linesOf,
  platformsOf,
  promptsOf,
  platformText,
  topicMark,
  type PanelDraft,
} from "./panel-draft.ts";
import { ProposePrompts, type ChosenPrompts } from "./propose-prompts.tsx";
import { ScheduleField } from "./schedule-field.tsx";
import { QuoteNote } from "./quote-note.tsx";

import * as css from "./panel-view.module.css";

/** As many as a panel keeps: the newest. */
const drawsMax = 20;

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
  const words = panelFormMessages.value;
  const [base, setBase] = useState<PanelInput | null>(() => (before === null ? null : panelInput(before)));
  const [draft, setDraft] = useState<PanelDraft>(() => draftOf(base));
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { busy, failed, run } = useAttempt();
  const platforms = useLive("platforms", (call) => querent.platforms.list(call), { everyMs: null }).value;
  const project = before?.projectId ?? projectOfNew();
  // Without a choice, a new panel is made in the default project of an account.
  const brandsOf = project ?? projects.value.find(({ isDefault }) => isDefault)?.projectId;
  const brands = useLive(
    `brands ${brandsOf ?? ""}`,
    (call) => Array.fromAsync(querent.entities.list({ project: brandsOf }, call)),
    { everyMs: null },
  );
  const needsPlatforms = before === null || before.platforms.length > 0;
  const panel = inputOf(draft, base, needsPlatforms);
  const { quote, failed: unpriced, retry } = useQuote(panel);
  const errors = [...(quote?.errors ?? []), ...(unpriced?.problem?.errors ?? []), ...(failed?.problem?.errors ?? [])];
  const missing = isTried && panel === null ? missingIn(draft, needsPlatforms) : [];
  const errorOf = (field: FieldName): string | null => {
    const lacks = missing.find((each) => each === field);
    if (lacks !== undefined) return words.missing[lacks];
    return errors.find(({ pointer }) => fieldOf(pointer) === field)?.detail ?? null;
  };
  const save = (event: Event) => {
    event.preventDefault();
    setTried(true);
    if (panel === null) {
      const [first] = missingIn(draft, needsPlatforms);
      form.current?.querySelector<HTMLElement>(`[data-field="${first}"] :is(input, textarea)`)?.focus();
      return;
    }
    run(async () => {
      done(
        await (before === null
          ? querent.panels.create(panel, { project })
          : querent.panels.replace(before.panelId, panel)),
      );
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
  /** Adds chosen proposals to what stands in the form, with what they were drawn from. */
  const add = ({ prompts, draw }: ChosenPrompts) => {
    const there = promptsOf(draft.prompts, base);
    const texts = new Set(there.map(({ text }) => text.toLowerCase()));
    const added = prompts.filter(({ text }) => !texts.has(text.toLowerCase()));
    const draws = base?.frame?.draws ?? before?.frame?.draws ?? [];
    const next = {
      ...(base ?? { name: draft.name, platforms: [] }),
      prompts: [...there, ...added],
      frame: { draws: [...draws, draw].slice(-drawsMax) },
    };
    setBase(next);
    setDraft({ ...draft, prompts: draftOf(next).prompts });
  };
  const set = (member: TextMember) => (value: string) => setDraft({ ...draft, [member]: value });
  const field = (member: TextMember) => (
    <Field member={member} value={draft[member]} change={set(member)} error={errorOf(member)} />
  );
  const brandsField = (member: "own" | "competitors") => (
    <BrandsField
      member={member}
      value={draft[member]}
      change={set(member)}
      known={brands.value}
      made={() => {
        brands.refresh();
        retry();
      }}
      error={errorOf(member)}
    />
  );
  const showsPlatforms = needsPlatforms || draft.platforms.trim() !== "";
  // What stands at no field.
  const others = errors.filter(({ pointer }) => fieldOf(pointer) === null);
  const hasFieldErrors = errors.length > others.length;
  return (
    <form ref={form} class="panel form" onSubmit={save} noValidate>
      <PanelFileField take={take} />
      <ProposePrompts panelId={before?.panelId ?? null} project={project} take={add} />
      {field("name")}
      {brandsField("own")}
      {brandsField("competitors")}
      {field("prompts")}
      <PromptFacts draft={draft} />
      {showsPlatforms ? (
        <PlatformsField draft={draft} change={setDraft} platforms={platforms} error={errorOf("platforms")} />
      ) : null}
      <LocalesField
        value={draft.locales}
        change={(locales) => setDraft({ ...draft, locales })}
        error={errorOf("locales")}
      />
      <ScheduleField draft={draft} change={setDraft} nextSlots={quote?.nextSlots ?? []} error={errorOf("cron")} />
      <details
        class={css.more}
        open={draft.personas !== "" || draft.repeats !== "1" || draft.untilWidth !== "" ? true : undefined}
      >
        <summary>{words.more}</summary>
        {field("personas")}
        {field("repeats")}
        {field("untilWidth")}
        {draft.untilWidth.trim() === "" ? null : field("repeatsMax")}
      </details>
      <section aria-label={t.preview}>
        {panel?.platforms.length === 0 ? (
          <p class="quiet">{t.neverAsked}</p>
        ) : unpriced !== null && !hasFieldErrors ? (
          <FailureNote failed={unpriced} retry={retry} />
        ) : quote !== null && (quote.valid || others.length > 0) ? (
          <>
            <QuoteNote quote={{ ...quote, errors: others }} panelId={before?.panelId} {...moreOf(draft, setDraft)} />
            {quote.valid && panel?.schedule === null ? <p class="quiet small">{words.whenUnknown}</p> : null}
          </>
        ) : panel === null ? (
          <p class="quiet">{t.notReady}</p>
        ) : hasFieldErrors ? (
          <p class="note note-bad" role="status">
            {words.hasErrors}
          </p>
        ) : null}
      </section>
      {failed === null ? null : <FailureNote failed={failed} />}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={busy}>
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

type FieldName = keyof PanelDraft;
type TextMember = Exclude<FieldName, "paused" | "platforms" | "cron" | "timeZone" | "locales">;

/** The field at which an error stands that the service tells with a JSON Pointer; null: at none. */
function fieldOf(pointer: string): FieldName | null {
  const [, first = "", second = ""] = pointer.split("/");
  switch (first) {
    case "name":
    case "prompts":
    case "platforms":
    case "locales":
    case "personas":
    case "repeats":
      return first;
    case "platformShare":
      return "platforms";
    case "brands":
      return second === "competitors" ? "competitors" : "own";
    case "askUntil":
      return second === "repeatsMax" ? "repeatsMax" : "untilWidth";
    case "schedule":
      return "cron";
    default:
      return null;
  }
}

/** Without these there is nothing to save. */
function missingIn(draft: PanelDraft, needsPlatforms: boolean): ("name" | "prompts" | "platforms")[] {
  return (["name", "prompts", "platforms"] as const).filter(
    (member) => draft[member].trim() === "" && (member !== "platforms" || needsPlatforms),
  );
}

/** What is typed into fields of numbers. */
const limits: Partial<Record<FieldName, { min: number; max: number; step?: number }>> = {
  repeats: { min: 1, max: 100 },
  untilWidth: { min: 1, max: 50, step: 0.1 },
  repeatsMax: { min: 15, max: 100 },
};

interface FieldProps {
  readonly member: TextMember;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly error: string | null;
}

function Field({ member, value, change, error }: FieldProps) {
  const t = panelsMessages.value;
  const id = `panel-${member}`;
  const isList = member === "prompts" || member === "personas";
  const hint =
    member === "prompts"
      ? panelFormMessages.value.promptsHint
      : member === "personas" || member === "untilWidth"
        ? t.hints[member]
        : null;
  const described = [hint === null ? "" : `${id}-hint`, error === null ? "" : `${id}-error`].join(" ").trim();
  const shared = {
    id,
    class: "input",
    value,
    spellcheck: member === "prompts",
    "aria-invalid": error === null ? undefined : true,
    "aria-describedby": described === "" ? undefined : described,
  };
  return (
    <div class="field" data-field={member}>
      <label for={id}>{t.form[member]}</label>
      {isList ? (
        <textarea
          {...shared}
          rows={member === "prompts" ? 8 : 2}
          dir="auto"
          onPaste={(event) => member === "prompts" && pasteColumns(event, change)}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      ) : (
        <input
          {...shared}
          autocomplete="off"
          {...(limits[member] === undefined ? {} : { type: "number", ...limits[member] })}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      {error === null ? null : (
        <p id={`${id}-error`} class="field-error small">
          {error}
        </p>
      )}
      {hint === null ? null : (
        <p id={`${id}-hint`} class="quiet small">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Two columns of a spreadsheet are a prompt and its topic. */
function pasteColumns(
  event: ClipboardEvent & { readonly currentTarget: HTMLTextAreaElement },
  change: (value: string) => void,
) {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!text.includes("\t")) return;
  event.preventDefault();
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  const lines = text.split(/\r?\n/).map((line) => {
    const [prompt = "", topic = ""] = line.split("\t").map((cell) => cell.trim());
    return topic === "" ? prompt : `${prompt}${topicMark}${topic}`;
  });
  change(value.slice(0, selectionStart) + lines.join("\n") + value.slice(selectionEnd));
}

/** How many prompts and topics there are, and how many name a brand of one's own. */
function PromptFacts({ draft }: { draft: PanelDraft }) {
  const t = panelFormMessages.value;
  const lines = linesOf(draft.prompts);
  if (lines.length === 0) return null;
  const topics = new Set(lines.flatMap((line) => (line.includes(topicMark) ? [line.split(topicMark).at(-1)] : [])));
  const own = linesOf(draft.own).map((name) => name.toLowerCase());
  const branded = lines.filter((line) => own.some((name) => line.toLowerCase().includes(name))).length;
  return (
    <p class="quiet small" role="status">
      {t.promptCount(number(lines.length), number(topics.size))}
      {branded === 0 ? "" : `. ${t.branded(branded)}`}
    </p>
  );
}

interface PlatformsFieldProps {
  readonly draft: PanelDraft;
  readonly change: (draft: PanelDraft) => void;
  readonly platforms: readonly PlatformRecord[] | null;
  readonly error: string | null;
}

/** The platforms by name, those that can be asked first, and of which only a part is asked. */
function PlatformsField({ draft, change, platforms, error }: PlatformsFieldProps) {
  const t = panelFormMessages.value;
  const { platforms: chosen, platformShare } = platformsOf(draft.platforms);
  const put = (codes: readonly string[], share: Readonly<Record<string, number>> = platformShare) =>
    change({ ...draft, platforms: codes.map((code) => platformText(code, share[code])).join(", ") });
  const unknown = chosen.filter((code) => platforms?.some(({ platformCode }) => platformCode === code) === false);
  return (
    <div class="field" data-field="platforms">
      {platforms === null ? null : (
        <PlatformChoice platforms={platforms} chosen={chosen} choose={(codes) => put(codes)} />
      )}
      {unknown.length === 0 ? null : (
        <div class={css.chips}>
          {unknown.map((code) => (
            <button
              key={code}
              type="button"
              class="button small"
              onClick={() => put(chosen.filter((one) => one !== code))}
            >
              {code} ({t.notListed}) ×
            </button>
          ))}
        </div>
      )}
      {error === null ? null : <p class="field-error small">{error}</p>}
      <p class="quiet small">{t.platformsHint}</p>
      {chosen.length === 0 ? null : (
        <details class={css.more} open={Object.keys(platformShare).length > 0 ? true : undefined}>
          <summary>{t.parts}</summary>
          {chosen.map((code) => (
            <label key={code} class={css.cron}>
              <span class="small quiet">{t.partOf(code)}</span>
              <input
                class="input"
                type="number"
                min={1}
                max={100}
                value={Math.round(100 * (platformShare[code] ?? 1))}
                onChange={({ currentTarget }) => {
                  const percent = Math.min(100, Math.max(1, Math.round(Number(currentTarget.value)) || 100));
                  const { [code]: _, ...others } = platformShare;
                  put(chosen, percent === 100 ? others : { ...others, [code]: percent / 100 });
                }}
              />
            </label>
          ))}
        </details>
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
