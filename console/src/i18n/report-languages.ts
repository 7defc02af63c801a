import type { ReportSchedule } from "@querent/client";

/** The languages of reports, each in its own words, whatever the console speaks. */
export const reportLanguages: Readonly<Record<ReportSchedule["language"], string>> = {
  en: "English",
  "zh-CN": "中文",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  ja: "日本語",
};
