/**
 * Makes a first recipe for a page: its author points at the elements in a browser, and asks one question in between. What shows that an
 * answer is complete, and what the page labels as advertising, is found without pointing.
 */
import type { BrowserContext, Page, Request } from "playwright-core";
import { stringify } from "yaml";
import { hostPattern } from "../../../browser/index.ts";
import { compileCheck } from "../../../kernel/validate.ts";
import { Type, type Static } from "typebox";
import { pickNext } from "./pick-script.mjs";

const Selectors = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 5 });
/** What the page reports, which is not trusted. */
const Picked = Type.Object({
  what: Type.String({ maxLength: 20 }),
  selectors: Selectors,
  turn: Selectors,
  text: Type.String({ maxLength: 20_000 }),
});
type Picked = Static<typeof Picked>;
const faultsOf = compileCheck(Picked);

/** What an author points at, in this order. */
export const pointedAt = {
  composer: "the question field",
  submit: "the button that sends the question",
  answer: "the text of the answer",
  done: "what appears when an answer is complete, such as its copy button",
  source: "one source of the answer",
} as const;

export type Pointed = keyof typeof pointedAt;

/** Why no recipe was recorded, in a sentence for the author. */
export class RecordError extends Error {
  override readonly name = "RecordError";
}

export interface RecordInput {
  readonly context: BrowserContext;
  readonly url: string;
  /** Hosts that the page asked for and that were refused, with the reason. */
  readonly refused?: ReadonlyMap<string, string>;
  /** Resolves when the author says that the page shows its question field. Asked again once if it still asks to sign in. */
  readonly ready: (asksToSignIn: boolean) => Promise<void>;
  /** Says what to point at; resolves when the author skips it instead. `pointed` aborts when it was pointed at. */
  readonly skip: (what: Pointed, pointed: AbortSignal) => Promise<void>;
  /** Resolves when the author has asked a question in the page, and its answer is complete. */
  readonly asked: (page: Page) => Promise<void>;
}

export interface RecordedRecipe {
  /** The recipe as YAML. */
  readonly text: string;
  /** The text of the answer that was pointed at. Empty: none was. */
  readonly answer: string;
  /** Whether the page asked to sign in when it was opened. */
  readonly asksToSignIn: boolean;
}

/** Throws `RecordError`. */
export async function recordRecipe(input: RecordInput): Promise<RecordedRecipe> {
  const page = await input.context.newPage();
  const closed = new Promise<never>((_resolve, reject) => {
    page.once("close", () => reject(new RecordError("The page was closed before its recipe was complete.")));
  });
  closed.catch(() => undefined);
  return Promise.race([recordOn(page, input), closed]);
}

async function recordOn(page: Page, { url, refused, ready, skip, asked }: RecordInput): Promise<RecordedRecipe> {
  let onPicked: (picked: Picked) => void = () => undefined;
  await page.exposeBinding("querentPicked", (_source, value: unknown) => {
    if (faultsOf(value).length === 0) onPicked(value as Picked);
  });
  const hosts = hostsOf(page, url);
  await open(page, url, refused);
  const isSignedOut = await asksToSignIn(page);
  await ready(isSignedOut);
  if (await asksToSignIn(page)) await ready(true);
  let listened: Pointed | "ads" | null = null;
  const listen = async (what: Pointed | "ads" | null): Promise<boolean> => {
    listened = what;
    let isFound = false;
    for (const frame of page.frames()) isFound = (await frame.evaluate(pickNext, what).catch(() => false)) || isFound;
    return isFound;
  };
  // A page that is opened anew has forgotten what it listens for.
  page.on("domcontentloaded", () => void (listened === null ? undefined : listen(listened)));
  const findAds = async (): Promise<Picked | null> => {
    let found: Picked | null = null;
    onPicked = (value) => {
      if (value.what === "ads") found = value;
    };
    await listen("ads");
    await listen(null);
    return found;
  };
  const pick = async (what: Pointed): Promise<Picked | null> => {
    const picked = new Promise<Picked>((resolve) => {
      onPicked = (value) => {
        if (value.what === what) resolve(value);
      };
    });
    const pointed = new AbortController();
    const isFound = await listen(what);
    try {
      if (isFound) return await picked;
      return await Promise.race([picked, skip(what, pointed.signal).then(() => null)]);
    } finally {
      pointed.abort();
      await listen(null);
    }
  };
  const composer = await pick("composer");
  const submit = await pick("submit");
  const sent: Request[] = [];
  page.on("request", (request) => void (request.method() === "POST" ? sent.push(request) : undefined));
  await asked(page);
  const answer = await pick("answer");
  const done = await pick("done");
  const source = await pick("source");
  const ads = await findAds();
  const network = await streamOf(sent);
  const text = recipeText({
    url,
    reach: [...hosts].toSorted(),
    isSignedOut,
    composer,
    submit,
    answer,
    done,
    source,
    ads,
    network,
  });
  return { text, answer: answer?.text ?? "", asksToSignIn: isSignedOut };
}

