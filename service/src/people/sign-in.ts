/** Signing in: with a password, with a passkey, or with a link that works once. */
import type {
  LinkAcceptance,
  NewPasskey,
  PasskeyAnswer,
  PasskeyJoinStart,
  PasskeyRecord,
  PasswordChange,
  SignInWithPassword,
} from "@querent/contract";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Database, Transaction } from "../db/index.ts";
import { ProblemError } from "../api/problem-error.ts";
import { newId } from "../kernel/ids.ts";
import { noteAudit } from "../runtime/audited.ts";
import { findLink, useUp, type Link } from "./link.ts";
import type { MasterKey } from "../vault/index.ts";
import { readFactor, useCode, wrongCode, type SecondFactor } from "./second-factor.ts";
import type { Refusals, RefusedSignIn } from "./refusals.ts";
import {
  beginLogin,
  endLogins,
  isFresh,
  requireShownFactor,
  secretHash,
  type LoginLimits,
  type NewLogin,
} from "./login.ts";
import { hashPassword, isPassword, requireGoodPassword } from "../api/password.ts";
import {
  askForAny,
  askForNew,
  findPasskey,
  hasWay,
  insertPasskey,
  noteAnswer,
  PasskeyRefused,
  requirePlace,
  takeAttempt,
  verifyAnswer,
  verifyNew,
  type NewAttempt,
  type PasskeyPlace,
  type VerifiedPasskey,
} from "./passkey.ts";
import {
  accountOf,
  addMember,
  createPerson,
  findPerson,
  invalid,
  readEmail,
  requireEmail,
  requireName,
  type Email,
  type Person,
} from "./person.ts";

/** The browser that asks. */
export interface Browser {
  readonly address: string;
  readonly userAgent: string | null;
}

/** The browser that asks, and the request. */
export interface Requested {
  readonly requestId: string;
  readonly browser: Browser;
}

/** The browser that asks for a passkey: where it is, and the secret of what it has begun. */
export interface AtPlace extends Requested {
  readonly host: string;
  readonly attempt: string | null;
}

/** A person's password with a code, or nothing of a person who has signed in a short time ago. */
interface Confirmation {
  readonly password?: string | null | undefined;
  readonly code?: string | null | undefined;
}

interface Own {
  readonly personId: string;
  readonly loginId: string;
}

interface Asked {
  readonly options: object;
  readonly attempt: NewAttempt;
}

/** How often a password is tried for one e-mail address, by whomever. */
const tries = { points: 10, duration: 15 * 60 };

/** The same whether the person does not exist, has another password or no password, or is a member of no account. */
const refused = () => new ProblemError("sign_in_refused", "The e-mail address or the password is wrong.");

/** The same whether the passkey is unknown, its answer is wrong, or the person is a member of no account. */
const passkeyRefused = () =>
  new ProblemError(
    "passkey_refused",
    "This passkey is not known here, or its answer could not be verified. Try again, or sign in in another way.",
  );

const fresh = () =>
  new ProblemError(
    "fresh_sign_in_required",
    "Ways to sign in are changed with the password, or within ten minutes after signing in. Enter the password, or sign in again.",
  );

/** Signs people in, and counts how often passwords are tried in this process. */
export class SignInDesk {
  readonly #database: Database;
  readonly #limits: LoginLimits;
  readonly #masterKey: MasterKey;
  readonly #refusals: Refusals;
  readonly #publicUrl: string | null;
  readonly #tries = new RateLimiterMemory(tries);

  constructor({
    database,
    masterKey,
    limits,
    refusals,
    publicUrl,
  }: {
    readonly database: Database;
    readonly masterKey: MasterKey;
    readonly limits: LoginLimits;
    readonly refusals: Refusals;
    readonly publicUrl: string | null;
  }) {
    this.#database = database;
    this.#masterKey = masterKey;
    this.#limits = limits;
    this.#refusals = refusals;
    this.#publicUrl = publicUrl;
  }

