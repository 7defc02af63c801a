/** Connections to a PostgreSQL server whose certificate is from an authority of the operator's own. */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import pg from "pg";
import { generate } from "selfsigned";
import { connectionTo, Database, requireServer } from "../../src/db/index.ts";
import { clusterFolder } from "../../src/db/embedded/embedded.ts";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { requirePostgresBinaries } from "../../src/db/embedded/postgres-cluster.ts";
import { chooseRunAs } from "../../src/db/embedded/run-as.ts";
import { startServiceProcess, temporaryFolder } from "../harness/process.ts";
import { until } from "../harness/wait.ts";

const hour = 3_600_000;

/** A certificate for these addresses, which is its own authority. */
const certificateFor = (addresses: readonly string[], endsIn = hour) =>
  generate([{ name: "commonName", value: "PostgreSQL of the test" }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() - 2 * hour),
    notAfterDate: new Date(Date.now() + endsIn),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "subjectAltName", altNames: addresses.map((ip) => ({ type: 7 as const, ip })) },
    ],
  });

/** A server that takes connections over TCP by TLS alone, at a loopback address of its own. */
async function startTlsServer(t: TestContext, certificate: { cert: string; private: string }, address: string) {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  // The embedded server has no port of the network: it makes the cluster, and another process serves it.
  const embedded = await startEmbedded({ dataDir });
  await embedded.stop();
  const binaries = requirePostgresBinaries();
  const runAs = chooseRunAs(dataDir, dirname(binaries.postgres));
  const settings = {
    listen_addresses: address,
    port: 5432,
    unix_socket_directories: "",
    ssl: "on",
    ssl_cert_file: certificate.cert,
    ssl_key_file: certificate.private,
    hba_file: `hostssl all all ${address}/8 trust\n`,
    fsync: "off",
  };
  const words = Object.entries(settings).flatMap(([name, value]) => {
    if (!name.endsWith("_file")) return ["-c", `${name}=${value}`];
    const file = join(dataDir, name);
    writeFileSync(file, value as string, { mode: 0o600 });
    runAs.own(file);
    return ["-c", `${name}=${file}`];
  });
  const { file, args, options } = runAs.command(binaries.postgres, ["-D", clusterFolder(dataDir), ...words], "KILL");
  const server = spawn(file, args, { ...options, stdio: "ignore" });
  const ended = once(server, "exit");
  t.after(async () => {
    server.kill("SIGQUIT");
    await ended;
    folder[Symbol.dispose]();
  });
  const { user, database } = embedded.connection;
  const url = `postgresql://${user}@${address}/${database}`;
  await until("the server to be ready", async () => {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
    const client = new pg.Client({ connectionString: url, ssl: { rejectUnauthorized: false } });
    client.on("error", () => undefined);
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  });
  const caOf = (name: string, pem: string) => {
    const path = join(folder.path, `${name}.pem`);
    writeFileSync(path, pem);
    return path;
  };
  return { url, ca: caOf("ca", certificate.cert), caOf };
}

const newAddress = () => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;

async function connect(url: string, ca: string | null): Promise<boolean> {
  const database = new Database({ connection: connectionTo(url, ca), connectionsMax: 2 });
  try {
    await requireServer(database, { databaseUrl: url, directUrl: null });
    const { rows } = await database.query<{ ssl: boolean }>("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    return rows[0]?.ssl ?? false;
  } finally {
    await database.close();
  }
}

test("a server is connected to by TLS if its certificate is from the authority, and for its address", async (t) => {
  const address = newAddress();
  const { url, ca, caOf } = await startTlsServer(t, await certificateFor([address]), address);
  for (const mode of ["", "?ssl=true", "?sslmode=require", "?sslmode=verify-full&sslrootcert=/nowhere"])
    assert.equal(await connect(url + mode, ca), true, mode);
  const other = caOf("other", (await certificateFor([address])).cert);
  await assert.rejects(connect(url, other), /certificate is from an authority that is not known.*QUERENT_DATABASE_CA/);
  await assert.rejects(connect(`${url}?sslmode=require`, null), /authority that is not known.*QUERENT_DATABASE_CA/);
  for (const parameter of ["sslmode=disable", "sslmode=no-verify", "ssl=0"])
    await assert.rejects(
      async () => connect(`${url}?${parameter}`, ca),
      new RegExp(`has ${parameter}, and QUERENT_DATABASE_CA asks for verified TLS`),
    );

  // A whole service, with its pool, its listeners and the lease of its worker.
  await using service = await startService(url, ca);
  assert.equal((await fetch(`${service.address}/readyz`)).status, 200);
});

test("a certificate for another host, or of the past, is refused with what to do", async (t) => {
  const [address, another] = [newAddress(), newAddress()];
  const elsewhere = await startTlsServer(t, await certificateFor([another]), address);
  await assert.rejects(connect(elsewhere.url, elsewhere.ca), /its certificate is for another host.*DATABASE_URL/);
  const past = newAddress();
  const expired = await startTlsServer(t, await certificateFor([past], -hour), past);
  await assert.rejects(connect(expired.url, expired.ca), /its certificate has expired/);
});

async function startService(url: string, ca: string) {
  const folder = temporaryFolder();
  const service = await startServiceProcess({
    QUERENT_DATA_DIR: folder.path,
    DATABASE_URL: url,
    QUERENT_DATABASE_CA: ca,
    QUERENT_MASTER_KEY: "6b1f0f0c2f0a4d9e8c7b6a5948372615a4b3c2d1e0f9e8d7c6b5a49382716050",
  });
  return {
    address: service.address,
    async [Symbol.asyncDispose]() {
      await service.end("SIGTERM");
      folder[Symbol.dispose]();
    },
  };
}
