/** What a contender of the benchmark is given, and what it is. */
import type { Loaded } from "../processes/load.ts";

/** What a contender's process is started with. */
export interface ContenderInput {
  readonly databaseUrl: string;
  readonly receiverUrl: string;
  /** Connections to the receiver, the same for all. */
  readonly receiverConnections: number;
  /** PEM of the receiver's authority. */
  readonly ca: string;
  readonly redisPort: number | null;
  /** True: accept only, leave the work alone. */
  readonly acceptOnly?: boolean;
}

export interface Work {
  readonly tasks: number;
  readonly batchSize: number;
  /** Connections of the load generator. */
  readonly connections: number;
}

/** A contender that is up and has nothing to do. */
export interface Contender extends AsyncDisposable {
  /** Gives it the work; resolves once all of it is accepted. */
  send(work: Work): Promise<Pick<Loaded, "startMs"> & Partial<Loaded>>;
  readonly pid: number;
}
