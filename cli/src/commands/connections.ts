import type { ConnectionRecord } from "@querent/client";
import type { Command } from "commander";
import type { Open } from "../context.ts";
import { table, type Column } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";

/** `querent connection`: the assistants that members of the account have connected by signing in. */
export function addConnections(program: Command, open: Open): void {
  const connections = program
    .command("connection")
    .description("the assistants that members have connected by signing in; needs the scope access:manage");
  connections
    .command("list")
    .description("list connected assistants, the newest first")
    .action(async (_flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const list = await querent.people.connections({ signal });
      await output.show({ connections: list }, () => table(columns, list.map(cellsOf), output.width));
    });
  connections
    .command("end")
    .description("end the connection of an assistant, with immediate effect; the member can connect it again")
    .argument("<connectionId>", "as `querent connection list` shows it")
    .action(async (connectionId: string, _flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      await querent.people.endConnection(connectionId, { signal });
      await output.show({ connectionId, ended: true }, () => [`${connectionId} has ended`]);
    });
}

const columns: readonly Column[] = [
  { head: "CONNECTION" },
  { head: "ASSISTANT", least: 8 },
  { head: "E-MAIL", least: 12 },
  { head: "SCOPES", least: 8, optional: 2 },
  { head: "LAST USED", optional: 1 },
];

const cellsOf = ({ connectionId, client, email, scopes, lastUsedAt }: ConnectionRecord): string[] => [
  connectionId,
  printableLine(client.name),
  printableLine(email),
  scopes.join(", "),
  lastUsedAt ?? "-",
];
