import { effect, signal } from "@preact/signals";
import { recall, remember } from "../ui/browser-storage.ts";

export const languages = { en: "English", "zh-CN": "简体中文" } as const;
export type Language = keyof typeof languages;

const entry = "querent.language";

/** The language chosen, or the browser's where it is one of ours. */
export const language = signal<Language>(readLanguage());

function readLanguage(): Language {
  const kept = recall("device", entry);
  if (kept === "en" || kept === "zh-CN") return kept;
  return navigator.languages.find((tag) => /^(en|zh)\b/i.test(tag))?.startsWith("zh") === true ? "zh-CN" : "en";
}

export function speak(chosen: Language): void {
  remember("device", entry, chosen);
  language.value = chosen;
}

effect(() => {
  document.documentElement.lang = language.value;
});
