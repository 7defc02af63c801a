/**
 * What the console works with: the login of a person, whose cookie the browser keeps out of reach, or an access token, which is in memory
 * alone unless the person asks for more, and never in an address.
 */
import { signal } from "@preact/signals";
import type { LoginState, Scope } from "@querent/client";
import { recall, remember } from "../ui/browser-storage.ts";

export const keeps = ["memory", "tab", "device"] as const;
/** How long the browser keeps the token: until the page is reloaded, until the tab is closed, until the person signs out. */
export type Keep = (typeof keeps)[number];

export interface Session {
  /** Null for the login of a person. */
  readonly token: string | null;
  /** Null for a token. */
  readonly login: LoginState | null;
  /** The account's name; null when the token may not read it. */
  readonly account: string | null;
  /** The token's own id; null when the token may not read it. */
  readonly tokenId: string | null;
  /** What the token or the person may do; null when the token may not read that. */
  readonly scopes: readonly Scope[] | null;
}

const entry = "querent.token";
/** Whether the person who was here last has signed in with a password, or used a token. */
const wayEntry = "querent.sign-in";
export const waysToSignIn = ["password", "token"] as const;
export type WayToSignIn = (typeof waysToSignIn)[number];
/** Whether there may be a login: without it, the service is not asked. */
const loginEntry = "querent.login";

/**
 * Whether the proxy in front of the service may sign the person in without being asked: once for each load of the page, and never after
 * the person has signed out.
 */
let mayAskProxy = true;
export function takeProxyTry(): boolean {
  const may = mayAskProxy;
  mayAskProxy = false;
  return may;
}

export const session = signal<Session | null>(null);
/** Set when the service stopped taking the token. */
export const signedOutByService = signal(false);

/** A token that an earlier visit was asked to keep. */
export function keptToken(): string | null {
  return recall("tab", entry) ?? recall("device", entry);
}

export const lastWay = (): WayToSignIn => (recall("device", wayEntry) === "token" ? "token" : "password");
export const mayHaveLogin = (): boolean => recall("device", loginEntry) !== null;

export function signIn(signedIn: Session, keep: Keep): void {
  forget();
  if (keep !== "memory") remember(keep, entry, signedIn.token);
  remember("device", wayEntry, signedIn.token === null ? "password" : "token");
  remember("device", loginEntry, signedIn.token === null ? "yes" : null);
  signedOutByService.value = false;
  session.value = signedIn;
}

/** What the person or the token may do. A token that may not read its scopes may try everything. */
export const may = (scope: Scope): boolean => session.value?.scopes?.includes(scope) ?? session.value !== null;

/** Resumes with a kept token or login: where it is kept stays as it is. */
export function resume(signedIn: Session): void {
  session.value = signedIn;
}

export function signOut(byService = false): void {
  forget();
  if (!byService) mayAskProxy = false;
  signedOutByService.value = byService;
  session.value = null;
}

function forget(): void {
  remember("device", loginEntry, null);
  remember("tab", entry, null);
  remember("device", entry, null);
}

/** The login in which codes were set up: its page stays until the recovery codes, which are shown once, were seen. */
export const codesOf = signal<string | null>(null);

/** Whether the console shows nothing but the page on which a second factor is set up. */
export const isGated = (login: LoginState): boolean =>
  login.needsSecondFactor || (login.secondFactor && codesOf.value === login.loginId);
