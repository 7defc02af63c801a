/**
 * Where tests are found: the README of each package's folder of tests. A test that has the name of a source tests that source. Any other
 * begins with a comment that says what it tests, and is listed with the sources that it imports.
 */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { generated, table } from "./schema-text.ts";

const root = join(import.meta.dirname, "../..");

/** The packages that have tests, with the folder of their sources. */
const packages: Readonly<Record<string, string>> = {
  bench: "bench/src",
  cli: "cli/src",
  client: "client/src",
  console: "console/src",
  deploy: "deploy",
  evidence: "evidence/src",
  figures: "figures/src",
  mcp: "mcp/src",
  service: "service/src",
  tools: "tools",
};

export const packagesWithTests = Object.keys(packages);

export interface ThemeTest {
  readonly path: string;
  /** What the comment at its beginning says; null if it begins without one. */
  readonly theme: string | null;
  /** The sources of its package that it imports. */
  readonly sources: readonly string[];
}

/** The READMEs by their paths. */
export function testPages(): Record<string, () => string> {
  const tested = packagesWithTests
    .map((name) => ({ name, tests: themeTests(name) }))
    .filter(({ tests }) => tests.length > 0);
  return Object.fromEntries(tested.map(({ name, tests }) => [`${name}/test/README.md`, () => testPage(name, tests)]));
}

/** The tests of a package that do not have the name of one of its sources. */
export function themeTests(name: string): ThemeTest[] {
  const from = packages[name] ?? name;
  const sources = new Set(
    filesOf(from)
      .filter((path) => !path.startsWith(`${name}/test/`))
      .map(nameOf),
  );
  return filesOf(`${name}/test`)
    .filter((path) => path.includes(".test."))
    .filter((path) => !sources.has(nameOf(path)))
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return { path, theme: themeOf(text), sources: importedFrom(text, path, from) };
    });
}

function testPage(name: string, tests: readonly ThemeTest[]): string {
  const here = `${name}/test`;
  const byFolder = Map.groupBy(tests, ({ path }) => dirname(path));
  return [
    generated,
    `# Tests of \`${name}\``,
    "A test of one source has its name: `pool.test.ts` tests `pool.ts`, and `pool.long.test.ts` what takes long of it. The tests below are about more than one source, or about none: each says what it tests, and which sources it imports. What it reaches through the API or a command is not listed.",
    ...[...byFolder].flatMap(([folder, those]) => [
      ...(byFolder.size > 1 || folder !== here ? [`## ${folder === here ? "Here" : relative(here, folder)}`] : []),
      table(
        ["Test", "What it tests", "Sources"],
        those.map((test) => rowOf(test, here)),
      ),
    ]),
    "",
  ].join("\n\n");
}

function rowOf({ path, theme, sources }: ThemeTest, here: string): string[] {
  const name = basename(path).replace(/\.test\.tsx?$/, "");
  return [
    `[${name}](${relative(here, path)})`,
    (theme ?? "")
      .replaceAll("|", "\\|")
      .replaceAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g, (link) => `[${link}](${relative(here, link)})`),
    sources.map((source) => `\`${source}\``).join(", "),
  ];
}

const nameOf = (path: string) => basename(path).split(".")[0] ?? "";

const filesOf = (folder: string) =>
  globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: root, exclude: ["**/node_modules", "**/dist"] })
    .map((path) => path.split(sep).join("/"))
    .toSorted();

function themeOf(text: string): string | null {
  const [, comment = ""] = /^\/\*\*([^]*?)\*\//.exec(text) ?? [];
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*?\s*/, "").trim());
  const paragraph = lines.join("\n").trim().split("\n\n")[0] ?? "";
  return paragraph === "" ? null : paragraph.replaceAll("\n", " ");
}

function importedFrom(text: string, path: string, from: string): string[] {
  const imported = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)]
    .map(([, target = ""]) => join(dirname(path), target).split(sep).join("/"))
    .filter((target) => target.startsWith(`${from}/`) && !target.includes("/test/"))
    .map((target) => relative(from, target).replace(/(?:^|\/)index\.ts$/, ""))
    .filter((target) => target !== "");
  return [...new Set(imported)].toSorted();
}
