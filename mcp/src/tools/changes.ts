import type { FoundChange, FoundInstrumentChange, PanelChanges, SeriesVerdict } from "@querent/client";
import type { ToolAnswer } from "./tools.ts";
import { describeFigure } from "../describe-row.ts";
import { entityNames } from "../entity-names.ts";
import { reply } from "../reply.ts";

export const changes: ToolAnswer<"changes"> = ({ querent, allows }, { panelId }, signal) =>
  reply(
    async () => {
      const [changes, names] = await Promise.all([
        querent.panels.changes(panelId, { signal }),
        entityNames({ querent, allows }, signal),
      ]);
      return { ...changes, names: Object.fromEntries(names) };
    },
    (all) => describe(all),
  );

type Named = PanelChanges & { readonly names: Readonly<Record<string, string>> };

function describe({ evaluatedAt, series, changes, instrumentChanges, names }: Named): string {
  if (evaluatedAt === null) return "No run of this panel has been judged yet.";
  const nameOf = (entityId: string) => names[entityId] ?? entityId;
  return [
    `Verdicts as of ${evaluatedAt}:`,
    ...series.map((one) => verdictText(one, nameOf)),
    ...changes.map((one) => changeText(one, nameOf)),
    ...instrumentChanges.map(instrumentText),
  ].join("\n");
}

type Series = Pick<
  SeriesVerdict,
  "definition" | "entityId" | "domain" | "platformCode" | "kind" | "locale" | "persona"
>;

const about = (
  { definition, entityId, domain, platformCode, kind, locale, persona }: Series,
  nameOf: (id: string) => string,
) =>
  [definition, domain ?? nameOf(entityId ?? ""), `on ${platformCode} (${kind})`, locale, persona]
    .filter((part) => part !== "")
    .join(", ");

function verdictText(one: SeriesVerdict, nameOf: (id: string) => string): string {
  const verdict = one.verdict ?? "paused, because the platform's pages do not match the recipe";
  const missing = one.missingDays === null ? "" : `: ${one.missingDays} more days with a run are needed`;
  const compared = one.from === null ? "" : `, compared from ${one.from} to ${one.to}`;
  const { prompts, promptsLeftOut = 0 } = one;
  const leftOut =
    promptsLeftOut === 0 ? "" : `, ${promptsLeftOut} others are new or were reworded and are not compared`;
  const reason = one.reason === "dependent_runs" ? ", because of dependent_runs: later runs will tell" : "";
  return `${about(one, nameOf)}: ${verdict}${missing}${reason} (${prompts} prompts${compared}${leftOut})`;
}

function changeText(change: FoundChange, nameOf: (id: string) => string): string {
  const { direction, since, earliest = since, latest = since, shape, evidence, threshold, before, after } = change;
  const began = earliest === latest ? since : `a day from ${earliest} to ${latest}`;
  const how = shape === "gradual" ? ", gradually" : "";
  const unit = change.measure === "position" ? "position" : "share";
  return [
    `Found: ${about(change, nameOf)}: ${direction} since ${began}${how} (evidence ${Math.round(evidence)}, ${Math.round(threshold)} needed).`,
    `before: ${describeFigure(before, unit)}`,
    `after: ${describeFigure(after, unit)}`,
  ].join(" ");
}

function instrumentText({ platformCode, kind, since, before, after }: FoundInstrumentChange): string {
  const models = (list: FoundInstrumentChange["before"]) =>
    list.map(({ modelVersion }) => modelVersion ?? "?").join(" or ");
  return `The instrument of ${platformCode} (${kind}) changed since ${since}: the model was ${models(before)}, and is ${models(after)}. Figures before and after cannot be compared.`;
}