  async withPassword({ email: text, password, code }: SignInWithPassword, requested: Requested): Promise<NewLogin> {
    const { browser } = requested;
    const email = readEmail(text);
    const person = email === null ? null : await findPerson(this.#database, { email });
    const note = this.#noting("signIn", person, requested);
    const given = { password, code: code ?? null };
    const factor = await this.#requirePassword(email ?? { text, key: text.toLowerCase() }, person, given, note);
    if (person === null) throw refused();
    const accountId = await accountOf(this.#database, person.personId);
    if (accountId === null) {
      note("no membership");
      throw refused();
    }
    return this.#database.transaction(async (tx) => {
      const { personId } = person;
      const login = await beginLogin(tx, { personId, accountId, ...browser, limits: this.#limits, way: "password" });
      if (factor !== null) noteAudit({ after: { way: "password", secondFactor: factor } });
      return login;
    });
  }

  /** Asks the browser for a passkey. With the token of an invitation, the sign-in accepts it. */
  async beginPasskey(link: string | null, host: string): Promise<Asked> {
    const place = requirePlace(this.#publicUrl, host);
    if (link !== null && (await findLink(this.#database, link)).purpose !== "invitation")
      throw new ProblemError("state_conflict", "The link is for a new password, and not for joining.");
    return askForAny(this.#database, place, link === null ? null : secretHash(link));
  }

  async withPasskey(answer: PasskeyAnswer, requested: AtPlace): Promise<NewLogin> {
    const place = requirePlace(this.#publicUrl, requested.host);
    // Whoever has a passkey is known by it alone: the tries are those of the passkey, whether it is known or not.
    const tries = `passkey ${answer.credentialId}`;
    const passkey = await findPasskey(this.#database, place.rpId, answer.credentialId);
    const note = this.#noting("signInWithPasskey", passkey, requested);
    await this.#consumeTry(tries, note);
    const attempt = await takeAttempt(this.#database, "sign in", requested.attempt);
    const refuse = (reason: string) => {
      note(reason);
      return passkeyRefused();
    };
    if (attempt === null) throw refuse("no attempt");
    if (passkey === null) throw refuse("unknown passkey");
    const verified = await verifyAnswer(place, attempt.challenge, passkey, answer).catch((error: unknown) => {
      throw error instanceof PasskeyRefused ? refuse(error.message) : error;
    });
    const { personId, passkeyId } = passkey;
    const login = await this.#database.transaction(async (tx) => {
      const noted = await noteAnswer(tx, passkey, verified);
      if (noted !== "noted") return noted;
      const joined = attempt.linkHash === null ? null : await this.#joinBy(tx, attempt.linkHash, personId);
      const accountId = joined ?? (await accountOf(tx, personId));
      if (accountId === null) return "no membership";
      const begun = await beginLogin(tx, {
        ...{ personId, accountId, passkeyId },
        ...requested.browser,
        limits: this.#limits,
        way: "passkey",
      });
      noteAudit({ after: { way: "passkey", passkeyId, ...(joined === null ? {} : { invitation: "accepted" }) } });
      return begun;
    });
    if (login === "counter went back") {
      note(login);
      throw new ProblemError(
        "passkey_refused",
        "The passkey has counted fewer uses than before, so there may be a copy of it. Sign in in another way, and remove it.",
      );
    }
    if (typeof login === "string") throw refuse(login);
    await this.#tries.delete(tries);
    return login;
  }

  /** Accepts an invitation for a person who is known. Returns the account. */
  async #joinBy(tx: Transaction, linkHash: Buffer, personId: string): Promise<string> {
    const { accountId, role, projects, operator, state } = await findLink(tx, linkHash);
    if (accountId === null) throw new Error("an invitation has no account");
    const person = await findPerson(tx, { personId });
    if (person === null) throw passkeyRefused();
    if (state.email !== null && readEmail(state.email)?.key !== readEmail(person.email)?.key)
      throw new ProblemError(
        "state_conflict",
        `The invitation is for ${state.email}, and the passkey is that of another person.`,
      );
    await useUp(tx, linkHash);
    await addMember(tx, { accountId, personId, role, projects, operator });
    return accountId;
  }

  /** Asks the browser for a passkey in place of the password that a link is for. */
  async beginPasskeyOfLink(input: PasskeyJoinStart, host: string): Promise<Asked> {
    const place = requirePlace(this.#publicUrl, host);
    const link = await findLink(this.#database, input.token);
    const linkHash = secretHash(input.token);
    if (link.purpose === "password") {
      const person = await this.#personOf(link.personId ?? "");
      return askForNew(this.#database, place, "link", { ...person, linkHash });
    }
    const email = requireEmail("/email", link.state.email ?? input.email ?? "");
    const name = requireName("/name", input.name ?? "");
    if ((await findPerson(this.#database, { email })) !== null)
      throw new ProblemError(
        "state_conflict",
        `${email.text} has signed in here before. Accept the invitation as you sign in otherwise, and add a passkey later.`,
      );
    return askForNew(this.#database, place, "link", { personId: newId(), email: email.text, name, linkHash });
  }

  /** Asks the browser for another passkey of who is signed in. */
  async beginOwnPasskey(own: Own, confirmation: Confirmation, host: string): Promise<Asked> {
    const place = requirePlace(this.#publicUrl, host);
    const person = await this.#confirm(own, confirmation);
    await requireShownFactor(this.#database, own);
    await this.#requireOwnWay(person);
    return askForNew(this.#database, place, "add", { ...person, linkHash: null });
  }

  async addPasskey(
    { personId, loginId }: Own,
    sent: NewPasskey,
    requested: Pick<AtPlace, "host" | "attempt">,
  ): Promise<PasskeyRecord> {
    const place = requirePlace(this.#publicUrl, requested.host);
    await requireShownFactor(this.#database, { personId, loginId });
    const made = await this.#takeNew(place, "add", sent, requested.attempt);
    if (made.personId !== personId) throw newPasskeyRefused("another person");
    return this.#database.transaction(async (tx) => {
      const record = await insertPasskey(tx, personId, made.passkey);
      // Locks: the login's row, which is the person's own.
      await tx.query("update logins set passkey_id = $2 where id = $1 and passkey_id is null", [
        loginId,
        record.passkeyId,
      ]);
      noteAudit({ target: { type: "passkey", id: record.passkeyId }, after: { name: record.name, host: record.host } });
      return record;
    });
  }

  /** Throws an error unless who is signed in has confirmed a change of the ways to sign in. */
  async confirm(own: Own, confirmation: Confirmation): Promise<void> {
    await this.#confirm(own, confirmation);
    await requireShownFactor(this.#database, own);
  }

  async #confirm({ personId, loginId }: Own, { password, code }: Confirmation): Promise<Person> {
    if (password !== undefined && password !== null) return this.requireOwn(personId, { password, code: code ?? null });
    if (!(await isFresh(this.#database, loginId))) throw fresh();
    return this.#personOf(personId);
  }

  /** Whoever signs in at an identity provider alone adds no other way: it would go on working once the provider has ended theirs. */
  async #requireOwnWay({ personId, passwordHash }: Person): Promise<void> {
    if (passwordHash !== null || (await hasWay(this.#database, personId, false))) return;
    throw new ProblemError(
      "state_conflict",
      "You sign in at an identity provider, which decides who signs in here. The operator can give you a link for another way: querentd person password.",
    );
  }

  /** The passkey that the browser was asked for. */
  async #takeNew(
    place: PasskeyPlace,
    purpose: "add" | "link",
    sent: NewPasskey,
    secret: string | null,
  ): Promise<{ passkey: VerifiedPasskey; personId: string; linkHash: Buffer | null }> {
    const attempt = await takeAttempt(this.#database, purpose, secret);
    if (attempt === null || attempt.personId === null) throw newPasskeyRefused("no attempt");
    try {
      const passkey = await verifyNew(place, attempt.challenge, sent);
      return { passkey, personId: attempt.personId, linkHash: attempt.linkHash };
    } catch (error) {
      throw error instanceof PasskeyRefused ? newPasskeyRefused(error.message) : error;
    }
  }

  /** Accepts an invitation or sets a new password, and signs in. */
  async withLink(input: LinkAcceptance, requested: AtPlace): Promise<NewLogin> {
    const link = await findLink(this.#database, input.token);
    return link.purpose === "password"
      ? this.#setForgotten(link, input, requested)
      : this.#join(link, input, requested);
  }

  async changePassword(own: Own, { currentPassword, newPassword }: PasswordChange): Promise<void> {
    const { personId, loginId } = own;
    const person = await this.#personOf(personId);
    if (person.passwordHash === null) {
      await this.#confirm(own, {});
      await this.#requireOwnWay(person);
    } else await this.requireOwn(personId, { password: currentPassword ?? "" });
    await requireGoodPassword("/newPassword", newPassword, [person.email, person.name]);
    const passwordHash = await hashPassword(newPassword);
    await this.#database.transaction(async (tx) => {
      const { rowCount } = await tx.query(
        "update persons set password_hash = $2 where id = $1 and password_hash is not distinct from $3",
        [personId, passwordHash, person.passwordHash],
      );
      if (rowCount === 0) throw refused();
      await endLogins(tx, { personId, except: loginId });
    });
  }

  /** Compares the password of who is signed in and, of a person with a second factor, a code, if the caller has one to compare. */
  async requireOwn(
    personId: string,
    given: { readonly password: string; readonly code?: string | null },
  ): Promise<Person> {
    const person = await this.#personOf(personId);
    await this.#requirePassword(
      { text: person.email, key: person.email.toLowerCase() },
      person,
      given,
      () => undefined,
    );
    return person;
  }

  async #setForgotten({ personId }: Link, input: LinkAcceptance, requested: AtPlace): Promise<NewLogin> {
    const { browser } = requested;
    const { token, code } = input;
    const chosen = chosenIn(input);
    const person = await this.#personOf(personId ?? "");
    if (chosen.password !== null) await requireGoodPassword("/password", chosen.password, [person.email, person.name]);
    const email = { text: person.email, key: person.email.toLowerCase() };
    // A link replaces the password, and not the second factor.
    await this.#consumeTry(email.key, this.#noting("acceptLink", person, requested));
    const factor = await this.#requireCode(person, code ?? null, this.#noting("acceptLink", person, requested));
    await this.#tries.delete(email.key);
    const made = chosen.passkey === null ? null : await this.#takeOfLink(chosen.passkey, token, requested);
    const passwordHash = chosen.password === null ? null : await hashPassword(chosen.password);
    const accountId = await accountOf(this.#database, person.personId);
    if (accountId === null) throw refused();
    return this.#database.transaction(async (tx) => {
      await useUp(tx, token);
      if (passwordHash !== null)
        await tx.query("update persons set password_hash = $2 where id = $1", [person.personId, passwordHash]);
      const passkey = made === null ? null : await insertPasskey(tx, person.personId, made.passkey);
      await endLogins(tx, { personId: person.personId });
      const login = await beginLogin(tx, {
        ...browser,
        personId: person.personId,
        accountId,
        passkeyId: passkey?.passkeyId ?? null,
        limits: this.#limits,
        way: "link",
      });
      noteAudit({
        after: {
          way: "link",
          ...(passkey === null
            ? { password: "set by link" }
            : { passkey: "added by link", passkeyId: passkey.passkeyId }),
          ...(factor === null ? {} : { secondFactor: factor }),
        },
      });
      return login;
    });
  }

  /** The passkey that the browser was asked for with this link. */
  async #takeOfLink(sent: NewPasskey, token: string, { host, attempt }: AtPlace) {
    const made = await this.#takeNew(requirePlace(this.#publicUrl, host), "link", sent, attempt);
    if (made.linkHash?.equals(secretHash(token)) !== true) throw newPasskeyRefused("another link");
    return made;
  }

  async #join(link: Link, input: LinkAcceptance, requested: AtPlace): Promise<NewLogin> {
    const { browser } = requested;
    const chosen = chosenIn(input);
    const { accountId, role, projects, operator } = link;
    if (accountId === null) throw new Error("an invitation has no account");
    const email = requireEmail("/email", link.state.email ?? input.email ?? "");
    const person = await findPerson(this.#database, { email });
    const isKnown = person !== null && person.passwordHash !== null;
    if (person !== null && (!isKnown || chosen.password === null))
      throw new ProblemError(
        "state_conflict",
        `${email.text} has signed in here before. Accept the invitation as you sign in otherwise: with the password, a passkey or the identity provider.`,
      );
    const given = { password: chosen.password ?? "", code: input.code ?? null };
    if (isKnown) await this.#requirePassword(email, person, given, this.#noting("acceptLink", person, requested));
    const made = chosen.passkey === null ? null : await this.#takeOfLink(chosen.passkey, input.token, requested);
    const created = isKnown ? null : await this.#newPerson(email, input, chosen.password);
    return this.#database.transaction(async (tx) => {
      await useUp(tx, input.token);
      const personId =
        created === null
          ? person?.personId
          : await createPerson(tx, { ...created, ...(made === null ? {} : { personId: made.personId }) });
      if (personId === null || personId === undefined)
        throw new ProblemError("state_conflict", "The person joined meanwhile. Open the link again.");
      await addMember(tx, { accountId, personId, role, projects, operator });
      const passkeyId = made === null ? null : (await insertPasskey(tx, personId, made.passkey)).passkeyId;
      const login = await beginLogin(tx, {
        ...{ personId, accountId, passkeyId },
        ...browser,
        limits: this.#limits,
        way: "link",
      });
      noteAudit({
        after: {
          way: "link",
          joinedAs: role,
          ...(passkeyId === null ? {} : { passkeyId }),
          ...(projects === null ? {} : { projects }),
          ...(operator ? { operator } : {}),
        },
      });
      return login;
    });
  }

  async #newPerson(email: Email, { name: given }: LinkAcceptance, password: string | null) {
    if (given === undefined || given === null)
      throw invalid({ pointer: "/name", code: "required", detail: "A person who is new here has a name." });
    const name = requireName("/name", given);
    if (password === null) return { email, name, passwordHash: null };
    await requireGoodPassword("/password", password, [email.text, name]);
    return { email, name, passwordHash: await hashPassword(password) };
  }

  #noting(
    operation: RefusedSignIn["operation"],
    person: { readonly personId: string } | null,
    { requestId, browser: { address } }: Requested,
  ): (reason: string) => void {
    const personId = person?.personId ?? null;
    return (reason) => this.#refusals.note({ operation, reason, personId, address, requestId });
  }

  /** Counts a try before the password is compared, so that many at once are counted too. A right one is not counted. */
  async #requirePassword(
    email: Email,
    person: Person | null,
    { password, code }: { readonly password: string; readonly code?: string | null },
    note: (reason: string) => void,
  ): Promise<SecondFactor | null> {
    await this.#consumeTry(email.key, note);
    if (!(await isPassword(password, person?.passwordHash ?? null))) {
      note(person === null ? "unknown person" : person.passwordHash === null ? "no password" : "wrong password");
      throw refused();
    }
    // Without a code, only who is signed in asks. A try counts until the code, too, was right: the password does not open the way to all codes.
    const factor = code === undefined || person === null ? null : await this.#requireCode(person, code, note);
    await this.#tries.delete(email.key);
    return factor;
  }

  /** Null: the person has no second factor. */
  async #requireCode(
    { personId }: Person,
    code: string | null,
    note: (reason: string) => void,
  ): Promise<SecondFactor | null> {
    if (!(await readFactor(this.#database, personId)).isOn) return null;
    if (code === null)
      throw new ProblemError("second_factor_required", "Enter the code that your authenticator app shows.");
    const factor = await useCode(this.#database, this.#masterKey, { personId, code });
    if (factor !== null) return factor;
    note("wrong code");
    throw wrongCode();
  }

  async #consumeTry(key: string, note: (reason: string) => void): Promise<void> {
    try {
      await this.#tries.consume(key);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      note("too many tries");
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new ProblemError(
        "rate_limited",
        key.startsWith("passkey ")
          ? "This passkey was tried too often. Wait, or sign in in another way."
          : "The password of this e-mail address was tried too often.",
        {
          headers: {
            ratelimit: `"person";r=0;t=${seconds}`,
            "ratelimit-policy": `"person";q=${tries.points};w=${tries.duration}`,
            "retry-after": String(seconds),
          },
        },
      );
    }
  }

  async #personOf(personId: string): Promise<Person> {
    const person = await findPerson(this.#database, { personId });
    if (person === null) throw refused();
    return person;
  }
}

/** What a link is accepted with: a password or a passkey. */
function chosenIn({ password = null, passkey = null }: LinkAcceptance): {
  readonly password: string | null;
  readonly passkey: NewPasskey | null;
} {
  if ((password === null) === (passkey === null))
    throw invalid({
      pointer: "/password",
      code: password === null ? "required" : "not_allowed",
      detail: "Send a password or a passkey, and not both.",
    });
  return { password, passkey };
}

/** Why a new passkey was refused, in words for the person who makes it. */
const newPasskeyReasons: Readonly<Record<string, string>> = {
  "no attempt": "This browser did not begin it, it was completed, or it took more than five minutes. Begin again.",
  "another challenge": "It is the answer to another request. Begin again.",
  "another origin": "It was made on a page of another address.",
  "another host": "It was made for another host.",
  "another person": "It was begun by another person. Begin again.",
  "another link": "It was begun with another link. Open the link again.",
  "person not verified":
    "The authenticator has not verified you, by a fingerprint or a PIN for example. Use one that does.",
  "an attestation": "It comes with a statement of its manufacturer, which was not asked for.",
};

const newPasskeyRefused = (reason: string) =>
  new ProblemError("passkey_refused", newPasskeyReasons[reason] ?? "It could not be read or verified.");
