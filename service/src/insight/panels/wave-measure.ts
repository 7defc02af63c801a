import { waveMeasures, type AskUntil } from "@querent/contract";

export type WaveMeasure = (typeof waveMeasures)[number];

/** False: an earlier version measured it, with which the panel was made. */
export const isMeasured = (measure: AskUntil["measure"]): measure is WaveMeasure =>
  waveMeasures.some((each) => each === measure);
