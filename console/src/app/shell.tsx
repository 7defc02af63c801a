import { ForbiddenError } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../api/querent.ts";
import { useLive } from "../api/use-live.ts";
import { Icon } from "../ui/icon.tsx";
import { number } from "../ui/time.tsx";
import { phrases } from "../words/phrases.ts";
import { shellWords } from "../words/shell.ts";
import { go, to } from "./address.ts";
import { Brand } from "./brand.tsx";
import { KeyboardHelp } from "./keyboard-help.tsx";
import { Navigation } from "./navigation.tsx";
import { Preferences } from "./preferences.tsx";
import { session, signOut } from "./session.ts";
import { useShortcuts } from "./shortcuts.ts";
import { View } from "./view.tsx";

const pointsEveryMs = 15_000;

/** What stands around every view. */
export function Shell() {
  const t = shellWords.value.navigation;
  const [help, setHelp] = useState(false);
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
          <Points />
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
        <View />
      </main>
      {help ? <KeyboardHelp close={() => setHelp(false)} /> : null}
    </div>
  );
}

/** Whose token it is, and what the account has left. Nothing, where the token may not know. */
function Points() {
  const t = shellWords.value.navigation;
  const account = session.value?.account ?? null;
  const { value } = useLive(
    `points ${account ?? ""}`,
    async (call) => {
      if (account === null) return null;
      try {
        return await querent.usage.get(call);
      } catch (error) {
        if (error instanceof ForbiddenError) return null;
        throw error;
      }
    },
    { everyMs: pointsEveryMs, paused: account === null },
  );
  if (account === null) return null;
  return (
    <div class="side-account">
      <span class="side-name" title={t.account}>
        {account}
      </span>
      {value === null ? null : <span class="quiet small">{t.points(number(value.balance.available))}</span>}
    </div>
  );
}
