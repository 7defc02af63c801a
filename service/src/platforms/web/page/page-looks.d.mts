/** What the functions give back is the page's word for it: unknown, until it is looked at. */
type InPage<Input extends unknown[]> = (...input: Input) => unknown;

export const noteLooks: InPage<[elements: readonly unknown[]]>;
