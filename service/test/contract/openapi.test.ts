/** What the OpenAPI document must have so that generated clients compile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openapiDocument } from "@querent/contract";

interface Tagged {
  readonly tags?: readonly string[];
}
type Paths = Readonly<Record<string, Readonly<Record<string, Tagged>>>>;

const document = openapiDocument({ version: "1" });

/** Every object of the document, with its path. */
function* objectsIn(value: unknown, path = ""): Generator<[string, Readonly<Record<string, unknown>>]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Readonly<Record<string, unknown>>];
  for (const [name, member] of Object.entries(value)) yield* objectsIn(member, `${path}/${name}`);
}

test("no member is null and nothing else: generated clients drop such members, and programs that read them do not compile", () => {
  const alone = [...objectsIn(document)].filter(
    ([path, schema]) =>
      !/\/(?:anyOf|oneOf)\/\d+$/u.test(path) &&
      (schema["type"] === "null" || schema["const"] === null || JSON.stringify(schema["enum"]) === "[null]"),
  );
  assert.deepEqual(
    alone.map(([path]) => path),
    [],
  );
});

test("a union of null and other types has another type", () => {
  for (const [path, { anyOf }] of objectsIn(document))
    if (Array.isArray(anyOf))
      assert.ok(
        anyOf.some((one: { type?: unknown }) => one.type !== "null"),
        path,
      );
  const { schemas } = document["components"] as { schemas: Record<string, { properties: Record<string, object> }> };
  for (const task of ["PendingTask", "CompletedTask", "FailedTask", "CanceledTask"])
    assert.deepEqual(
      (schemas[task]?.properties["content"] as { type: unknown } | undefined)?.type,
      ["string", "null"],
      task,
    );
});

test("every tag of an operation is declared, with a description, and every declared tag is used", () => {
  const operations = [document["paths"] as Paths, document["webhooks"] as Paths].flatMap((all) =>
    Object.values(all).flatMap((path) => Object.values(path)),
  );
  const used = new Set(operations.flatMap(({ tags = [] }) => tags));
  const declared = document["tags"] as readonly { readonly name: string; readonly description: string }[];
  assert.deepEqual(declared.map(({ name }) => name).toSorted(), [...used].toSorted());
  for (const { name, description } of declared) assert.match(description, /\.$/u, name);
});
