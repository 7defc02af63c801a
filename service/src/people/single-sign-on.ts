/**
 * Signing in at an identity provider, or by a proxy that has signed the person in: who a person is by its word, and of which accounts they
 * become a member by it.
 */
import { createHash, createHmac } from "node:crypto";
import { memberRoles, type MemberRole, type SignInWays } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import type { Caller, Peer } from "../api/route.ts";
import type { Database, Queryable, Transaction } from "../db/index.ts";
import { noteAudit } from "../runtime/audited.ts";
import { listProjects } from "../projects/index.ts";
import type { MasterKey } from "../vault/index.ts";
import {
  ProviderAway,
  ProviderRefused,
  type AttemptSecrets,
  type Identity,
  type IdentityProvider,
  type IdentitySource,
} from "./identity-provider.ts";
import { findLink, useUp } from "./link.ts";
import { beginLogin, endLogins, newSecret, proxyId, secretHash, type LoginLimits, type NewLogin } from "./login.ts";
import {
  accountOf,
  addMember,
  createPerson,
  isSameLimit,
  findPerson,
  readEmail,
  removeMember,
  setRole,
  type Email,
} from "./person.ts";
import type { RecordEntry, Refusals, RefusedSignIn } from "./refusals.ts";
import type { Requested } from "./sign-in.ts";
import type { SignInProxy } from "./sign-in-proxy.ts";

/** What a log of the service says of a sign-in that came to nothing. */
export interface ProviderEvent {
  readonly event: "sign_in.refused" | "sign_in.provider_away" | "sign_in.header_ignored";
  readonly provider: string;
  readonly why: string;
}

export interface SingleSignOnDeps {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly limits: LoginLimits;
  readonly providers: readonly IdentityProvider[];
  /** The proxy in front of the service that signs people in; null if there is none. */
  readonly proxy: SignInProxy | null;
  /** The address at which the service is reached; null if this process does not know it. */
  readonly publicBase: () => string | null;
  readonly record: RecordEntry;
  readonly refusals: Refusals;
  readonly onEvent: (event: ProviderEvent) => void;
}

/** What the person is told, and in short why, for the logs. */
class SignInRefused extends ProblemError {
  readonly why: string;
  constructor(detail: string, why: string) {
    super("sign_in_refused", detail);
    this.why = why.slice(0, reasonLengthMax);
  }
}

const reasonLengthMax = 200;
const attemptMinutes = 10;

/** Where providers send browsers back to. One for each, so that the answer of one is never taken for that of another. */
export const redirectAddress = (base: string, providerId: string) => `${base}/console/sign-in/${providerId}`;
/** Where providers send browsers back to after a sign-out. */
export const signedOutAddress = (base: string) => `${base}/console`;

const idTokenName = "id token";

/** Whoever states identities: an identity provider or the proxy. */
interface Stating {
  readonly settings: IdentitySource;
}

export class SingleSignOn {
  readonly #deps: SingleSignOnDeps;
  #hasToldIgnored = false;
  constructor(deps: SingleSignOnDeps) {
    this.#deps = deps;
  }

  get providers(): SignInWays["providers"] {
    return this.#deps.providers.map(({ settings: { id, name } }) => ({ providerId: id, name }));
  }

  /** Whether people sign in here by the word of somebody else. */
  get isOn(): boolean {
    return this.#deps.providers.length > 0 || this.#deps.proxy !== null;
  }

  /** The proxy by way of which a request came, if it states somebody; null otherwise. */
  proxyOf(peer: Peer): SignInWays["proxy"] {
    const { proxy } = this.#deps;
    return proxy?.states(peer) === true ? { name: proxy.settings.name } : null;
  }

