import type { PlatformRecord } from "@querent/client";
import { useRef } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts.ts";
import { Icon } from "../../ui/icon.tsx";
import { tasksMessages } from "../../i18n/tasks.ts";
import { FilterFaults, FilterMarks } from "./filter-faults.tsx";
import { FilterSuggestions } from "./filter-suggestions.tsx";
import { readFilter } from "./read-filter.ts";
import { useCompletion } from "./use-completion.ts";
import { useFilterDraft } from "./use-filter-draft.ts";
import * as css from "./filter-bar.module.css";

interface FilterBarProps {
  readonly text: string;
  readonly platforms: readonly PlatformRecord[];
  readonly tags: readonly string[];
  readonly onChange: (text: string) => void;
  /** Told whether the field holds a change that is not applied yet. */
  readonly onDraft: (isDraft: boolean) => void;
}

/** The filter field, with completion: a combobox as ARIA describes it, with the list below. */
export function FilterBar({ text, platforms, tags, onChange, onDraft }: FilterBarProps) {
  const t = tasksMessages.value;
  const input = useRef<HTMLInputElement>(null);
  const { draft, setDraft, say } = useFilterDraft({ text, onChange, onDraft });
  const completion = useCompletion({ input, draft, setDraft, platforms, tags });
  const { suggestions, chosen, setChosen, setCaret, take, onKey } = completion;
  useShortcuts({ "/": () => input.current?.focus() });
  const { faults } = readFilter(draft);
  const isOpen = suggestions.length > 0;
  const replace = (filter: string) => {
    setDraft(filter);
    say(filter);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (onKey(event.key)) event.preventDefault();
    else if (event.key === "Enter") {
      say(draft);
      setCaret(null);
    } else if (event.key === "Escape") {
      if (!isOpen) input.current?.blur();
      setCaret(null);
      event.preventDefault();
    }
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
          <button type="button" class="button ghost icon-only" aria-label={t.clear} onClick={() => replace("")}>
            <Icon name="cross" />
          </button>
        )}
      </div>
      <FilterSuggestions suggestions={suggestions} chosen={chosen} take={take} />
      <FilterFaults
        text={draft}
        faults={faults}
        correct={(next) => {
          replace(next);
          input.current?.focus();
        }}
      />
    </div>
  );
}
