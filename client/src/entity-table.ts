/** Entities as rows of a table, for CSV files: lists are separated by `|`. */
import { cut } from "./tables.ts";
import { readTableRows, type NamedRow } from "./table-rows.ts";
import type { EntityRecord, EntityRequest } from "./wire.ts";

export const entityColumns = [
  "name",
  "kind",
  "relation",
  "caseSensitive",
  "aliases",
  "caseSensitiveAliases",
  "negativeContexts",
  "domains",
] as const;

export function entityCells(entity: EntityRecord): string[] {
  const aliases = (isCased: boolean) =>
    entity.aliases.filter(({ caseSensitive }) => caseSensitive === isCased).map(({ text }) => text);
  return [
    entity.name,
    entity.kind,
    entity.relation,
    String(entity.caseSensitive),
    joined(aliases(false)),
    joined(aliases(true)),
    joined(entity.negativeContexts),
    joined(entity.domains),
  ];
}

/** A row of a file, or what is wrong with it. */
export type EntityRow =
  | { readonly line: number; readonly entity: EntityRequest; readonly fault?: undefined }
  | { readonly line: number; readonly fault: string };

/** Reads a CSV file with a header. Only `name` is required; columns may be in any order. */
export const readEntityTable = (text: string): EntityRow[] =>
  readTableRows(text, entityColumns).flatMap((row) => (row.fault === undefined ? readRow(row) : [row]));

function readRow({ line, cell }: NamedRow<(typeof entityColumns)[number]>): EntityRow[] {
  const [name, kind, relation, cased] = [cell("name"), cell("kind"), cell("relation"), cell("caseSensitive")];
  const faults = [
    ...(name === "" ? ["there is no name."] : []),
    ...(isKind(kind) ? [] : [`the kind "${cut(kind)}" is none of brand, product, person.`]),
    ...(isRelation(relation) ? [] : [`the relation "${cut(relation)}" is none of own, competitor, other.`]),
    ...(/^(?:true|false)?$/i.test(cased) ? [] : [`caseSensitive must be true or false, not "${cut(cased)}".`]),
  ];
  if (faults.length > 0 || !isKind(kind) || !isRelation(relation)) return faults.map((fault) => ({ line, fault }));
  const entity: EntityRequest = {
    name,
    kind: kind === "" ? "brand" : kind,
    relation: relation === "" ? "other" : relation,
    caseSensitive: /^true$/i.test(cased),
    aliases: [
      ...split(cell("aliases")).map((text) => ({ text, caseSensitive: false })),
      ...split(cell("caseSensitiveAliases")).map((text) => ({ text, caseSensitive: true })),
    ],
    negativeContexts: split(cell("negativeContexts")),
    domains: split(cell("domains")),
  };
  return [{ line, entity }];
}

const isKind = (text: string): text is EntityRecord["kind"] | "" => ["", "brand", "product", "person"].includes(text);
const isRelation = (text: string): text is EntityRecord["relation"] | "" =>
  ["", "own", "competitor", "other"].includes(text);

/** A name may contain the separator, with a backslash before it. */
const joined = (texts: readonly string[]): string =>
  texts.map((text) => text.replaceAll("\\", "\\\\").replaceAll("|", "\\|")).join("|");

const split = (cell: string): string[] =>
  (cell.match(/(?:\\[^]|[^|\\])+/gu) ?? []).map((text) => text.replace(/\\([^])/gu, "$1").trim()).filter(Boolean);
