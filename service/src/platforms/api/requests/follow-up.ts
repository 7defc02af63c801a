import type { JsonObject } from "../body/json.ts";

/** What to send after a response with status 200; null when it is the last. */
export type FollowUp = (
  sent: { readonly url: string; readonly body: JsonObject },
  received: JsonObject,
) => NextRequest | null;

export interface NextRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly body: JsonObject | null;
  readonly delayMs: number;
  /** Only asks for the state of a run: its response replaces the one before, and a transient error is retried. */
  readonly poll: boolean;
}

/** The next turn of a conversation: the same request, with messages added. */
export function nextTurn(
  { url, body }: { readonly url: string; readonly body: JsonObject },
  messages: readonly unknown[],
): NextRequest {
  const before: unknown = body["messages"];
  return {
    method: "POST",
    url,
    body: { ...body, messages: [...(Array.isArray(before) ? (before as unknown[]) : []), ...messages] },
    delayMs: 0,
    poll: false,
  };
}
