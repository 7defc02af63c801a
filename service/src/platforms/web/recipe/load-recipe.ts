import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve, join } from "node:path";
import { load } from "cheerio/slim";
import { parse, parseDocument } from "yaml";
import { compileCheck } from "../../../kernel/validate.ts";
import { selectors, type RecipeField, Recipe, entryFault, isAskedByAddress } from "./recipe.ts";
import { fieldParts } from "./read-field.ts";

export interface LoadedRecipe {
  readonly recipe: Recipe;
  readonly sha256: string;
  /** The absolute path of the session's file; null without one. */
  readonly storageState: string | null;
  readonly file: string;
}

/** Thrown with every error of a recipe, one line each, for its author. */
export class RecipeError extends Error {
  constructor(file: string, faults: readonly string[]) {
    super(faults.map((fault) => `${file}: ${fault}`).join("\n"));
    this.name = "RecipeError";
  }
}

const fileBytesMax = 256 * 1024;
const check = compileCheck(Recipe);
const bundled = new Map<string, LoadedRecipe>();

export function loadRecipe(file: string): LoadedRecipe {
  const text = readRecipe(file);
  return loaded(file, text, parseRecipe(text, file));
}

/**
 * Loads a recipe that ships with the service, once. It is not validated, because a test has done that: compiling the schema takes
 * 0.24 s of processor time at each start of the service.
 */
export function loadBundledRecipe(code: string): LoadedRecipe {
  return loadOnce(bundledRecipe(code));
}

/** The recipe of the example page. */
export function loadExampleRecipe(): LoadedRecipe {
  return loadOnce(exampleRecipe);
}

function loadOnce(file: string): LoadedRecipe {
  const before = bundled.get(file);
  if (before !== undefined) return before;
  const text = readRecipe(file);
  const recipe = loaded(file, text, parse(text) as Recipe);
  bundled.set(file, recipe);
  return recipe;
}

function readRecipe(file: string): string {
  try {
    if (statSync(file).size > fileBytesMax) throw new RecipeError(file, [`is larger than ${fileBytesMax} bytes.`]);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof RecipeError) throw error;
    throw new RecipeError(file, [`can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown fault"}).`]);
  }
}

function loaded(file: string, text: string, recipe: Recipe): LoadedRecipe {
  const { session } = recipe;
  return {
    recipe,
    sha256: recipeDigest(text),
    storageState: session === undefined ? null : resolve(dirname(file), session.storageState),
    file,
  };
}

/** Parses a recipe. Throws `RecipeError` with all of its errors. */
export function parseRecipe(text: string, file = "recipe"): Recipe {
  const document = parseDocument(text, { prettyErrors: true });
  if (document.errors.length > 0)
    throw new RecipeError(
      file,
      document.errors.map((error) => error.message),
    );
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown fault";
    throw new RecipeError(file, [`can't be unfolded (${reason}). Write out what its aliases (\`*name\`) stand for.`]);
  }
  content = withBlockers(content);
  const faults = check(content).map(({ pointer, detail }) => `${pointer || "/"}: ${detail}`);
  if (faults.length > 0) throw new RecipeError(file, faults);
  const recipe = content as Recipe;
  const deeper = [...meaning(recipe)];
  if (deeper.length > 0) throw new RecipeError(file, deeper);
  return recipe;
}

/** Recipes from when `blockers` was called `gates` still work. */
function withBlockers(content: unknown): unknown {
  if (typeof content !== "object" || content === null || !("gates" in content) || "blockers" in content) return content;
  const { gates: blockers, ...members } = content;
  return { ...members, blockers };
}

