import type { Element, ElementContent, Properties } from "hast";
import { createHash } from "node:crypto";

export type Child = ElementContent | string | null | false | readonly Child[];

/**
 * An element of the page. The page is built as a tree and serialized, so that any text is output as text. Nothing here accepts
 * HTML.
 */
export function h(tagName: string, properties: Properties, ...children: readonly Child[]): Element {
  return { type: "element", tagName, properties, children: children.flatMap(flat) };
}

function flat(child: Child): ElementContent[] {
  if (child === null || child === false) return [];
  if (typeof child === "string") return child === "" ? [] : [{ type: "text", value: visible(child) }];
  if (Array.isArray(child)) return (child as readonly Child[]).flatMap(flat);
  return [child as ElementContent];
}

/** Removes the characters that change a text's direction: they can make one URL look like another. */
export function visible(text: string): string {
  return text.replace(/[\u202D\u202E]/gu, "");
}

/** Opens in a new tab, without a referrer. */
export function outwardLink(address: string, className: string, ...children: readonly Child[]): Element {
  return h(
    "a",
    { href: address, className: [className], rel: ["noopener", "noreferrer", "nofollow"], target: "_blank" },
    ...children,
  );
}

export interface HtmlPage {
  readonly language: string;
  readonly title: string;
  readonly style: string;
  /** Where fonts may be loaded from, as in a content security policy; by default, nowhere. */
  readonly fontSource?: string;
  /** Pictures in the page itself are shown. */
  readonly hasPictures?: boolean;
  readonly body: Element;
}

/** A page that runs no scripts, has one style sheet in its head, and loads nothing else. */
export function htmlPage({ language, title, style, fontSource, hasPictures = false, body }: HtmlPage): Element {
  const hash = createHash("sha256").update(style).digest("base64");
  const fonts = fontSource === undefined ? "" : ` font-src ${fontSource};`;
  const policy = `default-src 'none'; style-src 'sha256-${hash}';${fonts}${hasPictures ? " img-src data:;" : ""} base-uri 'none'; form-action 'none'`;
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

/**
 * A page of `htmlPage` with a further style, whose fonts come from `fontSource`. The style stands in the page as it is, so nothing of it may
 * come from outside without `cssText`.
 */
export function withStyle(page: string, style: string, fontSource: string): string {
  // The first of each is the page's own: in texts, `<` is escaped.
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page);
  const end = page.indexOf("</head>");
  if (policy === null || end === -1) throw new Error("This is no page of htmlPage.");
  const hash = createHash("sha256").update(style).digest("base64");
  const former = (policy[1] ?? "").replaceAll("&#x27;", "'");
  const extended = `${former.replace(/style-src [^;]*/, (sources) => `${sources} 'sha256-${hash}'`)}; font-src ${fontSource}`;
  const head = page.slice(0, end).replace(policy[0], () => policy[0].replace(policy[1] ?? "", () => extended));
  return `${head}<style>${style}</style>${page.slice(end)}`;
}

/** A text as a string of CSS. Each character that is not a letter or digit of ASCII is escaped. */
export const cssText = (text: string): string =>
  `"${[...visible(text)].map((one) => (/[A-Za-z0-9]/.test(one) ? one : `\\${(one.codePointAt(0) ?? 0xfffd).toString(16)} `)).join("")}"`;
