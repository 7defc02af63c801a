import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../ui/icon.tsx";
import { shellMessages } from "../i18n/shell.ts";
import * as css from "./keyboard-help.module.css";

export const paletteKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ K" : "Ctrl K";

const keys = {
  palette: paletteKey,
  next: "j",
  previous: "k",
  open: "Enter",
  select: "x",
  clear: "Esc",
  search: "/",
  pause: "p",
  overview: "o",
  tasks: "t",
  ask: "n",
  back: "u",
  help: "?",
} as const;

export function KeyboardHelp({ close }: { close: () => void }) {
  const t = shellMessages.value.keys;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="keys-title" onClose={close}>
      <header class="dialog-head">
        <h2 id="keys-title">{t.title}</h2>
        <button
          type="button"
          class="button ghost icon-only"
          aria-label={t.close}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="cross" />
        </button>
      </header>
      <dl class={css.keys}>
        {(Object.keys(keys) as (keyof typeof keys)[]).map((name) => (
          <div key={name}>
            <dt>
              <kbd>{keys[name]}</kbd>
            </dt>
            <dd>{t.list[name]}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
