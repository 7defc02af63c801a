import type { PanelInput, PanelLocale, PanelPersona, PanelPrompt } from "@querent/client";

/** A panel as it is typed: lists have one item per line. */
export interface PanelDraft {
  readonly name: string;
  readonly prompts: string;
  readonly platforms: string;
  readonly locales: string;
  readonly personas: string;
  readonly own: string;
  readonly competitors: string;
  readonly repeats: string;
  /** The wanted width in percent; empty if a run asks everything at once. */
  readonly untilWidth: string;
  readonly repeatsMax: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly paused: boolean;
}

/** Stands between the text of a prompt and its topic. */
export const topicMark = " | ";

export function draftOf(before: PanelInput | null): PanelDraft {
  return {
    name: before?.name ?? "",
    prompts: (before?.prompts ?? []).map(promptLine).join("\n"),
    platforms: (before?.platforms ?? []).map((code) => platformText(code, before?.platformShare?.[code])).join(", "),
    locales: (before?.locales ?? []).map(localeLine).join("\n"),
    personas: (before?.personas ?? []).map(personaLine).join("\n"),
    own: (before?.brands?.own ?? []).join("\n"),
    competitors: (before?.brands?.competitors ?? []).join("\n"),
    repeats: String(before?.repeats ?? 1),
    untilWidth:
      before?.askUntil === undefined || before.askUntil === null
        ? ""
        : String(Math.round(1000 * before.askUntil.width) / 10),
    repeatsMax: String(before?.askUntil?.repeatsMax ?? 30),
    cron: before?.schedule?.cron ?? "",
    timeZone: before?.schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    paused: before?.schedule?.paused ?? false,
  };
}

/** What is saved. What a line does not show stays as it was, as long as the line does. Null: something is missing. */
export function inputOf(
  draft: PanelDraft,
  before: PanelInput | null,
  /** False: the panel of an import, which has no platforms, and may stay so. */
  needsPlatforms: boolean,
): PanelInput | null {
  const prompts = promptsOf(draft.prompts, before);
  const { platforms, platformShare } = platformsOf(draft.platforms);
  const name = draft.name.trim();
  if (name === "" || prompts.length === 0 || (needsPlatforms && platforms.length === 0)) return null;
  return {
    name,
    prompts,
    platforms,
    repeats: Number(draft.repeats),
    askUntil:
      draft.untilWidth.trim() === ""
        ? null
        : { ...keptAskUntil(before), width: Number(draft.untilWidth) / 100, repeatsMax: Number(draft.repeatsMax) },
    platformShare,
    locales: withKnown(draft.locales, before?.locales ?? [], localeLine, localeOf),
    personas: withKnown(draft.personas, before?.personas ?? [], personaLine, personaOf),
    ...brandsOf(draft, before),
    tags: before?.tags ?? null,
    options: before?.options ?? null,
    ...(before?.frame === undefined ? {} : { frame: before.frame }),
    schedule:
      draft.cron.trim() === ""
        ? null
        : { ...before?.schedule, cron: draft.cron, timeZone: draft.timeZone, paused: draft.paused },
  };
}

/** Leaves out a measure that was taken out: the service would refuse it, and the form does not show it. */
function keptAskUntil(before: PanelInput | null): Partial<NonNullable<PanelInput["askUntil"]>> {
  const { measure, ...kept } = before?.askUntil ?? {};
  return measure === undefined || measure === null || measure === "recommendation" ? kept : { ...kept, measure };
}

/** A panel that names no brands goes on with those of the account; one whose brands were all deleted in the form has none. */
function brandsOf({ own, competitors }: PanelDraft, before: PanelInput | null): Pick<PanelInput, "brands"> {
  const brands = { own: linesOf(own), competitors: linesOf(competitors) };
  const had = [...(before?.brands?.own ?? []), ...(before?.brands?.competitors ?? [])];
  return brands.own.length + brands.competitors.length + had.length === 0 ? {} : { brands };
}

const onOneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
export const linesOf = (text: string) =>
  text
    .split("\n")
    .map(onOneLine)
    .filter((line) => line !== "");

/** Each line as the item that it was made from, or as it is read. */
function withKnown<Item>(
  text: string,
  known: readonly Item[],
  lineOf: (item: Item) => string,
  read: (line: string) => Item,
): Item[] {
  const byLine = new Map(known.map((item) => [lineOf(item), item]));
  return linesOf(text).map((line) => byLine.get(line) ?? read(line));
}

/** `chatgpt-web:10%` for a platform of which a run asks a tenth. */
export const platformText = (code: string, share: number | undefined) =>
  share === undefined ? code : `${code}:${Math.round(share * 100)}%`;

export function platformsOf(text: string): Pick<PanelInput, "platforms"> & { platformShare: Record<string, number> } {
  const typed = text
    .split(/[\s,;]+/)
    .filter((word) => word !== "")
    .map((word) => {
      const [, code = word, percent] = /^(.+):(\d+)%$/.exec(word) ?? [];
      return { code, share: percent === undefined ? null : Number(percent) / 100 };
    });
  return {
    platforms: typed.map(({ code }) => code),
    platformShare: Object.fromEntries(typed.flatMap(({ code, share }) => (share === null ? [] : [[code, share]]))),
  };
}

const promptLine = ({ text, topic }: PanelPrompt) =>
  onOneLine(topic === null || topic === undefined ? text : `${text}${topicMark}${topic}`);

/** A prompt whose text stays keeps its id and intent, so that its series goes on under another topic. */
export function promptsOf(text: string, before: PanelInput | null): PanelInput["prompts"] {
  const byLine = new Map((before?.prompts ?? []).map((prompt) => [promptLine(prompt), prompt]));
  const byText = new Map((before?.prompts ?? []).map((prompt) => [onOneLine(prompt.text), prompt]));
  return linesOf(text).map((line) => {
    const same = byLine.get(line);
    if (same !== undefined) return same;
    const at = line.lastIndexOf(topicMark);
    const [asked, topic] = at === -1 ? [line, null] : [line.slice(0, at), line.slice(at + topicMark.length)];
    return { ...(byText.get(asked) ?? { text: asked }), topic };
  });
}

function localeLine({ country, language, location }: PanelLocale): string {
  const place = [location?.city, location?.region, location?.latitude, location?.longitude];
  return onOneLine(
    [country ?? "", language ?? "", ...place.filter((part) => part !== undefined && part !== null)].join("/"),
  );
}

/** `DE/de`, `DE`, `/de` or `DE/de/Berlin`. */
function localeOf(line: string): PanelLocale {
  const [country = "", language = "", city = ""] = line.split("/").map((part) => part.trim());
  return {
    ...(country === "" ? {} : { country }),
    ...(language === "" ? {} : { language }),
    ...(city === "" ? {} : { location: { city } }),
  };
}

const personaLine = ({ name, text }: PanelPersona) => onOneLine(`${name}: ${text}`);

/** `Student: I study in Berlin.` Without a name, the text is both. */
function personaOf(line: string): PanelPersona {
  const at = line.indexOf(":");
  if (at === -1) return { name: line, text: line };
  return { name: line.slice(0, at).trim(), text: line.slice(at + 1).trim() };
}
