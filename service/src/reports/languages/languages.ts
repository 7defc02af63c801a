/** The languages of reports, of the mails and messages that tell of them, and of the pages around them. */
import type { ReportLanguage } from "@querent/contract";
import { english as alerts } from "../alerts/alert-phrases.ts";
import { english as page } from "../report/page/words.ts";
import { english as password } from "../report/password-words.ts";
import { english as mail } from "../sending/mail-words.ts";
import { chinese } from "./chinese.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { japanese } from "./japanese.ts";
import { spanish } from "./spanish.ts";
import type { Translation } from "./translation.ts";

/** Rules and measures have their English words in their tables. */
type Language = Omit<Translation, "rules" | "definitions"> & {
  readonly [Part in "rules" | "definitions"]: Translation[Part] | null;
};

export const languages: Readonly<Record<ReportLanguage, Language>> = {
  en: { page, mail, alerts, password, rules: null, definitions: null },
  "zh-CN": chinese,
  de: german,
  fr: french,
  es: spanish,
  ja: japanese,
};
