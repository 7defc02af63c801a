import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface FilterDraftInput {
  /** The filter in force: the one in the address. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Told whether the line holds something that is not in force yet. */
  readonly onDraft: (isDraft: boolean) => void;
}

interface FilterDraft {
  readonly draft: string;
  /** Changes the line; it comes into force once nobody has typed for a moment. */
  readonly setDraft: (text: string) => void;
  /** Puts a filter into force at once. */
  readonly say: (filter: string) => void;
}

/** How long nobody types before the list is read anew. */
const quietMs = 250;

/** What is written in the line of the filter, which comes into force a moment later. */
export function useFilterDraft({ text, onChange, onDraft }: FilterDraftInput): FilterDraft {
  const [draft, setDraft] = useState(text);
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
  return { draft, setDraft, say };
}
