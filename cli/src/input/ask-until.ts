import type { PanelInput } from "@querent/client";
import { UsageError } from "../exit-codes.ts";

export interface AskUntilFlags {
  readonly untilWidth?: number | "none";
  readonly maxRepeats?: number;
}

/** What the flags say of asking in waves; what they do not is that of `before`. */
export function askUntilOf(
  before: PanelInput["askUntil"],
  { untilWidth, maxRepeats }: AskUntilFlags,
): Pick<PanelInput, "askUntil"> {
  if (untilWidth === undefined && maxRepeats === undefined)
    return before === undefined ? {} : { askUntil: keptOf(before) };
  if (untilWidth === "none") return { askUntil: null };
  const width = untilWidth ?? before?.width;
  if (width === undefined) throw new UsageError("The panel asks everything at once. Set a width with --until-width.");
  return { askUntil: { ...keptOf(before), width, ...(maxRepeats === undefined ? {} : { repeatsMax: maxRepeats }) } };
}

/** A measure that is no longer one would be refused: `presence` takes its place. */
function keptOf(before: PanelInput["askUntil"]): NonNullable<PanelInput["askUntil"]> | null {
  if (before?.measure !== "recommendation") return before ?? null;
  const { measure: _, ...kept } = before;
  return kept;
}
