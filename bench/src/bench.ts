/** The environment of a measurement: servers, receiver and scale. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";
import type { ContenderInput } from "./contenders/contender.ts";
import { killAll, startChild, type BenchChild } from "./processes/child.ts";
import { startPostgres, type PostgresServer } from "./processes/servers.ts";

export interface Scale {
  /** Tasks per repetition of the end-to-end measurement. */
  readonly tasks: number;
  readonly repetitions: number;
  readonly batchSize: number;
  /** Connections of the load generator. */
  readonly connections: number;
  /** Callers, each with its own destination queue at the receiver. */
  readonly accounts: number;
  readonly backlog: number;
  readonly inFlight: number;
  readonly pinSeconds: number;
  readonly idleSubmissions: number;
  /** Deliveries sent by a process with only the notifier. */
  readonly deliveries: number;
  /** Seconds of a steady stream of ends. */
  readonly streamSeconds: number;
  /** Deliveries that wait for one receiver. */
  readonly waiting: number;
  /** Web pages per repetition. */
  readonly pages: number;
  /** Web pages of one process in a row. */
  readonly enduredPages: number;
  /** Samples of each transaction for the simulator. */
  readonly measuredRounds: number;
  /** The time in which a simulated day passes. */
  readonly simulatedSeconds: number;
  /** Attacks that take long are measured, too. */
  readonly longAttacks: boolean;
}

export const fullScale: Scale = {
  tasks: 20_000,
  repetitions: 5,
  batchSize: 100,
  connections: 4,
  accounts: 8,
  backlog: 1_000_000,
  inFlight: 10_000,
  pinSeconds: 180,
  idleSubmissions: 200,
  deliveries: 20_000,
  streamSeconds: 20,
  waiting: 100_000,
  pages: 60,
  enduredPages: 1_000,
  measuredRounds: 200,
  simulatedSeconds: 120,
  longAttacks: true,
};

/** Each measurement takes a minute or two: for checking that everything works, and for rough figures. */
export const quickScale: Scale = {
  ...fullScale,
  tasks: 6_000,
  repetitions: 3,
  backlog: 100_000,
  inFlight: 2_000,
  pinSeconds: 40,
  idleSubmissions: 50,
  deliveries: 6_000,
  streamSeconds: 6,
  pages: 24,
  enduredPages: 80,
  measuredRounds: 40,
  simulatedSeconds: 60,
  longAttacks: false,
};

/** Connections to the receiver of contenders without destination queues: as many as all those of the service have together. */
const connectionsPerAccount = 4;

export interface Bench extends AsyncDisposable {
  readonly scale: Scale;
  /** The attacks of `neighbours` by name; null: all, or with `--quick` all that are short. */
  readonly attacks: readonly string[] | null;
  readonly folder: string;
  readonly postgres: PostgresServer;
  readonly receiver: BenchChild<{ port: number }>;
  readonly caFile: string;
  /** A new database, and the other inputs of a contender. */
  input(name: string): Promise<ContenderInput & { caFile: string }>;
  progress(line: string): void;
}

export async function startBench(scale: Scale, attacks: readonly string[] | null): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), "querent-bench-"));
  const { private: key, cert } = await makeCertificate();
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, cert);
  const postgres = await startPostgres(join(folder, "postgres"));
  const receiver = await startChild<{ port: number }>(join(import.meta.dirname, "processes/receiver.ts"), {
    key,
    cert,
  });
  const stop = async () => {
    await receiver.end();
    await postgres[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      killAll();
      void stop().finally(() => process.exit(130));
    });
  }
  return {
    scale,
    attacks,
    folder,
    postgres,
    receiver,
    caFile,
    input: async (name) => ({
      databaseUrl: await postgres.create(`bench_${name}`),
      receiverUrl: `https://localhost:${receiver.ready.port}/hook`,
      receiverConnections: connectionsPerAccount * scale.accounts,
      ca: cert,
      caFile,
      redisPort: null,
    }),
    progress: (line) => process.stderr.write(`${line}\n`),
    [Symbol.asyncDispose]: stop,
  };
}

async function makeCertificate(): Promise<{ private: string; cert: string }> {
  return generate([{ name: "commonName", value: "Querent benchmark receiver" }], {
    keyType: "ec",
    algorithm: "sha256",
    notAfterDate: new Date(Date.now() + 86_400_000),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] },
    ],
  });
}
