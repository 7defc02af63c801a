import type { Figure } from "@querent/client";

type Instrument = Figure["instrument"][number];

/** What an instrument beside a figure is called: by its model, or what else tells it from that of the figure. */
export function otherInstrument(instrument: Instrument, headline: readonly Instrument[]): string {
  const model = instrument.modelVersion ?? "model not reported";
  const differs = (member: keyof Instrument) => headline.every((one) => one[member] !== instrument[member]);
  if (differs("modelVersion")) return `other instrument: ${model}`;
  const { panelRevision, brandsSince } = instrument;
  const ofPanel = [
    ...(differs("panelRevision") ? [`as revision ${panelRevision ?? "?"} asks`] : []),
    ...(differs("brandsSince")
      ? [
          typeof brandsSince === "string"
            ? `brands as of ${brandsSince.slice(0, 16).replace("T", " ")}`
            : "no brands yet",
        ]
      : []),
  ];
  return `${ofPanel.length === 0 ? "other recipe, reader, matcher or source rules" : ofPanel.join(", ")}: ${model}`;
}
