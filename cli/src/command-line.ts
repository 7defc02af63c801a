import { Command, Option } from "commander";
import { contextOf, type Open } from "./context.ts";
import { version } from "./version.ts";

type Add = (program: Command, open: Open) => void;

/** The commands, each with the function that adds it, in the order of the help. */
const commands: Readonly<Record<string, () => Promise<Add>>> = {
  ask: async () => (await import("./commands/ask.ts")).addAsk,
  submit: async () => (await import("./commands/submit.ts")).addSubmit,
  tasks: async () => (await import("./commands/tasks.ts")).addTasks,
  batches: async () => (await import("./commands/batches.ts")).addBatches,
  results: async () => (await import("./commands/batches.ts")).addResults,
  "retry-failed": async () => (await import("./commands/retry-failed.ts")).addRetryFailed,
  evidence: async () => (await import("./commands/evidence.ts")).addEvidence,
  panel: async () => (await import("./commands/panels.ts")).addPanels,
  project: async () => (await import("./commands/projects.ts")).addProjects,
  connection: async () => (await import("./commands/connections.ts")).addConnections,
  caps: async () => (await import("./commands/caps.ts")).addCaps,
  channel: async () => (await import("./commands/alerts.ts")).addChannels,
  alert: async () => (await import("./commands/alerts.ts")).addAlerts,
  platforms: async () => (await import("./commands/platforms.ts")).addPlatforms,
  webhook: async () => (await import("./commands/webhook.ts")).addWebhook,
  deliveries: async () => (await import("./commands/deliveries.ts")).addDeliveries,
  verify: async () => (await import("./commands/verify.ts")).addVerify,
  entity: async () => (await import("./commands/entities.ts")).addEntities,
  import: async () => (await import("./commands/import.ts")).addImport,
  usage: async () => (await import("./commands/usage.ts")).addUsage,
  listen: async () => (await import("./commands/listen.ts")).addListen,
  completion: async () => (await import("./commands/completion.ts")).addCompletion,
  mcp: async () => (await import("./commands/mcp.ts")).addMcp,
};

/**
 * `querent`, as far as the command that `words` name needs it: loading every command takes longer than most run. Without the name of a
 * command among the words, it has all of them.
 */
export async function commandLine(signal: AbortSignal, words: readonly string[] = []): Promise<Command> {
  const open: Open = (command) =>
    contextOf({
      options: command.optsWithGlobals(),
      signal,
      waits: command.options.some(({ long }) => long === "--max-wait"),
    });
  // The options of every command may precede its name, with values that look like one.
  const [name = ""] = withoutCommands().parseOptions([...words]).operands;
  const named = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const program = withoutCommands().version(version);
  for (const add of named === undefined ? Object.values(commands) : [named]) (await add())(program, open);
  return program;
}

const withoutCommands = () =>
  new Command("querent")
    .description("Ask AI answer platforms questions through a Querent service.")
    .option("--url <address>", "URL of the service (QUERENT_URL, http://127.0.0.1:8080)")
    .option(
      "--token <token>",
      "access token (QUERENT_TOKEN); on the command line, other users of this machine can see it",
    )
    .option("--json", "print JSON lines, even to a terminal")
    .addOption(new Option("--text", "print text, even to a pipe").conflicts("json"))
    .showHelpAfterError("For help, use `--help`.")
    .exitOverride();
