import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { suite, test } from "node:test";
import { SignatureError, webhooks, type SignatureFault, type VerifyInput } from "@querent/client";
import fc from "fast-check";

const secret = "whsec_Vc7xzAWIlC8WOPyig3ZtWm5ZyyRPKRbYuSzTgsyMwvM";
const body = Buffer.from(
  '{"event":"task.finished","deliveryRevision":1,"task":{"taskId":"t-1","state":"completed","content":"ü 答","resultOmitted":true}}',
);
const digest = (bytes: Uint8Array, key = secret) => `sha256=${createHmac("sha256", key).update(bytes).digest("hex")}`;
const headers = (signature = digest(body), more: Record<string, string> = {}) => ({
  "X-Service-Signature": signature,
  "X-Service-Delivery": "d-1",
  "X-Service-Secret-Version": "3",
  ...more,
});

async function refusedFor(input: Partial<VerifyInput>): Promise<{ fault: SignatureFault; message: string }> {
  try {
    await webhooks.verify({ body, headers: headers(), secret, ...input });
  } catch (error) {
    assert.ok(error instanceof SignatureError, String(error));
    assert.ok(!error.message.includes(secret.slice(6)), "the secret is not in the message");
    assert.ok(!error.message.includes(digest(body).slice(7)), "neither is the right digest");
    return error;
  }
  return assert.fail("it was believed");
}

suite("verifying", () => {
  test("any bytes that the service signs are believed, and with one bit changed they are not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 500 }), fc.nat(), async (bytes, at) => {
        const signed = await webhooks.sign(bytes, secret);
        assert.equal(signed, digest(bytes));
        await webhooks.verify({ body: bytes, headers: headers(signed), secret });
        const changed = Uint8Array.from(bytes);
        changed[at % bytes.length] = (changed[at % bytes.length] ?? 0) ^ (1 << (at % 8));
        assert.equal((await refusedFor({ body: changed, headers: headers(signed) })).fault, "signature_mismatch");
      }),
      { numRuns: 50 },
    );
  });

  test("headers may be of fetch, of node, or a plain object, in any case", async () => {
    const forms: VerifyInput["headers"][] = [
      new Headers(headers()),
      Object.fromEntries(Object.entries(headers()).map(([name, value]) => [name.toLowerCase(), value])),
      Object.fromEntries(Object.entries(headers()).map(([name, value]) => [name.toUpperCase(), [value]])),
    ];
    for (const form of forms) {
      assert.deepEqual(await webhooks.verify({ body, headers: form, secret }), {
        deliveryId: "d-1",
        matched: "current",
        secretVersion: 3,
        isTest: false,
      });
    }
    const { buffer } = new Uint8Array(body);
    await webhooks.verify({ body: buffer, headers: headers(), secret });
    await webhooks.verify({ body: body.toString(), headers: headers(), secret });
  });

  test("while a secret rotates, the old one and the new one are both believed", async () => {
    const rotating = headers(digest(body, "whsec_new"), { "X-Service-Signature-Previous": digest(body) });
    assert.equal((await webhooks.verify({ body, headers: rotating, secret })).matched, "previous");
    assert.equal((await webhooks.verify({ body, headers: rotating, secret: "whsec_new" })).matched, "current");
    assert.equal(
      (await webhooks.verify({ body, headers: headers(), secret: ["whsec_new", secret] })).matched,
      "current",
    );
    assert.equal((await refusedFor({ headers: rotating, secret: "whsec_other" })).fault, "signature_mismatch");
  });

  const wrong: [string, Partial<VerifyInput>, SignatureFault, RegExp][] = [
    [
      "no header",
      { headers: { "X-Service-Delivery": "d-1" } },
      "signature_missing",
      /X-Service-Signature header is missing/,
    ],
    ["a header that is no digest", { headers: headers("sha256=0") }, "signature_malformed", /64 hexadecimal/],
    ["a digest of another kind", { headers: headers("sha1=00") }, "signature_malformed", /sha256=/],
    ["an empty secret", { secret: "" }, "secret_malformed", /empty/],
    ["no secret at all", { secret: [] }, "secret_malformed", /empty/],
    ["a secret with a line's end", { secret: `${secret}\n` }, "signature_mismatch", /white space or quotes/],
    ["a secret in quotes", { secret: `"${secret}"` }, "signature_mismatch", /white space or quotes/],
    ["a secret without its beginning", { secret: secret.slice(6) }, "signature_mismatch", /`whsec_` included/],
    ["another secret", { secret: "whsec_another" }, "signature_mismatch", /version 3 of the secret/],
    [
      "a saved body with a line's end",
      { body: `${body.toString()}\n` },
      "signature_mismatch",
      /white space at its end/,
    ],
    [
      "a body that was written again",
      { body: JSON.stringify(JSON.parse(body.toString()), null, 2) },
      "signature_mismatch",
      /parsed and written again/,
    ],
  ];
  for (const [what, input, fault, words] of wrong) {
    test(`${what} is refused, and it is said why`, async () => {
      const error = await refusedFor(input);
      assert.equal(error.fault, fault);
      assert.match(error.message, words);
    });
  }

  test("a body that was parsed already is refused with the way out", async () => {
    const parsed = JSON.parse(body.toString()) as unknown as string;
    const error = await refusedFor({ body: parsed });
    assert.equal(error.fault, "body_not_raw");
    assert.match(error.message, /express\.raw/);
  });
});

suite("the handler", () => {
  const request = (init: RequestInit = {}) =>
    new Request("https://receiver.example/hook", { method: "POST", body, headers: headers(), ...init });

  test("a notification is received once, a repeat and a test are answered and dropped", async () => {
    const seen = new Set<string>();
    const received: string[] = [];
    const handle = webhooks.handler({
      secret: () => Promise.resolve(secret),
      isNew: (deliveryId) => seen.size < seen.add(deliveryId).size,
      receive: ({ notification }) => void received.push(notification.task.taskId),
    });
    for (let n = 0; n < 2; n++) assert.equal((await handle(request())).status, 204);
    assert.equal((await handle(request({ headers: headers(digest(body), { "X-Service-Test": "true" }) }))).status, 204);
    assert.deepEqual(received, ["t-1"]);
  });

  test("what is forged, too large or no POST is refused and received by nobody", async () => {
    const refused: string[] = [];
    const handle = webhooks.handler({
      secret,
      receive: () => assert.fail("received"),
      onRefused: ({ fault }) => refused.push(fault),
    });
    assert.equal((await handle(request({ headers: headers(digest(body, "whsec_x")) }))).status, 401);
    assert.equal((await handle(request({ body: "x".repeat(1024 * 1024 + 1) }))).status, 413);
    assert.equal((await handle(new Request("https://receiver.example/hook"))).status, 405);
    const signedNonsense = await handle(request({ body: "[]", headers: headers(digest(Buffer.from("[]"))) }));
    assert.equal(signedNonsense.status, 401);
    assert.deepEqual(refused, ["signature_mismatch", "body_malformed"]);
  });

  test("when receiving fails the handler fails too, so that it is sent again", async () => {
    const handle = webhooks.handler({ secret, receive: () => Promise.reject(new Error("disk full")) });
    await assert.rejects(handle(request()), /disk full/);
  });
});
