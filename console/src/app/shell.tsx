import type { UsageRecord } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../ui/icon.tsx";
import { number } from "../ui/time.tsx";
import { useLater } from "../ui/use-later.tsx";
import { phrases } from "../i18n/phrases.ts";
import { shellMessages } from "../i18n/shell.ts";
import { go, path, to } from "./address.ts";
import { Banners } from "./banners.tsx";
import { Brand } from "./brand.tsx";
import { useConditions } from "./conditions.ts";
import { KeyboardHelp, paletteKey } from "./keyboard-help.tsx";
import { Navigation } from "./navigation.tsx";
import { ProjectSwitch } from "./project-switch.tsx";
import { Preferences } from "./preferences.tsx";
import { leave } from "./leave.ts";
import { may, session } from "./session.ts";
import { useShortcuts } from "./shortcuts.ts";
import { View } from "./view.tsx";
import * as css from "./shell.module.css";

const loadPalette = () => import("./palette.tsx").then(({ Palette }) => Palette);

/** The frame around every view. */
export function Shell() {
  const t = shellMessages.value.navigation;
  const [help, setHelp] = useState(false);
  const [menu, setMenu] = useState(false);
  const [palette, setPalette] = useState(false);
  const conditions = useConditions();
  useShortcuts({
    "?": () => setHelp(true),
    o: () => go(to("/")),
    t: () => (may("tasks:read") ? go(to("/tasks")) : undefined),
    n: () => (may("tasks:write") ? go(to("/ask")) : undefined),
  });

  // Navigating closes the menu of a narrow window.
  useEffect(() => setMenu(false), [path.value]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setPalette((isOpen) => !isOpen);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  const Palette = useLater(palette ? loadPalette : null);

  return (
    <div class={css.shell}>
      <a class={css.skip} href="#content">
        {phrases.value.skip}
      </a>
      <nav class={menu ? `${css.side} ${css.open}` : css.side} aria-label={t.label}>
        <div class={css.sideTop}>
          <a class={css.brandLink} href={to("/")}>
            <Brand />
          </a>
          <button type="button" class={css.paletteOpen} onClick={() => setPalette(true)}>
            <Icon name="search" />
            <span>{shellMessages.value.palette.open}</span>
            <kbd aria-hidden="true">{paletteKey}</kbd>
          </button>
          <button
            type="button"
            class={`button ghost icon-only ${css.menuOpen}`}
            aria-label={t.menu}
            aria-expanded={menu}
            aria-controls="side-body"
            onClick={() => setMenu(!menu)}
          >
            <Icon name={menu ? "cross" : "menu"} />
          </button>
        </div>
        <div id="side-body" class={css.sideBody}>
          <ProjectSwitch />
          <Navigation />
          <div class={css.sideFoot}>
            <Points usage={conditions.usage} />
            <a href="/docs" target="_blank" rel="noreferrer">
              <Icon name="external" />
              {t.reference}
            </a>
            <button type="button" class="plain" onClick={() => setHelp(true)}>
              <Icon name="keyboard" />
              {t.keys} <kbd>?</kbd>
            </button>
            <button type="button" class="plain" onClick={() => leave()}>
              <Icon name="leave" />
              {t.signOut}
            </button>
            <Preferences />
          </div>
        </div>
      </nav>
      <main id="content" class={css.content} tabIndex={-1}>
        <Banners conditions={conditions} />
        <View />
      </main>
      {help ? <KeyboardHelp close={() => setHelp(false)} /> : null}
      {palette && Palette !== null ? <Palette close={() => setPalette(false)} showKeys={() => setHelp(true)} /> : null}
    </div>
  );
}

/** Whose token it is, and what the account has left. Nothing, where the token may not know. */
function Points({ usage }: { usage: UsageRecord | null }) {
  const t = shellMessages.value.navigation;
  const account = session.value?.account ?? null;
  if (account === null) return null;
  return (
    <div class={css.sideAccount}>
      <span class={css.sideName} title={t.account}>
        {account}
      </span>
      {usage === null ? null : <span class="quiet small">{t.points(number(usage.balance.available))}</span>}
    </div>
  );
}
