/** `querentd session`: the stored sessions of web platforms. */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { loadBundledRecipe, loadRecipe, loadTrial, RecipeError, type LoadedRecipe } from "../../platforms/index.ts";
import {
  keepSession,
  readSessionRecords,
  removeSession,
  SessionError,
  sessionName,
  type StoredSession,
} from "../../sessions/index.ts";
import { readPlatformSettings } from "../platform-settings.ts";
import { CommandError } from "../command-error.ts";
import { noteAudit } from "../../runtime/audited.ts";
import { print, withDatabase, type OperatorOutput } from "./operator-command.ts";
import { table, type TableColumn } from "./table.ts";
import { addRemoteOption, withWindow, type WindowOptions } from "./with-pool.ts";

interface Named {
  readonly name: string;
}

export function addSessionCommands(program: Command): void {
  const session = program.command("session").description("manage the signed-in sessions of web platforms");
  session
    .command("list")
    .description("list the stored sessions, their age and their state")
    .option("--json", "print JSON")
    .action((options: OperatorOutput) =>
      withDatabase(async ({ database }) => {
        const records = await readSessionRecords(database);
        print(options, records, records.length === 0 ? "No session is stored." : table(columns, records.map(cellsOf)));
      }),
    );
  addRemoteOption(
    session
      .command("sign-in <platform>")
      .description("open the platform's page to sign in, and store the session")
      .option("--name <name>", "name of the session, one for each account at the platform", "default"),
  ).action(signIn);
  session
    .command("import <platform> <file>")
    .description("store a session from a file that `recipe sign-in` has written")
    .option("--name <name>", "name of the session, one for each account at the platform", "default")
    .action((platform: string, file: string, { name }: Named) =>
      store(platform, name, async () => readSessionFile(file)),
    );
  session
    .command("remove <platform>")
    .description("remove a stored session; tasks that use it end as usual")
    .option("--name <name>", "name of the session", "default")
    .action((platform: string, { name }: Named) =>
      withDatabase(async ({ database }) => {
        noteAudit({ target: { type: "session", id: `${platform}/${name}` } });
        if (!(await database.transaction((tx) => removeSession(tx, platform, name))))
          throw new CommandError(`There is no session ${name} of ${platform}. \`querentd session list\` shows them.`);
        console.log(`Removed: ${platform}/${name}.`);
      }),
    );
}

async function signIn(platform: string, { name, ...options }: Named & WindowOptions): Promise<void> {
  const { saveSession } = await loadTrial();
  await store(platform, name, (loaded) => {
    let text = "";
    return withWindow(options, async ({ pool, signal, show, asking }) => {
      const state = await saveSession({ pool, loaded, signal, show }, () =>
        asking({
          text: "Sign in to the page",
          enter: "and press Enter here when it can be asked",
          button: "The page can be asked",
        }),
      );
      text = JSON.stringify(state);
    }).then(() => text);
  });
}

/** Checks platform and name before a person signs in. */
async function store(platform: string, name: string, read: (loaded: LoadedRecipe) => Promise<string>): Promise<void> {
  try {
    sessionName(name);
    await withDatabase(async ({ config, database, masterKey }) => {
      const text = await read(recipeOf(platform, config.config));
      noteAudit({ target: { type: "session", id: `${platform}/${name}` } });
      await database.transaction((tx) => keepSession(tx, masterKey, { platform, name, text }));
      console.log(`Stored: ${platform}/${name}. The workers use it from their next task on.`);
    });
  } catch (error) {
    throw error instanceof SessionError || error instanceof RecipeError ? new CommandError(error.message) : error;
  }
}

function recipeOf(platform: string, file: string | null): LoadedRecipe {
  const web = readPlatformSettings(file).get(platform)?.web;
  if (web === undefined || web === null)
    throw new CommandError(`There is no enabled web platform ${platform}. \`querentd platform list\` lists them.`);
  return web.recipe === null ? loadBundledRecipe(platform) : loadRecipe(web.recipe);
}

async function readSessionFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new CommandError(`${file} can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown fault"}).`);
  }
}

function cellsOf(record: StoredSession): (string | number)[] {
  return [
    record.platformCode,
    record.name,
    record.state,
    record.running,
    record.signedInAt,
    record.succeededAt ?? "-",
    record.savedAt ?? "-",
    record.signedOutWhy ?? record.throttledUntil ?? "-",
  ];
}

const columns: readonly TableColumn[] = [
  { head: "PLATFORM", least: 8 },
  { head: "NAME", least: 8 },
  { head: "STATE" },
  { head: "RUNNING", optional: 3 },
  { head: "SIGNED IN" },
  { head: "LAST SUCCESS", optional: 1 },
  { head: "SAVED", optional: 4 },
  { head: "WHY", least: 16, optional: 2 },
];
