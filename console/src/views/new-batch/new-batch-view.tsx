import type { TaskOptions } from "@querent/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { Segments } from "../../ui/segments.tsx";
import { number } from "../../ui/time.tsx";
import { newBatchMessages } from "../../i18n/new-batch.ts";
import { AskedAsFields } from "./asked-as-fields.tsx";
import { emptyDraft, membersOf, optionsOf } from "./asked-as-draft.ts";
import { PlatformChoice } from "./platform-choice.tsx";
import { planItems } from "./plan-items.ts";
import { QuestionField, type Questions } from "./question-field.tsx";
import { QuotePanel } from "./quote-panel.tsx";
import { readRows } from "./read-rows.ts";
import { Resumption } from "./resumption.tsx";
import { useQuote } from "./use-quote.ts";
import { useTitle } from "../../ui/use-title.ts";
import * as css from "./new-batch-view.module.css";

/** Asks every question of every chosen platform: the service checks and prices the submission before it is sent. */
export function NewBatchView() {
  const t = newBatchMessages.value;
  const [questions, setQuestions] = useState<Questions>({ text: "", file: null });
  const [platforms, setPlatforms] = useState<readonly string[]>([]);
  const [deepAnalysis, setDeepAnalysis] = useState(false);
  const [output, setOutput] = useState<TaskOptions["output"]>("answer");
  const [resultFormat, setResultFormat] = useState<TaskOptions["resultFormat"]>("json");
  const [tags, setTags] = useState("");
  const [draft, setDraft] = useState(emptyDraft);
  const known = useLive("platforms", (call) => querent.platforms.list(call), { everyMs: null }).value;

  useTitle(t.title);
  useEffect(() => {
    const first = known?.find(({ configured }) => configured);
    if (first !== undefined) setPlatforms((chosen) => (chosen.length === 0 ? [first.platformCode] : chosen));
  }, [known]);

  const { format, rows } = useMemo(() => readRows(questions.text), [questions.text]);
  const chosen = useMemo(
    () => (known ?? []).filter(({ platformCode }) => platforms.includes(platformCode)),
    [known, platforms],
  );
  const items = useMemo(
    () =>
      planItems(rows, {
        platforms,
        deepAnalysis,
        output,
        resultFormat,
        tags: readTags(tags),
        askedAs: optionsOf(draft, membersOf(chosen)),
      }),
    [rows, platforms, chosen, deepAnalysis, output, resultFormat, tags, draft],
  );
  const { quote, failed } = useQuote(items);

  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
      </header>
      <Resumption />
      <div class={css.newBatch}>
        <div class={css.newBatchForm}>
          <QuestionField questions={questions} change={setQuestions} format={format} rowCount={rows.length} />
          <PlatformChoice platforms={known ?? []} chosen={platforms} choose={setPlatforms} />
          <fieldset class="field">
            <legend>{t.options}</legend>
            <DeepAnalysis isOn={deepAnalysis} change={setDeepAnalysis} />
            <div class={css.optionLines}>
              <OptionLine name="output" label={t.output} value={output} labels={t.outputs} choose={setOutput} />
              <OptionLine
                name="format"
                label={t.resultFormat}
                value={resultFormat}
                labels={t.resultFormats}
                choose={setResultFormat}
              />
            </div>
          </fieldset>
          <AskedAsFields draft={draft} change={setDraft} platforms={chosen} />
          <TagsField tags={tags} change={setTags} />
        </div>
        <QuotePanel
          items={items}
          faults={rows.flatMap((row) =>
            "fault" in row ? [{ line: row.line, detail: t.rowFaults[row.fault](row) }] : [],
          )}
          quote={quote}
          failed={failed}
          sum={t.sum(number(rows.length), number(items.length))}
          submitted={() => setQuestions({ text: "", file: null })}
        />
      </div>
    </div>
  );
}

function DeepAnalysis({ isOn, change }: { isOn: boolean; change: (isOn: boolean) => void }) {
  return (
    <label class="choice">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => change(currentTarget.checked)} />
      <span>{newBatchMessages.value.deepAnalysis}</span>
    </label>
  );
}

interface OptionLineProps<Value extends string> {
  readonly name: string;
  readonly label: string;
  readonly value: Value;
  readonly labels: Readonly<Record<Value, string>>;
  readonly choose: (value: Value) => void;
}

function OptionLine<Value extends string>({ label, ...segments }: OptionLineProps<Value>) {
  const id = `${segments.name}-label`;
  return (
    <div class="option-line">
      <span class="quiet" id={id}>
        {label}
      </span>
      <Segments labelledBy={id} {...segments} />
    </div>
  );
}

function TagsField({ tags, change }: { tags: string; change: (tags: string) => void }) {
  const t = newBatchMessages.value;
  return (
    <div class="field">
      <label for="tags">{t.tags}</label>
      <input
        id="tags"
        class="input"
        value={tags}
        aria-describedby="tags-hint"
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <p id="tags-hint" class="quiet small">
        {t.tagsHint}
      </p>
    </div>
  );
}

const readTags = (text: string): string[] =>
  text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
