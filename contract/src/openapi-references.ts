/** JSON of the OpenAPI document. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** A plain-JSON copy of `schema` in which every nested named schema is a `$ref`. */
export function withReferences(schema: unknown, names: Map<unknown, string>, itself?: unknown): Json {
  const name = schema === itself ? undefined : names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(schema)) return schema.map((element) => withReferences(element, names));
  if (typeof schema !== "object" || schema === null) return schema as Json;
  const nullable = plainNullable(schema);
  if (nullable !== null) return withReferences(nullable, names);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([member, value]) => !member.startsWith("~") && value !== undefined)
      .map(([member, value]) => [member, withReferences(value, names)]),
  );
}

const plainTypes: ReadonlySet<unknown> = new Set(["string", "integer", "number", "boolean"]);

/**
 * A text, number or boolean or null as `{"type": ["string", "null"]}`, which every generator of OpenAPI 3.1 reads as an optional value.
 * Null: it is another schema.
 */
function plainNullable(schema: object): object | null {
  const { anyOf, ...outer } = schema as { readonly anyOf?: unknown };
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return null;
  const [inner, nothing] = anyOf as Readonly<Record<string, unknown>>[];
  if (nothing?.["type"] !== "null" || inner === undefined || !plainTypes.has(inner["type"])) return null;
  if ("const" in inner || "enum" in inner) return null;
  return { ...inner, ...outer, type: [inner["type"], "null"] };
}