/** Rules that a schema cannot express. */
function* meaning(recipe: Recipe): Generator<string> {
  if (recipe.complete.done === undefined && recipe.network === undefined) {
    yield "/complete: nothing says that an answer is whole. Name `complete.done`, `network.answer`, or both.";
  }
  yield* askingFaults(recipe);
  yield* pasteFaults(recipe, "");
  for (const [index, blocker] of (recipe.blockers ?? []).entries()) {
    if (
      blocker.visible === undefined &&
      blocker.text === undefined &&
      blocker.url === undefined &&
      blocker.status === undefined
    ) {
      yield `/blockers/${index}: no condition. Name \`visible\`, \`text\`, \`url\` or \`status\`.`;
    }
    yield* expression(blocker.text, `/blockers/${index}/text`);
    yield* expression(blocker.url, `/blockers/${index}/url`);
  }
  yield* expression(recipe.network?.answer.url, "/network/answer/url");
  yield* expression(recipe.network?.answer.bodyEnd, "/network/answer/bodyEnd");
  yield* expression(recipe.network?.answer.frameEnd, "/network/answer/frameEnd");
  for (const [index, { visible, text }] of (recipe.complete.incomplete ?? []).entries()) {
    if (visible === undefined && text === undefined)
      yield `/complete/incomplete/${index}: no condition. Name \`visible\` or \`text\`.`;
    yield* expression(text, `/complete/incomplete/${index}/text`);
  }
  const places = new Set([
    "turn",
    "page",
    ...(recipe.network === undefined ? [] : ["response", ...Object.keys(recipe.network.others ?? {})]),
    ...(recipe.expand ?? []).map(({ name }) => name),
  ]);
  for (const [name, { url }] of Object.entries(recipe.network?.others ?? {})) {
    yield* expression(url, `/network/others/${name}/url`);
    if (["turn", "page", "response"].includes(name) || (recipe.expand ?? []).some((each) => each.name === name))
      yield `/network/others/${name}: the name means something else.`;
  }
  const { response } = recipe.turn;
  if (response !== undefined) {
    const from = response.in ?? "response";
    if (recipe.network === undefined || (from !== "response" && recipe.network.others?.[from] === undefined))
      yield `/turn/response/in: there is no request in \`network\` named ${from}.`;
    yield* css(response.text, "/turn/response/text");
    if (response.citations !== undefined) {
      yield* css(response.citations.each, "/turn/response/citations/each");
      for (const field of ["mark", "url", "title"] as const)
        if (response.citations[field] !== undefined)
          yield* fieldFaults(response.citations[field], `/turn/response/citations/${field}`);
    }
  }
  const { drop, ...lists } = recipe.extract ?? {};
  yield* css(drop, "/extract/drop");
  for (const [name, rules] of Object.entries(lists)) {
    for (const rule of [rules].flat()) {
      const at = `/extract/${name}`;
      if (rule.in !== undefined && !places.has(rule.in))
        yield `${at}/in: there is no \`expand\` named ${rule.in}${rule.in === "response" ? ", and no `network` whose response it could be" : ""}.`;
      if ("each" in rule) yield* css(rule.each, `${at}/each`);
      const read: [string, RecipeField][] = [];
      if ("fields" in rule) read.push(...Object.entries(rule.fields));
      if ("query" in rule) read.push(["query", rule.query]);
      if ("field" in rule) read.push(["field", rule.field]);
      for (const [field, value] of read) yield* fieldFaults(value, `${at}/${field}`);
    }
  }
  for (const [index, { count }] of (recipe.checks ?? []).entries()) yield* fieldFaults(count, `/checks/${index}/count`);
  yield* css(recipe.rewrite?.drop, "/rewrite/drop");
  yield* css(recipe.rewrite?.unwrap, "/rewrite/unwrap");
  yield* css(Object.keys(recipe.rewrite?.rename ?? {}), "/rewrite/rename");
}

/** Keys that paste: the clipboard has what another run or a sign-in in the same browser copied. */
const pastes = /^(?=.*\b(Control|Meta|ControlOrMeta)\+).*\+(v|KeyV)$|^(?=.*\bShift\+).*\+Insert$|(^|\+)Paste$/i;

function* pasteFaults(part: unknown, pointer: string): Generator<string> {
  if (typeof part !== "object" || part === null) return;
  for (const [name, value] of Object.entries(part)) {
    if (name === "press" && typeof value === "string" && pastes.test(value))
      yield `${pointer}/press: ${value} pastes from the clipboard of the browser, which others use, too. A recipe can't paste.`;
    yield* pasteFaults(value, `${pointer}/${name}`);
  }
}

/** How the question gets to the page, and the address of an answer from it. */
function* askingFaults({ entry, composer, expand, share }: Recipe): Generator<string> {
  const fault = entryFault(entry);
  if (fault !== null) yield `/entry: ${fault}`;
  if (isAskedByAddress({ entry }) === (composer !== undefined)) {
    yield "/composer: a page is asked either in a `composer` or by `{question}` in its `entry`. Name one of them.";
  }
  for (const [index, { name }] of (expand ?? []).entries())
    if (["turn", "page", "response"].includes(name)) yield `/expand/${index}/name: ${name} means something else.`;
  if (share !== undefined && (share.from ?? "element") === "element" && share.address === undefined)
    yield "/share: name `address`, or `from`.";
}

function* expression(value: string | undefined, at: string): Generator<string> {
  if (value === undefined) return;
  try {
    new RegExp(value, "u");
  } catch (error) {
    yield `${at}: ${(error as Error).message}.`;
  }
}

/** Selectors for captured HTML can be validated immediately. */
function* css(value: string | readonly string[] | undefined, at: string): Generator<string> {
  const document = load("<p></p>");
  for (const selector of selectors(value)) {
    try {
      document(selector);
    } catch (error) {
      yield `${at}: "${selector}" is no selector (${(error as Error).message.split("\n")[0]}).`;
    }
  }
}

function* fieldFaults(field: RecipeField, at: string): Generator<string> {
  for (const { select, match } of fieldParts(field)) {
    if (select !== null) yield* css(select, at);
    yield* expression(match ?? undefined, at);
  }
}

function recipeDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The codes of the platforms whose recipes ship with the service. */
export const bundledRecipes: readonly string[] = [
  "chatgpt-web",
  "gemini-web",
  "google-ai-mode",
  "google-ai-overview",
  "perplexity-web",
  "copilot-web",
  "claude-web",
  "grok-web",
  "meta-ai-web",
  "deepseek-web",
  "doubao-web",
  "kimi-web",
  "qwen-web",
  "yuanbao-web",
];

/** The recipe of the example page. */
const exampleRecipe = join(import.meta.dirname, "../assistant-page/recipe.yaml");

/** The file of a recipe that ships with the service. */
export function bundledRecipe(code: string): string {
  return join(import.meta.dirname, "../recipes", `${code}.yaml`);
}
