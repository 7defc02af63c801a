/** A number, as it is shown, with its noun in English: "1 task", "2,000 tasks". */
export const counted = (count: number | string, one: string, many = `${one}s`): string =>
  `${count} ${String(count) === "1" ? one : many}`;
