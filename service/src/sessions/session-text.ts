/** A session as text: Playwright's storage state, checked before it is stored and after it is read. */
import { Type } from "typebox";
import { compileCheck } from "../kernel/validate.ts";

export class SessionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SessionError";
  }
}

export const sessionBytesMax = 8 * 1024 * 1024;

/** What Querent relies on; the browser checks the members. */
const check = compileCheck(
  Type.Object({
    cookies: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), domain: Type.String() }), {
      maxItems: 5_000,
    }),
    origins: Type.Array(Type.Object({ origin: Type.String() }), { maxItems: 1_000 }),
  }),
);

/** The session in a text. Messages name places in it, and none of its values. */
export function parseSession(text: string): object {
  if (Buffer.byteLength(text) > sessionBytesMax)
    throw new SessionError(`A session has at most ${sessionBytesMax / 1024 / 1024} MiB; this one is larger.`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new SessionError("This is no session: it is not JSON. `querentd recipe sign-in` writes one.");
  }
  const [fault] = check(content);
  if (fault !== undefined || typeof content !== "object" || content === null)
    throw new SessionError(
      `This is no session (a Playwright storage state): ${fault?.pointer || "/"}: ${fault?.detail ?? "not an object"}`,
    );
  return content;
}
