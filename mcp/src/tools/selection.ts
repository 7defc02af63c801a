import { z } from "zod";

const time = (what: string) => z.iso.datetime().optional().describe(what);

/** Which answers of a panel are considered. */
export const selection = {
  panelId: z.uuid().describe("From the tool panels."),
  platformCode: z.string().min(1).max(64).optional(),
  locale: z.string().max(255).optional().describe("As in the figures, such as DE/de."),
  persona: z.string().max(255).optional(),
};

export const from = time("ISO 8601 in UTC. Default: 28 days before the end.");
export const to = time("The first moment after the period. Default: now.");
