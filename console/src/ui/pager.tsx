import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

interface PagerProps {
  /** The address of the first page; undefined on the first page itself. */
  readonly newest: string | undefined;
  /** The address of the next page; undefined on the last one. */
  readonly older: string | undefined;
  readonly words: { readonly newest: string; readonly older: string };
  readonly children?: ComponentChildren;
}

/** The links below a list that is shown a page at a time. */
export function Pager({ newest, older, words, children = <span /> }: PagerProps) {
  return (
    <footer class="pager">
      {children}
      {newest === undefined ? null : (
        <a class="button" href={newest}>
          <Icon name="back" />
          {words.newest}
        </a>
      )}
      {older === undefined ? null : (
        <a class="button" href={older}>
          {words.older}
          <Icon name="forward" />
        </a>
      )}
    </footer>
  );
}
