import type { CallOptions, Transport } from "./transport.ts";
import type {
  ConnectionAnswer,
  ConnectionDecision,
  ConnectionList,
  ConnectionRecord,
  ConnectionRequest,
  CreatedInvitation,
  InvitationList,
  InvitationRecord,
  InvitationRequest,
  LinkAcceptance,
  LoginList,
  LoginRecord,
  LoginState,
  MemberList,
  MemberRecord,
  NewPasskey,
  NewSecondFactor,
  OneTimeLinkState,
  PasskeyAnswer,
  PasskeyList,
  PasskeyOptions,
  PasskeyRecord,
  PasskeyReset,
  PasskeyStart,
  PasswordChange,
  ProviderAddress,
  ProviderSignOut,
  RecoveryCodes,
  SecondFactorRemoval,
  SecondFactorRule,
  SignInWays,
  SignInWithPassword,
} from "./wire.ts";

/** The members of the account and its invitations. */
export class People {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async members(options: CallOptions = {}): Promise<MemberRecord[]> {
    const call = { ...options, method: "GET", path: "/v1/members", repeat: "always" } as const;
    return (await this.#transport.json<MemberList>(call)).body.members;
  }

  /** Changes a role and, unless they are left out, the projects to which the member is limited. Ends the member's logins. */
  async setRole(
    memberId: string,
    role: MemberRecord["role"],
    { projects, ...options }: CallOptions & { readonly projects?: readonly string[] | null | undefined } = {},
  ): Promise<MemberRecord> {
    const body = JSON.stringify({ role, projects });
    const call = { ...options, method: "PUT", path: member(memberId), body, repeat: "always" } as const;
    return (await this.#transport.json<MemberRecord>(call)).body;
  }

  /** Removes a member, with immediate effect. */
  async remove(memberId: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ ...options, method: "DELETE", path: member(memberId), repeat: "always" });
  }

