/** The sign-ins of operators in this process: each holds a place of the browser pool until it is saved, canceled or left. */
import type { SignIn } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import { BrowserLostError, BrowserMissingError, type BrowserPool } from "../browser/index.ts";
import type { Database } from "../db/index.ts";
import { newId } from "../kernel/ids.ts";
import { readSessionText, signInNeeds, type LoadedRecipe } from "../platforms/index.ts";
import { openSession } from "../sessions/index.ts";
import type { MasterKey } from "../vault/index.ts";
import { RemotePages } from "./remote-pages.ts";

export interface SignInsDeps {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly pool: Pick<BrowserPool, "withContext">;
  /** The recipe of a web platform; null: there is no such platform. Throws `ProblemError` if it can't be loaded. */
  readonly recipeOf: (platform: string) => LoadedRecipe | null;
  /** The countries from which pages can be visited. */
  readonly countries: readonly string[];
  readonly limits?: { readonly totalMs: number; readonly idleMs: number };
}

interface LiveSignIn {
  readonly id: string;
  /** The token that started it, and alone can see it. */
  readonly tokenId: string;
  readonly platform: string;
  readonly name: string;
  readonly expiresAt: Date;
  readonly pages: RemotePages;
  /** What its session is now; null: the browser does not say. */
  readonly read: () => Promise<string | null>;
  readonly end: () => Promise<void>;
  /** Somebody looks: it is not left yet. */
  readonly touch: () => void;
}

interface StartInput {
  readonly tokenId: string;
  readonly platform: string;
  readonly name: string;
  /** The country from which the page is visited; null for that of the service. */
  readonly country: string | null;
}

const defaultLimits = { totalMs: 15 * 60_000, idleMs: 45_000 };
/** The sign-ins that one process has at once. Each takes a place from the tasks. */
const signInsMax = 3;
const placeMsMax = 30_000;

export class SignIns {
  readonly #deps: SignInsDeps;
  readonly #live = new Map<string, LiveSignIn>();
  #starting = 0;
  #stopped = false;

  constructor(deps: SignInsDeps) {
    this.#deps = deps;
  }

  /** Throws `ProblemError`. */
  async start(input: StartInput): Promise<LiveSignIn> {
    const { database, masterKey, recipeOf } = this.#deps;
    const loaded = recipeOf(input.platform);
    if (loaded === null) throw new ProblemError("not_found", "There is no such web platform.");
    this.#checkCountry(input.country);
    await Promise.all([...this.#live.values()].filter((one) => one.tokenId === input.tokenId).map((one) => one.end()));
    if (this.#live.size + this.#starting >= signInsMax)
      throw new ProblemError("state_conflict", `${signInsMax} operators are signing in to assistants at this moment.`);
    this.#starting++;
    try {
      const session = await openSession(database, masterKey, input.platform, input.name);
      return await this.#open(input, loaded, session);
    } catch (error) {
      if (error instanceof BrowserLostError || error instanceof BrowserMissingError)
        throw notNow(`The process that answers this request has no usable browser: ${error.message}`, error);
      throw error;
    } finally {
      this.#starting--;
    }
  }

  /** Throws `ProblemError` unless this token started it. */
  of(tokenId: string, id: string): LiveSignIn {
    const found = this.#live.get(id);
    if (found?.tokenId !== tokenId)
      throw new ProblemError(
        "not_found",
        "There is no such sign-in in this process. It has ended, or another process answered; start again.",
      );
    return found;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#live.values()].map((one) => one.end()));
  }

  #checkCountry(country: string | null): void {
    const { countries } = this.#deps;
    if (country === null || countries.includes(country)) return;
    const detail =
      countries.length === 0
        ? "This service has no proxy in any country. The operator sets QUERENT_COUNTRY_PROXIES."
        : `This service has a proxy in ${countries.join(", ")}.`;
    throw new ProblemError("validation_failed", `The page can't be visited from there. No sign-in was started.`, {
      errors: [{ pointer: "/country", code: "not_allowed", detail }],
    });
  }

  async #open(input: StartInput, loaded: LoadedRecipe, session: object | null): Promise<LiveSignIn> {
    const { totalMs, idleMs } = this.#deps.limits ?? defaultLimits;
    const stop = new AbortController();
    const opened = Promise.withResolvers<{ pages: RemotePages; read: () => Promise<string | null> }>();
    const place = setTimeout(() => stop.abort(noPlace()), placeMsMax);
    const done = this.#deps.pool.withContext(
      stop.signal,
      signInNeeds(loaded, session, input.country),
      async ({ context }) => {
        clearTimeout(place);
        const pages = new RemotePages(context);
        const read = async () => {
          const text = await readSessionText(context);
          pages.listen();
          return text;
        };
        opened.resolve({ pages, read });
        await pages.open(loaded.recipe.entry);
        await new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve(), { once: true }));
      },
    );
    const ended = done.catch((error: unknown) => opened.reject(error)).finally(() => clearTimeout(place));
    const { pages, read } = await opened.promise;

    const id = newId();
    const end = async () => {
      this.#live.delete(id);
      clearTimeout(total);
      clearTimeout(idle);
      stop.abort(new Error("The sign-in has ended."));
      await ended;
    };
    const total = setTimeout(() => void end(), totalMs);
    const idle = setTimeout(() => void end(), idleMs);
    // The browser may end by itself.
    void ended.then(end);
    const live = {
      id,
      ...input,
      expiresAt: new Date(Date.now() + totalMs),
      pages,
      read,
      end,
      touch: () => void idle.refresh(),
    };
    this.#live.set(id, live);
    if (this.#stopped) await end();
    return live;
  }
}

export function signInRecord({ id, platform, name, expiresAt, pages }: LiveSignIn): SignIn {
  return { signInId: id, platformCode: platform, name, expiresAt: expiresAt.toISOString(), ...pages.see() };
}

const noPlace = () => notNow("All places of this process's browser are taken by tasks. Try again in a minute.");

export const notNow = (detail: string, cause?: unknown) =>
  new ProblemError("unavailable", detail, { headers: { "retry-after": "60" }, cause });
