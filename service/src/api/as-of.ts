/** The header of a response that was read from a replica of the database. */
export const asOfHeaders = (asOf: Date | null): Record<string, string> =>
  asOf === null ? {} : { "as-of": asOf.toISOString() };
