import { ProblemError } from "./problem-error.ts";

/** A page cursor as clients see it: opaque, so that nobody depends on its contents. */
export function encodeCursor(position: string): string {
  return Buffer.from(position, "utf8").toString("base64url");
}

/** Decodes a cursor; `pattern` is the required form of its position, `parameter` the query parameter that contained it. */
export function decodeCursor(cursor: string, pattern: RegExp, parameter = "cursor"): string {
  const position = Buffer.from(cursor, "base64url").toString("utf8");
  if (pattern.test(position) && encodeCursor(position) === cursor) return position;
  throw new ProblemError("validation_failed", "The cursor is invalid. Use a cursor that this service returned.", {
    errors: [{ pointer: `?${parameter}`, code: "malformed", detail: "Use `nextCursor` of the page before, as it is." }],
  });
}
