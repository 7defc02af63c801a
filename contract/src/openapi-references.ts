/** JSON of the OpenAPI document. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** A plain-JSON copy of `schema` in which every nested named schema is a `$ref`. */
export function withReferences(schema: unknown, names: Map<unknown, string>, itself?: unknown): Json {
  const name = schema === itself ? undefined : names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(schema)) return schema.map((element) => withReferences(element, names));
  if (typeof schema !== "object" || schema === null) return schema as Json;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([member, value]) => !member.startsWith("~") && value !== undefined)
      .map(([member, value]) => [member, withReferences(value, names)]),
  );
}