  async loginsOf(memberId: string, options: CallOptions = {}): Promise<LoginRecord[]> {
    const call = { ...options, method: "GET", path: `${member(memberId)}/logins`, repeat: "always" } as const;
    return (await this.#transport.json<LoginList>(call)).body.logins;
  }

  /** Lists the assistants that members have connected. */
  async connections(options: CallOptions = {}): Promise<ConnectionRecord[]> {
    const call = { ...options, method: "GET", path: "/v1/connections", repeat: "always" } as const;
    return (await this.#transport.json<ConnectionList>(call)).body.connections;
  }

  /** Ends the connection of an assistant, with immediate effect. */
  async endConnection(connectionId: string, options: CallOptions = {}): Promise<void> {
    const path = `/v1${connection(connectionId)}`;
    await this.#transport.empty({ ...options, method: "DELETE", path, repeat: "always" });
  }

  /** Ends a member's logins for the account, with immediate effect. */
  async endLoginsOf(memberId: string, options: CallOptions = {}): Promise<void> {
    const path = `${member(memberId)}/logins`;
    await this.#transport.empty({ ...options, method: "DELETE", path, repeat: "always" });
  }

  /** Removes the second factor of a member who has lost it. */
  async resetSecondFactor(memberId: string, options: CallOptions = {}): Promise<void> {
    const path = `${member(memberId)}/second-factor`;
    await this.#transport.empty({ ...options, method: "DELETE", path, repeat: "always" });
  }

  /** Removes the passkeys of a member who has lost them. Returns a link for a member without another way to sign in, else null. */
  async resetPasskeys(memberId: string, options: CallOptions = {}): Promise<string | null> {
    const call = { ...options, method: "DELETE", path: `${member(memberId)}/passkeys`, repeat: "refused" } as const;
    return (await this.#transport.json<PasskeyReset>(call)).body.link;
  }

  /** Whether members need a second factor. */
  async secondFactorRule(options: CallOptions = {}): Promise<SecondFactorRule> {
    const call = { ...options, method: "GET", path: "/v1/account/second-factor", repeat: "always" } as const;
    return (await this.#transport.json<SecondFactorRule>(call)).body;
  }

  /** Requires a second factor of members, or no longer. */
  async requireSecondFactor(required: boolean, options: CallOptions = {}): Promise<SecondFactorRule> {
    const body = JSON.stringify({ required });
    const call = { ...options, method: "PUT", path: "/v1/account/second-factor", body, repeat: "always" } as const;
    return (await this.#transport.json<SecondFactorRule>(call)).body;
  }

  async invitations(options: CallOptions = {}): Promise<InvitationRecord[]> {
    return (await this.invitationList(options)).invitations;
  }

  /** The invitations, and whether they can be mailed. */
  async invitationList(options: CallOptions = {}): Promise<InvitationList> {
    const call = { ...options, method: "GET", path: "/v1/invitations", repeat: "always" } as const;
    return (await this.#transport.json<InvitationList>(call)).body;
  }

  /** Invites a person. The link cannot be read again later. With `mail`, it is also mailed, at most once. */
  async invite(request: InvitationRequest, options: CallOptions = {}): Promise<CreatedInvitation> {
    const body = JSON.stringify(request);
    const call = { ...options, method: "POST", path: "/v1/invitations", body, repeat: "refused" } as const;
    return (await this.#transport.json<CreatedInvitation>(call)).body;
  }

  async withdraw(invitationId: string, options: CallOptions = {}): Promise<void> {
    const path = `/v1/invitations/${encodeURIComponent(invitationId)}`;
    await this.#transport.empty({ ...options, method: "DELETE", path, repeat: "always" });
  }
}

const member = (memberId: string) => `/v1/members/${encodeURIComponent(memberId)}`;

const passkey = (passkeyId: string) => `/v1/login/passkeys/${encodeURIComponent(passkeyId)}`;

const provider = (providerId: string) => `/v1/login/providers/${encodeURIComponent(providerId)}`;

const connection = (connectionId: string) => `/connections/${encodeURIComponent(connectionId)}`;

/** Signing in as a person, for pages of the service in a browser: the login is a cookie, which `fetch` has to send. */
export class Login {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns who is signed in. */
  async get(options: CallOptions = {}): Promise<LoginState> {
    const call = { ...options, method: "GET", path: "/v1/login", repeat: "always" } as const;
    return (await this.#transport.json<LoginState>(call)).body;
  }

  async signIn(request: SignInWithPassword, options: CallOptions = {}): Promise<LoginState> {
    const body = JSON.stringify(request);
    const call = { ...options, method: "POST", path: "/v1/login", body, repeat: "refused" } as const;
    return (await this.#transport.json<LoginState>(call)).body;
  }

  async signOut(options: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ ...options, method: "DELETE", path: "/v1/login", repeat: "always" });
  }

  /** Goes to another account of the person. */
  async goTo(accountId: string, options: CallOptions = {}): Promise<LoginState> {
    const body = JSON.stringify({ accountId });
    const call = { ...options, method: "PUT", path: "/v1/login/account", body, repeat: "always" } as const;
    return (await this.#transport.json<LoginState>(call)).body;
  }

  /** Lists the ways to sign in. */
  async ways(options: CallOptions = {}): Promise<SignInWays> {
    const call = { ...options, method: "GET", path: "/v1/sign-in", repeat: "always" } as const;
    return (await this.#transport.json<SignInWays>(call)).body;
  }

  /** Begins to sign in at an identity provider; returns the address to which the browser goes. */
  async beginAt(providerId: string, link: string | null, options: CallOptions = {}): Promise<string> {
    const body = JSON.stringify(link === null ? {} : { link });
    const path = `${provider(providerId)}/attempts`;
    const call = { ...options, method: "POST", path, body, repeat: "refused" } as const;
    return (await this.#transport.json<ProviderAddress>(call)).body.address;
  }

  /** Signs in with the answer of an identity provider: the query with which it has sent the browser back. */
  async signInAt(providerId: string, response: string, options: CallOptions = {}): Promise<LoginState> {
    const body = JSON.stringify({ response });
    const call = { ...options, method: "POST", path: provider(providerId), body, repeat: "refused" } as const;
    return (await this.#transport.json<LoginState>(call)).body;
  }

  /** Signs in whom the proxy in front of the service states. With the token of an invitation, the sign-in accepts it. */
  async signInByProxy(link: string | null, options: CallOptions = {}): Promise<LoginState> {
    const body = JSON.stringify(link === null ? {} : { link });
    const call = { ...options, method: "POST", path: "/v1/login/proxy", body, repeat: "refused" } as const;
    return (await this.#transport.json<LoginState>(call)).body;
  }

  /** Begins to sign in with a passkey; returns what the browser is asked for. With the token of an invitation, the sign-in accepts it. */
  async beginPasskeySignIn(link: string | null, options: CallOptions = {}): Promise<PasskeyOptions["options"]> {
    const body = JSON.stringify(link === null ? {} : { link });
    const call = { ...options, method: "POST", path: "/v1/login/passkey/attempts", body, repeat: "refused" } as const;
    return (await this.#transport.json<PasskeyOptions>(call)).body.options;
  }

  async signInWithPasskey(answer: PasskeyAnswer, options: CallOptions = {}): Promise<LoginState> {
    const body = JSON.stringify(answer);
    const call = { ...options, method: "POST", path: "/v1/login/passkey", body, repeat: "refused" } as const;
    return (await this.#transport.json<LoginState>(call)).body;
  }

  /** Lists the passkeys of the person. */
  async passkeys(options: CallOptions = {}): Promise<PasskeyRecord[]> {
    const call = { ...options, method: "GET", path: "/v1/login/passkeys", repeat: "always" } as const;
    return (await this.#transport.json<PasskeyList>(call)).body.passkeys;
  }

  /** Begins to add a passkey; returns what the browser is asked for. */
  async beginPasskey(request: PasskeyStart, options: CallOptions = {}): Promise<PasskeyOptions["options"]> {
    const body = JSON.stringify(request);
    const call = { ...options, method: "POST", path: "/v1/login/passkeys/attempts", body, repeat: "refused" } as const;
    return (await this.#transport.json<PasskeyOptions>(call)).body.options;
  }

  async addPasskey(made: NewPasskey, options: CallOptions = {}): Promise<PasskeyRecord> {
    const body = JSON.stringify(made);
    const call = { ...options, method: "POST", path: "/v1/login/passkeys", body, repeat: "refused" } as const;
    return (await this.#transport.json<PasskeyRecord>(call)).body;
  }

  async renamePasskey(passkeyId: string, name: string, options: CallOptions = {}): Promise<PasskeyRecord> {
    const body = JSON.stringify({ name });
    const call = { ...options, method: "PUT", path: passkey(passkeyId), body, repeat: "always" } as const;
    return (await this.#transport.json<PasskeyRecord>(call)).body;
  }

  async removePasskey(passkeyId: string, request: PasskeyStart, options: CallOptions = {}): Promise<void> {
    const body = JSON.stringify(request);
    const path = `${passkey(passkeyId)}/removal`;
    await this.#transport.empty({ ...options, method: "POST", path, body, repeat: "refused" });
  }

  /** Signs out; returns where the browser ends the session at the identity provider, too, or null. */
  async signOutAtProvider(options: CallOptions = {}): Promise<string | null> {
    const call = { ...options, method: "POST", path: "/v1/login/sign-out", repeat: "refused" } as const;
    return (await this.#transport.json<ProviderSignOut>(call)).body.address;
  }

  async setPassword(request: PasswordChange, options: CallOptions = {}): Promise<void> {
    const body = JSON.stringify(request);
    await this.#transport.empty({ ...options, method: "PUT", path: "/v1/login/password", body, repeat: "refused" });
  }

  /** Makes a secret for an authenticator app. It counts once a code of it was entered. */
  async beginSecondFactor(password: string, options: CallOptions = {}): Promise<NewSecondFactor> {
    const body = JSON.stringify({ password });
    const call = { ...options, method: "POST", path: "/v1/login/second-factor", body, repeat: "refused" } as const;
    return (await this.#transport.json<NewSecondFactor>(call)).body;
  }

  /** Adds the second factor; returns the recovery codes, which cannot be read again. */
  async confirmSecondFactor(code: string, options: CallOptions = {}): Promise<string[]> {
    const body = JSON.stringify({ code });
    const call = { ...options, method: "PUT", path: "/v1/login/second-factor", body, repeat: "refused" } as const;
    return (await this.#transport.json<RecoveryCodes>(call)).body.recoveryCodes;
  }

  async removeSecondFactor(request: SecondFactorRemoval, options: CallOptions = {}): Promise<void> {
    const body = JSON.stringify(request);
    const path = "/v1/login/second-factor/removal";
    await this.#transport.empty({ ...options, method: "POST", path, body, repeat: "refused" });
  }

  /** Lists the browsers in which the person is signed in. */
  async list(options: CallOptions = {}): Promise<LoginRecord[]> {
    const call = { ...options, method: "GET", path: "/v1/logins", repeat: "always" } as const;
    return (await this.#transport.json<LoginList>(call)).body.logins;
  }

  async end(loginId: string, options: CallOptions = {}): Promise<void> {
    const path = `/v1/logins/${encodeURIComponent(loginId)}`;
    await this.#transport.empty({ ...options, method: "DELETE", path, repeat: "always" });
  }

  /** Ends all logins but the one of this request. */
  async endOthers(options: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ ...options, method: "DELETE", path: "/v1/logins", repeat: "always" });
  }

  /** Returns the request of an assistant that was begun in this browser last. */
  async connectionRequest(options: CallOptions = {}): Promise<ConnectionRequest> {
    const call = { ...options, method: "GET", path: "/v1/connection-request", repeat: "always" } as const;
    return (await this.#transport.json<ConnectionRequest>(call)).body;
  }

  /** Connects the assistant or, without scopes, refuses it; returns the address to which the browser goes. */
  async decideConnection(decision: ConnectionDecision, options: CallOptions = {}): Promise<string> {
    const body = JSON.stringify(decision);
    const path = "/v1/connection-request/decision";
    const call = { ...options, method: "POST", path, body, repeat: "refused" } as const;
    return (await this.#transport.json<ConnectionAnswer>(call)).body.address;
  }

  /** Lists the assistants that the person has connected. */
  async connections(options: CallOptions = {}): Promise<ConnectionRecord[]> {
    const call = { ...options, method: "GET", path: "/v1/login/connections", repeat: "always" } as const;
    return (await this.#transport.json<ConnectionList>(call)).body.connections;
  }

  async endConnection(connectionId: string, options: CallOptions = {}): Promise<void> {
    const path = `/v1/login${connection(connectionId)}`;
    await this.#transport.empty({ ...options, method: "DELETE", path, repeat: "always" });
  }

  /** Returns what a one-time link is for. */
  async readLink(token: string, options: CallOptions = {}): Promise<OneTimeLinkState> {
    const body = JSON.stringify({ token });
    const call = { ...options, method: "POST", path: "/v1/links/reading", body, repeat: "always" } as const;
    return (await this.#transport.json<OneTimeLinkState>(call)).body;
  }

  /** Begins to use a one-time link with a new passkey; returns what the browser is asked for. */
  async beginPasskeyOfLink(
    request: { token: string; email?: string | null; name?: string | null },
    options: CallOptions = {},
  ): Promise<PasskeyOptions["options"]> {
    const body = JSON.stringify(request);
    const call = { ...options, method: "POST", path: "/v1/links/passkey", body, repeat: "refused" } as const;
    return (await this.#transport.json<PasskeyOptions>(call)).body.options;
  }

  /** Uses a one-time link, and signs in. */
  async acceptLink(request: LinkAcceptance, options: CallOptions = {}): Promise<LoginState> {
    const body = JSON.stringify(request);
    const call = { ...options, method: "POST", path: "/v1/links/acceptance", body, repeat: "refused" } as const;
    return (await this.#transport.json<LoginState>(call)).body;
  }
}
