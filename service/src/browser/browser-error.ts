/** The browser, or the page's process in it, ended during the work. The caller did nothing wrong, and can retry. */
export class BrowserLostError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "BrowserLostError";
  }
}

/** No browser is available. The message tells the operator where it was searched for, and what to do. */
export class BrowserMissingError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "BrowserMissingError";
  }
}
