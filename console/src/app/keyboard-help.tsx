import { Dialog } from "../ui/dialog.tsx";
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
  return (
    <Dialog title={t.title} closeLabel={t.close} close={close}>
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
    </Dialog>
  );
}
