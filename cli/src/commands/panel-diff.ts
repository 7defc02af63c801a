import type { PanelRunDiff } from "@querent/client";
import type { Command } from "commander";
import { CliError } from "../exit-codes.ts";
import type { Context, Open } from "../context.ts";
import { plural } from "../output/answer.ts";
import { table, type Column } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";

interface DiffFlags {
  readonly run?: string;
  readonly with?: string;
  readonly prompt?: string;
  readonly platform?: string;
  readonly results?: boolean;
}

export function addPanelDiff(panels: Command, open: Open): void {
  panels
    .command("diff")
    .description("show what differs between two runs of a panel, and how often reruns differ as much anyway")
    .argument("<panelId>")
    .option("--run <runId>", "the run to look at (default: the last one)")
    .option("--with <runId>", "the run to compare with (default: the one before it)")
    .option("--prompt <promptId>", "only this prompt")
    .option("--platform <code>", "only this platform")
    .option("--results", "compare texts and prices, too, as long as results have not expired")
    .action(async (panelId: string, flags: DiffFlags, command: Command) => showDiff(open(command), panelId, flags));
}

async function showDiff(context: Context, panelId: string, flags: DiffFlags): Promise<void> {
  const { output, querent, signal } = context;
  const runId = flags.run ?? (await lastRun(context, panelId));
  const diff = await querent.panels.diff(panelId, runId, {
    signal,
    ...(flags.with === undefined ? {} : { with: flags.with }),
    ...(flags.prompt === undefined ? {} : { promptId: flags.prompt }),
    ...(flags.platform === undefined ? {} : { platformCode: flags.platform }),
    ...(flags.results === true ? { results: true } : {}),
  });
  await output.show(diff, () => diffLines(diff, output.width));
}

async function lastRun({ querent, signal }: Context, panelId: string): Promise<string> {
  for await (const { runId, state } of querent.panels.runs(panelId, { signal })) if (state === "started") return runId;
  throw new CliError("refused", "The panel has not run yet, so there is nothing to compare.");
}

const columns: readonly Column[] = [
  { head: "PROMPT" },
  { head: "WHERE", optional: 1 },
  { head: "WHAT" },
  { head: "ITEM", least: 12 },
  { head: "BEFORE", align: "right" },
  { head: "AFTER", align: "right" },
  { head: "RERUNS", align: "right" },
];

type Reruns = PanelRunDiff["aspects"][number]["reruns"];
const anyway = ({ differ, pairs }: Reruns) => (pairs === 0 ? "-" : `${differ} of ${pairs}`);

function diffLines({ before, after, cells, aspects, changes, otherRuns }: PanelRunDiff, width: number): string[] {
  const minute = (time: string) => time.slice(0, 16).replace("T", " ");
  const head = [
    `${minute(before.createdAt)} and ${minute(after.createdAt)}: ${plural(cells.both, "cell")} in both`,
    ...(cells.onlyBefore > 0 ? [`answered only before: ${plural(cells.onlyBefore, "cell")}`] : []),
    ...(cells.onlyAfter > 0 ? [`answered only after: ${plural(cells.onlyAfter, "cell")}`] : []),
  ];
  if (changes.length === 0) return [...head, "nothing differs"];
  const summary = aspects
    .filter((aspect) => aspect.changed > 0)
    .map(({ aspect, changed, cells: compared, reruns }) => {
      const share = reruns.pairs === 0 ? "" : `; in reruns, ${Math.round((100 * reruns.differ) / reruns.pairs)} % do`;
      return `${aspect}: ${changed} of ${plural(compared, "cell")} differ${share}`;
    });
  return [
    ...head,
    ...summary,
    ...table(columns, changes.flatMap(rowsOf), width),
    otherRuns === 0
      ? "There are no other runs yet, so chance cannot be told from change."
      : `RERUNS: how often reruns of the cell differ as much anyway, from ${plural(otherRuns, "other run")}.`,
  ];
}

function rowsOf(change: PanelRunDiff["changes"][number]): string[][] {
  const where = [change.platformCode, change.locale, change.persona].filter((part) => part !== "").join(" ");
  const row = (what: string, item: string, sides: readonly (string | number)[], reruns: Reruns) => [
    change.promptId,
    printableLine(where),
    what,
    printableLine(item),
    ...sides.map((side) => printableLine(String(side))),
    anyway(reruns),
  ];
  const none = { differ: 0, pairs: 0 };
  if (change.answers.before === 0 || change.answers.after === 0)
    return [row("answers", "", [change.answers.before, change.answers.after], none)];
  const { text } = change;
  return [
    ...(text === null
      ? []
      : [row("text", `${Math.round(100 * text.similarity)} % the same words`, ["", ""], text.reruns)]),
    ...(["brands", "first", "sources", "cards"] as const).flatMap((aspect) =>
      change[aspect].map(({ item, label, before, after, reruns }) =>
        row(singular[aspect], aspect === "sources" || label === "" ? item : label, [before, after], reruns),
      ),
    ),
    ...change.prices.map(({ item, label, before, after, reruns }) =>
      row("price", label === "" ? item : label, [before.join(", "), after.join(", ")], reruns),
    ),
  ];
}

const singular = { brands: "brand", first: "first", sources: "source", cards: "card" } as const;
