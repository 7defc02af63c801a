import type { Problem } from "@querent/contract";
import { session, signOut } from "../app/session.ts";

/** What the service refused, or that it could not be reached. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly problem: Problem | null;
  /** Seconds that the service asks to wait. */
  readonly retryAfter: number | null;

  constructor(message: string, input: { status: number; problem: Problem | null; retryAfter: number | null }) {
    super(message);
    this.status = input.status;
    this.problem = input.problem;
    this.retryAfter = input.retryAfter;
  }
}

export interface Call {
  readonly method?: "GET" | "POST" | "PUT";
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Another token than the session's, as while signing in. */
  readonly token?: string;
}

export interface Reply<Body> {
  readonly body: Body;
  /** The body as it came. */
  readonly text: string;
  readonly etag: string | null;
}

/** Longer than the longest `Prefer: wait`. */
const timeoutMs = 75_000;

/** Asks the service; null when nothing changed since `If-None-Match`. The service is the console's own and of one version with it, so its answers are taken at their word. */
export async function request<Body>(path: string, call: Call): Promise<Reply<Body> | null> {
  const token = call.token ?? session.value?.token;
  const { response, text } = await exchange(path, token, call);
  if (response.status === 304) return null;
  if (response.ok) return { body: JSON.parse(text) as Body, text, etag: response.headers.get("etag") };
  if (response.status === 401 && call.token === undefined && token === session.value?.token) signOut(true);
  const problem = readProblem(text);
  throw new RequestFailed(problem?.detail ?? `${response.status} ${response.statusText}`, {
    status: response.status,
    problem,
    retryAfter: Number(response.headers.get("retry-after")) || null,
  });
}

/** The answer with its whole body: a connection that ends, or takes too long, within the body is no answer. */
async function exchange(
  path: string,
  token: string | undefined,
  call: Call,
): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(path, {
      method: call.method ?? "GET",
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: call.body }),
      credentials: "omit",
      cache: "no-store",
      signal: AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]),
    });
    return { response, text: await response.text() };
  } catch (error) {
    if (call.signal.aborted) throw error;
    throw new RequestFailed("", { status: 0, problem: null, retryAfter: null });
  }
}

function readProblem(text: string): Problem | null {
  try {
    const value = JSON.parse(text) as Partial<Problem> | null;
    return typeof value?.code === "string" ? (value as Problem) : null;
  } catch {
    return null;
  }
}
