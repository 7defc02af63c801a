import type { NodeRecord } from "@querent/contract";
import type { Command } from "commander";
import { readNodeRecords } from "../../operator/index.ts";
import { print, withDatabase, type OperatorOutput } from "./operator-command.ts";
import { table, type TableColumn } from "./table.ts";

/** `querentd nodes`: the processes that run tasks, and what they can ask. */
export function addNodeCommand(program: Command): void {
  program
    .command("nodes")
    .description("list the processes that run tasks, and the platforms that they can ask")
    .option("--json", "print JSON")
    .action((options: OperatorOutput) =>
      withDatabase(async ({ database }) => {
        const nodes = await readNodeRecords(database);
        print(options, nodes, nodes.length === 0 ? "No worker is running." : table(columns, nodes.map(cellsOf)));
      }),
    );
}

function cellsOf(node: NodeRecord): (string | number)[] {
  const { platforms } = node;
  const askable = platforms.filter(({ missing }) => missing === null).map(({ platformCode }) => platformCode);
  const lacking = platforms.flatMap(({ platformCode, missing }) =>
    missing === null ? [] : [`${platformCode}: ${missing}`],
  );
  return [
    `${node.name} ${node.nodeId.slice(-12)}`,
    [...(node.roles ?? []), ...(node.onlyPlatforms ?? [])].join(",") || "-",
    node.version,
    node.startedAt,
    node.alive ? node.leaseUntil : "expired",
    node.slotsMax === null ? node.running : `${node.running}/${node.slotsMax}`,
    platforms
      .flatMap(({ platformCode, running }) => (running === 0 ? [] : [`${platformCode} ${running}`]))
      .join(", ") || "-",
    node.roles === null ? "not reported" : askable.join(", ") || "-",
    lacking.join(" ") || "-",
  ];
}

const columns: readonly TableColumn[] = [
  { head: "NODE", least: 12 },
  { head: "ROLES", least: 6, optional: 4 },
  { head: "VERSION", optional: 6 },
  { head: "STARTED", optional: 5 },
  { head: "LEASE UNTIL", least: 7 },
  { head: "RUNNING" },
  { head: "BY PLATFORM", least: 10, optional: 3 },
  { head: "CAN ASK", least: 12, optional: 2 },
  { head: "CANNOT ASK", least: 16, optional: 1 },
];
