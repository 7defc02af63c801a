import type { UsageRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { Icon } from "../ui/icon.tsx";
import { number } from "../ui/time.tsx";
import { phrases } from "../words/phrases.ts";
import { shellWords } from "../words/shell.ts";
import { go, to } from "./address.ts";
import { Banners } from "./banners.tsx";
import { Brand } from "./brand.tsx";
import { useConditions } from "./conditions.ts";
import { KeyboardHelp } from "./keyboard-help.tsx";
import { Navigation } from "./navigation.tsx";
import { Preferences } from "./preferences.tsx";
import { session, signOut } from "./session.ts";
import { useShortcuts } from "./shortcuts.ts";
import { View } from "./view.tsx";

/** What stands around every view. */
export function Shell() {
  const t = shellWords.value.navigation;
  const [help, setHelp] = useState(false);
  const conditions = useConditions();
  useShortcuts({ "?": () => setHelp(true), o: () => go(to("/")), t: () => go(to("/tasks")), n: () => go(to("/ask")) });

  return (
    <div class="shell">
      <a class="skip" href="#content">
        {phrases.value.skip}
      </a>
      <nav class="side" aria-label={t.label}>
        <a class="brand-link" href={to("/")}>
          <Brand />
        </a>
        <Navigation />
        <div class="side-foot">
          <Points usage={conditions.usage} />
          <a href="/docs" target="_blank" rel="noreferrer">
            <Icon name="external" />
            {t.reference}
          </a>
          <button type="button" class="plain" onClick={() => setHelp(true)}>
            <Icon name="keyboard" />
            {t.keys} <kbd>?</kbd>
          </button>
          <button type="button" class="plain" onClick={() => signOut()}>
            <Icon name="leave" />
            {t.signOut}
          </button>
          <Preferences />
        </div>
      </nav>
      <main id="content" class="content" tabIndex={-1}>
        <Banners conditions={conditions} />
        <View />
      </main>
      {help ? <KeyboardHelp close={() => setHelp(false)} /> : null}
    </div>
  );
}

/** Whose token it is, and what the account has left. Nothing, where the token may not know. */
function Points({ usage }: { usage: UsageRecord | null }) {
  const t = shellWords.value.navigation;
  const account = session.value?.account ?? null;
  if (account === null) return null;
  return (
    <div class="side-account">
      <span class="side-name" title={t.account}>
        {account}
      </span>
      {usage === null ? null : <span class="quiet small">{t.points(number(usage.balance.available))}</span>}
    </div>
  );
}
