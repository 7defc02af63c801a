/** Links between documents, and the headings of documents that tests cite. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");
const folders = "{bench,cli,client,console,deploy,docs,evidence,examples,figures,service,tools}";
const documents = globSync(["*.md", `${folders}/**/*.md`], {
  cwd: root,
  exclude: ["**/node_modules", "**/sample-corpus"],
});
const tests = globSync(`${folders}/test/**/*.test.ts`, { cwd: root, exclude: ["**/node_modules"] });
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

test("every link of a document leads to a file, and to a heading where it names one", () => {
  const links = documents.flatMap((path) =>
    [...withoutCode(textOf(path)).matchAll(/\]\(([^()\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => {
        const [file = "", heading] = target.split("#");
        return { path, file: file === "" ? path : relative(root, join(root, dirname(path), file)), heading };
      }),
  );
  assert.ok(links.length > 100);
  assert.deepEqual(links.filter(isBroken), []);
});

test("every heading of a document that a test cites is there", () => {
  const cited = tests.flatMap((path) =>
    [...textOf(path).matchAll(/\b(docs\/[\w/-]+\.md)#([\w-]+)/g)].map(([, file = "", heading]) => ({
      path,
      file,
      heading,
    })),
  );
  assert.ok(cited.length > 30);
  assert.deepEqual(cited.filter(isBroken), []);
});

function isBroken({ file, heading }: { readonly file: string; readonly heading: string | undefined }): boolean {
  if (!existsSync(join(root, file))) return true;
  return heading !== undefined && !headingsOf(file).has(heading);
}

const known = new Map<string, ReadonlySet<string>>();

/** The anchors of a document, as GitHub makes them. */
function headingsOf(file: string): ReadonlySet<string> {
  const found =
    known.get(file) ??
    new Set([...withoutBlocks(textOf(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading)));
  known.set(file, found);
  return found;
}

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const withoutBlocks = (text: string) => text.replaceAll(/^```[^]*?^```/gm, "");
const withoutCode = (text: string) => withoutBlocks(text).replaceAll(/`[^`\n]*`/g, "");