  /** Begins a sign-in in a browser. `host` is where the browser is, which has to be where the provider sends it back to. */
  async begin(
    providerId: string,
    { link, host }: { readonly link: string | null; readonly host: string },
  ): Promise<{ address: string; attempt: { secret: string; expiresAt: Date } }> {
    const provider = this.#providerOf(providerId);
    const base = this.#base();
    if (new URL(base).host !== host)
      throw new ProblemError(
        "state_conflict",
        `${provider.settings.name} sends browsers back to ${base}/console. Open the console there, and sign in again.`,
      );
    await this.#requireInvitation(link);
    const secret = newSecret();
    const address = await this.#asked(provider, () =>
      provider.authorizationAddress(secretsOf(secret), redirectAddress(base, providerId)),
    );
    const { rows } = await this.#deps.database.query<{ expires_at: Date }>(
      `insert into provider_attempts (sha256, provider, link_sha256, expires_at)
       values ($1, $2, $3, now() + $4 * interval '1 minute') returning expires_at`,
      [secretHash(secret), providerId, link === null ? null : secretHash(link), attemptMinutes],
    );
    return { address, attempt: { secret, expiresAt: rows[0]?.expires_at ?? new Date() } };
  }

  /** Completes what the same browser began, once. */
  async complete(
    providerId: string,
    input: { readonly secret: string | null; readonly response: string },
    requested: Requested,
  ): Promise<NewLogin> {
    const provider = this.#providerOf(providerId);
    return this.#noting(provider, requested, () => this.#complete(provider, input, requested));
  }

  /** Signs in whom the proxy states in this request. */
  async signInByProxy(peer: Peer, { link }: { readonly link: string | null }, requested: Requested): Promise<NewLogin> {
    const { proxy } = this.#deps;
    if (proxy === null) throw new ProblemError("not_found", "No proxy signs people in here.");
    const { name } = proxy.settings;
    return this.#noting(proxy, requested, async () => {
      const statement = await this.#asked(proxy, () => proxy.read(peer));
      if (statement.by === "another") {
        if (statement.hasHeader) this.#tellIgnored(peer);
        throw this.#refusal(
          proxy,
          `This request did not come by way of ${name}. Open the console at the address where ${name} signs you in.`,
          "another address",
        );
      }
      if (statement.identity === null)
        throw this.#refusal(proxy, `${name} does not say who you are. Sign in there first.`, "nobody stated");
      await this.#requireInvitation(link);
      return this.#signIn(proxy, statement.identity, link === null ? null : secretHash(link), requested);
    });
  }

  /**
   * Refuses a login that the proxy began in a request for which it does not state the same person. A login that such a request has by way
   * of the proxy ends; one that goes around the proxy is only refused, so that nobody ends it from there.
   */
  async requireStated(
    { person, accountId }: Caller,
    { peer, address, requestId }: { readonly peer: Peer; readonly address: string; readonly requestId: string },
  ): Promise<void> {
    const statedAs = person?.statedAs;
    if (person === null || statedAs === undefined) return;
    const { proxy, database, record } = this.#deps;
    const source = proxy ?? removedProxy;
    const why = proxy === null ? "no proxy" : await this.#whyNotStated(proxy, peer, statedAs);
    if (why === null) return;
    const { personId, loginId } = person;
    if (why !== "no proxy" && why !== "another address")
      await database.transaction(async (tx) => {
        if ((await endLogins(tx, { personId, loginId })) === 0) return;
        await record(tx, {
          accountId,
          operation: "endProviderLogins",
          actor: { kind: "system", id: null, name: source.settings.name },
          target: { type: "login", id: loginId },
          after: { provider: source.settings.id, personId, reason: why },
          address,
          requestId,
        });
      });
    throw new ProblemError(
      "unauthorized",
      `${source.settings.name} does not say of this request that it is yours. Open the console again at the address where ${source.settings.name} signs you in.`,
    );
  }

  async #whyNotStated(
    proxy: SignInProxy,
    peer: Peer,
    { issuer, subject }: { readonly issuer: string; readonly subject: string },
  ): Promise<string | null> {
    try {
      const statement = await this.#asked(proxy, () => proxy.read(peer));
      if (statement.by === "another") return "another address";
      if (statement.identity === null) return "nobody stated";
      const isSame = statement.identity.issuer === issuer && statement.identity.subject === subject;
      return isSame ? null : "another person";
    } catch (error) {
      if (error instanceof SignInRefused) return error.why;
      throw error;
    }
  }

  /** Once for each start: whoever sends such headers could fill the log. */
  #tellIgnored({ address }: Peer): void {
    if (this.#hasToldIgnored) return;
    this.#hasToldIgnored = true;
    this.#deps.onEvent({
      event: "sign_in.header_ignored",
      provider: proxyId,
      why: `A request from ${address ?? "no address"} had a header of the proxy. \`addresses\` does not have this address, so the header was ignored. Further ones are not logged.`,
    });
  }

  async #noting(source: Stating, { browser, requestId }: Requested, work: () => Promise<NewLogin>): Promise<NewLogin> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SignInRefused)
        this.#deps.refusals.note({
          operation: operationOf(source),
          reason: error.why,
          personId: null,
          provider: source.settings.id,
          address: browser.address,
          requestId,
        });
      throw error;
    }
  }

  async #requireInvitation(link: string | null): Promise<void> {
    if (link !== null && (await findLink(this.#deps.database, link)).purpose !== "invitation")
      throw new ProblemError("state_conflict", "The link is for a new password, and not for joining.");
  }

  async #complete(
    provider: IdentityProvider,
    { secret, response }: { readonly secret: string | null; readonly response: string },
    requested: Requested,
  ): Promise<NewLogin> {
    const { id: providerId } = provider.settings;
    if (secret === null)
      throw this.#refusal(provider, "This browser did not begin the sign-in. Begin it here.", "no attempt");
    // Committed before the provider is asked: of two requests with the same answer, one is heard. Locks: the attempt's row.
    const { rows } = await this.#deps.database.query<{ link_sha256: Buffer | null }>(
      "delete from provider_attempts where sha256 = $1 and provider = $2 and expires_at > now() returning link_sha256",
      [secretHash(secret), providerId],
    );
    const [attempt] = rows;
    if (attempt === undefined)
      throw this.#refusal(provider, "The sign-in was completed or took more than ten minutes. Begin it again.", "used");
    const identity = await this.#asked(provider, () =>
      provider.identify(secretsOf(secret), redirectAddress(this.#base(), providerId), response),
    );
    return this.#signIn(provider, identity, attempt.link_sha256, requested);
  }

  /** Ends a login, and returns where the browser ends the session at the provider; null if there is nothing to end. */
  async signOut(login: { readonly personId: string; readonly loginId: string }): Promise<string | null> {
    const { database, masterKey, providers } = this.#deps;
    const { rows } = await database.query<{ provider: string | null; id_token: Buffer | null }>(
      "select provider, id_token from logins where id = $1",
      [login.loginId],
    );
    await database.transaction((tx) => endLogins(tx, login));
    if (rows[0]?.provider === proxyId) return this.#deps.proxy?.settings.signOutAddress ?? null;
    const provider = providers.find(({ settings }) => settings.id === rows[0]?.provider);
    const base = this.#deps.publicBase();
    if (provider === undefined || base === null) return null;
    try {
      const sealed = rows[0]?.id_token ?? null;
      return await provider.signOutAddress(openToken(masterKey, sealed), signedOutAddress(base));
    } catch (error) {
      // The login has ended; the session at the provider has not.
      this.#deps.onEvent({ event: "sign_in.provider_away", provider: provider.settings.id, why: String(error) });
      return null;
    }
  }

  /** Ends the logins of a session that the provider has ended. */
  async endByProvider(providerId: string, token: string, { requestId, browser }: Requested): Promise<void> {
    const { database, record } = this.#deps;
    const provider = this.#providerOf(providerId);
    const ended = await this.#asked(provider, () => provider.readLogoutToken(token));
    const { issuer, subject, providerSession, tokenId, expiresAt } = ended;
    // Committed before the logins are looked for, so that a sign-in that is under way notices it.
    if (providerSession !== null)
      await database.query(
        `insert into provider_attempts (sha256, provider, expires_at) values ($1, $2, now() + $3 * interval '1 minute')
         on conflict (sha256) do nothing`,
        [overHash(issuer, providerSession), providerId, attemptMinutes],
      );
    await database.transaction(async (tx) => {
      const { rowCount } = await tx.query(
        "insert into provider_attempts (sha256, provider, expires_at) values ($1, $2, $3) on conflict do nothing",
        [createHash("sha256").update(`logout ${issuer} ${tokenId}`).digest(), providerId, expiresAt],
      );
      if (rowCount === 0) return;
      // Locks: the logins' rows. Index: logins_provider. With a session, only its logins end; without one, all of the person.
      const { rows } = await tx.query<{ id: string; person_id: string; account_id: string }>(
        `delete from logins where issuer = $1 and ($2::text is null or subject = $2)
            and ($3::text is null or provider_session = $3) returning id, person_id, account_id`,
        [issuer, subject, providerSession],
      );
      for (const row of rows)
        await record(tx, {
          accountId: row.account_id,
          operation: "endProviderLogins",
          actor: { kind: "system", id: null, name: provider.settings.name },
          target: { type: "login", id: row.id },
          after: { provider: providerId, personId: row.person_id },
          address: browser.address,
          requestId,
        });
    });
  }

  async #signIn(
    provider: Stating,
    identity: Identity,
    linkHash: Buffer | null,
    requested: Requested,
  ): Promise<NewLogin> {
    const { database, limits, masterKey } = this.#deps;
    const { id: providerId, name } = provider.settings;
    const noMember = () =>
      this.#refusal(
        provider,
        `${name} has signed you in, but you are a member of no account here. Ask an owner for an invitation.`,
        "no membership",
      );
    const login = await database.transaction(async (tx) => {
      const personId = await this.#personOf(tx, provider, identity, linkHash);
      const isTakenBack = await this.#applyRules(tx, provider, identity, { personId, requested });
      const accountId = await accountOf(tx, personId);
      if (accountId === null) {
        if (!isTakenBack) throw noMember();
        // What the groups no longer allow has ended, although nobody is signed in.
        noteAudit({ target: { type: "person", id: personId }, after: { provider: providerId, memberships: 0 } });
        return null;
      }
      const begun = await beginLogin(tx, {
        personId,
        accountId,
        ...requested.browser,
        limits,
        way: "provider",
        provider: {
          id: providerId,
          issuer: identity.issuer,
          subject: identity.subject,
          session: identity.providerSession,
          idToken:
            identity.idToken === "" || identity.idToken.length > idTokenLengthMax
              ? null
              : masterKey.seal(identity.idToken, idTokenName),
        },
      });
      noteAudit({
        after: { way: "provider", provider: providerId, ...(linkHash === null ? {} : { invitation: "accepted" }) },
      });
      return { ...begun, personId };
    });
    if (login === null) throw noMember();
    // After the commit: whichever of the sign-in and the end of the provider's session is later sees the other.
    if (await this.#isOver(identity)) {
      await endLogins(database, { personId: login.personId, loginId: login.loginId });
      throw this.#refusal(provider, `${name} has ended the session meanwhile. Sign in again.`, "session ended");
    }
    return login;
  }

  /** The person whom the provider means: known by the identity, else by an e-mail address that the provider may state. */
  async #personOf(tx: Transaction, provider: Stating, identity: Identity, linkHash: Buffer | null): Promise<string> {
    const { issuer, subject } = identity;
    const { name } = provider.settings;
    // Locks: nothing. Index: the primary key.
    const { rows } = await tx.query<{ person_id: string }>(
      "select person_id from person_identities where issuer = $1 and subject = $2",
      [issuer, subject],
    );
    const known = rows[0]?.person_id ?? null;
    const email = identity.email === null ? null : readEmail(identity.email);
    if (known === null) this.#requireBelievable(provider, identity, email);
    const personId = known ?? (email === null ? null : ((await findPerson(tx, { email }))?.personId ?? null));
    const link = linkHash === null ? null : await findLink(tx, linkHash);
    if (link?.state.email !== undefined && link.state.email !== null && readEmail(link.state.email)?.key !== email?.key)
      throw this.#refusal(
        provider,
        `The invitation is for ${link.state.email}, and ${name} has signed in ${email?.text ?? "somebody without an e-mail address"}.`,
        "another invitation",
      );
    const joins = link !== null || this.#rolesOf(provider, identity).size > 0;
    if (personId === null && (email === null || !joins))
      throw this.#refusal(
        provider,
        `${name} has signed you in as ${email?.text ?? "somebody without an e-mail address"}, who is a member of no account here. Ask an owner for an invitation, and open its link.`,
        "no membership",
      );
    const found =
      personId ??
      (email === null ? null : await createPerson(tx, { email, name: nameOf(identity, email), passwordHash: null }));
    if (found === null) throw new ProblemError("state_conflict", "The person joined meanwhile. Sign in again.");
    if (known === null) await this.#link(tx, provider, identity, found);
    if (link !== null && linkHash !== null && link.accountId !== null) {
      await useUp(tx, linkHash);
      await addMember(tx, {
        accountId: link.accountId,
        personId: found,
        role: link.role,
        projects: link.projects,
        operator: link.operator,
      });
    }
    return found;
  }

  /** An identity that is new here: only an address that the provider has verified, of a domain that is the provider's, says who it is. */
  #requireBelievable(provider: Stating, identity: Identity, email: Email | null): void {
    const { name, domains } = provider.settings;
    if (email === null) return;
    if (!identity.emailIsVerified)
      throw this.#refusal(provider, `${name} has not verified the address ${email.text}.`, "address not verified");
    const domain = email.key.slice(email.key.lastIndexOf("@") + 1);
    if (!domains.includes("*") && !domains.includes(domain))
      throw this.#refusal(
        provider,
        `Addresses of ${domain} do not sign in with ${name}. The operator lists the domains that do.`,
        "another domain",
      );
  }

  /** Remembers by which identity the provider knows a person. */
  async #link(tx: Transaction, provider: Stating, identity: Identity, personId: string): Promise<void> {
    const { rowCount } = await tx.query(
      `insert into person_identities (issuer, subject, person_id)
       select $1, $2, $3 where not exists (select from person_identities where issuer = $1 and person_id = $3)
       on conflict do nothing`,
      [identity.issuer, identity.subject, personId],
    );
    // An address that was given to somebody else is not the person to whom it belonged.
    if (rowCount === 0)
      throw this.#refusal(
        provider,
        `The address ${identity.email} belongs to a person who signs in with another account of ${provider.settings.name}. Ask the operator: \`querentd person unlink\`.`,
        "another identity",
      );
  }

  /** By the account's name: the role with the most scopes, in the projects of all rules that give it. */
  #rolesOf({ settings }: Stating, { groups }: Identity): Map<string, NamedMembership> {
    const ranks = Object.keys(memberRoles) as MemberRole[];
    const roles = new Map<string, NamedMembership>();
    for (const { account, group, role, projects } of settings.members) {
      if (group !== null && !groups.includes(group)) continue;
      const former = roles.get(account);
      if (former === undefined || ranks.indexOf(role) < ranks.indexOf(former.role))
        roles.set(account, { role, projects });
      else if (role === former.role) {
        const isWhole = projects === null || former.projects === null;
        roles.set(account, { role, projects: isWhole ? null : [...new Set([...former.projects, ...projects])] });
      }
    }
    return roles;
  }

  /**
   * Gives the memberships that the provider's groups say, and takes those back that they said before. Invited members keep theirs. Returns
   * whether one was taken back.
   */
  async #applyRules(
    tx: Transaction,
    provider: Stating,
    identity: Identity,
    { personId, requested }: { readonly personId: string; readonly requested: Requested },
  ): Promise<boolean> {
    const { id: providerId } = provider.settings;
    const roles = this.#rolesOf(provider, identity);
    // Locks: the person's memberships, so that two sign-ins at once follow one another. Index: members_person.
    const { rows } = await tx.query<{
      id: string;
      account_id: string;
      name: string;
      role: string;
      project_ids: string[] | null;
      provider: string | null;
    }>(
      `select m.id, m.account_id, a.name, m.role, m.project_ids, m.provider from members m join accounts a on a.id = m.account_id
        where m.person_id = $1 order by m.id for update of m`,
      [personId],
    );
    const told = (
      accountId: string,
      before: string | null,
      after: MemberRole | null,
      projects?: readonly string[] | null,
    ) =>
      this.#deps.record(tx, {
        accountId,
        operation: operationOf(provider),
        actor: { kind: "system", id: null, name: provider.settings.name },
        target: { type: "person", id: personId },
        ...(before === null ? {} : { before: { role: before } }),
        after: { role: after, ...(projects ? { projects } : {}), provider: providerId },
        address: requested.browser.address,
        requestId: requested.requestId,
      });
    const { rows: accounts } = await tx.query<{ id: string; name: string }>(
      "select id, name from accounts where name = any($1::text[])",
      [[...roles.keys()]],
    );
    for (const { id: accountId, name } of accounts) {
      const given = roles.get(name);
      const member = rows.find((row) => row.account_id === accountId);
      if (given === undefined || (member !== undefined && member.provider !== providerId)) continue;
      const { role } = given;
      const projects = await projectsNamed(tx, accountId, given.projects);
      if (member?.role === role && isSameLimit(member.project_ids, projects)) continue;
      if (member === undefined)
        await addMember(tx, { accountId, personId, role, projects, operator: false, provider: providerId });
      else if (!(await unlessLastOwner(() => setRole(tx, { accountId, memberId: member.id, role, projects }))))
        continue;
      await told(accountId, member?.role ?? null, role, projects);
    }
    let isTakenBack = false;
    for (const member of rows) {
      if (member.provider !== providerId || roles.has(member.name)) continue;
      const { id: memberId, account_id: accountId } = member;
      if (!(await unlessLastOwner(() => removeMember(tx, { accountId, memberId })))) continue;
      isTakenBack = true;
      await told(accountId, member.role, null);
    }
    return isTakenBack;
  }

  /** Whether the provider has ended the session for which somebody signs in. A session that has ended never comes back. */
  async #isOver({ issuer, providerSession }: Identity): Promise<boolean> {
    if (providerSession === null) return false;
    const { rowCount } = await this.#deps.database.query("select from provider_attempts where sha256 = $1", [
      overHash(issuer, providerSession),
    ]);
    return rowCount !== 0;
  }

  #providerOf(providerId: string): IdentityProvider {
    const provider = this.#deps.providers.find(({ settings }) => settings.id === providerId);
    if (provider === undefined) throw new ProblemError("not_found", "There is no such identity provider.");
    return provider;
  }

  #base(): string {
    const base = this.#deps.publicBase();
    if (base === null) throw new ProblemError("unavailable", "The service does not know its address yet.");
    return base;
  }

  async #asked<Value>(provider: Stating, work: () => Promise<Value>): Promise<Value> {
    const { id, name } = provider.settings;
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProviderRefused)
        throw this.#refusal(provider, `The answer of ${name} was refused: ${error.message}`, error.message);
      if (!(error instanceof ProviderAway)) throw error;
      this.#deps.onEvent({ event: "sign_in.provider_away", provider: id, why: error.message });
      throw new ProblemError(
        "unavailable",
        `${name} does not answer, so nobody was signed in. Who is signed in stays so. Try again in a moment, or sign in another way.`,
        { headers: { "retry-after": "10" }, cause: error },
      );
    }
  }

  #refusal({ settings: { id } }: Stating, detail: string, why: string): SignInRefused {
    this.#deps.onEvent({ event: "sign_in.refused", provider: id, why });
    return new SignInRefused(detail, why);
  }
}

