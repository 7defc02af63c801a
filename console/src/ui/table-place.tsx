import type { ComponentChildren } from "preact";

/** Where a table stands that may be wider than the window: it is scrolled there, by keyboard too. */
export function TablePlace({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="table-place" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
