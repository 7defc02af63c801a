import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface FilterDraftInput {
  /** The filter applied, which is the one in the address. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Told whether the field holds a change that is not applied yet. */
  readonly onDraft: (isDraft: boolean) => void;
}

interface FilterDraft {
  readonly draft: string;
  /** Changes the text in the field, which is applied after a pause in typing. */
  readonly setDraft: (text: string) => void;
  /** Applies a filter at once. */
  readonly say: (filter: string) => void;
}

/** The pause in typing after which the filter is applied. */
const quietMs = 250;

/** The text in the filter field, which is applied after a pause in typing. */
export function useFilterDraft({ text, onChange, onDraft }: FilterDraftInput): FilterDraft {
  const [draft, setDraft] = useState(text);
  /** The filter last applied from here. When the address changes to it, the field is left alone: the user may have typed on. */
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
