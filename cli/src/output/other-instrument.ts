import type { Figure } from "@querent/client";

type Instrument = Figure["instrument"][number];

/** What an instrument beside a figure is called: by its model, unless only how answers were taken or read is another. */
export function otherInstrument({ modelVersion }: Instrument, headline: readonly Instrument[]): string {
  const isSameModel = headline.some((one) => one.modelVersion === modelVersion);
  const model = modelVersion ?? "model not reported";
  return isSameModel ? `other recipe, reader, matcher or source rules: ${model}` : `other instrument: ${model}`;
}