const hostsMax = 100;
const needed = new Set(["document", "script", "stylesheet", "xhr", "fetch", "eventsource", "websocket"]);

/** The other hosts without which a page may not work, as they come: those of its pictures, fonts and pings are left out. */
function hostsOf(page: Page, url: string): ReadonlySet<string> {
  const own = new URL(url).hostname;
  const hosts = new Set<string>();
  const add = (address: string) => {
    const { hostname = "" } = URL.parse(address) ?? {};
    if (hostname !== "" && hostname !== own && hostPattern.test(hostname) && hosts.size < hostsMax) hosts.add(hostname);
  };
  page.on("request", (request) => {
    if (needed.has(request.resourceType())) add(request.url());
  });
  page.on("websocket", (socket) => add(socket.url()));
  return hosts;
}

const openMs = 45_000;

async function open(page: Page, url: string, refused: ReadonlyMap<string, string> = new Map()): Promise<void> {
  let why = "";
  const answer = await page.goto(url, { waitUntil: "domcontentloaded", timeout: openMs }).catch((error: unknown) => {
    why = error instanceof Error ? (/net::(\w+)/.exec(error.message)?.[1] ?? error.name) : String(error);
    return null;
  });
  const { hostname } = new URL(url);
  const refusal = [...refused].find(([where]) => where.startsWith(`${hostname}:`))?.[1];
  if (refusal !== undefined && (answer === null || answer.status() === 403))
    throw new RecordError(
      `${url} may not be reached (${refusal.replace(/\.$/, "")}). Its address ranges are the operator's to allow, in QUERENT_BROWSER_EGRESS_ALLOW.`,
    );
  if (answer === null)
    throw new RecordError(
      `${url} could not be opened (${why}). Check the address, and whether this machine can reach it.`,
    );
  if (answer.status() >= 500)
    throw new RecordError(`The server of ${url} failed (${answer.status()}). Try again later.`);
}

const passwordField = "input[type=password]";

/** Whether a page shows a field for a password. */
export async function asksToSignIn(page: Page): Promise<boolean> {
  return page
    .locator(passwordField)
    .filter({ visible: true })
    .count()
    .then(
      (count) => count > 0,
      () => false,
    );
}

type Parts = { readonly [What in Pointed | "ads"]: Picked | null } & {
  readonly url: string;
  readonly network: string | null;
  readonly reach: readonly string[];
  /** Whether the page asked to sign in before it was asked. */
  readonly isSignedOut: boolean;
};

/** The path of the request that brought the answer, if one was streamed as events. */
async function streamOf(requests: readonly Request[]): Promise<string | null> {
  for (const request of requests) {
    const type = (await request.response().catch(() => null))?.headers()["content-type"] ?? "";
    if (type.startsWith("text/event-stream")) return new URL(request.url()).pathname;
  }
  return null;
}

/** Whether selectors find their element within the turn alone: one that is told by where it stands is told from above the turn. */
const isWithin = (list: readonly string[]) => !list.some((selector) => selector.includes(" > "));

function recipeText({ url, reach, isSignedOut, composer, submit, answer, done, source, ads, network }: Parts): string {
  const turn = done?.turn ?? [];
  return `# Recorded by pointing at the page. Replace what depends on this one answer.\n${stringify({
    recipe: 1,
    name: new URL(url).hostname,
    version: 1,
    verified: false,
    entry: url,
    ...(reach.length === 0 ? {} : { reach }),
    ...(isSignedOut
      ? {
          blockers: [
            {
              name: "signed-out",
              visible: [passwordField],
              failure: "platform_auth",
              message: "The page asks to sign in.",
            },
          ],
        }
      : {}),
    composer: {
      input: composer?.selectors ?? ["textarea", "[contenteditable=true]"],
      submit: submit === null ? { press: "Enter" } : { click: submit.selectors },
    },
    ...(network === null
      ? {}
      : { network: { answer: { url: `${network.replaceAll(/[^\w/-]/g, "\\$&")}$`, method: "POST" } } }),
    turn: {
      each: turn.length > 0 ? turn : (answer?.selectors ?? ["main"]),
      ...(turn.length > 0 && answer !== null && isWithin(answer.selectors) ? { text: answer.selectors } : {}),
    },
    complete: done === null && network !== null ? {} : { done: done?.selectors ?? ["button[aria-label*=Copy]"] },
    ...(source === null && ads === null
      ? {}
      : {
          extract: {
            ...(ads === null ? {} : { ads: { each: ads.selectors, fields: { title: "a", url: "a@href", text: "." } } }),
            ...(source === null
              ? {}
              : { sources: { each: [...source.selectors, "a[href^=http]"], fields: { title: ".", url: "@href" } } }),
          },
        }),
  })}`;
}
