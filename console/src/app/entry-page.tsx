import type { ComponentChildren } from "preact";
import { Brand } from "./brand.tsx";
import { Preferences } from "./preferences.tsx";
import * as css from "./sign-in.module.css";

/** A page before the console: one column, below the name and the preferences. */
export function EntryPage({ children }: { children: ComponentChildren }) {
  return (
    <div class={css.signIn}>
      <header class={css.signInTop}>
        <Brand />
        <Preferences />
      </header>
      <main class={css.signInMain}>{children}</main>
    </div>
  );
}
