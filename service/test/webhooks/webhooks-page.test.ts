/** docs/webhooks.md says what the code does. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { api, deliveryFaults, deliveryStates } from "@querent/contract";
import { attemptDelaysMs } from "../../src/webhooks/send/record-attempts.ts";

const path = join(import.meta.dirname, "../../../docs/webhooks.md");
/** Set it to have the table written anew. */
const update = process.env["UPDATE_DOCUMENTS"] === "1";

test("the schedule's table is the schedule", () => {
  const page = readFileSync(path, "utf8");
  const written = page.replace(/(<!-- schedule -->\n)[^]*(\n<!-- \/schedule -->)/, `$1\n${table()}$2`);
  if (update) writeFileSync(path, written);
  else assert.equal(page, written);
});

test("the decision table names every state and every fault, and the operations that it sends people to are there", () => {
  const page = readFileSync(path, "utf8");
  for (const state of deliveryStates) assert.match(page, new RegExp(`^\\| \`${state}\``, "m"), state);
  const explained = new Set([...page.matchAll(/^\| fault `(\w+)`/gm)].map(([, fault]) => fault ?? ""));
  const rare = new Set(["too_large", "malformed"]); // the API reference tells these
  assert.deepEqual(explained, new Set(deliveryFaults.filter((fault) => !rare.has(fault))));
  const addresses = new Set(api.operations.map(({ method, path: address }) => `${method} ${address}`));
  for (const [, operation = ""] of page.matchAll(/`((?:GET|POST|PUT) \/v1\/[^`?]+)[^`]*`/g))
    assert.ok(addresses.has(operation), operation);
  for (const [, file = ""] of page.matchAll(/\]\(((?:\.\.\/|reference\/)[^)]+)\)/g))
    assert.ok(existsSync(join(dirname(path), file.replace(/#.*/, ""))), file);
});

function table(): string {
  let sinceEnd = 0;
  const rows = attemptDelaysMs.map((delayMs, index) => {
    sinceEnd += delayMs;
    return [String(index + 1), index === 0 ? "at once" : say(delayMs), index === 0 ? "0" : say(sinceEnd)];
  });
  const all = [["Attempt", "After the one before", "After the end of the task"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(" | ")} |\n`;
  const [head = [], ...body] = all;
  return line(head) + line(widths.map((width) => "-".repeat(width))) + body.map(line).join("");
}

function say(ms: number): string {
  const seconds = ms / 1000;
  const parts = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(" ");
}
