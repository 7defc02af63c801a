/**
 * The browser of a command, for a person at another machine: a page on this machine's loopback address shows its pictures, passes on
 * mouse and keys, and asks what the terminal asks. An SSH tunnel leads to it, so it needs no display and no port that others can reach.
 */
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SignInInput } from "@querent/contract";
import type { BrowserContext } from "playwright-core";
import { isSameSecret } from "../kernel/same-secret.ts";
import { compileCheck } from "../kernel/validate.ts";
import { RemotePages } from "./remote-pages.ts";

/** What a command asks the person, in its terminal and in the page. */
export interface RemoteQuestion {
  readonly text: string;
  /** The words of the button that answers it. */
  readonly button: string;
}

const changeMsMax = 15_000;
/** The largest input: 64 events with texts of 4,096 characters, of which JSON makes up to six bytes each. */
const bodyBytesMax = 2_000_000;
const connectionsMax = 20;
const inputFaults = compileCheck(SignInInput);

/** Throws the error of `listen` if the port is taken. */
export async function openRemoteWindow(port: number): Promise<RemoteWindow> {
  const remote = new RemoteWindow();
  await remote.listen(port);
  return remote;
}

export class RemoteWindow {
  readonly #secret = randomBytes(24).toString("base64url");
  readonly #server: Server;
  readonly #html = readFileSync(new URL("remote-window.html", import.meta.url), "utf8");
  #pages: RemotePages | null = null;
  #question: (RemoteQuestion & { readonly id: number; readonly answered: () => void }) | null = null;
  #questions = 0;
  /** Aborts when the pages or the question become others, for requests that wait for a change. */
  #changing = new AbortController();

  constructor() {
    this.#server = createServer({ requestTimeout: 30_000 }, (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#server.maxConnections = connectionsMax;
  }

  async listen(port: number): Promise<void> {
    await once(this.#server.listen(port, "127.0.0.1"), "listening");
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Its secret is in the fragment, which browsers send nowhere: other users of this machine can reach the port, too. */
  get address(): string {
    return `http://127.0.0.1:${this.port}/#${this.#secret}`;
  }

  /** Shows the pages of this context, which are opened afterwards. */
  show(context: BrowserContext): void {
    this.#pages = new RemotePages(context);
    this.#change();
  }

  /** Resolves when the person presses the button, or when `withdrawn` aborts. */
  async ask(question: RemoteQuestion, withdrawn: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const id = ++this.#questions;
    this.#question = { ...question, id, answered: resolve };
    this.#change();
    const onAbort = () => resolve();
    withdrawn.addEventListener("abort", onAbort, { once: true });
    if (withdrawn.aborted) resolve();
    await promise;
    withdrawn.removeEventListener("abort", onAbort);
    if (this.#question.id === id) this.#question = null;
    this.#change();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    this.#change();
    await closed;
  }

  #change(): void {
    const former = this.#changing;
    this.#changing = new AbortController();
    former.abort();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? "/", "http://window");
    // A name that leads here by somebody else's DNS is none of the tunnel's.
    const host = URL.parse(`http://${request.headers.host ?? ""}`)?.hostname ?? "";
    response.setHeader("cache-control", "no-store");
    if (url === null || !["127.0.0.1", "localhost", "[::1]"].includes(host)) return end(response, 404);
    if (request.method === "GET" && url.pathname === "/") return this.#sendPage(response);
    const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!isSameSecret(given, this.#secret)) return end(response, 401);
    if (request.method === "GET" && url.pathname === "/state") {
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      await this.#changed(url.searchParams.get("after") ?? "", gone.signal);
      if (!response.destroyed)
        response.setHeader("content-type", "application/json").end(JSON.stringify(this.#state()));
      return;
    }
    if (request.method !== "POST") return end(response, 404);
    const body = await readBody(request);
    if (typeof body === "number") {
      // What is still to come of it is not read.
      response.setHeader("connection", "close");
      return end(response, body);
    }
    if (url.pathname === "/answer") {
      const { id } = body as { id?: unknown };
      if (this.#question?.id === id) this.#question?.answered();
      return end(response, 204);
    }
    if (url.pathname !== "/input") return end(response, 404);
    if (inputFaults(body).length > 0) return end(response, 400);
    await this.#pages?.send((body as SignInInput).events);
    return end(response, 204);
  }

  #sendPage(response: ServerResponse): void {
    const script = /<script>([\s\S]*)<\/script>/.exec(this.#html)?.[1] ?? "";
    const digest = createHash("sha256").update(script).digest("base64");
    response
      .writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; script-src 'sha256-${digest}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      })
      .end(this.#html);
  }

  #version(): string {
    return `${this.#pages?.see().version ?? "-"}.${this.#question?.id ?? "-"}`;
  }

  #state(): object {
    const { pages = [], shownPageId = null, picture = null } = this.#pages?.see() ?? {};
    const { id, text, button } = this.#question ?? {};
    const question = this.#question === null ? null : { id, text, button };
    return { version: this.#version(), pages, shownPageId, picture, question };
  }

  async #changed(since: string, gone: AbortSignal): Promise<void> {
    const until = AbortSignal.any([gone, this.#changing.signal, AbortSignal.timeout(changeMsMax)]);
    if (this.#version() !== since) return;
    const pages = this.#pages;
    if (pages !== null) await pages.changed(pages.see().version, until);
    else if (!until.aborted) await once(until, "abort");
  }
}

const end = (response: ServerResponse, status: number): void => void response.writeHead(status).end();

/** A JSON object from a request, or the status of its refusal. */
async function readBody(request: IncomingMessage): Promise<object | 400 | 413> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bodyBytesMax) return 413;
    parts.push(part);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
    return typeof value === "object" && value !== null ? value : 400;
  } catch {
    return 400;
  }
}
