import { createHash } from "node:crypto";
import type { Element } from "hast";
import { h } from "./element.ts";

export interface HtmlPage {
  readonly language: string;
  readonly title: string;
  readonly style: string;
  /** Where fonts may be loaded from, as in a content security policy; by default, nowhere. */
  readonly fontSource?: string;
  readonly body: Element;
}

/** A page that runs no scripts, has one style sheet in its head, and loads nothing else. */
export function htmlPage({ language, title, style, fontSource, body }: HtmlPage): Element {
  const hash = createHash("sha256").update(style).digest("base64");
  const fonts = fontSource === undefined ? "" : ` font-src ${fontSource};`;
  const policy = `default-src 'none'; style-src 'sha256-${hash}';${fonts} base-uri 'none'; form-action 'none'`;
  return h(
    "html",
    { lang: language },
    h(
      "head",
      {},
      h("meta", { charSet: "utf-8" }),
      h("meta", { httpEquiv: ["Content-Security-Policy"], content: policy }),
      h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      h("meta", { name: "robots", content: "noindex, nofollow" }),
      h("meta", { name: "referrer", content: "no-referrer" }),
      h("title", {}, title),
      // The style does not go through `h`: the hash is of exactly these characters, and they contain nothing from outside.
      { type: "element", tagName: "style", properties: {}, children: [{ type: "text", value: style }] },
    ),
    h("body", {}, body),
  );
}
