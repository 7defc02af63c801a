/** What `within` returns if the time is over. */
export const late = Symbol("late");

/** The result of `work`, or `late` if it takes longer than `ms`. The work itself goes on, and its later errors are ignored. */
export async function within<Value>(work: Promise<Value>, ms: number): Promise<Value | typeof late> {
  const { promise, resolve } = Promise.withResolvers<typeof late>();
  const timer = setTimeout(resolve, ms, late);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
