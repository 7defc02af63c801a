import { Command, Option } from "commander";
import { addAsk } from "./commands/ask.js";
import { addBatches, addResults } from "./commands/batches.js";
import { addCompletion } from "./commands/completion.js";
import { addDeliveries } from "./commands/deliveries.js";
import { addEvidence } from "./commands/evidence.js";
import { addImport } from "./commands/import.js";
import { addListen } from "./commands/listen.js";
import { addMcp } from "./commands/mcp.js";
import { addPlatforms } from "./commands/platforms.js";
import { addRetryFailed } from "./commands/retry-failed.js";
import { addSubmit } from "./commands/submit.js";
import { addTasks } from "./commands/tasks.js";
import { addUsage } from "./commands/usage.js";
import { addVerify } from "./commands/verify.js";
import { addWebhook } from "./commands/webhook.js";
import { contextOf } from "./context.js";
import { version } from "./version.js";
/** `querent` with all its commands, in the order of the help. */
export function commandLine(signal) {
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
  const open = (command) =>
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
    addPlatforms,
    addWebhook,
    addDeliveries,
    addVerify,
    addImport,
    addUsage,
    addListen,
    addCompletion,
    addMcp,
  ])
    add(program, open);
  return program;
}
