/** A tool that only reads passes its arguments on to its operation. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Querent } from "@querent/client";
import { passOn } from "../src/create-server.ts";

const row = {
  title: "Runs of a panel",
  description: "Lists the runs of a panel.",
  scope: "panels:read",
  method: "GET",
  path: "/v1/panels/{panelId}/runs",
  parameters: { to: "startedBefore", states: "state" },
  input: { type: "object", properties: {} },
} as const;

test("a tool without an answer of its own reads its operation, with the arguments as path and parameters", async () => {
  const asked: string[] = [];
  const fetch = async (input: string | URL | Request) => {
    asked.push(input instanceof Request ? input.url : String(input));
    return Response.json({ runs: [] });
  };
  const querent = new Querent({ url: "https://querent.example", token: "t", fetch });
  const tools = { querent, allows: () => true, mayAsk: true, waitSecondsMax: 1 };
  const input = { panelId: "a/b", to: "2026-11-01T00:00:00Z", states: ["failed", "canceled"], limit: 20 };
  const { structuredContent } = await passOn("runs", row)(tools, input, AbortSignal.timeout(10_000));
  assert.deepEqual(structuredContent, { runs: [] });
  assert.deepEqual(asked, [
    "https://querent.example/v1/panels/a%2Fb/runs?startedBefore=2026-11-01T00%3A00%3A00Z&state=failed%2Ccanceled&limit=20",
  ]);
});

test("a tool that does more than read needs an answer of its own", () => {
  assert.throws(() => passOn("run", { ...row, method: "POST" }), /run/);
});
