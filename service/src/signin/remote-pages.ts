/** The pages of a browser context as somebody elsewhere sees and operates them: one picture at a time, and input. */
import type { SignIn, SignInEvent } from "@querent/contract";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { within } from "../kernel/within.ts";

/** The page, and the windows of single sign-on. More are closed. */
const pagesMax = 5;
const jpegQuality = 70;
const pictureSide = 1600;
const inputMsMax = 5_000;
const addressCharsMax = 300;
const copiedCharsMax = 65_536;

type Seen = Pick<SignIn, "version" | "pages" | "shownPageId" | "picture">;

export class RemotePages {
  readonly #context: BrowserContext;
  readonly #pages = new Map<string, Page>();
  #shown: { readonly id: string; readonly page: Page } | null = null;
  #session: CDPSession | null = null;
  #jpeg: string | null = null;
  #version = 0;
  #count = 0;
  #changed = Promise.withResolvers<void>();
  #input: Promise<void> = Promise.resolve();
  /** What was copied in these pages, and may be pasted into them. */
  #copied = "";

  constructor(context: BrowserContext) {
    this.#context = context;
    this.listen();
  }

  /** Windows that the page opens are shown at once. */
  listen(): void {
    this.#context.on("page", (page) => this.#add(page));
  }

  async open(address: string): Promise<void> {
    const page = await this.#context.newPage();
    // What could not be loaded is what the picture shows.
    await page.goto(address, { waitUntil: "commit" }).catch(() => undefined);
  }

  see(): Seen {
    const size = this.#shown?.page.viewportSize() ?? null;
    return {
      version: this.#version,
      pages: [...this.#pages].map(([pageId, page]) => ({ pageId, address: shownAddress(page.url()) })),
      shownPageId: this.#shown?.id ?? null,
      picture: this.#jpeg === null || size === null ? null : { jpeg: this.#jpeg, ...size },
    };
  }

  /** Resolves when something differs from that version. */
  async changed(since: number, signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>();
    const onAbort = () => aborted.resolve();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      while (this.#version === since && !signal.aborted) await Promise.race([this.#changed.promise, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Applies events in order. A page that hangs or has closed receives none; nothing of them is reported. */
  send(events: readonly SignInEvent[]): Promise<void> {
    this.#input = this.#input.then(async () => {
      for (const event of events) {
        await within(
          this.#apply(event).catch(() => undefined),
          inputMsMax,
        );
      }
    });
    return this.#input;
  }

  #add(page: Page): void {
    if (this.#pages.size >= pagesMax) {
      void page.close().catch(() => undefined);
      return;
    }
    const id = String(++this.#count);
    this.#pages.set(id, page);
    page.on("framenavigated", () => this.#note());
    // A screencast that was started before a navigation may bring no frame after it.
    page.on("domcontentloaded", () => {
      if (this.#shown?.id === id && this.#session !== null) void this.#cast(this.#session);
    });
    page.once("close", () => {
      this.#pages.delete(id);
      if (this.#shown?.id === id) void this.#show([...this.#pages.keys()].at(-1));
      this.#note();
    });
    void this.#show(id);
  }

  async #show(id: string | undefined): Promise<void> {
    const page = id === undefined ? undefined : this.#pages.get(id);
    const former = this.#session;
    this.#session = null;
    this.#jpeg = null;
    const shown = id === undefined || page === undefined ? null : { id, page };
    this.#shown = shown;
    this.#note();
    try {
      await former?.detach().catch(() => undefined);
      if (shown === null || this.#shown !== shown) return;
      await shown.page.bringToFront();
      const session = await this.#context.newCDPSession(shown.page);
      if (this.#shown !== shown) return await session.detach();
      this.#session = session;
      session.on("Page.screencastFrame", ({ data, sessionId }) => {
        // The frame is acknowledged at once, since the browser leaves out what changes while frames are outstanding.
        session.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
        if (this.#session !== session) return;
        this.#jpeg = data;
        this.#note();
      });
      await this.#cast(session);
    } catch {
      // The page closed meanwhile, and another is shown.
    }
  }

  /** Starts the screencast of a page anew, with a picture of it as it is: frames come only when something changes. */
  async #cast(session: CDPSession): Promise<void> {
    const picture = { format: "jpeg", quality: jpegQuality } as const;
    const size = { maxWidth: pictureSide, maxHeight: pictureSide };
    try {
      await session.send("Page.stopScreencast");
      await session.send("Page.startScreencast", { ...picture, ...size });
      const { data } = await session.send("Page.captureScreenshot", picture);
      if (this.#session !== session) return;
      this.#jpeg = data;
      this.#note();
    } catch {
      // The page closed or is navigating: then it is started again.
    }
  }

  #note(): void {
    this.#version++;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  /**
   * A browser has one clipboard for everything that runs in it, other operators' sign-ins too. So no key that would use it reaches the
   * browser: what is copied here can be pasted here, and nowhere else.
   */
  async #useClipboard(page: Page, use: ClipboardUse): Promise<void> {
    if (use === "paste") return this.#copied === "" ? undefined : page.keyboard.insertText(this.#copied);
    const selected = await selectionOf(page);
    if (selected === "") return;
    this.#copied = selected.slice(0, copiedCharsMax);
    if (use === "cut") await page.keyboard.press("Backspace");
  }

  async #apply(event: SignInEvent): Promise<void> {
    // A page that has closed, or never was, is not shown instead of the one that is.
    if (event.type === "show") return this.#pages.has(event.pageId) ? this.#show(event.pageId) : undefined;
    const page = this.#shown?.page;
    if (page === undefined) return;
    if (event.type === "text") return page.keyboard.insertText(event.text);
    if (event.type === "key") {
      const use = clipboardUse(event);
      if (use !== null) return this.#useClipboard(page, use);
      const modifiers = [...(event.control ? ["Control"] : []), ...(event.shift ? ["Shift"] : [])];
      return page.keyboard.press([...modifiers, event.key].join("+"));
    }
    await page.mouse.move(event.x, event.y);
    if (event.type === "press") await page.mouse.down({ clickCount: event.clicks });
    if (event.type === "release") await page.mouse.up({ clickCount: event.clicks });
    if (event.type === "wheel") await page.mouse.wheel(event.deltaX, event.deltaY);
  }
}

type ClipboardUse = "copy" | "cut" | "paste";

/** What a key does with the clipboard; null: nothing. */
function clipboardUse({ key, control, shift }: Extract<SignInEvent, { type: "key" }>): ClipboardUse | null {
  if (control) return ({ c: "copy", x: "cut", v: "paste" } as const)[key] ?? null;
  return shift && key === "Delete" ? "cut" : null;
}

/** The selected text of the frame that has the focus. As in a browser, a password is not copied. */
async function selectionOf(page: Page): Promise<string> {
  for (const frame of page.frames()) {
    const selected = await frame.evaluate<string | null>(`(() => {
      const field = document.activeElement;
      if (!document.hasFocus() || field?.tagName === "IFRAME") return null;
      if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)
        return field.type === "password" ? "" : field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
      return String(getSelection());
    })()`);
    if (typeof selected === "string") return selected;
  }
  return "";
}

/** A query often contains a secret of the sign-in. */
function shownAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null) return "";
  return (url.origin === "null" ? url.protocol : `${url.origin}${url.pathname}`).slice(0, addressCharsMax);
}
