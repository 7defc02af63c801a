import { Command, Option } from "commander";
import { addAsk } from "./commands/ask.ts";
import { addBatches, addResults } from "./commands/batches.ts";
import { addCompletion } from "./commands/completion.ts";
import { addDeliveries } from "./commands/deliveries.ts";
import { addEntities } from "./commands/entities.ts";
import { addEvidence } from "./commands/evidence.ts";
import { addImport } from "./commands/import.ts";
import { addListen } from "./commands/listen.ts";
import { addMcp } from "./commands/mcp.ts";
import { addCaps } from "./commands/caps.ts";
import { addPanels } from "./commands/panels.ts";
import { addPlatforms } from "./commands/platforms.ts";
import { addRetryFailed } from "./commands/retry-failed.ts";
import { addSubmit } from "./commands/submit.ts";
import { addTasks } from "./commands/tasks.ts";
import { addUsage } from "./commands/usage.ts";
import { addVerify } from "./commands/verify.ts";
import { addWebhook } from "./commands/webhook.ts";
import { contextOf, type Open } from "./context.ts";
import { version } from "./version.ts";

/** `querent` with all its commands, in the order of the help. */
export function commandLine(signal: AbortSignal): Command {
  const program = new Command("querent")
    .description("Ask AI answer platforms questions through a Querent service.")
    .version(version)
    .option("--url <address>", "URL of the service (QUERENT_URL, http://127.0.0.1:8080)")
    .option(
      "--token <token>",
      "access token (QUERENT_TOKEN); on the command line, other users of this machine can see it",
    )
    .option("--json", "print JSON lines, even to a terminal")
    .addOption(new Option("--text", "print text, even to a pipe").conflicts("json"))
    .showHelpAfterError("For help, use `--help`.")
    .exitOverride();
  const open: Open = (command) =>
    contextOf({
      options: command.optsWithGlobals(),
      signal,
      waits: command.options.some(({ long }) => long === "--max-wait"),
    });
  for (const add of [
    addAsk,
    addSubmit,
    addTasks,
    addBatches,
    addResults,
    addRetryFailed,
    addEvidence,
    addPanels,
    addCaps,
    addPlatforms,
    addWebhook,
    addDeliveries,
    addVerify,
    addEntities,
    addImport,
    addUsage,
    addListen,
    addCompletion,
    addMcp,
  ])
    add(program, open);
  return program;
}
