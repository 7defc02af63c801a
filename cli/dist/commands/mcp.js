export function addMcp(program, open) {
  program
    .command("mcp")
    .description(
      "serve the Model Context Protocol over standard input and output: the tools ask, results and platforms",
    )
    .action(async (_flags, command) => {
      const context = open(command);
      // Created here, so that a missing token is reported before a client waits for tools.
      const { querent, signal } = context;
      const { serveMcp } = await import("../mcp/serve-mcp.js");
      await serveMcp(querent, signal);
    });
}
