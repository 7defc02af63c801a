/** Whoever guesses at a secret learns nothing from the reply, nor from its time, and stops nothing. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { mock, test } from "node:test";
import { authenticator, createToken, insertAccount } from "../../src/accounts/index.ts";
import { EgressProxy } from "../../src/browser/egress-proxy.ts";
import { PeerPort } from "../../src/dispatch/node/nodes.ts";
import { EgressGuard } from "../../src/egress/index.ts";
import { isSameSecret } from "../../src/kernel/same-secret.ts";
import { testDatabase } from "../harness/database.ts";

/** Guesses at a secret: near it, as long as it, and of characters that have several bytes. */
const guesses = (secret: string) => [
  "",
  secret.slice(0, -1),
  `${secret}x`,
  `${secret.slice(0, -1)}é`,
  "é".repeat(secret.length),
  `x${secret.slice(1)}`,
  secret.toUpperCase(),
  "x".repeat(10_000),
];

test("only the secret itself is the same", () => {
  const secret = "Bearer aBcDeFgHiJkLmNoPqRsTuVwXyZ012345";
  assert.ok(isSameSecret(secret, secret));
  for (const guess of guesses(secret)) assert.ok(!isSameSecret(guess, secret), guess);
});

test("no statement has an access token, so none can compare its text", async () => {
  const { database } = await testDatabase();
  const accountId = await database.transaction((tx) => insertAccount(tx, "a"));
  const { token } = await createToken(database, { accountId, scopes: ["tasks:read"], name: null, expiresAt: null });
  const query = mock.method(database, "query");
  const authenticate = authenticator(database);
  assert.equal((await authenticate(token))?.accountId, accountId);
  for (const guess of guesses(token)) assert.equal(await authenticate(guess), null, guess);
  const sent = JSON.stringify(query.mock.calls.map((call) => call.arguments as unknown[]));
  assert.ok(query.mock.callCount() > 0);
  assert.ok(!sent.includes(token.slice(4, 30)), "The text of a token was sent to the database.");
});

test("the proxy of a page refuses wrong credentials, whatever their characters, and goes on", async () => {
  await using proxy = await EgressProxy.start({
    guard: new EgressGuard(),
    reach: "nothing",
    onward: null,
    host: "127.0.0.1",
    credentials: { username: "page", password: "a-long-password-of-this-context" },
  });
  const { hostname, port } = new URL(proxy.address);
  const ask = async (start: string, credentials: string) => {
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.end(
      `${start} HTTP/1.1\r\nhost: a\r\nproxy-authorization: ${credentials}\r\nconnection: close\r\n\r\n`,
      "latin1",
    );
    return (await text(socket)).slice(0, 12);
  };
  const right = `Basic ${Buffer.from("page:a-long-password-of-this-context").toString("base64")}`;
  for (const start of ["GET http://example.com/", "CONNECT example.com:443"]) {
    for (const guess of guesses(right)) assert.equal(await ask(start, guess), "HTTP/1.1 407", `${start} ${guess}`);
    assert.equal(await ask(start, right), "HTTP/1.1 403", "The credentials are right, and the host is not allowed.");
  }
});

test("another node is answered only with the key, whatever is sent instead", async () => {
  const port = new PeerPort({ host: "127.0.0.1" }, () => ({ nodeId: "a", renewedMsAgo: 1 }));
  const { url, key } = await port.start();
  const call = { nodeId: "b", url, key: "other", spare: false };
  const ask = async (authorization: string) =>
    (await fetch(url, { method: "POST", headers: { authorization }, body: JSON.stringify(call) })).status;
  for (const guess of guesses(`Bearer ${key}`)) assert.equal(await ask(guess), 401, guess);
  assert.equal(await ask(`Bearer ${key}`), 200);
  await port.stop();
});
