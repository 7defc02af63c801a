/** A notifier in a process of its own, to be killed. Argument: its input as JSON. Reports each attempt to its parent. */
import { Database } from "../../src/db/index.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { EgressGuard } from "../../src/egress/index.ts";
import { getTasks } from "../../src/tasks/read/get-task.ts";
import { Notifier, Sender } from "../../src/webhooks/index.ts";
import { parseMasterKey } from "../../src/vault/index.ts";

export interface NotifierProcessInput {
  databaseUrl: string;
  masterKey: string;
  caFile: string;
  leaseMs: number;
  totalTimeoutMs: number;
}

const input = JSON.parse(process.argv[2] ?? "") as NotifierProcessInput;
const database = new Database({ connection: { connectionString: input.databaseUrl }, connectionsMax: 5 });
const guard = new EgressGuard({ allow: "127.0.0.0/8,::1", caFile: input.caFile });
const sender = new Sender({ guard, clock: systemClock, version: "0.0.0", totalTimeoutMs: input.totalTimeoutMs });
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
new Notifier(
  {
    database,
    clock: systemClock,
    log,
    masterKey: parseMasterKey(input.masterKey),
    sender,
    records: { read: getTasks },
    bodyBytesMax: 262_144,
  },
  { leaseMs: input.leaseMs, pollMs: 50, upkeepMs: 50 },
).start();
