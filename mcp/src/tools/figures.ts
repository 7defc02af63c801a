import { manyFailures } from "@querent/client";
import type { ToolAnswer } from "./tools.ts";
import { describeRow } from "../describe-row.ts";
import { entityNames } from "../entity-names.ts";
import { reply } from "../reply.ts";

/** The number of rows above which a model's context would be filled. */
const rowsMax = 100;

export const figures: ToolAnswer<"figures"> = ({ querent, allows }, { panelId, ...query }, signal) =>
  reply(
    async () => {
      const [figures, measures, names] = await Promise.all([
        querent.panels.figures(panelId, query, { signal }),
        querent.panels.measures({ signal }),
        entityNames({ querent, allows }, signal),
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
        ...definitions.map(({ definition, counts, leavesOut }) => `${definition}: ${counts} Left out: ${leavesOut}`),
        ...manyFailures(rows).map(
          ({ group, failed }) =>
            `Warning: ${Number((100 * failed).toPrecision(3))} % of the tasks on ${group.platformCode} (${group.kind}) failed. The other figures are of the answers alone, and a share may be biased by up to as many points. Say so.`,
        ),
        ...(rows.length === 0 ? ["There are no answers in this selection and period, so there are no figures."] : []),
        ...(rowsLeftOut > 0 ? [`${rowsLeftOut} more rows: ask for fewer measures, entities or platforms.`] : []),
      ].join("\n"),
  );
