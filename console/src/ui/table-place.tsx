import type { ComponentChildren } from "preact";
import * as css from "./table-place.module.css";

/** Where a table stands that may be wider than the window: it is scrolled there, by keyboard too. */
export function TablePlace({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class={css.tablePlace} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
