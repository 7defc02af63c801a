/** The time, as code asks for it; a test gives its own. What several processes must agree on is the database's clock instead. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
