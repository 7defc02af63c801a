import type { Command } from "commander";
import type { Open } from "../context.ts";
import { version } from "../version.ts";

export function addMcp(program: Command, open: Open): void {
  program
    .command("mcp")
    .description(
      "serve the Model Context Protocol over standard input and output: tools that ask, and that read answers and figures",
    )
    .action(async (_flags: object, command: Command) => {
      const context = open(command);
      // Created here, so that a missing token is reported before a client waits for tools.
      const { querent, signal } = context;
      const { serveStandardStreams } = await import("@querent/mcp");
      await serveStandardStreams(querent, version, signal);
    });
}
