/** Where the console is: the part of the address that belongs to it. What a view shows stands in the address, so it can be shared. */
import { computed, signal } from "@preact/signals";

declare const CONSOLE_BASE: string;
export const base = CONSOLE_BASE;

interface Address {
  /** Below the console's own address: `/tasks/…`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const current = signal<Address>(read());

export const path = computed(() => current.value.path);
export const query = computed(() => current.value.query);

window.addEventListener("popstate", () => (current.value = read()));

function read(): Address {
  const { pathname, search } = window.location;
  return { path: pathname.slice(base.length).replace(/\/+$/, "") || "/", query: new URLSearchParams(search) };
}

/** An address of the console, for links. */
export function to(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") parameters.set(name, value);
  const search = parameters.toString();
  return `${base}${path}${search === "" ? "" : `?${search}`}`;
}

/** Goes to an address made by `to`. Replacing leaves no step to go back to, as while somebody types. */
export function go(address: string, options: { replace?: boolean } = {}): void {
  if (options.replace === true) window.history.replaceState(null, "", address);
  else window.history.pushState(null, "", address);
  current.value = read();
}

/** Links within the console are followed without leaving the page; all others, and those that ask for a new tab, as ever. */
export function followLinks(): void {
  document.addEventListener("click", (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.target !== "" || link.origin !== window.location.origin) return;
    if (link.pathname !== base && !link.pathname.startsWith(`${base}/`)) return;
    if (link.hash !== "" && link.pathname === window.location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
