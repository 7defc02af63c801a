/** `querentd recipe`: write a recipe, test it, and inspect its snapshots. Needs no database and no running service. */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { InvalidArgumentError, type Command } from "commander";
import pc from "picocolors";
import { composeResult } from "../../answers/index.ts";
import {
  fallbacks,
  loadRecipe,
  loadTrial,
  parseRecipe,
  pointedAt,
  recordRecipe,
  RecipeError,
  RecordError,
  webPlatform,
  type LoadedRecipe,
  type Trial,
} from "../../platforms/index.ts";
import { CommandError } from "../command-error.ts";
import { addRemoteOption, withPool, withWindow, type WindowOptions } from "./with-pool.ts";

interface RunOptions {
  readonly deep?: boolean;
  readonly headed?: boolean;
  readonly share?: boolean;
  readonly screenshot?: boolean;
  readonly session?: string;
  readonly timeout: number;
  readonly out: string;
  readonly json?: boolean;
}

export function addRecipeCommands(program: Command): void {
  const recipe = program.command("recipe").description("write and test recipes for assistants' web pages");
  recipe
    .command("check <file>")
    .description("check a recipe; with --live, also open its page and check what matches")
    .option("--live", "open the page, without asking a question")
    .option("--headed", "show the browser")
    .option("--session <file>", "a signed-in session")
    .action(check);
  recipe
    .command("run <file> <question>")
    .description("ask the page a question, show what matches step by step, and store the snapshots")
    .option("--deep", "request a deeper analysis")
    .option("--headed", "show the browser")
    .option("--share", "also read the page's share link")
    .option("--screenshot", "also take a screenshot")
    .option("--session <file>", "a signed-in session")
    .option("--timeout <seconds>", "maximum time in seconds", readSeconds, 300)
    .option("--out <folder>", "folder for the captures", "captures")
    .option("--json", "print JSON")
    .action(run);
  addRemoteOption(
    recipe
      .command("record <url>")
      .description("open a page, point at its parts, and write a first recipe")
      .requiredOption("--out <file>", "file for the recipe")
      .option(
        "--question <text>",
        "another question, with which the recipe is checked before it is written",
        checkQuestion,
      )
      .option(
        "--save-session <file>",
        "file for the session, if you sign in to the page; keep it as safe as a password",
      ),
  ).action(record);
  recipe
    .command("replay <file> <snapshots>")
    .description("parse snapshots (captures.json) with a recipe, without a browser")
    .option("--json", "print JSON")
    .action(replaySnapshots);
  addRemoteOption(
    recipe
      .command("sign-in <file>")
      .description("open the page to sign in, and save the session for the recipe")
      .requiredOption("--out <file>", "file for the session; keep it as safe as a password"),
  ).action(signIn);
}

async function check(file: string, options: { live?: boolean; headed?: boolean; session?: string }): Promise<void> {
  const loaded = load(file, options.session);
  const { recipe, sha256 } = loaded;
  console.log(`${pc.green("ok")}  ${recipe.name}, version ${recipe.version}, sha256 ${sha256.slice(0, 12)}`);
  if (!recipe.verified) console.log(pc.yellow("This recipe has not been verified on the live page."));
  if (options.live !== true) return;
  const { tryPage } = await loadTrial();
  await withPool(options.headed === true, async (pool, signal) => {
    const { url, title, failure, refused } = await tryPage({ pool, loaded, signal, tell });
    console.log(`${url}  ${title}`);
    tellRefused(refused);
    if (failure !== null) throw new CommandError(`${failure.code}: ${failure.message}`);
    console.log(`${pc.green("ok")}  the page can be asked`);
  });
}

