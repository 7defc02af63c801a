/**
 * Code blocks as assistants render them: highlighted, in editors, with a bar above the code that has a language and buttons. The
 * result is `<pre><code class="language-x">`.
 */
import type { Element, ElementContent } from "hast";
import {
  attribute,
  classes,
  element,
  find,
  hasClass,
  isBlank,
  textOf,
  type LeftOutWords,
  type Parent,
} from "./hast.ts";

/** Returns whether anything in it is a code block. */
export function mendCode(tree: Parent, leftOut: LeftOutWords[] = []): boolean {
  let found = false;
  dropGutters(tree);
  for (const [at, child] of tree.children.entries()) {
    if (child.type !== "element") continue;
    if (child.tagName === "pre" && isDrawing(child)) {
      // A diagram that was drawn from code, which is gone.
      leftOut.push({ element: "svg", text: textOf(child).replaceAll(/\s+/g, " ").trim().slice(0, 200) });
      tree.children[at] = element("span", {}, []);
      continue;
    }
    const block = isCodeBlock(child, tree) ? mendBlock(child) : undefined;
    if (block !== undefined) tree.children[at] = block.file === undefined ? block.pre : withFile(block.file, block.pre);
    if (block !== undefined || mendCode(child, leftOut)) {
      found = true;
      if (block === undefined) {
        dropBar(child);
        dropBarsWithin(child);
      }
    }
  }
  return found;
}

/** Markdown's code blocks have no place for the name of a file, which is a part of the answer: it stands above them. */
const withFile = (file: string, pre: Element): Element => element("div", {}, [fileName(file), pre]);
const fileName = (file: string): Element => element("p", {}, [element("code", {}, [{ type: "text", value: file }])]);

/** Whether a block has a picture and no text of its own. */
const isDrawing = (block: Element): boolean =>
  find(block, ({ tagName }) => tagName === "svg") !== undefined && textWithoutDrawings(block).trim() === "";

const textWithoutDrawings = (node: ElementContent): string => {
  if (node.type === "text") return node.value;
  if (node.type !== "element" || ["svg", "button", "style"].includes(node.tagName)) return "";
  return node.children.map(textWithoutDrawings).join("");
};

/** The numbers of lines that stand in a block of their own beside the code. */
function dropGutters(tree: Parent): void {
  for (let at = tree.children.length - 2; at >= 0; at--) {
    const [numbers, next] = [tree.children[at], tree.children.slice(at + 1).find((child) => !isBlank(child))];
    if (numbers?.type !== "element" || next?.type !== "element" || !isGutterElement(numbers)) continue;
    const code = next.tagName === "pre" ? next : find(next, ({ tagName }) => tagName === "pre");
    const lines = textOf(numbers).trim().split(/\s+/);
    if (code === undefined || !areNumbers(lines)) continue;
    if (Math.abs(codeText(code).replace(/\n$/, "").split("\n").length - lines.length) <= 1) tree.children.splice(at, 1);
  }
}

const isGutterElement = ({ tagName }: Element) => ["pre", "div", "span", "ol", "td"].includes(tagName);

/** One number after the other. */
const areNumbers = (texts: readonly string[]): boolean =>
  texts.length > 0 && texts.every((text, at) => /^\d{1,6}$/.test(text) && Number(text) === Number(texts[0]) + at);

/** Removes the column of a table of code that has nothing but the numbers of its lines. */
function dropNumberColumn(code: Element): void {
  const rows: Element[] = [];
  const walk = (node: Element) => {
    if (node.tagName === "tr") rows.push(node);
    else for (const child of node.children) if (child.type === "element") walk(child);
  };
  walk(code);
  const cells = rows.map((row) => row.children.find((child) => child.type === "element"));
  const texts = cells.map((cell) => (cell === undefined ? "" : textOf(cell).trim()));
  if (rows.length === 0 || !areNumbers(texts)) return;
  if (rows.some((row) => row.children.filter((child) => child.type === "element").length < 2)) return;
  for (const [index, row] of rows.entries()) row.children = row.children.filter((child) => child !== cells[index]);
}

const editors = ["monaco-editor", "cm-editor", "CodeMirror", "ace_editor"];
const isCodeBlock = (node: Element, parent: Parent) =>
  node.tagName === "pre" || hasClass(node, ...editors) || isBareEditor(node) || isStyledBlock(node, parent);
