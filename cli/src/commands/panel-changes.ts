import type { FoundChange, FoundInstrumentChange, PanelChanges } from "@querent/client";
import type { Command } from "commander";
import type { Context, Open } from "../context.ts";
import { table, type Column } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";
import { entityNames } from "./entity-names.ts";

type Series = PanelChanges["series"][number];

export function addPanelChanges(panels: Command, open: Open): void {
  panels
    .command("changes")
    .description("show what has changed beyond chance, and what could not be told")
    .argument("<panelId>")
    .action(async (panelId: string, _flags: object, command: Command) => show(open(command), panelId));
}

const columns: readonly Column[] = [
  { head: "MEASURE" },
  { head: "ABOUT", least: 8 },
  { head: "WHERE", least: 8 },
  { head: "VERDICT" },
];

async function show(context: Context, panelId: string): Promise<void> {
  const { output, querent, signal } = context;
  const changes = await querent.panels.changes(panelId, { signal });
  if (output.format === "json") return await output.json(changes);
  if (changes.evaluatedAt === null) return await output.text("no run of it has been judged yet");
  const names = await entityNames(context);
  const leftOut = Math.max(0, ...changes.series.map(({ promptsLeftOut = 0 }) => promptsLeftOut));
  const found = new Map(changes.changes.map((change) => [change.changeId, change]));
  const rows = changes.series.map((one) => [
    one.measure,
    printableLine(one.domain ?? names.get(one.entityId ?? "") ?? one.entityId ?? ""),
    printableLine([one.platformCode, one.locale, one.persona].filter((part) => part !== "").join(", ")),
    verdictOf(one, found),
  ]);
  return await output.text(
    `judged at ${changes.evaluatedAt}`,
    ...changes.instrumentChanges.map(instrumentLine),
    ...(rows.length === 0
      ? [
          names.size === 0
            ? "there is no brand to look for: define yours with `querent entity add`"
            : "no brand was known then; the next run is judged with those that you have defined since",
        ]
      : table(columns, rows, output.width)),
    ...(leftOut === 0
      ? []
      : [`${leftOut} prompts are new or were reworded: only those that stand on both sides are compared`]),
  );
}

function verdictOf(one: Series, found: ReadonlyMap<string, FoundChange>): string {
  const change = found.get(one.changeId ?? "");
  if (change !== undefined) return changeText(change);
  if (one.paused !== null)
    return printableLine(`paused, the page does not match: ${one.paused.signs.map(({ what }) => what).join(", ")}`);
  if (one.missingDays !== null) {
    const missing = `${one.missingDays} more ${one.missingDays === 1 ? "day" : "days"} with a run`;
    return one.verdict === "instrument_changed" ? `new instrument: ${missing}` : `too early: ${missing}`;
  }
  if (one.reason === "dependent_runs") return "no change that could be told from dependent runs: later runs will tell";
  if (one.smallestChange === null) return "no change found, and too few answers to find one";
  return `no change; ${points(one.smallestChange.difference)} since ${one.smallestChange.since} would be found`;
}

const changeText = (change: FoundChange) =>
  `${change.direction} ${points(Math.abs(change.difference))} ${began(change)} (${percent(change.before.value)} to ${percent(change.after.value)})`;

function began({ direction, since, earliest = since, latest = since, shape, continues }: FoundChange): string {
  const days = earliest === latest ? since : `a day from ${earliest} to ${latest}`;
  if (shape !== "gradual") return `since ${days}`;
  return `${continues === true ? "still " : ""}${direction === "up" ? "rising" : "falling"} since ${days}`;
}

function instrumentLine({ platformCode, since, before, after }: FoundInstrumentChange): string {
  const names = (instruments: FoundInstrumentChange["before"]) =>
    [...new Set(instruments.map(({ modelVersion }) => modelVersion ?? "unknown"))].join(" and ");
  const [one, other] = [names(before), names(after)];
  const what = one === other ? "the recipe, or how answers are read" : `model ${one} to ${other}`;
  return printableLine(`${platformCode} changed its instrument on ${since}: ${what}`);
}

const points = (share: number) => `${Math.round(100 * share)} points`;
const percent = (value: number | null) => (value === null ? "-" : `${Math.round(100 * value)} %`);