/** Forgets by which identities providers know a person, and ends the logins that they began. Returns how many there were. */
export async function unlink(tx: Transaction, personId: string): Promise<number> {
  noteAudit({ target: { type: "person", id: personId } });
  // Indexes: person_identities_person, logins_person.
  const { rowCount } = await tx.query("delete from person_identities where person_id = $1", [personId]);
  await tx.query("delete from logins where person_id = $1 and way = 'provider'", [personId]);
  return rowCount ?? 0;
}

const operationOf = ({ settings: { id } }: Stating): RefusedSignIn["operation"] =>
  id === proxyId ? "signInByProxy" : "signInWithProvider";

/** Stands for the proxy that began a login, once the operator has taken it out of the file. */
const removedProxy: Stating = { settings: { id: proxyId, name: "A proxy", domains: [], members: [] } };

const overHash = (issuer: string, session: string) => createHash("sha256").update(`over ${issuer} ${session}`).digest();

/** An ID token with many groups can be large. Without it, some providers ask whether to sign out. */
const idTokenLengthMax = 16_384;

/** What the answer of the provider has to fit, derived from one secret, so that the database knows none of it. */
function secretsOf(secret: string): AttemptSecrets {
  const derive = (purpose: string) => createHmac("sha256", secret).update(purpose).digest("base64url");
  return { state: derive("state"), nonce: derive("nonce"), verifier: derive("code verifier") };
}

/** After the master key was replaced, a login's token is of no use; signing out works without it. */
function openToken(masterKey: MasterKey, sealed: Buffer | null): string | null {
  if (sealed === null) return null;
  try {
    return masterKey.open(sealed, idTokenName);
  } catch {
    return null;
  }
}

const nameLengthMax = 100;
const nameOf = ({ name }: Identity, email: Email) => {
  const given = (name ?? "").replace(/\p{Cc}/gu, " ").trim();
  return (given === "" ? email.text : given).slice(0, nameLengthMax);
};

/** False: it was left as it is, because an account keeps its last owner. */
async function unlessLastOwner(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.code === "state_conflict") return false;
    throw error;
  }
}

interface NamedMembership {
  readonly role: MemberRole;
  /** By their names. */
  readonly projects: readonly string[] | null;
}

/** Names that the account does not have are left out: a project that is not there gives access to nothing. */
async function projectsNamed(
  db: Queryable,
  accountId: string,
  names: readonly string[] | null,
): Promise<string[] | null> {
  if (names === null) return null;
  const projects = await listProjects(db, { accountId, projects: null });
  return projects.filter(({ name }) => names.includes(name)).map(({ projectId }) => projectId);
}
