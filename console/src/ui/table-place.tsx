import type { ComponentChildren } from "preact";
import * as css from "./table-place.module.css";

/** Holds a table that may be wider than the window, and lets it be scrolled, also by keyboard. */
export function TablePlace({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class={css.tablePlace} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
