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
