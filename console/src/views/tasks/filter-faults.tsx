import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { tasksMessages } from "../../i18n/tasks.ts";
import { corrected, textLengthMax, type FilterFault } from "./read-filter.ts";
import * as css from "./filter-faults.module.css";

interface FilterMarksProps {
  readonly text: string;
  readonly faults: readonly FilterFault[];
  readonly input: RefObject<HTMLInputElement | null>;
}

/** Underlines the parts that are not understood: the same text lies invisibly behind the field, with only the underlines showing. */
export function FilterMarks({ text, faults, input }: FilterMarksProps) {
  const marks = useRef<HTMLDivElement>(null);
  // A long text scrolls within the field, and the underlines scroll along.
  useEffect(() => {
    const line = input.current;
    if (line === null || faults.length === 0) return;
    const follow = () => void (marks.current !== null && (marks.current.scrollLeft = line.scrollLeft));
    follow();
    line.addEventListener("scroll", follow);
    return () => line.removeEventListener("scroll", follow);
  }, [text, faults.length === 0]);
  if (faults.length === 0) return null;
  let at = 0;
  return (
    <div ref={marks} class={css.filterMarks} aria-hidden="true">
      {faults.map(({ start, end }) => {
        const before = text.slice(at, start);
        at = end;
        return (
          <>
            {before}
            <mark>{text.slice(start, end)}</mark>
          </>
        );
      })}
    </div>
  );
}

interface FilterFaultsProps {
  readonly text: string;
  readonly faults: readonly FilterFault[];
  readonly correct: (text: string) => void;
}

/** What is wrong with the filter, with a button for each likely correction. */
export function FilterFaults({ text, faults, correct }: FilterFaultsProps) {
  const t = tasksMessages.value;
  if (faults.length === 0) return null;
  return (
    <div id="filter-faults" class={css.filterFaults} role="alert">
      {faults.map((fault) => (
        <p key={`${fault.kind} ${fault.start}`}>
          {messageOf(fault)}
          {fault.instead === null ? null : (
            <>
              {" "}
              {t.didYouMean}{" "}
              <button
                type="button"
                class="plain link mono"
                onClick={() => fault.instead !== null && correct(corrected(text, fault, fault.instead))}
              >
                {fault.instead}
              </button>
            </>
          )}
        </p>
      ))}
    </div>
  );
}

function messageOf(fault: FilterFault): string {
  const t = tasksMessages.value;
  switch (fault.kind) {
    case "unknown_key":
      return t.unknownKey(fault.key);
    case "bad_value":
      return t.badValue[fault.key](fault.value);
    case "no_value":
      return t.noValue(fault.key);
    case "repeated":
      return t.repeated(fault.key);
    case "text_too_long":
      return t.textTooLong(textLengthMax);
  }
}
