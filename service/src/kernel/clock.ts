/**
 * The clock that code uses, which tests replace. For what several processes must agree on, the database's clock is used
 * instead.
 */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
