import type { ReportLanguage } from "@querent/contract";
import type { Measure } from "@querent/figures";
import { languages } from "../languages/languages.ts";
import type { Definition } from "../languages/translation.ts";

/** What a measure counts: as in the table of the measures, or translated. */
export function definitionWords({ id, counts, leavesOut, formula }: Measure, language: ReportLanguage): Definition {
  const translated: Readonly<Record<string, Definition>> = languages[language].definitions ?? {};
  return (Object.hasOwn(translated, id) ? translated[id] : undefined) ?? { counts, leavesOut, formula };
}
