/** The browser, or the page's process in it, ended while it was at work. Whoever asked did nothing wrong, and may ask again. */
export class BrowserLostError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "BrowserLostError";
  }
}

/** There is no browser to use. The message tells the operator what was looked for, and what to do. */
export class BrowserMissingError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "BrowserMissingError";
  }
}
