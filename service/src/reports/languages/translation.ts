/** What a language has to say: a word that is missing is refused by the compiler. */
import type { Measure, RuleId } from "@querent/figures";
import type { AlertPhrases } from "../alerts/alert-phrases.ts";
import type { ShownMeasure } from "../report/page/figure-sections.ts";
import type { Words } from "../report/page/words.ts";
import type { PasswordWords } from "../report/password-words.ts";
import type { MailWords } from "../sending/mail-words.ts";

export type Definition = Pick<Measure, "counts" | "leavesOut" | "formula">;

export interface RuleWords {
  readonly title: string;
  readonly remedy: string;
}

export interface Translation {
  readonly page: Words;
  readonly mail: MailWords;
  readonly alerts: AlertPhrases;
  readonly password: PasswordWords;
  /** Of the rules of a grade. */
  readonly rules: Readonly<Record<RuleId, RuleWords>>;
  /** Of measures; of those that no report shows, some may be missing. */
  readonly definitions: Readonly<Record<ShownMeasure, Definition>>;
}
