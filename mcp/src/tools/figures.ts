import type { McpServer } from "@modelcontextprotocol/server";
import { manyFailures, type FigureQuery } from "@querent/client";
import { z } from "zod";
import type { Tools } from "./tools.ts";
import { describeRow } from "../describe-row.ts";
import { entityNames } from "../entity-names.ts";
import { given, readOnly, reply } from "../reply.ts";
import { from, selection, to } from "./selection.ts";

/** The number of rows above which a model's context would be filled. */
const rowsMax = 100;

export function addFigures(server: McpServer, { querent, allows }: Tools): void {
  server.registerTool(
    "figures",
    {
      title: "Figures of a panel",
      description:
        "Computes figures of a panel's answers, such as how often a brand is named. Each comes with its interval for exactly these prompts and for prompts like these, the number of answers, the period and its definition: state them together. One row for each platform, locale and persona, which are never added up. Neither are instruments (model versions): a figure is of the latest one with enough runs, and the others stand beside it. Default: the summary for every own brand and competitor, with failure_rate and refusal_rate: if many tasks fail, the other figures may be biased.",
      inputSchema: z.object({
        ...selection,
        measures: z
          .array(z.string().regex(/^[a-z_]{1,40}$/))
          .min(1)
          .max(50)
          .optional()
          .describe("Such as presence or mention_share. Default: the summary."),
        entityId: z.uuid().optional().describe("From the tool panels."),
        domain: z.string().max(253).optional().describe("For measures of a domain. Default: what most answers cite."),
        by: z.enum(["none", "prompt", "topic", "run", "day"]).optional().describe("One row for each of these."),
        blend: z
          .boolean()
          .optional()
          .describe("Add up answers of all instruments, which are not comparable. Say so beside such a figure."),
        from,
        to,
      }),
      annotations: readOnly,
    },
    ({ panelId, ...query }, { mcpReq: { signal } }) =>
      reply(
        async () => {
          const [figures, measures, names] = await Promise.all([
            querent.panels.figures(panelId, selected(query), { signal }),
            querent.panels.measures({ signal }),
            allows("tasks:read") ? entityNames(querent, signal) : new Map<string, string>(),
          ]);
          const rows = figures.rows.slice(0, rowsMax).map((row) => ({
            ...row,
            entity: row.group.entityId === null ? null : (names.get(row.group.entityId) ?? row.group.entityId),
          }));
          const used = new Set(rows.map(({ definition }) => definition));
          const definitions = measures.filter(({ definition }) => used.has(definition));
          return { ...figures, rows, rowsLeftOut: figures.rows.length - rows.length, definitions };
        },
        ({ rows, rowsLeftOut, definitions }) =>
          [
            ...rows.flatMap((row) =>
              describeRow(row, definitions.find(({ definition }) => definition === row.definition)?.unit ?? ""),
            ),
            ...definitions.map(
              ({ definition, counts, leavesOut }) => `${definition}: ${counts} Left out: ${leavesOut}`,
            ),
            ...manyFailures(rows).map(
              ({ group, failed }) =>
                `Warning: ${Number((100 * failed).toPrecision(3))} % of the tasks on ${group.platformCode} (${group.kind}) failed. The other figures are of the answers alone, and a share may be biased by up to as many points. Say so.`,
            ),
            ...(rows.length === 0
              ? ["There are no answers in this selection and period, so there are no figures."]
              : []),
            ...(rowsLeftOut > 0 ? [`${rowsLeftOut} more rows: ask for fewer measures, entities or platforms.`] : []),
          ].join("\n"),
      ),
  );
}

/** The service validates the values. */
const selected = (query: object) => given(query) as FigureQuery;
