import type { SourceCounts } from "@querent/client";
import type { ToolAnswer } from "./tools.ts";
import { definedIn, reply } from "../reply.ts";

export const sources: ToolAnswer<"sources"> = ({ querent }, { from, to, ...filters }, signal) =>
  reply(
    async () => ({
      ...(await querent.observations.sources(definedIn({ ...filters, observedFrom: from, observedBefore: to }), {
        signal,
      })),
    }),
    describe,
  );

/** Each count with that of all answers, so that neither is quoted alone. */
function describe({ sources, answers, from, to }: SourceCounts): string {
  const lines = sources.map((source) => `${JSON.stringify(source)} of ${answers} answers`);
  return [
    `Sources cited by ${answers} observed answers from ${from} to ${to}, as counted, without intervals:`,
    ...lines,
  ].join("\n");
}