async function run(file: string, question: string, options: RunOptions): Promise<void> {
  const loaded = load(file, options.session);
  const { tryRecipe } = await loadTrial();
  await withPool(options.headed === true, async (pool, signal) => {
    const trial = await tryRecipe({
      pool,
      loaded,
      question,
      deepAnalysis: options.deep === true,
      timeoutMs: options.timeout * 1000,
      share: options.share === true,
      screenshot: options.screenshot === true,
      signal,
      tell: options.json === true ? () => undefined : tell,
    });
    const folder = keep(options.out, trial);
    show(loaded, trial, options.json === true, folder);
    if (trial.failure !== null) process.exitCode = 1;
  });
}

async function replaySnapshots(file: string, snapshotsFile: string, options: { json?: boolean }): Promise<void> {
  const loaded = load(file);
  const { parseSnapshots, replay } = await loadTrial();
  const bytes = readFileSync(snapshotsFile);
  const text = (
    snapshotsFile.endsWith(".gz") ? gunzipSync(bytes, { maxOutputLength: 64 * 1024 ** 2 }) : bytes
  ).toString("utf8");
  const snapshots = parseSnapshots(text);
  if (snapshots === null) throw new CommandError(`${snapshotsFile} holds no snapshots.`);
  if (snapshots.recipe.sha256 !== loaded.sha256 && options.json !== true) {
    console.log(
      pc.dim(`Captured with ${snapshots.recipe.name}, version ${snapshots.recipe.version}, not with this very file.`),
    );
  }
  if (snapshots.stoppedFor !== null)
    console.error(pc.yellow(`Captured of an answer that did not come whole: ${snapshots.stoppedFor}`));
  const trial = { snapshots, ...replay(loaded, snapshots), shareUrl: null, screenshot: null };
  show(loaded, trial, options.json === true, null);
  if (trial.failure !== null) process.exitCode = 1;
}

async function signIn(file: string, options: WindowOptions & { out: string }): Promise<void> {
  const loaded = load(file);
  checkFolder(options.out);
  const { saveSession } = await loadTrial();
  await withWindow(options, async ({ pool, signal, show, asking }) => {
    const state = await saveSession({ pool, loaded, signal, show }, () => asking(signingIn));
    writeSession(options.out, state);
  });
}

function writeSession(file: string, state: unknown): void {
  writeFileSync(file, JSON.stringify(state, null, 2), { mode: 0o600 });
  console.log(`The session is saved in ${file}. Anyone who has this file is signed in as you.`);
}

/** Told before a person does all that the file is made of. */
function checkFolder(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    const { code = "unknown fault" } = error as NodeJS.ErrnoException;
    throw new CommandError(`${file} can't be written: its folder does not exist or is not yours to write (${code}).`);
  }
}

const checkQuestion = "Why does bread rise? Answer in two sentences.";
const checkTimeoutMs = 180_000;

interface RecordOptions extends WindowOptions {
  readonly out: string;
  readonly question: string;
  readonly saveSession?: string;
}

