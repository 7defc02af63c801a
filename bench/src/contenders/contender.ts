/** The inputs and the interface of a contender of the benchmark. */
import type { Loaded } from "../processes/load.ts";

/** The input of a contender's process. */
export interface ContenderInput {
  readonly databaseUrl: string;
  readonly receiverUrl: string;
  /** Connections to the receiver, the same for all. */
  readonly receiverConnections: number;
  /** PEM of the receiver's certificate authority. */
  readonly ca: string;
  readonly redisPort: number | null;
  /** True: only accept tasks, without running them. */
  readonly acceptOnly?: boolean;
}

export interface ContenderWork {
  readonly tasks: number;
  readonly batchSize: number;
  /** Connections of the load generator. */
  readonly connections: number;
  /** At most this many tasks are submitted in a second; without it, as many as are accepted. */
  readonly perSecond?: number;
}

/** A running, idle contender. */
export interface Contender extends AsyncDisposable {
  /** Submits the work. Resolves when all of it is accepted. */
  send(work: ContenderWork): Promise<Pick<Loaded, "startMs"> & Partial<Loaded>>;
  readonly pid: number;
}
