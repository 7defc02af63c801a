/**
 * Replaces a language of the browser that `Intl` refuses: on Linux with the locale `C`, Chromium reports `en-US@posix`. uPlot formats
 * numbers in the browser's language as soon as it is loaded, with the first view that has a plot, and would fail.
 */
export function ensureUsableLanguage(): void {
  try {
    new Intl.NumberFormat(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en", configurable: true });
  }
}