async function record(url: string, options: RecordOptions): Promise<void> {
  const { out, question, saveSession } = options;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) throw new CommandError("Expected an http or https address.");
  for (const file of [out, ...(saveSession === undefined ? [] : [saveSession])]) {
    checkFolder(file);
    if (existsSync(file)) throw new CommandError(`${file} exists. Name another file: nothing is overwritten.`);
  }
  const { checkRecorded } = await loadTrial();
  await withWindow(options, async ({ pool, signal, show, asking }) => {
    const needs = { reach: { hosts: ["*"] }, context: {} };
    const { text, faults, asksToSignIn, session } = await pool.withContext(
      signal,
      needs,
      async ({ context, refused }) => {
        show(context);
        const recorded = await recordRecipe({
          context,
          refused,
          url,
          ready: (asksToSignIn) => asking(asksToSignIn ? signingInFirst : preparing),
          skip: (what, pointed) =>
            asking(
              {
                text: `In the page, click on ${pointedAt[what]}`,
                enter: "or press Enter here to skip it",
                button: "Skip it",
              },
              pointed,
            ),
          asked: () => asking(askingFirst),
        });
        console.log(`Checking the recipe with the question "${question}".`);
        const loaded = { recipe: parseRecipe(recorded.text), sha256: "0".repeat(64), storageState: null, file: "" };
        const recordedAnswer = recorded.answer;
        const checked = { context, refused, loaded, question, recordedAnswer, timeoutMs: checkTimeoutMs };
        const faults = await checkRecorded({ ...checked, tell });
        const session = saveSession === undefined ? null : await context.storageState({ indexedDB: true });
        return { ...recorded, faults, session };
      },
    );
    if (faults.length > 0) {
      console.log(text);
      throw new CommandError(
        `The recipe above was not written to ${out}, because its check failed. ${faults.join(" ")}`,
      );
    }
    writeNew(out, text);
    if (saveSession !== undefined) writeSession(saveSession, session);
    const sessionFile = asksToSignIn ? (saveSession ?? "session.json") : saveSession;
    console.log(
      `Written: ${out}. Try it with "recipe run ${out} <question>${sessionFile === undefined ? "" : ` --session ${sessionFile}`}".`,
    );
    if (asksToSignIn && saveSession === undefined)
      console.log(
        `The page asked to sign in. Save a session for the recipe with "recipe sign-in ${out} --out session.json".`,
      );
  }).catch((error: unknown) => {
    throw error instanceof RecordError || error instanceof RecipeError
      ? new CommandError(`${error.message} Nothing was written.`)
      : error;
  });
}

const signingIn = {
  text: "Sign in to the page",
  enter: "and press Enter here when it can be asked",
  button: "The page can be asked",
};
const preparing = {
  text: "Sign in to the page and close its notices, if there are any",
  enter: "and press Enter here when it shows its question field",
  button: "It shows its question field",
};
const signingInFirst = {
  text: "The page asks to sign in: do so there",
  enter: "and press Enter here when it shows its question field",
  button: "It shows its question field",
};
const askingFirst = {
  text: "Ask a question in the page",
  enter: "and press Enter here when its answer is complete",
  button: "The answer is complete",
};

/** Another command may have written the file meanwhile. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    const { code = "unknown fault" } = error as NodeJS.ErrnoException;
    console.log(text);
    throw new CommandError(`The recipe above was not written: ${file} can't be made (${code}).`);
  }
}

function load(file: string, session?: string): LoadedRecipe {
  try {
    const loaded = loadRecipe(file);
    return session === undefined ? loaded : { ...loaded, storageState: session };
  } catch (error) {
    throw error instanceof RecipeError ? new CommandError(error.message) : error;
  }
}

const started = performance.now();

function tell({ step, detail }: { step: string; detail: string }): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
  console.log(`${pc.dim(seconds)}  ${pc.cyan(step.padEnd(28))}  ${detail}`);
}

function tellRefused(refused: Readonly<Record<string, string>>): void {
  for (const [where, why] of Object.entries(refused)) console.log(`${pc.yellow("refused")}  ${where}: ${why}`);
}

/** Stores everything that was seen in a folder of its own. */
function keep(out: string, trial: Trial): string {
  const folder = join(out, trial.snapshots.startedAt.replaceAll(/[:.]/g, "-"));
  mkdirSync(folder, { recursive: true });
  const put = (name: string, content: string | Buffer | null) => {
    if (content !== null) writeFileSync(join(folder, name), content);
  };
  put("captures.json", `${JSON.stringify(trial.snapshots, null, 2)}\n`);
  put("turn.html", trial.snapshots.turn);
  put("page.html", trial.snapshots.page);
  for (const [name, html] of Object.entries(trial.snapshots.expanded)) put(`expand-${name}.html`, html);
  put("screenshot.png", trial.screenshot);
  return folder;
}

