import type { Figure } from "@querent/client";
import { figuresMessages } from "../../i18n/figures.ts";
import { day } from "../../ui/time.tsx";

type Instrument = Figure["instrument"][number];

/** Whether neither the model nor what the panel asked and looked for tells it from the others. */
export const isReadOtherwise = (one: Instrument, others: readonly Instrument[]): boolean =>
  (["modelVersion", "panelRevision", "brandsSince"] as const).every((member) =>
    others.some((other) => other[member] === one[member]),
  );

/** Names of instruments: their models, and if these are the same as those of the others, what else tells them apart. */
export function instrumentNames(some: readonly Instrument[], others: readonly Instrument[]): string {
  const t = figuresMessages.value;
  const names = some.map((one) => {
    const model = one.modelVersion ?? t.unknownModel;
    const differs = (member: keyof Instrument) => others.every((other) => other[member] !== one[member]);
    if (differs("modelVersion")) return model;
    const { panelRevision, brandsSince } = one;
    const parts = [
      ...(differs("panelRevision") && typeof panelRevision === "number" ? [t.asked(panelRevision)] : []),
      ...(differs("brandsSince") && typeof brandsSince === "string"
        ? [t.brandsAsOf(day(brandsSince.slice(0, 10)))]
        : []),
    ];
    return [model, ...parts].join(", ");
  });
  return [...new Set(names)].join(", ");
}
