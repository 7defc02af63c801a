import { QuerentError } from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { announce } from "../ui/announcer.tsx";
import { FailureNote } from "../ui/failure-note.tsx";
import { Icon } from "../ui/icon.tsx";
import { number } from "../ui/time.tsx";
import { batchesMessages } from "../i18n/batches.ts";
import type { Columns } from "./record-columns.ts";
import { saveRows, type ExportFormat } from "./save-rows.ts";
import * as css from "./export-buttons.module.css";

interface ExportButtonsProps<Row> {
  readonly name: string;
  readonly rows: (signal: AbortSignal) => AsyncIterable<Row>;
  readonly columns: Columns<Row>;
}

/** Saves rows as CSV or JSON lines, and tells how many are written. */
export function ExportButtons<Row>({ name, rows, columns }: ExportButtonsProps<Row>) {
  const t = batchesMessages.value;
  const [count, setCount] = useState<number | null>(null);
  const [failed, setFailed] = useState<QuerentError | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (format: ExportFormat) => {
    const aborting = new AbortController();
    running.current = aborting;
    setFailed(null);
    setCount(0);
    try {
      const { signal } = aborting;
      const written = await saveRows({ name, format, rows: rows(signal), columns, onProgress: setCount, signal });
      announce(t.exporting(number(written)));
    } catch (error) {
      if (aborting.signal.aborted) return;
      if (!(error instanceof QuerentError)) throw error;
      setFailed(error);
    } finally {
      running.current = null;
      setCount(null);
    }
  };

  if (count !== null) {
    return (
      <span class={css.exporting} role="status">
        {t.exporting(number(count))}
        <button type="button" class="button" onClick={() => running.current?.abort()}>
          {t.stop}
        </button>
      </span>
    );
  }
  return (
    <>
      {(["csv", "jsonl"] as const).map((format) => (
        <button
          key={format}
          type="button"
          class="button"
          aria-label={`${t.exports} ${format.toUpperCase()}`}
          onClick={() => void run(format)}
        >
          <Icon name="download" />
          {format.toUpperCase()}
        </button>
      ))}
      {failed === null ? null : <FailureNote failed={failed} />}
    </>
  );
}
