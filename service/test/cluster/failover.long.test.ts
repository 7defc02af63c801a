/**
 * Querent on a replicated PostgreSQL under an existing cluster manager: hosts die, stop and hand over under load, and the network
 * is cut. The promises are those of docs/how-to/high-availability.md, which has the figures.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startReceiver } from "../harness/receiver.ts";
import { until } from "../harness/wait.ts";
import { query, startPatroni, whyNoCluster } from "./patroni.ts";
import { startReaders } from "./readers.ts";
import { runRound, whyAgain, type FailoverCluster, type Figures } from "./round.ts";
import { startServices } from "./services.ts";

test(
  "a failover of the database, whatever its cause, loses nothing and does nothing twice",
  { skip: whyNoCluster(), timeout: 30 * 60_000 },
  async (t) => {
    await using stack = new AsyncDisposableStack();
    const patroni = await startPatroni();
    stack.defer(() => patroni.close());
    const receiver = stack.use(await startReceiver());
    const services = stack.use(await startServices(patroni, receiver, 3));
    const readers = services.accounts.flatMap((account) => startReaders(account, services.addresses));
    stack.defer(async () => void (await Promise.all(readers.map((reader) => reader.stop()))));
    const cluster: FailoverCluster = { patroni, services, receiver, readers, taskIds: new Set() };
    const { first, second, network } = services;
    const figures: Figures[] = [];
    let failed: unknown = null;
    const round = async (name: string, fault: () => Promise<void>, gap: { quiet: number; most: number } | null) => {
      if (failed !== null) return;
      await t.test(name, async (part) => {
        try {
          await patroni.whole();
          const found = await runRound(cluster, name, fault);
          figures.push(found);
          assertGap(found, gap);
          // A network that is cut for one worker alone costs it its lease, and its tasks start elsewhere.
          if (gap !== null && found.asks !== found.tasks)
            assert.fail(`${found.asks - found.tasks} questions were asked again:\n${await whyAgain(patroni.url)}`);
        } catch (error) {
          failed = error;
          const workers = [first, second].map(({ worker }) => `── worker\n${warningsOf(worker.output())}`);
          part.diagnostic([String(error), patroni.logs(), ...workers].join("\n"));
          throw error;
        }
      });
    };

    await round(
      "the primary's host is killed",
      async () => {
        const killed = await patroni.whole();
        await patroni.hosts.signal(killed, "SIGKILL");
        await until("another primary", async () => ![killed, null].includes(await patroni.primary()));
        patroni.restart(killed);
      },
      failover,
    );
    await round(
      "the primary's host stands still until it has been replaced, and goes on",
      async () => {
        const stopped = await patroni.whole();
        await patroni.hosts.signal(stopped, "SIGSTOP");
        try {
          await until("another primary", async () => ![stopped, null].includes(await patroni.primary()));
        } finally {
          await patroni.hosts.signal(stopped, "SIGCONT");
        }
        await patroni.whole();
      },
      failover,
    );
    await round("the primary's role is handed over", () => patroni.switchover(), { quiet: 3, most: 6 });
    const liveLeases = async () => {
      const [nodes] = await query<{ n: number }>(
        patroni.url,
        "select count(*)::int as n from nodes where lease_until > now()",
      );
      return nodes?.n;
    };
    await round(
      "a process of each role loses the network, first in one direction, then in both, and gets it back",
      async () => {
        const ready = async () => (await fetch(`${second.api.address}/readyz`)).status === 200;
        network.cut("from the server");
        await until("the probe to notice", async () => !(await ready()));
        network.cut("to the server");
        await until("the worker's lease to run out", async () => (await liveLeases()) === 1);
        network.mend();
        await until("the probe to notice", ready);
      },
      null,
    );
    console.table(figures);
    assert.equal(failed, null);
    for (const service of [...Object.values(first), ...Object.values(second)])
      assert.equal(service.child.exitCode, null, service.output());
  },
);

/** What a process has logged of trouble. */
const warningsOf = (output: string): string =>
  output
    .split("\n")
    .filter((line) => /"level":"(warn|error)"/.test(line))
    .slice(-100)
    .join("\n");

/** Patroni replaces a primary after its time to live of 20 s, and promotes a standby. */
const failover = { quiet: 25, most: 30 };

/** What Querent adds to the time in which its database accepts no write: new connections, and customers who try again. */
const addedMax = 5;

/** `most` holds on a machine where the cluster itself needs no more than `quiet`. */
function assertGap(found: Figures, gap: { quiet: number; most: number } | null): void {
  const { "database gap": database, "service gap": service } = found;
  assert.ok(service <= database + addedMax, `${service} s without acceptance, of which the database had ${database}`);
  if (gap !== null && database <= gap.quiet) assert.ok(service <= gap.most, `${service} s without acceptance`);
}
