/**
 * The fonts of the page, from npm packages: a minimal machine has none, and shows Chinese as boxes. Each font consists of
 * many small files for ranges of characters; a page names only those that it needs.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

interface FontFile {
  readonly name: string;
  readonly path: string;
  /** Ranges of code points, first and last. */
  readonly ranges: readonly (readonly [number, number])[];
}

interface Font {
  readonly family: string;
  readonly weights: string;
  /** Installed fonts that can be used instead. */
  readonly local: string;
  readonly files: readonly FontFile[];
}

const packages = {
  sans: { family: "Noto Sans", folder: "@fontsource-variable/noto-sans", weights: "100 900" },
  arabic: { family: "Noto Sans Arabic", folder: "@fontsource-variable/noto-sans-arabic", weights: "100 900" },
  hebrew: { family: "Noto Sans Hebrew", folder: "@fontsource-variable/noto-sans-hebrew", weights: "100 900" },
  thai: { family: "Noto Sans Thai", folder: "@fontsource-variable/noto-sans-thai", weights: "100 900" },
  zh: { family: "Noto Sans SC", folder: "@fontsource-variable/noto-sans-sc", weights: "100 900" },
  ja: { family: "Noto Sans JP", folder: "@fontsource-variable/noto-sans-jp", weights: "100 900" },
  ko: { family: "Noto Sans KR", folder: "@fontsource-variable/noto-sans-kr", weights: "100 900" },
  emoji: { family: "Noto Color Emoji", folder: "@fontsource/noto-color-emoji", weights: "400" },
  mono: { family: "Noto Sans Mono", folder: "@fontsource-variable/noto-sans-mono", weights: "100 900" },
} as const;
type FontKey = keyof typeof packages;

const fonts = new Map<FontKey, Font>();

/** `@font-face` rules for the characters of `text`; the files are at `base`. */
export function fontFaces(text: string, base: string): string {
  // Labels are capitalized by the style: without their capital letters the files would be incomplete, and other fonts would be
  // used.
  const points = [...new Set(text + text.toUpperCase())]
    .map((character) => character.codePointAt(0) ?? 0)
    .sort((a, b) => a - b);
  const first = font("sans").files.flatMap(({ ranges }) => ranges);
  const others = points.filter((point) => !first.some(([from, to]) => from <= point && point <= to));
  // A family consists of several emoji and joiners, a keycap of a digit and a mark: they are drawn as one only if all of it
  // comes from one font.
  const keycap = text.includes("\u20E3");
  const emoji = points.filter((point) => others.includes(point) || point === 0x200d || (keycap && point < 0x40));
  return (Object.keys(packages) as FontKey[])
    .flatMap((key) => {
      const { family, weights, local, files } = font(key);
      const wanted = key === "sans" || key === "mono" ? points : key === "emoji" ? emoji : others;
      return files.flatMap(({ name, ranges }) => {
        const used = wanted.filter((point) => ranges.some(([from, to]) => from <= point && point <= to));
        if (used.length === 0) return [];
        return `@font-face{font-family:"${family}";font-weight:${weights};font-display:swap;src:${local}url(${base}${name}) format("woff2");unicode-range:${writeRanges(used)}}`;
      });
    })
    .join("\n");
}

/** Font families in the order in which a character is searched: those for the page's language first. */
export function fontStack(language: PageLanguage, first: "sans" | "mono"): string {
  const cjk = (["zh", "ja", "ko"] as const).toSorted((a, b) => Number(b === language) - Number(a === language));
  const keys: readonly FontKey[] = [
    first,
    ...(first === "mono" ? (["sans"] as const) : []),
    "arabic",
    "hebrew",
    "thai",
    "emoji",
    ...cjk,
  ];
  const generic = first === "mono" ? "monospace" : "sans-serif";
  return [...keys.map((key) => `"${packages[key].family}"`), generic].join(",");
}

/** The path of the file with this name; null if it is not one of our font files. */
export function fontPath(name: string): string | null {
  for (const key of Object.keys(packages) as FontKey[]) {
    const file = font(key).files.find((one) => one.name === name);
    if (file !== undefined) return file.path;
  }
  return null;
}

function font(key: FontKey): Font {
  const known = fonts.get(key);
  if (known !== undefined) return known;
  const { family, folder, weights } = packages[key];
  const root = dirname(createRequire(import.meta.url).resolve(`${folder}/package.json`));
  const css = readFileSync(join(root, "index.css"), "utf8");
  const rules = css.matchAll(/url\(\.\/files\/([\w.-]+\.woff2)\)[^;]*;\s*unicode-range:\s*([^;]+);/g);
  const listed = [...rules].map(([, name = "", unicodeRange = ""]) => ({ name, unicodeRange }));
  const files = (key === "emoji" ? [wholeEmoji(listed)] : listed).map(({ name, unicodeRange }) => ({
    name,
    path: join(root, "files", name),
    ranges: readRanges(unicodeRange),
  }));
  const local = key === "emoji" ? emojiInstalled.map((name) => `local("${name}"),`).join("") : "";
  const read = { family, weights, local, files };
  fonts.set(key, read);
  return read;
}

/**
 * Emoji come from one large file (6 MB). People's machines have such a font and never load it. The package's small files were
 * tried: their WOFF2 draws nothing in Chromium 156, and a family or a flag is a sequence that is split between them.
 */
const emojiInstalled = ["Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji"];

function wholeEmoji(listed: readonly { unicodeRange: string }[]): { name: string; unicodeRange: string } {
  const unicodeRange = listed.map((file) => file.unicodeRange).join(",");
  return { name: "noto-color-emoji-emoji-400-normal.woff2", unicodeRange };
}

/** `U+4e00-9fff,U+3000`. */
function readRanges(text: string): [number, number][] {
  return [...text.matchAll(/U\+([0-9a-f]+)(?:-([0-9a-f]+))?/gi)].map(([, first = "", last]) => [
    Number.parseInt(first, 16),
    Number.parseInt(last ?? first, 16),
  ]);
}

/** The points as ranges: only these, since a font's own ranges are longer than most pages. */
function writeRanges(sorted: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const point of sorted) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === point - 1) last[1] = point;
    else ranges.push([point, point]);
  }
  const hex = (point: number) => point.toString(16);
  return ranges.map(([from, to]) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`)).join(",");
}

/** Languages that share characters with different shapes; a page uses one of them. */
export type PageLanguage = "zh" | "ja" | "ko" | "en";

const sampleChars = 20_000;

/** The most likely language of a text, as far as the shapes of its characters depend on it. */
export function languageOf(text: string): PageLanguage {
  const sample = text.slice(0, sampleChars);
  const count = (pattern: RegExp) => sample.match(pattern)?.length ?? 0;
  const han = count(/\p{Script=Han}/gu);
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const hangul = count(/\p{Script=Hangul}/gu);
  if (hangul > han + kana) return "ko";
  // A Japanese text has many kana to each Chinese character; a Chinese one may quote some.
  if (kana > 0 && kana * 4 > han) return "ja";
  return han > 0 ? "zh" : hangul > 0 ? "ko" : "en";
}
