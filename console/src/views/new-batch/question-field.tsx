import { decodeText, EncodingError, type QuestionForm } from "@querent/client";
import { useRef, useState } from "preact/hooks";
import { Icon } from "../../ui/icon.tsx";
import { number } from "../../ui/time.tsx";
import { newBatchMessages } from "../../i18n/new-batch.ts";
import * as css from "./question-field.module.css";

export interface Questions {
  readonly text: string;
  /** The name of the file that the text came from, or a label for a very long paste. Such a text is not shown in the field: a hundred thousand lines would freeze the page. */
  readonly file: string | null;
}

interface QuestionFieldProps {
  readonly questions: Questions;
  readonly change: (questions: Questions) => void;
  readonly format: QuestionForm;
  readonly rowCount: number;
}

const fileBytesMax = 200 * 1024 * 1024;
/** A longer paste is treated as a file, because a field with so many lines would freeze the page. */
const pastedCharsMax = 200_000;

export function QuestionField({ questions, change, format, rowCount }: QuestionFieldProps) {
  const t = newBatchMessages.value;
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);

  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > fileBytesMax) return setRefused(t.fileTooLarge);
    try {
      const text = decodeText(new Uint8Array(await file.arrayBuffer()));
      setRefused(null);
      change({ text, file: file.name });
    } catch (error) {
      if (!(error instanceof EncodingError)) throw error;
      setRefused(t.notText(error.line));
    }
  };
  return (
    <div class="field">
      <label for="questions">{t.questions}</label>
      <div
        class={over ? `${css.drop} ${css.over}` : css.drop}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer?.files[0]);
        }}
      >
        {questions.file === null ? (
          <QuestionText text={questions.text} change={change} />
        ) : (
          <QuestionFile name={questions.file} rowCount={rowCount} remove={() => change({ text: "", file: null })} />
        )}
        <div class={css.dropFoot}>
          <span class="quiet small">
            {questions.text === "" ? t.drop : `${t.formats[format]} · ${t.rows(number(rowCount))}`}
          </span>
          <button type="button" class="button" onClick={() => picker.current?.click()}>
            {t.chooseFile}
          </button>
          <input
            ref={picker}
            type="file"
            class="unseen"
            tabIndex={-1}
            aria-label={t.chooseFile}
            accept=".txt,.csv,.tsv,.jsonl,.ndjson,.json"
            onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
          />
        </div>
      </div>
      {refused !== null ? (
        <p class="note note-bad" role="alert">
          {refused}
        </p>
      ) : null}
      <p id="questions-hint" class="quiet small">
        {t.questionsHint}
      </p>
    </div>
  );
}

interface QuestionTextProps {
  readonly text: string;
  readonly change: (questions: Questions) => void;
}

function QuestionText({ text, change }: QuestionTextProps) {
  const t = newBatchMessages.value;
  return (
    <textarea
      id="questions"
      class={`input ${css.questions}`}
      rows={9}
      dir="auto"
      placeholder={t.questionsPlaceholder}
      aria-describedby="questions-hint"
      value={text}
      onInput={({ currentTarget }) => change({ text: currentTarget.value, file: null })}
      onPaste={(event) => {
        const pasted = event.clipboardData?.getData("text/plain") ?? "";
        if (pasted.length <= pastedCharsMax) return;
        event.preventDefault();
        change({ text: `${text === "" ? "" : `${text}\n`}${pasted}`, file: t.pasted });
      }}
    />
  );
}

interface QuestionFileProps {
  readonly name: string;
  readonly rowCount: number;
  readonly remove: () => void;
}

function QuestionFile({ name, rowCount, remove }: QuestionFileProps) {
  const t = newBatchMessages.value;
  return (
    <p class={css.file}>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span class="quiet">{t.rows(number(rowCount))}</span>
      <button type="button" class="button ghost" onClick={remove}>
        <Icon name="cross" />
        {t.removeFile}
      </button>
    </p>
  );
}
