import { Command, Option } from "commander";
import { closest, distance } from "fastest-levenshtein";
import { querentd } from "../../kernel/program-name.ts";
import { commandStarts } from "./audited-commands.ts";
import { roles } from "../roles/names.ts";
import { version } from "../version.ts";

/** The commands of each module, in the order of the help. */
const modules: readonly [names: readonly string[], add: () => Promise<(program: Command) => void>][] = [
  [["account", "token", "points"], async () => (await import("./account-commands.ts")).addAccountCommands],
  [["person", "invite", "connection"], async () => (await import("./person-commands.ts")).addPersonCommands],
  [["project"], async () => (await import("./project-commands.ts")).addProjectCommands],
  [["audit"], async () => (await import("./audit-commands.ts")).addAuditCommands],
  [["platform"], async () => (await import("./platform-commands.ts")).addPlatformCommands],
  [["mail"], async () => (await import("./person-commands.ts")).addMailCommand],
  [["nodes"], async () => (await import("./node-command.ts")).addNodeCommand],
  [["session"], async () => (await import("./session-commands.ts")).addSessionCommands],
  [["task"], async () => (await import("./task-commands.ts")).addTaskCommands],
  [["reparse"], async () => (await import("./reparse-command.ts")).addReparseCommand],
  [["history"], async () => (await import("./data-commands.ts")).addHistoryCommands],
  [["export-observations"], async () => (await import("./data-commands.ts")).addExportCommand],
  [["recipe"], async () => (await import("./recipe-commands.ts")).addRecipeCommands],
  [["verify-evidence", "evidence-key"], async () => (await import("./task-commands.ts")).addEvidenceCommands],
  [["master-key"], async () => (await import("./master-key-commands.ts")).addMasterKeyCommands],
  [["backup"], async () => (await import("./backup-command.ts")).addBackupCommand],
  [["restore"], async () => (await import("./backup-command.ts")).addRestoreCommand],
  [["check"], async () => (await import("./data-commands.ts")).addCheckCommand],
  [["demo"], async () => (await import("./demo-command.ts")).addDemoCommand],
];
/** Their own modules are loaded when they run. */
const always = ["serve", "migrate", "doctor"];

/**
 * `querentd`, the operator's command line, as far as the command `word` needs it: loading every module takes longer than most commands.
 * With another word, or an option, it has all of its commands.
 */
export async function commandLine(word: string | undefined): Promise<Command> {
  const program = new Command("querentd")
    .description("Run and manage a Querent service.")
    .version(version)
    .showHelpAfterError(`\`${querentd} --help\` lists the commands and their options.`)
    .exitOverride();

  program
    .command("serve", { isDefault: true })
    .description("run the service: API, workers and notifier in this process")
    .addOption(new Option("--roles <list>", "parts to run, separated by commas").default(roles.join(",")))
    .action(async ({ roles: list }: { roles: string }) => (await import("./serve.ts")).serve(list));

  program
    .command("migrate")
    .description("upgrade the database schema to this version, before or while the service runs")
    .option("--plan", "change nothing: print each step, what it locks and about how long it takes")
    .option("--json", "print JSON")
    .action(async (options: { plan?: boolean; json?: boolean }) =>
      (await import("./data-commands.ts")).migrateCommand(options),
    );

  program
    .command("doctor")
    .description("check the configuration, and show what is missing and what to do")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => (await import("./doctor.ts")).doctor(options));

  const requested = modules.filter(([names]) => names.includes(word ?? ""));
  const isComplete = requested.length === 0 && !always.includes(word ?? always[0] ?? "");
  for (const [, add] of isComplete ? modules : requested) (await add())(program);
  requireAfterNames(program);
  program.hook("preAction", (_, command) => commandStarts(wordsOf(command)));
  return program;
}

/** A command as it is typed after `querentd`. */
function wordsOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${wordsOf(parent)} ${command.name()}`;
}

/**
 * Commander checks that required options are there before it checks the names of those that are, so it called `--acount` a missing
 * `--account`. A misspelled option is told as that, with what was meant.
 */
function requireAfterNames(program: Command): void {
  const required = new Map<Command, readonly Option[]>();
  const relax = (command: Command): void => {
    const mandatory = command.options.filter((option) => option.mandatory);
    for (const option of mandatory) option.mandatory = false;
    required.set(command, mandatory);
    for (const child of command.commands) relax(child);
  };
  relax(program);
  program.hook("preAction", (_, command) => {
    const missing = required.get(command)?.find((each) => command.getOptionValue(each.attributeName()) === undefined);
    if (missing !== undefined) command.error(`error: required option '${missing.flags}' not specified`);
  });
}

/**
 * `serve` is the default command, and commander would take a misspelled command for an argument of `serve`. So a word in the
 * position of the command must be a command.
 */
export function checkCommand(program: Command, word: string | undefined): void {
  const known = [...program.commands.map((command) => command.name()), "help"];
  if (word === undefined || word.startsWith("-") || known.includes(word)) return;
  const meant = closest(word, known);
  const hint = distance(word, meant) <= Math.max(2, word.length / 2) ? ` Did you mean ${meant}?` : "";
  program.error(`error: unknown command '${word}'.${hint}`);
}
