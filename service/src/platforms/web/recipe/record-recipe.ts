/**
 * Makes a first recipe for a page: its author points at the elements in a browser, and asks one question in between. What shows that an
 * answer is complete, and what the page labels as advertising, is found without pointing.
 */
import type { BrowserContext, Page, Request } from "playwright-core";
import { stringify } from "yaml";
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

export interface RecordInput {
  readonly context: BrowserContext;
  readonly url: string;
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
}

export async function recordRecipe({ context, url, skip, asked }: RecordInput): Promise<RecordedRecipe> {
  const page = await context.newPage();
  let onPicked: (picked: Picked) => void = () => undefined;
  await page.exposeBinding("querentPicked", (_source, value: unknown) => {
    if (faultsOf(value).length === 0) onPicked(value as Picked);
  });
  await page.goto(url);
  const listen = async (what: Pointed | "ads" | null): Promise<boolean> => {
    let isFound = false;
    for (const frame of page.frames()) isFound = (await frame.evaluate(pickNext, what).catch(() => false)) || isFound;
    return isFound;
  };
  const findAds = async (): Promise<Picked | null> => {
    let found: Picked | null = null;
    onPicked = (value) => {
      if (value.what === "ads") found = value;
    };
    await listen("ads");
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
  const text = recipeText({ url, composer, submit, answer, done, source, ads, network: await streamOf(sent) });
  return { text, answer: answer?.text ?? "" };
}

type Parts = { readonly [What in Pointed | "ads"]: Picked | null } & {
  readonly url: string;
  readonly network: string | null;
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

function recipeText({ url, composer, submit, answer, done, source, ads, network }: Parts): string {
  const turn = done?.turn ?? [];
  return `# Recorded by pointing at the page. Replace what depends on this one answer.\n${stringify({
    recipe: 1,
    name: new URL(url).hostname,
    version: 1,
    verified: false,
    entry: url,
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
