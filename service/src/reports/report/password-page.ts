/** The page that asks for the password of a link. It says nothing of what the link opens. */
import { passwordLengthMax } from "@querent/contract";
import { h } from "../../kernel/element.ts";
import { smallPage, type ReportLanguage } from "../small-page.ts";

const en = {
  title: "This link has a password",
  about: "Whoever sent you the link knows it.",
  password: "Password",
  open: "Open",
  wrong: "This is not the password. Check upper and lower case, and try again.",
  tooOften: (minutes: number) =>
    `The password was tried too often. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}, or ask whoever sent you the link.`,
};

const words: Readonly<Record<ReportLanguage, typeof en>> = {
  en,
  "zh-CN": {
    title: "此链接有密码",
    about: "请向发送链接的人询问密码。",
    password: "密码",
    open: "打开",
    wrong: "密码不正确。请检查大小写，然后重试。",
    tooOften: (minutes) => `密码尝试次数过多。请在 ${minutes} 分钟后重试，或询问发送链接的人。`,
  },
};

/** What was wrong with the password that was entered. */
export type Refused = "wrong" | { readonly minutes: number };

export function passwordPage(language: ReportLanguage, refused: Refused | null = null): string {
  const say = words[language];
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
