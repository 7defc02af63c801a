import type { PlatformRecord } from "@querent/client";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { suggest, wordBefore, type Suggestion } from "./suggest.ts";

interface CompletionInput {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly draft: string;
  readonly setDraft: (text: string) => void;
  readonly platforms: readonly PlatformRecord[];
  readonly tags: readonly string[];
}

interface Completion {
  /** Empty when the list is closed. */
  readonly suggestions: readonly Suggestion[];
  /** The index of the highlighted suggestion; -1 for none. */
  readonly chosen: number;
  readonly setChosen: (index: number) => void;
  /** Sets where the caret is; null closes the list. */
  readonly setCaret: (caret: number | null) => void;
  readonly take: (suggestion: Suggestion) => void;
  /** Moves the highlight or takes the highlighted suggestion; false for a key that the list does not handle. */
  readonly onKey: (key: string) => boolean;
}

/** The suggestions for the word at the caret, which one is highlighted, and how to take one. */
export function useCompletion({ input, draft, setDraft, platforms, tags }: CompletionInput): Completion {
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, showChosen] = useState(-1);
  // Keys may arrive faster than renders, so the next key reads the index from here.
  const latest = useRef(-1);
  const setChosen = (index: number) => {
    latest.current = index;
    showChosen(index);
  };
  /** Where to put the caret once the suggestion taken is in the field. */
  const placed = useRef<number | null>(null);
  // The caret is set in the same frame as the text, because the user may type on before the next one.
  useLayoutEffect(() => {
    const place = placed.current;
    if (place === null) return;
    placed.current = null;
    input.current?.focus();
    input.current?.setSelectionRange(place, place);
  });

  const before = caret === null ? null : draft.slice(0, caret);
  const suggestions = before === null ? [] : suggest({ before, platforms, tags });
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
  const onKey = (key: string): boolean => {
    const at = latest.current;
    const pick = suggestions[at];
    if (key === "ArrowDown" && suggestions.length > 0) setChosen((at + 1) % suggestions.length);
    else if (key === "ArrowUp" && suggestions.length > 0) setChosen((at <= 0 ? suggestions.length : at) - 1);
    else if ((key === "Enter" || key === "Tab") && pick !== undefined) take(pick);
    else return false;
    return true;
  };
  return { suggestions, chosen, setChosen, setCaret, take, onKey };
}
