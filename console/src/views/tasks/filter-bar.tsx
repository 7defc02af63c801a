import type { PlatformRecord } from "@querent/client";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts.ts";
import { Icon } from "../../ui/icon.tsx";
import { tasksMessages } from "../../i18n/tasks.ts";
import { FilterFaults, FilterMarks } from "./filter-faults.tsx";
import { readFilter } from "./read-filter.ts";
import { suggest, wordBefore, type Suggestion } from "./suggest.ts";
import * as css from "./filter-bar.module.css";

interface FilterBarProps {
  readonly text: string;
  readonly platforms: readonly PlatformRecord[];
  readonly tags: readonly string[];
  readonly onChange: (text: string) => void;
  /** Told whether the line holds something that is not in force yet. */
  readonly onDraft: (isDraft: boolean) => void;
}

/** How long nobody types before the list is read anew. */
const quietMs = 250;

/** One line to filter by, with completion: a combobox as ARIA describes it, the list below the line. */
export function FilterBar({ text, platforms, tags, onChange, onDraft }: FilterBarProps) {
  const t = tasksMessages.value;
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState(text);
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, showChosen] = useState(-1);
  // Keys come faster than what they change is drawn: the next one goes by this.
  const latest = useRef(-1);
  const setChosen = (index: number) => {
    latest.current = index;
    showChosen(index);
  };
  /** Where the caret is to stand once what was taken is in the line. */
  const placed = useRef<number | null>(null);
  // With the line, not a frame later: by then somebody may have typed on.
  useLayoutEffect(() => {
    const place = placed.current;
    if (place === null) return;
    placed.current = null;
    input.current?.focus();
    input.current?.setSelectionRange(place, place);
  });
  useShortcuts({ "/": () => input.current?.focus() });

  /** What the line said last: when the address comes to say the same, it is no news, and somebody may have typed on. */
  const said = useRef(text);
  const say = (filter: string) => {
    said.current = filter;
    onChange(filter);
  };
  // The address is the filter: going back in history changes it here too.
  useEffect(() => {
    if (text !== said.current) setDraft(text);
    said.current = text;
  }, [text]);
  useEffect(() => {
    if (draft === text) return;
    const timer = window.setTimeout(() => say(draft), quietMs);
    return () => window.clearTimeout(timer);
  }, [draft]);

  useLayoutEffect(() => onDraft(draft !== text), [draft, text]);

  const { faults } = readFilter(draft);
  const before = caret === null ? null : draft.slice(0, caret);
  const suggestions = before === null ? [] : suggest({ before, platforms, tags });
  const isOpen = suggestions.length > 0;

  const take = ({ text: taken }: Suggestion) => {
    const start = (before ?? "").length - wordBefore(before ?? "").length;
    const rest = draft.slice(before?.length ?? 0).trimStart();
    const next = `${draft.slice(0, start)}${taken}${rest}`;
    const place = start + taken.length;
    setDraft(next);
    setChosen(-1);
    setCaret(place);
    placed.current = place;
  };

  const clear = () => {
    setDraft("");
    say("");
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const at = latest.current;
    const pick = suggestions[at];
    if (event.key === "ArrowDown" && isOpen) setChosen((at + 1) % suggestions.length);
    else if (event.key === "ArrowUp" && isOpen) setChosen((at <= 0 ? suggestions.length : at) - 1);
    else if ((event.key === "Enter" || event.key === "Tab") && pick !== undefined) take(pick);
    else if (event.key === "Enter") {
      say(draft);
      setCaret(null);
      return;
    } else if (event.key === "Escape") {
      if (!isOpen) input.current?.blur();
      setCaret(null);
    } else return;
    event.preventDefault();
  };

  return (
    <div class={css.filter}>
      <div class={css.filterLine}>
        <Icon name="search" />
        <FilterMarks text={draft} faults={faults} input={input} />
        <input
          ref={input}
          class={`input ${css.filterInput}`}
          role="combobox"
          aria-label={t.filter}
          aria-expanded={isOpen}
          aria-controls="filter-suggestions"
          aria-autocomplete="list"
          aria-activedescendant={isOpen && chosen >= 0 ? `suggestion-${chosen}` : undefined}
          aria-invalid={faults.length > 0}
          aria-describedby={faults.length > 0 ? "filter-faults" : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder={t.filterHint}
          value={draft}
          onInput={({ currentTarget }) => {
            setDraft(currentTarget.value);
            setCaret(currentTarget.selectionStart);
            setChosen(-1);
          }}
          onFocus={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onClick={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onBlur={() => setCaret(null)}
          onKeyDown={onKeyDown}
        />
        {draft === "" ? (
          <kbd aria-hidden="true">/</kbd>
        ) : (
          <button type="button" class="button ghost icon-only" aria-label={t.clear} onClick={clear}>
            <Icon name="cross" />
          </button>
        )}
      </div>
      <ul id="filter-suggestions" class={css.suggestions} role="listbox" aria-label={t.suggestions} hidden={!isOpen}>
        {suggestions.map((suggestion, index) => (
          <li
            key={suggestion.text}
            id={`suggestion-${index}`}
            role="option"
            aria-selected={index === chosen}
            // Before the line loses its focus.
            onMouseDown={(event) => {
              event.preventDefault();
              take(suggestion);
            }}
          >
            <code>{suggestion.text.trim()}</code>
            {suggestion.about === null ? null : <span class="quiet">{t.about[suggestion.about]}</span>}
          </li>
        ))}
      </ul>
      <FilterFaults
        text={draft}
        faults={faults}
        correct={(next) => {
          setDraft(next);
          say(next);
          input.current?.focus();
        }}
      />
    </div>
  );
}
