/** How long an app may take to come to the front. A browser allows a new window for some five seconds after a click. */
const appearsMs = 1500;

/** Opens an app by its deep link. No browser says whether one came; when this page is still in front after a while, none did. */
export function openApp(deepLink: string, fallback: string | null): void {
  const noticed = new AbortController();
  const timer = window.setTimeout(() => {
    noticed.abort();
    if (fallback !== null && document.hasFocus()) window.open(fallback, "_blank", "noopener,noreferrer");
  }, appearsMs);
  window.addEventListener(
    "blur",
    () => {
      noticed.abort();
      window.clearTimeout(timer);
    },
    { signal: noticed.signal },
  );
  window.location.assign(deepLink);
}
