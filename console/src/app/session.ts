/** The access token that the console works with. It is in memory alone unless the person asks for more, and never in an address. */
import { signal } from "@preact/signals";
import type { Scope } from "@querent/client";
import { recall, remember } from "../ui/browser-storage.ts";

export const keeps = ["memory", "tab", "device"] as const;
/** How long the browser keeps the token: until the page is reloaded, until the tab is closed, until the person signs out. */
export type Keep = (typeof keeps)[number];

export interface Session {
  readonly token: string;
  /** The account's name; null when the token may not read it. */
  readonly account: string | null;
  /** The token's own id; null when the token may not read it. */
  readonly tokenId: string | null;
  /** What the token may do; null when the token may not read that. */
  readonly scopes: readonly Scope[] | null;
}

const entry = "querent.token";

export const session = signal<Session | null>(null);
/** Set when the service stopped taking the token. */
export const signedOutByService = signal(false);

/** A token that an earlier visit was asked to keep. */
export function keptToken(): string | null {
  return recall("tab", entry) ?? recall("device", entry);
}

export function signIn(signedIn: Session, keep: Keep): void {
  forget();
  if (keep !== "memory") remember(keep, entry, signedIn.token);
  signedOutByService.value = false;
  session.value = signedIn;
}

/** Resumes with a kept token: where it is kept stays as it is. */
export function resume(signedIn: Session): void {
  session.value = signedIn;
}

export function signOut(byService = false): void {
  forget();
  signedOutByService.value = byService;
  session.value = null;
}

function forget(): void {
  remember("tab", entry, null);
  remember("device", entry, null);
}
