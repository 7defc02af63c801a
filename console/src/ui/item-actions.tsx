import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ConfirmButtons } from "./confirm-buttons.tsx";

interface ItemActionsProps {
  readonly words: { readonly edit: string; readonly remove: string; readonly cancel: string };
  /** What the removal ends, as a question. */
  readonly sure: string;
  readonly busy: boolean;
  readonly edit: () => void;
  readonly remove: () => void;
  /** Buttons before these. */
  readonly children?: ComponentChildren;
}

/** The buttons of an item of a list: to edit it, and to remove it once that is confirmed. */
export function ItemActions({ words, sure, busy, edit, remove, children }: ItemActionsProps) {
  const [isAsked, setAsked] = useState(false);
  if (isAsked)
    return (
      <div class="actions">
        <span class="small">{sure}</span>
        <ConfirmButtons yes={words.remove} confirm={remove} no={words.cancel} withdraw={() => setAsked(false)} />
      </div>
    );
  return (
    <div class="actions">
      {children}
      <button type="button" class="button" disabled={busy} onClick={edit}>
        {words.edit}
      </button>
      <button type="button" class="button" disabled={busy} onClick={() => setAsked(true)}>
        {words.remove}
      </button>
    </div>
  );
}