function show(loaded: LoadedRecipe, trial: Trial, json: boolean, folder: string | null): void {
  const { answer, failure, counts, failedChecks, matched, unmatched, leftOut, differs, shareUrl, snapshots } = trial;
  const platform = webPlatform({
    code: "recipe",
    loaded,
    pool: { withContext: () => Promise.reject(new Error("no pool")) },
    missing: null,
  });
  const options = { deepAnalysis: snapshots.deepAnalysis, output: "answer", resultFormat: "json" } as const;
  const result = answer === null ? null : composeResult(answer, platform, options);
  if (json) {
    console.log(
      JSON.stringify(
        {
          result,
          failure,
          counts,
          failedChecks,
          shareUrl,
          matched,
          unmatched,
          leftOut,
          differs,
          refused: snapshots.refused,
          folder,
        },
        null,
        2,
      ),
    );
    return;
  }
  tellRefused(snapshots.refused);
  if (failure !== null) console.log(`\n${pc.red("failed")}  ${failure.code}: ${failure.message}`);
  if (result !== null) {
    console.log(`\n${result.content ?? ""}\n`);
    for (const [index, { title, url }] of result.sources.entries())
      console.log(`${pc.dim(`[${index + 1}]`)} ${title}  ${url}`);
    console.log(
      pc.dim(
        Object.entries(counts)
          .map(([what, count]) => `${what} ${count}`)
          .join(" · "),
      ),
    );
    for (const { of, expected, read } of failedChecks)
      console.log(pc.yellow(`The page shows ${expected} ${of}, of which ${read} were read.`));
  }
  showMatches(loaded, matched, answer !== null);
  if (leftOut.length > 0) {
    console.log(pc.yellow(`${leftOut.length} elements with words in them are not in the text:`));
    for (const { element, text } of leftOut.slice(0, 20)) console.log(pc.dim(`  ${element}: ${text}`));
  }
  if (differs) console.log(pc.yellow("turn.response: the page shows another text than the response has."));
  for (const name of unmatched) console.log(pc.yellow(`${name}: nothing matched; the page may have changed.`));
  for (const { what } of fallbacks(matched)) {
    const match = matched[what];
    if (match === undefined) continue;
    const { selector, at, of } = match;
    console.log(
      pc.yellow(`${what}: only selector ${at + 1} of ${of} matched (${selector}); the page may have changed.`),
    );
  }
  if (shareUrl !== null) console.log(`shared  ${shareUrl}`);
  if (folder !== null) console.log(pc.dim(`Captures: ${folder}`));
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 5 && seconds <= 1800)) throw new InvalidArgumentError("From 5 to 1800 seconds.");
  return seconds;
}

/** What of the recipe matched, and how often; and which of its lists did not, which may be right. */
export function showMatches({ recipe }: LoadedRecipe, matched: Trial["matched"], isComplete: boolean): void {
  console.log(pc.dim("\nMatched:"));
  for (const [what, { selector, count }] of Object.entries(matched))
    console.log(`  ${what.padEnd(28)}  ${String(count ?? "?").padStart(4)} x ${selector}`);
  // What is read only from a complete answer was not looked for.
  const lookedFor = listsOf(recipe).filter((what) => isComplete || !/^(turn\.(text|copy)|expand|extract)\b/.test(what));
  const silent = lookedFor.filter((what) => !Object.keys(matched).some((name) => name.startsWith(what)));
  if (silent.length > 0) console.log(`${pc.dim("Not matched:")} ${silent.join(", ")}`);
}

/** The lists of a recipe for which something can match, by their places in it. */
function listsOf({ composer, turn, complete, expand, extract, blockers }: LoadedRecipe["recipe"]): string[] {
  const parts: Record<string, object> = { composer: composer ?? {}, turn, complete };
  return [
    ...Object.entries(parts).flatMap(([part, members]) =>
      ["input", "submit", "each", "text", "copy", "busy", "done"].flatMap((name) =>
        Object.hasOwn(members, name) ? [`${part}.${name}`] : [],
      ),
    ),
    ...(expand ?? []).map(({ name }) => `expand.${name}`),
    ...Object.keys(extract ?? {}).map((name) => `extract.${name}`),
    ...(blockers ?? []).map(({ name }) => `blockers.${name}`),
  ];
}