/** Code that only its style makes a block: it has lines, or has its place for itself. */
const isStyledBlock = (node: Element, parent: Parent) => {
  if (node.tagName !== "code" && node.tagName !== "samp") return false;
  const isBlockOfCode = node.properties["dataQuerentBlock"] !== undefined;
  if (node.properties["dataQuerentPre"] !== undefined && textOf(node).trim().includes("\n")) return true;
  return (
    isBlockOfCode &&
    (find(node, looksLikeLine) !== undefined || parent.children.every((each) => each === node || isBlank(each)))
  );
};
/** An editor without the element that usually surrounds it. */
const isBareEditor = (node: Element) =>
  attribute(node, "role") === "textbox" && attribute(node, "dataLanguage") !== undefined;

const contents = ["cm-content", "CodeMirror-code", "view-lines", "ace_text-layer"];

function mendBlock(block: Element): { pre: Element; file: string | undefined } {
  const code =
    find(block, ({ tagName }) => tagName === "code") ?? find(block, (node) => hasClass(node, ...contents)) ?? block;
  dropNumberColumn(code);
  const bar = barWithin(block, code);
  const language =
    languageOf(code) ?? languageOf(block) ?? (code === block ? undefined : languageWithin(block)) ?? bar.language;
  const text = (sourceOf(block) ?? codeText(code)).replace(/\n$/, "");
  return { pre: codeBlock(text, language ?? languageOfFile(bar.file)), file: bar.file };
}

/** What an editor says that it holds: it shows only the lines in view. */
function sourceOf(block: Element): string | undefined {
  const holder =
    attribute(block, "dataQuerentCode") === undefined
      ? find(block, (node) => attribute(node, "dataQuerentCode") !== undefined)
      : block;
  return holder === undefined ? undefined : attribute(holder, "dataQuerentCode");
}

const codeBlock = (text: string, language: string | undefined) =>
  element("pre", {}, [
    element("code", language === undefined ? {} : { className: [`language-${language}`] }, [
      { type: "text", value: `${text}\n` },
    ]),
  ]);

const lineClasses = ["line", "cm-line", "token-line", "view-line", "CodeMirror-line", "ace_line", "code-line"];
const gutter = /(^|[-_])(line-?num(ber)?s?|lineno|gutters?|ln-num(bers)?|blob-num)($|[-_])/i;

/** Lines end at a `br` or a line feed, or are elements of their own. */
function codeText(code: Element): string {
  let out = "";
  // After an element that is a line, the next one begins on a new line, whether or not a line feed is between them.
  let owed = false;
  const put = (text: string) => {
    if (text === "") return;
    if (owed && !text.startsWith("\n")) out += "\n";
    owed = false;
    out += text;
  };
  const walk = (node: ElementContent) => {
    if (node.type === "text") put(node.value);
    if (node.type !== "element" || node.tagName === "button" || classes(node).some((name) => gutter.test(name))) return;
    if (node.tagName === "br") put("\n");
    else if (isLine(node)) {
      if (owed) out += "\n";
      else if (out !== "" && !out.endsWith("\n")) out += "\n";
      owed = false;
      const own = lineText(node);
      out += own;
      owed = true;
    } else for (const child of inOrder(node)) walk(child);
  };
  for (const child of inOrder(code)) walk(child);
  const isEditor = hasClass(code, "cm-content");
  const isFlat = isEditor && find(code, (node) => hasClass(node, ...lineClasses)) === undefined;
  if (hasClass(code, "view-lines")) out = out.replaceAll("\u00A0", " ");
  // There an empty line is a `br` of its own between those that end lines: three of them are one empty line.
  return isFlat ? out.replaceAll(/\n{3,}/g, (run) => "\n".repeat(1 + Math.floor((run.length - 1) / 2))) : out;
}

/** An element that is a line, not one that contains lines. */
const isLine = (node: Element): boolean => looksLikeLine(node) && find(node, looksLikeLine) === undefined;

const looksLikeLine = (node: Element): boolean =>
  hasClass(node, ...lineClasses) ||
  ["div", "tr", "li", "p"].includes(node.tagName) ||
  node.properties["dataQuerentBlock"] !== undefined;

/** A line that is empty contains a `br`, a line feed or a zero-width space. */
function lineText(node: Element): string {
  const walk = (child: ElementContent): string => {
    if (child.type === "text") return child.value;
    if (child.type !== "element" || child.tagName === "br" || child.tagName === "button") return "";
    return classes(child).some((name) => gutter.test(name)) ? "" : child.children.map(walk).join("");
  };
  return walk({ ...node })
    .replace(/\n$/, "")
    .replace(/^\u200B$/, "");
}

