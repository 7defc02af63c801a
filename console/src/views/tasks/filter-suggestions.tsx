import { tasksMessages } from "../../i18n/tasks.ts";
import type { Suggestion } from "./suggest.ts";
import * as css from "./filter-bar.module.css";

interface FilterSuggestionsProps {
  readonly suggestions: readonly Suggestion[];
  /** The index of the one that Enter takes; -1 for none. */
  readonly chosen: number;
  readonly take: (suggestion: Suggestion) => void;
}

/** The list below the filter field, with the suggestions for the word at the caret. */
export function FilterSuggestions({ suggestions, chosen, take }: FilterSuggestionsProps) {
  const t = tasksMessages.value;
  return (
    <ul
      id="filter-suggestions"
      class={css.suggestions}
      role="listbox"
      aria-label={t.suggestions}
      hidden={suggestions.length === 0}
    >
      {suggestions.map((suggestion, index) => (
        <li
          key={suggestion.text}
          id={`suggestion-${index}`}
          role="option"
          aria-selected={index === chosen}
          // On mouse down, before the field loses focus.
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
  );
}
