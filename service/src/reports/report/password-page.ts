/** The page that asks for the password of a link. It says nothing of what the link opens. */
import { passwordLengthMax, type ReportLanguage } from "@querent/contract";
import { h } from "../../kernel/element.ts";
import { languages } from "../languages/languages.ts";
import { smallPage } from "../small-page.ts";

/** What was wrong with the password that was entered. */
export type PasswordRefusal = "wrong" | { readonly minutes: number };

export function passwordPage(language: ReportLanguage, refused: PasswordRefusal | null = null): string {
  const say = languages[language].password;
  const told = refused === null ? null : refused === "wrong" ? say.wrong : say.tooOften(refused.minutes);
  return smallPage(
    language,
    say.title,
    h("p", {}, say.about),
    told === null ? null : h("p", { className: ["wrong"], role: "alert", id: "refused" }, told),
    h(
      "form",
      { method: "post" },
      h("label", { for: "password" }, say.password),
      h("input", {
        ...{ type: "password", id: "password", name: "password", required: true, autoFocus: true },
        ...{ maxLength: passwordLengthMax, autoComplete: ["current-password"] },
        ...(told === null ? {} : { ariaInvalid: "true", ariaDescribedBy: ["refused"] }),
      }),
      h("button", { type: "submit" }, say.open),
    ),
  );
}
