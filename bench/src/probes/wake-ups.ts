/**
 * The cost of wake-ups for submissions, if a commit takes 2 ms more than on this disk: the rate of submissions of 48 accounts without any
 * NOTIFY, with one after each commit (as the service does), and with one in each transaction. `commit_delay` delays the flush, during which
 * the lock of a NOTIFY in the transaction is held, as it is with a slow disk or a synchronous standby.
 */
import { Database, migrate, type Transaction } from "../../../service/src/db/index.ts";
import { createAccount } from "../../../service/src/app/accounts.ts";
import { newId } from "../../../service/src/kernel/ids.ts";
import { submitBatch } from "../../../service/src/tasks/submit/submit-batch.ts";
import { MasterKey } from "../../../service/src/vault/index.ts";
import type { Bench } from "../bench.ts";
import { quantile } from "../statistics.ts";
import type { Line } from "./probe.ts";

const accounts = 48;
const submissionsPerAccount = 20;
const commitDelayUs = 2_000;

/** A service that wakes nobody. */
class Silent extends Database {
  override announce(): void {}
}

/** A service that sends NOTIFY in the transaction. */
class InTransaction extends Silent {
  override transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return super.transaction((tx) =>
      work({
        inTransaction: true,
        query: tx.query.bind(tx),
        commit: () => {
          tx.query("select pg_notify('querent_dispatch', 'simulator')").catch(() => undefined);
          tx.commit();
        },
      }),
    );
  }
}

const kinds = { silent: Silent, after: Database, within: InTransaction };

export async function wakeUps(bench: Bench): Promise<Line[]> {
  const { databaseUrl } = await bench.input("wake_ups");
  const options = { connection: { connectionString: databaseUrl }, connectionsMax: accounts };
  const admin = new Database({ ...options, connectionsMax: 1 });
  try {
    await migrate(admin);
    const masterKey = new MasterKey(Buffer.alloc(32, 1));
    const accountIds: string[] = [];
    for (let n = 0; n < accounts; n++)
      accountIds.push(await createAccount(admin, masterKey, { name: `bench ${n}`, points: 1_000_000_000 }));
    const name = new URL(databaseUrl).pathname.slice(1);
    await admin.query(`alter database ${name} set commit_delay = ${commitDelayUs}`);
    await admin.query(`alter database ${name} set commit_siblings = 0`);
    const listener = await admin.connect();
    await listener.query("listen querent_dispatch");
    const rates = { silent: [] as number[], after: [] as number[], within: [] as number[] };
    // Alternating, so that other load affects all.
    for (let round = 0; round <= bench.scale.repetitions; round++) {
      for (const kind of ["silent", "after", "within"] as const) {
        const database = new kinds[kind](options);
        const rate = await rateOf(database, accountIds);
        await database.close();
        // The first round warms up.
        if (round > 0) rates[kind].push(rate);
      }
    }
    await listener.end();
    const median = (kind: keyof typeof kinds) => quantile(rates[kind], 0.5);
    const line = (what: string, kind: keyof typeof kinds, target: string): Line => ({
      what: `submissions, ${accounts} accounts, commits 2 ms longer: ${what}`,
      figure: `${median(kind).toFixed(0)}/s`,
      ratio: kind === "silent" ? "" : (median(kind) / median("silent")).toFixed(2),
      target,
    });
    return [
      line("no NOTIFY", "silent", ""),
      line("NOTIFY after the commit", "after", "0.8"),
      line("NOTIFY in the transaction", "within", ""),
    ];
  } finally {
    await admin.close();
    await bench.postgres.drop("bench_wake_ups");
  }
}

async function rateOf(database: Database, accountIds: readonly string[]): Promise<number> {
  const submit = (accountId: string) =>
    submitBatch(database, { accountId, route: "bench", key: newId(), fingerprint: Buffer.alloc(32) }, () => [item]);
  await Promise.all(accountIds.map(submit));
  const from = performance.now();
  await Promise.all(
    accountIds.map(async (accountId) => {
      for (let n = 0; n < submissionsPerAccount; n++) await submit(accountId);
    }),
  );
  return (accounts * submissionsPerAccount) / ((performance.now() - from) / 1000);
}

const item = {
  question: "How fine should I grind?",
  platform: "simulator",
  options: { deepAnalysis: false, output: "answer", resultFormat: "json" },
  webhookUrl: null,
  clientReference: null,
  tags: [],
  notBefore: null,
  startBefore: null,
  runTimeoutSeconds: 60,
  priority: 5,
  pricePoints: 1,
} as const;
