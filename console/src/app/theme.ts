import { effect, signal } from "@preact/signals";
import { recall, remember } from "../ui/browser-storage.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const entry = "querent.theme";

/** Light or dark; `system` follows the device. Kept in the browser's storage. */
export const theme = signal<Theme>(readTheme());

function readTheme(): Theme {
  const kept = recall("device", entry);
  return themes.find((known) => known === kept) ?? "system";
}

effect(() => {
  if (theme.value === "system") {
    delete document.documentElement.dataset["theme"];
    remember("device", entry, null);
  } else {
    document.documentElement.dataset["theme"] = theme.value;
    remember("device", entry, theme.value);
  }
});
