import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { negotiate } from "../../src/api/negotiate.ts";

const offered = ["application/json", "application/x-ndjson", "text/csv"] as const;

test("a client gets what it prefers, and the first of the offered types if it says nothing", () => {
  const expected = {
    "": "application/json",
    "*/*": "application/json",
    "application/*": "application/json",
    "application/json": "application/json",
    "text/csv": "text/csv",
    "text/*": "text/csv",
    "TEXT/CSV; header=present": "text/csv",
    "text/csv, */*": "text/csv",
    "*/*, text/csv;q=0.5": "application/json",
    "application/json;q=0.9, text/csv": "text/csv",
    "text/csv;q=0.1, application/json;q=0.9": "application/json",
    "application/json, text/csv": "application/json",
    "text/csv, application/json": "text/csv",
    "text/csv;q=0, */*": "application/json",
    "application/json;q=0, application/*": "application/x-ndjson",
    "application/json; q=0.000, text/csv;Q=0.001": "text/csv",
    "text/csvx, application/x-ndjson": "application/x-ndjson",
    "text/html, image/*;q=0.8": null,
    "*/*;q=0": null,
    "application/json;q=0": null,
    nonsense: "application/json",
    ", ,": "application/json",
    "nonsense, text/csv": "text/csv",
    "text/csv;q=many": "text/csv",
  };
  for (const [accept, type] of Object.entries(expected)) assert.equal(negotiate(accept, offered), type, accept);
  assert.equal(negotiate(undefined, offered), "application/json");
});

test("any header is read, as far as its first 4,096 characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (accept) => {
      const type = negotiate(accept, offered);
      assert.ok(type === null || offered.includes(type));
    }),
  );
  assert.equal(negotiate(`${"text/html;q=1,".repeat(100)}text/csv`, offered), "text/csv");
  assert.equal(negotiate(`${"text/html;q=1,".repeat(10_000)}text/csv`, offered), null);
});
