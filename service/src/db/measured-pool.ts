import pg from "pg";

/** A pool that reports how long each statement and transaction waited for a connection. */
export class MeasuredPool extends pg.Pool {
  onWaited: ((seconds: number) => void) | null = null;

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    const from = performance.now();
    const waited = () => this.onWaited?.((performance.now() - from) / 1000);
    if (callback === undefined) return super.connect().finally(waited);
    super.connect((error, client, done) => {
      waited();
      callback(error, client, done);
    });
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** How the connections of a pool are used. */
export interface PoolUse {
  readonly inUse: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}
