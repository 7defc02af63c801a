import { computed, type ReadonlySignal } from "@preact/signals";
import { language } from "./language.ts";

/** The messages of a view in the current language. Both languages have one type, so that neither lacks a message. */
export function spoken<Messages>({
  english,
  chinese,
}: {
  english: Messages;
  chinese: Messages;
}): ReadonlySignal<Messages> {
  return computed(() => (language.value === "zh-CN" ? chinese : english));
}
