import type { FigureRow } from "@querent/client";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";

type MeasureId = FigureRow["measure"];

/** The measures that the service knows. */
export async function knownMeasures({ querent, signal }: Context): Promise<readonly MeasureId[]> {
  return (await querent.panels.measures({ signal })).map(({ id }) => id);
}

export function measureNamed(given: string, known: readonly MeasureId[]): MeasureId {
  const id = known.find((one) => one === given);
  if (id === undefined) throw new UsageError(`There is no measure ${given}. The measures are ${known.join(", ")}.`);
  return id;
}
