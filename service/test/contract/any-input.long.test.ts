/** Whatever a client sends to an operation, the reply is one that the contract lists: the harness checks it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { api, type EntityRecord, type PanelRecord } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { startTestService, type ServiceAnswer } from "../harness/service.ts";

/** JSON that looks like what is expected, and goes wrong in many ways. */
const almost = fc.oneof(
  fc.jsonValue(),
  fc.array(
    fc.record(
      {
        question: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()),
        platformCode: fc.oneof(fc.constantFrom("simulator", "sample", "nope"), fc.jsonValue()),
        options: fc.oneof(
          fc.record(
            { output: fc.oneof(fc.constantFrom("answer", "screenshot"), fc.jsonValue()), deepAnalysis: fc.jsonValue() },
            { requiredKeys: [] },
          ),
          fc.jsonValue(),
        ),
        webhookUrl: fc.oneof(fc.webUrl(), fc.jsonValue()),
        clientReference: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()),
        tags: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
        notBefore: fc.oneof(
          fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
          fc.jsonValue(),
        ),
        startBefore: fc.jsonValue(),
        runTimeoutSeconds: fc.oneof(fc.integer(), fc.double(), fc.jsonValue()),
        priority: fc.oneof(fc.integer(), fc.jsonValue()),
        // Never accepted: what is good otherwise is refused for this.
        unknown: fc.jsonValue(),
      },
      { requiredKeys: ["unknown"] },
    ),
    { maxLength: 5 },
  ),
  fc.record({ url: fc.oneof(fc.webUrl(), fc.jsonValue()) }),
  fc.record({ previousSecretValidSeconds: fc.oneof(fc.integer(), fc.jsonValue()) }),
);

// Not started before: the generators of texts above take half a second, in which a service of this process stands still. On a busy machine
// that is long enough for PostgreSQL to end a transaction of it.
const service = await startTestService();
const account = await service.account();
const nothing = await service.counts();
const { body: panel } = await account.call<PanelRecord>("POST", "/v1/panels", {
  body: { name: "A panel", prompts: [{ text: "Why?" }], platforms: ["simulator"] },
});
const { body: entity } = await account.call<EntityRecord>("POST", "/v1/entities", { body: { name: "Acme" } });

for (const operation of api.operations.filter(({ body }) => body !== undefined)) {
  const path = operation.path
    .replace("{account_id}", account.accountId)
    .replace("{platform_code}", "gemini")
    .replace("{panel_id}", panel.panelId)
    .replace("{entity_id}", entity.entityId)
    .replace("{session_name}", "work")
    .replace("{sign_in_id}", newId())
    .replace("{member_id}", newId())
    .replace("{provider_id}", "company")
    .replaceAll(/\{\w+\}/g, () => newId());
  test(`whatever JSON ${operation.id} gets, the answer is one that the contract lists`, () =>
    fc.assert(
      fc.asyncProperty(almost, async (body) => {
        const answer: ServiceAnswer<unknown> = await account.call(operation.method, path, {
          body: JSON.stringify(body),
          headers: operation.id === "submitBatch" ? { "idempotency-key": newId() } : {},
        });
        assert.ok(answer.status < 500);
      }),
      { numRuns: 150 },
    ));

  test(`whatever bytes ${operation.id} gets, the answer is one that the contract lists`, () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        const headers = operation.id === "submitBatch" ? { "idempotency-key": newId() } : {};
        const answer = await account.call(operation.method, path, { body: Buffer.from(bytes), headers });
        assert.ok(answer.status < 500);
      }),
      { numRuns: 50 },
    ));
}

for (const operation of api.operations.filter(({ query }) => query !== undefined)) {
  const names = Object.keys(operation.query?.properties ?? {});
  const value = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary-ascii" }),
    fc.integer().map(String),
    fc.uuid(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom(
      "pending",
      "grant",
      "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999999999Z",
      "2026-02-29T00:00:00Z",
    ),
  );
  test(`whatever parameters ${operation.id} gets, the answer is one that the contract lists`, () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...names, "other"), value), { maxLength: 4 }),
        async (pairs) => {
          const query = pairs.map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`).join("&");
          const path = operation.path.replaceAll(/\{\w+\}/g, () => newId());
          assert.ok((await account.get(`${path}?${query}`)).status < 500);
        },
      ),
      { numRuns: 200 },
    ));
}

test("after all this, nothing was accepted, no points moved, and the service answers", async () => {
  assert.deepEqual(await service.counts(), nothing);
  assert.equal((await service.call("GET", "/readyz")).status, 200);
});
