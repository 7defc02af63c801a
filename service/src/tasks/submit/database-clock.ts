import type { Queryable } from "../../db/index.ts";

const askEveryMs = 60_000;

/**
 * The database's time, which determines when tasks start and end. This process's clock may be off; the difference is measured
 * once a minute.
 */
export class DatabaseClock {
  readonly #db: Queryable;
  #aheadMs = 0;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Queryable) {
    this.#db = db;
  }

  async now(): Promise<Date> {
    if (performance.now() - this.#askedAt > askEveryMs) {
      const { rows } = await this.#db.query<{ now: Date }>("select now() as now");
      const [row] = rows;
      if (row !== undefined) this.#aheadMs = row.now.getTime() - Date.now();
      this.#askedAt = performance.now();
    }
    return new Date(Date.now() + this.#aheadMs);
  }
}
