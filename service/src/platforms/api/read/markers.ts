/**
 * Markers that assistants leave in their text for a page to turn into buttons: `[2]`, `[^2^]`, `[ref_2]`, `[web:2]`,
 * `【4:0†source】`, private-use characters around `citeturn0search1`. A number of a known source becomes a link to it. Unknown
 * markers are removed, except a plain `[2]`, which may be the author's own. Code is left unchanged.
 */
import { link } from "./links.ts";

/** The URL for a marker's number, counted from 1; null if there is none. */
export type Numbered = (number: number) => string | null;

const privateUse = /\uE200[^\uE200\uE201]{0,2000}\uE201|[\uE000-\uF8FF]/gu;
const marker = new RegExp(
  [
    // One link per number: [1], [1, 3], [^1^], [ref_1], [citation:1], 【1】. Not [1](address), nor [1]: address, nor [[1]](address).
    String.raw`(?<open>\[\^|\[(?:ref_|citation: ?|source ?|web:|oaicite:)|[[【])(?<numbers>\d{1,3}(?:[,，、] ?\d{1,3}){0,9})(?<close>\^\]|[\]】])(?!\(|\]\(|: ?<?https?:)(?:\{index=\d{1,4}\})?`,
    String.raw`:?contentReference\[oaicite:\d{1,4}\](?:\{index=\d{1,4}\})?`,
    String.raw`【\d{1,4}(?::\d{1,4})?†[^【】\n]{0,200}】`,
    String.raw`(?:cite|navlist|video)?(?:turn\d{1,3}(?:search|news|view|fetch|image|product|forecast|finance|sports|maps?|reddit|academia|video|file|business)\d{1,3}){1,20}`,
    String.raw`<grok:render[^>]{0,500}>[^]{0,1000}?</grok:render>`,
  ].join("|"),
  "gu",
);

export function resolveMarkers(text: string, addressOf: Numbered): string {
  const clean = text.replace(privateUse, "");
  if (!/[[【]|turn\d|<grok/u.test(clean)) return clean;
  return outsideCode(clean, (prose) =>
    prose.replace(marker, (found: string, ...rest: unknown[]) => {
      const groups = rest.at(-1) as { open?: string; numbers?: string; close?: string };
      return groups.numbers === undefined ? "" : numbered(found, groups.open ?? "", groups.numbers, addressOf);
    }),
  );
}

function numbered(found: string, open: string, numbers: string, addressOf: Numbered): string {
  const resolved = numbers.split(/[,，、] ?/u).map((number) => link(`[${number}]`, addressOf(Number(number)) ?? ""));
  if (resolved.every((text) => text !== "")) return resolved.join("");
  const mayBeProse = open === "[" || open === "【";
  return mayBeProse ? found : resolved.join("");
}

/** Applies `change` to everything except code. Takes linear time for any text. */
export function outsideCode(text: string, change: (prose: string) => string): string {
  if (!text.includes("`") && !text.includes("~~~")) return change(text);
  const runs = [...text.matchAll(/`+|~{3,}/gu)];
  /** The runs of each kind, last first, so that the next one can be popped. */
  const next = new Map<string, number[]>();
  for (const run of runs.toReversed()) {
    const places = next.get(run[0]) ?? [];
    places.push(run.index);
    next.set(run[0], places);
  }
  let changed = "";
  let at = 0;
  for (const { 0: run, index } of runs) {
    if (index < at) continue;
    const places = next.get(run) ?? [];
    while ((places.at(-1) ?? Number.POSITIVE_INFINITY) <= index) places.pop();
    const close = places.at(-1);
    const fence = run.length >= 3;
    if (close === undefined && !fence) continue;
    const end = close === undefined ? text.length : close + run.length;
    changed += change(text.slice(at, index)) + text.slice(index, end);
    at = end;
  }
  return changed + change(text.slice(at));
}
