import {
  askedAsMembers,
  optionColumns,
  type OptionColumn,
  type PlatformRecord,
  type SubmittedOptions,
} from "@querent/client";
import type { OptionChoice, ColumnOf, FieldName, Member } from "../../i18n/asked-as.ts";

export interface Field {
  readonly name: FieldName;
  readonly member: Member;
  readonly part: string | null;
  readonly kind: Exclude<OptionColumn["kind"], "boolean"> | "place";
  readonly choices: readonly OptionChoice[];
}

/** In the order of the form. */
export const fields: readonly Field[] = askedAsMembers.flatMap((member): readonly Field[] => {
  const own = { member, part: null, choices: [] };
  if (member === "country") return [{ ...own, name: "countries", kind: "list" }];
  if (member === "location") return [{ ...own, name: "location", kind: "place" }];
  return optionColumns
    .filter((column): column is ColumnOf => column.member === member)
    .map((column) => ({
      name: column.part ?? (column.name as FieldName),
      member,
      part: column.part,
      kind: column.kind,
      choices: column.kind === "choice" ? column.choices : [],
    }));
});

/** The fields as they were filled in; `unset` where one of a few is chosen. The service checks their values. */
export type AskedAsDraft = Readonly<Record<FieldName, string>>;

export const emptyDraft = Object.fromEntries(
  fields.map(({ name, kind }) => [name, kind === "choice" ? "unset" : ""]),
) as AskedAsDraft;

/** The members that all of the platforms support. */
export function membersOf(platforms: readonly PlatformRecord[]): readonly Member[] {
  const [first] = platforms;
  if (first === undefined) return [];
  const members = Object.keys(first.options) as Member[];
  return members.filter((member) => platforms.every(({ options }) => options[member] !== "unsupported"));
}

/** The options to submit: one for each country, or one. What not all platforms support is left out, as it is not shown. */
export function optionsOf(draft: AskedAsDraft, members: readonly Member[]): readonly SubmittedOptions[] {
  const common: Record<string, unknown> = {};
  for (const { name, member, part, kind } of fields) {
    if (name === "countries" || !members.includes(member)) continue;
    const value = valueOf(kind, draft[name].trim());
    if (value === undefined) continue;
    common[member] = part === null ? value : { ...(common[member] as object | undefined), [part]: value };
  }
  const countries = members.includes("country") ? words(draft.countries) : [];
  return countries.length === 0 ? [common] : countries.map((country) => ({ country, ...common }));
}

function valueOf(kind: Field["kind"], text: string): unknown {
  if (text === "" || (kind === "choice" && text === "unset")) return undefined;
  if (kind === "place") return placeOf(text);
  if (kind === "number") return Number(text);
  if (kind !== "list") return text;
  const list = words(text);
  return list.length === 0 ? undefined : list;
}

function placeOf(text: string): NonNullable<SubmittedOptions["location"]> {
  const found = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text);
  return found === null ? { city: text } : { latitude: Number(found[1]), longitude: Number(found[2]) };
}

const words = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,;\s]+/)
      .map((word) => word.trim())
      .filter((word) => word !== ""),
  ),
];
