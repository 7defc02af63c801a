import { computed, type ReadonlySignal } from "@preact/signals";
import { language } from "./language.ts";

/** What a view says, in the language of the moment. One type for both: what one has, the other has. */
export function spoken<Words>({ english, chinese }: { english: Words; chinese: Words }): ReadonlySignal<Words> {
  return computed(() => (language.value === "zh-CN" ? chinese : english));
}
