import type { PanelComparison } from "@querent/client";
import type { ToolAnswer } from "./tools.ts";
import { round } from "../describe-row.ts";
import { entityNames } from "../entity-names.ts";
import { reply } from "../reply.ts";

type Row = PanelComparison["rows"][number];

/** The number of rows above which a model's context would be filled. */
const rowsMax = 100;

export const compare: ToolAnswer<"compare"> = ({ querent, allows }, { panelId, ...query }, signal) =>
  reply(
    async () => {
      const [compared, measures, names] = await Promise.all([
        querent.panels.compare(panelId, query, { signal }),
        querent.panels.measures({ signal }),
        entityNames({ querent, allows }, signal),
      ]);
      const rows = compared.rows.slice(0, rowsMax).map((row) => ({
        ...row,
        unit: measures.find(({ id }) => id === row.measure)?.unit ?? "",
        entity: row.entityId === null ? null : (names.get(row.entityId) ?? row.entityId),
      }));
      return { ...compared, rows, rowsLeftOut: compared.rows.length - rows.length };
    },
    ({ one, other, commonPrompts, rows, rowsLeftOut }) =>
      [
        `One: ${armText(one)}.`,
        `Other: ${armText(other)}.`,
        `Prompts of both: ${commonPrompts}. A difference is the other's value minus the one's, over the same prompts.`,
        ...rows.flatMap(describe),
        ...(rowsLeftOut > 0 ? [`${rowsLeftOut} more rows: ask for fewer measures or one entity.`] : []),
      ].join("\n"),
  );

function armText({ panelId, platformCode, kind, locale, persona, importId, window, answers }: PanelComparison["one"]) {
  const parts = [`panel ${panelId}`, `${platformCode} (${kind})`, locale, persona, importId && `import ${importId}`];
  const shown = parts.filter((part) => part !== "" && part !== null);
  return `${shown.join(", ")}, ${answers} answers from ${window.from.slice(0, 10)} to ${window.to.slice(0, 10)}`;
}

/** A row in sentences, one for each scope: a difference never stands without its interval, or the reason why it has none. */
function describe(row: Row & { readonly unit: string; readonly entity: string | null }): string[] {
  const { definition, entity, domain, sourceType, one, other, prompts, unpaired, bounds, unit } = row;
  const about = [definition, entity, domain, sourceType].filter((part) => part !== null).join(", ");
  const shown = (value: number) => (unit === "share" ? `${round(100 * value)} points` : `${round(value)} ${unit}`);
  const valueOf = (value: number | null) =>
    value === null ? "no value" : unit === "share" ? `${round(100 * value)} %` : `${round(value)} ${unit}`;
  return [row.thesePrompts, row.promptsLikeThese].map((difference) => {
    const { scope, value, interval, adjustedP, reason } = difference;
    const basis = `${prompts} prompts compared, ${unpaired} in only one, for ${scope === "these_prompts" ? "exactly these prompts" : "prompts like these"}`;
    const why = reason === null ? "" : ` ${reason.detail}`;
    if (value === null) return `${about}: no difference can be given (${basis}).${why}`;
    const missing =
      bounds === null
        ? ""
        : ` Answers are missing: whatever they would have said, it is ${shown(bounds.low)} to ${shown(bounds.high)}.`;
    const range =
      interval === null
        ? "without an interval"
        : `${Math.round(100 * interval.level)} % interval ${shown(interval.low)} to ${shown(interval.high)}`;
    const p = adjustedP === null ? "" : `, adjusted p ${adjustedP.toPrecision(2)}`;
    return `${about}: ${valueOf(one.value)} and ${valueOf(other.value)}: ${shown(value)}, ${range}${p} (${basis}).${why}${missing}`;
  });
}
