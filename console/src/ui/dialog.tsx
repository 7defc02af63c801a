import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface DialogProps {
  readonly title: string;
  readonly closeLabel: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog with a title and a button that closes it. */
export function Dialog({ title, closeLabel, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={titleId} onClose={close}>
      <header class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button
          type="button"
          class="button ghost icon-only"
          aria-label={closeLabel}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="cross" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
