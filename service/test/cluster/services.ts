/** Querent on a replicated PostgreSQL: two processes of each role, of which the second has a network that can be cut. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { scopes } from "@querent/contract";
import { createToken } from "../../src/accounts/index.ts";
import { createAccount } from "../../src/app/accounts.ts";
import { Database, migrate } from "../../src/db/index.ts";
import { MasterKey } from "../../src/vault/index.ts";
import { startServiceProcess, type ServiceProcess } from "../harness/process.ts";
import type { Receiver } from "../harness/receiver.ts";
import { startNetwork, type Network } from "./network.ts";
import type { Patroni } from "./patroni.ts";

const roles = ["api", "worker", "notifier"] as const;
type Role = (typeof roles)[number];

export interface Account {
  readonly accountId: string;
  readonly token: string;
  readonly secret: string;
}

export interface Services extends AsyncDisposable {
  readonly accounts: readonly Account[];
  /** The process of each role that is connected directly. */
  readonly first: Readonly<Record<Role, ServiceProcess>>;
  /** The process of each role behind `network`. */
  readonly second: Readonly<Record<Role, ServiceProcess>>;
  readonly network: Network;
  /** Where the API can be reached. */
  readonly addresses: readonly string[];
}

export async function startServices(patroni: Patroni, receiver: Receiver, accountsCount: number): Promise<Services> {
  const stack = new AsyncDisposableStack();
  // Where everything is killed and removed if this process ends without doing so.
  const folder = patroni.hosts.add("querent");
  const network = stack.use(await startNetwork(patroni.address));
  const masterKey = randomBytes(32);
  const start = async (role: Role, { host, port }: { host: string; port: number }) => {
    const service = await startServiceProcess(
      {
        DATABASE_URL: `postgresql://postgres:postgres@${host}:${port}/postgres`,
        QUERENT_DATA_DIR: folder,
        QUERENT_MASTER_KEY: masterKey.toString("hex"),
        QUERENT_ACCESS_TOKEN: "token-of-the-cluster-test",
        QUERENT_EGRESS_ALLOW: "127.0.0.0/8",
        QUERENT_EGRESS_CA: receiver.caFile,
        QUERENT_DATABASE_CONNECTIONS: "8",
        QUERENT_DRAIN_SECONDS: "1",
      },
      ["serve", "--roles", role],
      { cwd: folder },
    );
    stack.defer(async () => void (await service.end("SIGKILL")));
    return service;
  };
  const startAll = async (address: { host: string; port: number }) => {
    const [api, worker, notifier] = await Promise.all(roles.map((role) => start(role, address)));
    assert.ok(api !== undefined && worker !== undefined && notifier !== undefined);
    return { api, worker, notifier };
  };
  try {
    const database = new Database({ connection: { connectionString: patroni.url }, connectionsMax: 2 });
    stack.defer(() => database.close());
    await migrate(database);
    const key = new MasterKey(masterKey);
    const [first, second] = [await startAll(patroni.address), await startAll(network.address)];
    const addresses = [first.api.address, second.api.address];
    const accounts: Account[] = [];
    for (let index = 0; index < accountsCount; index++) {
      const accountId = await createAccount(database, key, { name: `account ${index}`, points: 1_000_000 });
      const { token } = await createToken(database, { accountId, scopes: [...scopes], name: null, expiresAt: null });
      accounts.push({ accountId, token, secret: await setWebhook(first.api, token, receiver.url(`/${accountId}`)) });
    }
    return { accounts, first, second, network, addresses, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Returns the signing secret. */
async function setWebhook(service: ServiceProcess, token: string, url: string): Promise<string> {
  const response = await fetch(`${service.address}/v1/webhook`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  assert.equal(response.status, 200);
  return ((await response.json()) as { signingSecret: string }).signingSecret;
}
