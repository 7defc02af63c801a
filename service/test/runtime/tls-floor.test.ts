/** No connection is made with a version of TLS before 1.2, whatever Node's options allow. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import tls from "node:tls";
import { promisify } from "node:util";
import { request } from "undici";
import { EgressGuard } from "../../src/egress/index.ts";
import { requireTls12 } from "../../src/runtime/tls-floor.ts";
import { testCertificate } from "../harness/receiver.ts";

// What OpenSSL requires beside, so that the version alone decides.
const oldCiphers = "DEFAULT@SECLEVEL=0";
const { DEFAULT_MIN_VERSION: minVersion, DEFAULT_CIPHERS: ciphers } = tls;

before(() => void Object.assign(tls, { DEFAULT_MIN_VERSION: "TLSv1", DEFAULT_CIPHERS: oldCiphers }));
after(() => void Object.assign(tls, { DEFAULT_MIN_VERSION: minVersion, DEFAULT_CIPHERS: ciphers }));

/** A server that knows this version and none later. */
async function startServer(version: tls.SecureVersion) {
  const { key, cert, caFile } = await testCertificate();
  const server = tls.createServer(
    { key, cert, minVersion: "TLSv1", maxVersion: version, ciphers: oldCiphers },
    (socket) => {
      socket.on("error", () => undefined);
      socket.end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
    },
  );
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    caFile,
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const connect = async ({ port, caFile }: { port: number; caFile: string }) => {
  const socket = await new EgressGuard({ allow: "127.0.0.1", caFile }).connect({ hostname: "localhost", port });
  socket.on("error", () => undefined).destroy();
  return socket;
};
const faultOf = (error: unknown) => (error as { code?: string }).code;

test("no connection is made to a server with TLS 1.1 or older, neither as a receiver nor as a platform", async () => {
  await using old = await startServer("TLSv1.1");
  await using modern = await startServer("TLSv1.2");
  const ask = ({ port }: { port: number }) => request(`https://localhost:${port}/`).then(() => null, faultOf);

  await assert.doesNotReject(connect(old), "Without the floor, Node's options decide.");
  requireTls12();
  assert.equal(tls.DEFAULT_MIN_VERSION, "TLSv1.2");
  await assert.rejects(connect(old), { fault: "tls" });
  await connect(modern);
  assert.equal(await ask(old), "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION");
  // It gets as far as the certificate, which is nobody's.
  assert.match((await ask(modern)) ?? "", /CERT|UNABLE/);

  tls.DEFAULT_MIN_VERSION = "TLSv1.3";
  requireTls12();
  assert.equal(tls.DEFAULT_MIN_VERSION, "TLSv1.3", "A stricter option stays.");
});

test("the service requires TLS 1.2 from its start, also if an option of Node allows less", async () => {
  const tell = `import tls from "node:tls"; process.on("exit", () => console.error("floor " + tls.DEFAULT_MIN_VERSION));`;
  const { stderr } = await promisify(execFile)(process.execPath, [
    "--tls-min-v1.0",
    "--import",
    `data:text/javascript,${encodeURIComponent(tell)}`,
    join(import.meta.dirname, "../../src/main.ts"),
    "--version",
  ]);
  assert.match(stderr, /floor TLSv1\.2/);
});
