/** What tests import into panels. */
import type { ImportRecord, ObservationPage, PanelFigures, Problem } from "@querent/contract";
import assert from "node:assert/strict";
import type { TestAccount } from "../harness/service.ts";

export const day = (n: number) => `2026-03-${String(n).padStart(2, "0")}T10:00:00Z`;
export const march = "from=2026-03-01T00:00:00Z&to=2026-03-29T00:00:00Z";

/** An answer of a day of March, that names Acme Mills on even days. */
export const answer = (n: number, more: object = {}) => ({
  id: `a-${n}`,
  question: "Which grinder?",
  platformCode: "chatgpt",
  observedAt: day(n),
  content: n % 2 === 0 ? "Acme Mills is good." : "Globex is good.",
  sources: [{ url: "https://shop.example/" }],
  ...more,
});
export const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

export const send = (account: TestAccount, values: readonly unknown[], query: string) =>
  account.call<ImportRecord & Problem>("POST", `/v1/imports?${query}`, {
    body: lines(values),
    headers: { "content-type": "application/x-ndjson" },
  });

export const addOwnBrand = (account: TestAccount) =>
  account.call("POST", "/v1/entities", { body: { name: "Acme Mills", relation: "own" } });

export async function figures(account: TestAccount, panelId: string, query: string) {
  const reply = await account.get<PanelFigures>(`/v1/panels/${panelId}/figures?${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.rows;
}

export const observations = async (account: TestAccount, query: string) =>
  (await account.get<ObservationPage>(`/v1/observations?limit=200&${query}`)).body.observations;
