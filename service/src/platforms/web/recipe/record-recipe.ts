/** Writes a first recipe for a page: its author points at the elements in a browser, and asks one question in between. */
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

/** The recipe as YAML. */
export async function recordRecipe({ context, url, skip, asked }: RecordInput): Promise<string> {
  const page = await context.newPage();
  let onPicked: (picked: Picked) => void = () => undefined;
  await page.exposeBinding("querentPicked", (_source, value: unknown) => {
    if (faultsOf(value).length === 0) onPicked(value as Picked);
  });
  await page.goto(url);
  const listen = async (what: Pointed | null) => {
    for (const frame of page.frames()) await frame.evaluate(pickNext, what).catch(() => undefined);
  };
  const pick = async (what: Pointed): Promise<Picked | null> => {
    const picked = new Promise<Picked>((resolve) => {
      onPicked = (value) => {
        if (value.what === what) resolve(value);
      };
    });
    const pointed = new AbortController();
    await listen(what);
    try {
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
  return recipeText({ url, composer, submit, answer, done, source, network: await streamOf(sent) });
}

type Parts = { readonly [What in Pointed]: Picked | null } & { readonly url: string; readonly network: string | null };

/** The path of the request that brought the answer, if one was streamed as events. */
async function streamOf(requests: readonly Request[]): Promise<string | null> {
  for (const request of requests) {
    const type = (await request.response().catch(() => null))?.headers()["content-type"] ?? "";
    if (type.startsWith("text/event-stream")) return new URL(request.url()).pathname;
  }
  return null;
}

function recipeText({ url, composer, submit, answer, done, source, network }: Parts): string {
  const turn = done?.turn ?? [];
  return `# Recorded by pointing at the page. Run it, and replace what depends on this one answer.\n${stringify({
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
      ...(turn.length > 0 && answer !== null ? { text: answer.selectors } : {}),
    },
    complete: done === null && network !== null ? {} : { done: done?.selectors ?? ["button[aria-label*=Copy]"] },
    ...(source === null
      ? {}
      : {
          extract: { sources: { each: [...source.selectors, "a[href^=http]"], fields: { title: ".", url: "@href" } } },
        }),
  })}`;
}
