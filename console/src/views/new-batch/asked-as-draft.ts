import type { PlatformRecord, SubmittedOptions } from "@querent/client";

export type Member = keyof PlatformRecord["options"];

/** The fields as they were filled in. The service checks their values. */
export interface AskedAsDraft {
  readonly countries: string;
  readonly language: string;
  readonly location: string;
  readonly persona: string;
  readonly model: string;
  readonly searchDepth: "unset" | "low" | "medium" | "high";
  readonly allow: string;
  readonly deny: string;
  readonly since: string;
}

export const emptyDraft: AskedAsDraft = {
  countries: "",
  language: "",
  location: "",
  persona: "",
  model: "",
  searchDepth: "unset",
  allow: "",
  deny: "",
  since: "",
};

/** The members that all of the platforms support. */
export function membersOf(platforms: readonly PlatformRecord[]): readonly Member[] {
  const [first] = platforms;
  if (first === undefined) return [];
  const members = Object.keys(first.options) as Member[];
  return members.filter((member) => platforms.every(({ options }) => options[member] !== "unsupported"));
}

/** The options to submit: one for each country, or one. What not all platforms support is left out, as it is not shown. */
export function optionsOf(draft: AskedAsDraft, members: readonly Member[]): readonly SubmittedOptions[] {
  const has = (member: Member, value: string) => members.includes(member) && value.trim() !== "";
  const [allow, deny] = [words(draft.allow), words(draft.deny)];
  const common: SubmittedOptions = {
    ...(has("language", draft.language) ? { language: draft.language.trim() } : {}),
    ...(has("location", draft.location) ? { location: placeOf(draft.location) } : {}),
    ...(has("persona", draft.persona) ? { persona: draft.persona.trim() } : {}),
    ...(has("model", draft.model) ? { model: draft.model } : {}),
    ...(members.includes("searchDepth") && draft.searchDepth !== "unset" ? { searchDepth: draft.searchDepth } : {}),
    ...(members.includes("domains") && allow.length + deny.length > 0 ? { domains: { allow, deny } } : {}),
    ...(has("since", draft.since) ? { since: draft.since } : {}),
  };
  const countries = members.includes("country") ? words(draft.countries) : [];
  return countries.length === 0 ? [common] : countries.map((country) => ({ country, ...common }));
}

function placeOf(text: string): NonNullable<SubmittedOptions["location"]> {
  const found = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text);
  return found === null ? { city: text.trim() } : { latitude: Number(found[1]), longitude: Number(found[2]) };
}

const words = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,;\s]+/)
      .map((word) => word.trim())
      .filter((word) => word !== ""),
  ),
];
