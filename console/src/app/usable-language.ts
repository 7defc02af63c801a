/**
 * uPlot formats numbers in the browser's language as soon as it is loaded, and fails where `Intl` refuses that language: on Linux with
 * the locale `C`, Chromium reports `en-US@posix`. Plots are loaded with their views, after this.
 */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en", configurable: true });
}
