import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { go, to } from "../../app/address.ts";
import { Icon } from "../../ui/icon.tsx";
import { batchesMessages } from "../../i18n/batches.ts";

/** The pause in typing after which the change is applied. */
const quietMs = 300;

interface BatchSearchProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly state: string | null;
}

/** The field that searches the batches; what it holds goes into the address. */
export function BatchSearch({ input, text, state }: BatchSearchProps) {
  const t = batchesMessages.value;
  const [draft, setDraft] = useState(text);
  useEffect(() => setDraft(text), [text]);
  useEffect(() => {
    if (draft === text) return;
    const timer = window.setTimeout(
      () => go(to("/batches", { q: draft.trim(), state: state ?? "" }), { replace: true }),
      quietMs,
    );
    return () => window.clearTimeout(timer);
  }, [draft]);
  return (
    <div class="search">
      <Icon name="search" />
      <input
        ref={input}
        class="input"
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        autocomplete="off"
        spellcheck={false}
        value={draft}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      />
    </div>
  );
}
