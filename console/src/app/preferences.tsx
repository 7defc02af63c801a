import { Icon, type IconName } from "../ui/icon.tsx";
import { language, languages, speak, type Language } from "../i18n/language.ts";
import { shellMessages } from "../i18n/shell.ts";
import { theme, themes, type Theme } from "./theme.ts";

const icons: Readonly<Record<Theme, IconName>> = { system: "system", light: "sun", dark: "moon" };

/** Language, and light or dark. */
export function Preferences() {
  const t = shellMessages.value.navigation;
  return (
    <div class="preferences">
      <div class="segments small" role="radiogroup" aria-label={t.theme}>
        {themes.map((choice) => (
          <label key={choice} class="segment" title={t.themes[choice]}>
            <input
              type="radio"
              name="theme"
              class="unseen"
              aria-label={t.themes[choice]}
              checked={theme.value === choice}
              onChange={() => (theme.value = choice)}
            />
            <Icon name={icons[choice]} />
          </label>
        ))}
      </div>
      <div class="segments small" role="radiogroup" aria-label={t.language}>
        {(Object.keys(languages) as Language[]).map((choice) => (
          <label key={choice} class="segment" lang={choice} title={languages[choice]}>
            <input
              type="radio"
              name="language"
              class="unseen"
              aria-label={languages[choice]}
              checked={language.value === choice}
              onChange={() => speak(choice)}
            />
            {choice === "en" ? "EN" : "中文"}
          </label>
        ))}
      </div>
    </div>
  );
}