/** Monaco's lines are in any order, and placed by their style. */
function inOrder(node: Element): ElementContent[] {
  if (!hasClass(node, "view-lines")) return node.children;
  const top = (child: ElementContent) =>
    child.type === "element" ? Number(/top:\s*([\d.]+)px/.exec(attribute(child, "style") ?? "")?.[1] ?? 0) : 0;
  return node.children.filter((child) => !isBlank(child)).toSorted((a, b) => top(a) - top(b));
}

function languageOf(node: Element): string | undefined {
  const named = classes(node)
    .map((name) => /^(?:(?:language|lang|highlight-source)-|brush:-?)([\w+#][\w+#.-]*)$/.exec(name)?.[1])
    .find((language) => language !== undefined);
  const given =
    named ?? attribute(node, "dataLanguage") ?? attribute(node, "dataLang") ?? attribute(node, "dataModeId");
  return given === undefined || /^(plain(text)?|text|none|undefined)$/i.test(given) ? undefined : given;
}

const languageWithin = (block: Element): string | undefined => {
  const holder = find(block, (node) => languageOf(node) !== undefined);
  return holder === undefined ? undefined : languageOf(holder);
};

/** What the bar above the code says: its language, which is its first text if that is one short word, and the name of its file. */
function barWithin(block: Element, code: Element): { language: string | undefined; file: string | undefined } {
  const words: string[] = [];
  const walk = (node: Element): boolean => {
    for (const child of node.children) {
      if (child === code) return true;
      if (child.type === "text" && child.value.trim() !== "") words.push(child.value.trim());
      if (child.type === "element" && child.tagName !== "button" && walk(child)) return true;
    }
    return false;
  };
  if (code === block) return { language: undefined, file: undefined };
  walk(block);
  const labels = words.filter((word) => !isCodeControl(word)).slice(0, 2);
  const file = labels.find((label) => codeLanguage(label) === undefined && isFileName(label));
  const first = labels.find((label) => label !== file);
  return { language: first === undefined ? undefined : (codeLanguage(first) ?? plainWord(first)), file };
}

const languageOfFile = (file: string | undefined) => codeLanguage(file?.split(".").at(-1) ?? "");

const plainWord = (word: string) => (/^[a-z][a-z0-9+#.-]{0,20}$/i.test(word) ? word.toLowerCase() : undefined);

/**
 * Removes the bar of a code block from the element that contains nothing but both: a language, and controls such as "Copy". A
 * bar that has anything else is text, and stays.
 */
function dropBar(wrapper: Element): void {
  const content = wrapper.children.filter((child) => !isBlank(child));
  const blocks = content.filter((child) => child.type === "element" && soleBlock(child) !== undefined);
  const [only] = blocks;
  if (blocks.length !== 1 || only?.type !== "element") return;
  const others = content.filter((child) => child !== only);
  const bar = readBar(others);
  if (bar === undefined) return;
  wrapper.children = bar.file === undefined ? [only] : [fileName(bar.file), only];
  nameLanguage(only, languageOf(wrapper) ?? bar.language);
}

/** Removes the bars of code blocks that stand beside other content, if each has a control of its own. */
function dropBarsWithin(wrapper: Element): void {
  for (let at = wrapper.children.length - 1; at > 0; at--) {
    const block = wrapper.children[at];
    if (block === undefined || soleBlock(block) === undefined) continue;
    const before = wrapper.children.slice(0, at).findLastIndex((child) => !isBlank(child));
    const other = wrapper.children[before];
    if (other?.type !== "element" || !contains(other, "button") || soleBlock(other) !== undefined) continue;
    const bar = readBar([other]);
    if (bar === undefined) continue;
    wrapper.children.splice(before, 1, ...(bar.file === undefined ? [] : [fileName(bar.file)]));
    nameLanguage(block, bar.language);
  }
}

/** What a bar says; undefined if it has anything but a language, the name of a file and controls. */
function readBar(
  others: readonly ElementContent[],
): { language: string | undefined; file: string | undefined } | undefined {
  const words = others.flatMap(wordsOf);
  const labels = words.filter((word) => !isCodeControl(word));
  if (others.length === 0 || labels.length > 2 || others.some((node) => contains(node, "table", "ul", "ol", "p")))
    return undefined;
  const hasControls = others.some((node) => contains(node, "button", "svg")) || words.length > labels.length;
  const file = labels.find(
    (label) =>
      codeLanguage(label) === undefined &&
      (isFileName(label) || (hasControls && isFileName(label.replaceAll(" ", "_")))),
  );
  const [label, ...more] = labels.filter((each) => each !== file);
  const language =
    label === undefined
      ? undefined
      : (codeLanguage(label) ?? (hasControls && file === undefined ? plainWord(label) : undefined));
  if (more.length > 0 || (label !== undefined && language === undefined)) return undefined;
  return { language: language ?? languageOfFile(file), file };
}

function nameLanguage(block: ElementContent, language: string | undefined): void {
  const code = soleBlock(block)?.children[0];
  if (code?.type === "element" && classes(code).length === 0 && language !== undefined)
    code.properties["className"] = [`language-${language}`];
}

const isFileName = (word: string) => /^[\w@./\\[\]()+-]{1,80}\.[a-z0-9]{1,6}$/i.test(word);

/** The code block that an element is, or contains with nothing else. */
function soleBlock(node: ElementContent): Element | undefined {
  if (node.type !== "element") return undefined;
  if (node.tagName === "pre") return node;
  const content = node.children.filter((child) => !isBlank(child));
  return content.length === 1 && content[0] !== undefined ? soleBlock(content[0]) : undefined;
}

const contains = (node: ElementContent, ...names: string[]): boolean =>
  node.type === "element" &&
  (names.includes(node.tagName) || find(node, ({ tagName }) => names.includes(tagName)) !== undefined);

/** The texts of a bar, one for each element; a button's are controls whatever they say. */
function wordsOf(node: ElementContent): string[] {
  if (node.type === "text") return node.value.trim() === "" ? [] : [node.value.trim()];
  if (node.type !== "element" || node.tagName === "svg") return [];
  if (node.tagName === "button" || attribute(node, "role") === "button") return ["copy"];
  return node.children.some((child) => child.type === "element")
    ? node.children.flatMap(wordsOf)
    : [textOf(node).trim()].filter((word) => word !== "");
}

/** Languages as the bars of code blocks name them, by what Markdown calls them. */
const names: Readonly<Record<string, string>> = {
  "c#": "csharp",
  "c++": "cpp",
  "f#": "fsharp",
  "objective-c": "objectivec",
  "plain text": "text",
  "shell session": "console",
  "visual basic": "vb",
  "vb.net": "vbnet",
  "emacs lisp": "elisp",
  "common lisp": "lisp",
  "pl/sql": "plsql",
  "t-sql": "tsql",
  "asp.net": "aspnet",
  "vim script": "vim",
  "protocol buffers": "protobuf",
  golang: "go",
};

const known = new Set(
  `ada apache applescript arduino asm assembly astro awk bash bat batch bibtex c clojure cmake cmd cobol
  coffeescript console cpp crystal csharp css csv cuda cypher d dart delphi diff docker dockerfile dotenv elisp elixir elm env erlang
  excel fish fortran fsharp gdscript git glsl go gradle graphql groovy haml handlebars haskell hcl hlsl html http ini
  java javascript jinja js json json5 jsonc jsonl jsx julia kotlin kql latex less liquid lisp log lua makefile
  markdown mathematica matlab md mermaid mjs nginx nim nix objectivec ocaml pascal perl php plaintext plsql postgresql powershell
  prisma prolog promql properties protobuf ps1 pug puppet purescript py pycon python python3 r racket razor reason regex rst ruby rust sas
  sass scala scheme scss sed sh shell sol solidity sparql sql stata svelte svg swift systemd systemverilog tcl terraform tex text toml ts tsql
  tsx twig txt typescript typst v vb vba vbnet verilog vhdl vim vue wasm wgsl wolfram xml yaml yml zig zsh`.split(
    /\s+/,
  ),
);
const meansNone = new Set(["text", "plaintext", "txt", "code", "代码", "コード"]);

/** The language of a label; undefined if it names none. */
export function codeLanguage(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  const language = names[name] ?? (known.has(name) ? name : undefined);
  return language === undefined || meansNone.has(language) ? undefined : language;
}

const controls =
  /^(copy|copy code|copied!?|copy to clipboard|run|run code|edit|download|wrap|wrap lines|collapse|expand|preview|open|explain|insert|save|code|text|plain ?text|复制|复制代码|已复制|下载|运行|折叠|展开|编辑|预览|代码|複製|複製程式碼|コピー|コピーする|코드 복사|복사|kopieren|code kopieren|copier|copier le code|copiar|copiar código|copia|copia codice)$/i;

/** A label of a control, or one that names no language: never text of the answer. */
export const isCodeControl = (label: string): boolean => controls.test(label.trim());
