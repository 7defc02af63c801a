import type { AskedAs } from "@querent/contract";
import { effectiveOptions, type OptionSupport } from "./option-support.ts";

/** The options that a platform without a model received, one line each. Null if there are none. */
export function describeAskedAs(support: OptionSupport, options: AskedAs): string | null {
  const lines = Object.entries(effectiveOptions(support, options)).map(
    ([member, { value, how }]) => `${member}: ${value === null ? "-" : JSON.stringify(value)} (${how})`,
  );
  return lines.length === 0 ? null : lines.join("\n");
}
