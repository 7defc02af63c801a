import type { Command } from "commander";
import type { Open } from "../context.ts";

export function addMcp(program: Command, open: Open): void {
  program
    .command("mcp")
    .description(
      "serve the Model Context Protocol over standard input and output: the tools ask, results and platforms",
    )
    .action(async (_flags: object, command: Command) => {
      const context = open(command);
      // Created here, so that a missing token is reported before a client waits for tools.
      const { querent, signal } = context;
      const { serveMcp } = await import("../mcp/serve-mcp.ts");
      await serveMcp(querent, signal);
    });
}
