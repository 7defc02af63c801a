import { readFileSync, statSync } from "node:fs";
import { Type } from "typebox";
import { querentd } from "../../../kernel/program-name.ts";
import { compileCheck } from "../../../kernel/validate.ts";

const fileBytesMax = 16 * 1024 * 1024;

/** As much of Playwright's storage state as shows that a file is one. */
const check = compileCheck(
  Type.Object({
    cookies: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))),
    origins: Type.Optional(Type.Array(Type.Object({ origin: Type.String() }))),
  }),
);

/** Returns a function that says what is wrong with a session file; null: nothing. An unchanged file is read only once. */
export function sessionFileCheck(file: string): () => string | null {
  let seen: { readonly version: string; readonly fault: string | null } | null = null;
  return () => {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return told(file, "is not there");
    const version = `${stats.mtimeMs} ${stats.size} ${stats.mode} ${stats.ino}`;
    if (seen?.version !== version) seen = { version, fault: contentFault(file, stats.size) };
    return seen.fault === null ? null : told(file, seen.fault);
  };
}

function contentFault(file: string, size: number): string | null {
  if (size > fileBytesMax) return `is larger than ${fileBytesMax} bytes`;
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return `can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown fault"})`;
  }
  // The parser's message would quote the file, which is a secret.
  try {
    return check(JSON.parse(text)).length === 0 ? null : "contains no session";
  } catch {
    return "is not valid JSON";
  }
}

function told(file: string, fault: string): string {
  return `The session file ${file} ${fault}. \`${querentd} recipe sign-in\` makes one.`;
}
