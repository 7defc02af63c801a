/** Signing in: with a password, or with a link that works once. */
import type { LinkAcceptance, PasswordChange, SignInWithPassword } from "@querent/contract";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "../db/index.ts";
import { ProblemError } from "../api/problem-error.ts";
import { noteAudit } from "../runtime/audited.ts";
import { findLink, useUp, type Link } from "./link.ts";
import type { MasterKey } from "../vault/index.ts";
import { readFactor, useCode, wrongCode, type SecondFactor } from "./second-factor.ts";
import type { Refusals, RefusedSignIn } from "./refusals.ts";
import { beginLogin, endLogins, type LoginLimits, type NewLogin } from "./login.ts";
import { hashPassword, isPassword, requireGoodPassword } from "./password.ts";
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

/** How often a password is tried for one e-mail address, by whomever. */
const tries = { points: 10, duration: 15 * 60 };

/** The same whether the person does not exist, has another password or no password, or is a member of no account. */
const refused = () => new ProblemError("sign_in_refused", "The e-mail address or the password is wrong.");

/** Signs people in, and counts how often passwords are tried in this process. */
export class SignInDesk {
  readonly #database: Database;
  readonly #limits: LoginLimits;
  readonly #masterKey: MasterKey;
  readonly #refusals: Refusals;
  readonly #tries = new RateLimiterMemory(tries);

  constructor({
    database,
    masterKey,
    limits,
    refusals,
  }: {
    readonly database: Database;
    readonly masterKey: MasterKey;
    readonly limits: LoginLimits;
    readonly refusals: Refusals;
  }) {
    this.#database = database;
    this.#masterKey = masterKey;
    this.#limits = limits;
    this.#refusals = refusals;
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

  /** Accepts an invitation or sets a new password, and signs in. */
  async withLink(input: LinkAcceptance, requested: Requested): Promise<NewLogin> {
    const link = await findLink(this.#database, input.token);
    return link.purpose === "password"
      ? this.#setForgotten(link, input, requested)
      : this.#join(link, input, requested);
  }

  async changePassword(
    { personId, loginId }: { readonly personId: string; readonly loginId: string },
    { currentPassword, newPassword }: PasswordChange,
  ): Promise<void> {
    const person = await this.#personOf(personId);
    const email = { text: person.email, key: person.email.toLowerCase() };
    await this.#requirePassword(email, person, { password: currentPassword }, () => undefined);
    await requireGoodPassword("/newPassword", newPassword, [person.email, person.name]);
    const passwordHash = await hashPassword(newPassword);
    await this.#database.transaction(async (tx) => {
      const { rowCount } = await tx.query(
        "update persons set password_hash = $2 where id = $1 and password_hash = $3",
        [personId, passwordHash, person.passwordHash],
      );
      if (rowCount === 0) throw refused();
      await endLogins(tx, { personId, except: loginId });
    });
  }

  /** Compares the password of who is signed in and, of a person with a second factor, a code, if the caller has one to compare. */
  async requireOwn(personId: string, given: { readonly password: string; readonly code?: string }): Promise<Person> {
    const person = await this.#personOf(personId);
    await this.#requirePassword(
      { text: person.email, key: person.email.toLowerCase() },
      person,
      given,
      () => undefined,
    );
    return person;
  }

  async #setForgotten(
    { personId }: Link,
    { token, password, code }: LinkAcceptance,
    requested: Requested,
  ): Promise<NewLogin> {
    const { browser } = requested;
    const person = await this.#personOf(personId ?? "");
    await requireGoodPassword("/password", password, [person.email, person.name]);
    const email = { text: person.email, key: person.email.toLowerCase() };
    // A link replaces the password, and not the second factor.
    await this.#consumeTry(email, this.#noting("acceptLink", person, requested));
    const factor = await this.#requireCode(person, code ?? null, this.#noting("acceptLink", person, requested));
    await this.#tries.delete(email.key);
    const passwordHash = await hashPassword(password);
    const accountId = await accountOf(this.#database, person.personId);
    if (accountId === null) throw refused();
    return this.#database.transaction(async (tx) => {
      await useUp(tx, token);
      await tx.query("update persons set password_hash = $2 where id = $1", [person.personId, passwordHash]);
      await endLogins(tx, { personId: person.personId });
      const login = await beginLogin(tx, {
        ...browser,
        personId: person.personId,
        accountId,
        limits: this.#limits,
        way: "link",
      });
      noteAudit({
        after: { way: "link", password: "set by link", ...(factor === null ? {} : { secondFactor: factor }) },
      });
      return login;
    });
  }

  async #join(link: Link, input: LinkAcceptance, requested: Requested): Promise<NewLogin> {
    const { browser } = requested;
    const { accountId, role, projects, operator } = link;
    if (accountId === null) throw new Error("an invitation has no account");
    const email = requireEmail("/email", link.state.email ?? input.email ?? "");
    const person = await findPerson(this.#database, { email });
    const isKnown = person !== null && person.passwordHash !== null;
    const given = { password: input.password, code: input.code ?? null };
    if (isKnown) await this.#requirePassword(email, person, given, this.#noting("acceptLink", person, requested));
    const created = isKnown ? null : await this.#newPerson(email, input);
    return this.#database.transaction(async (tx) => {
      await useUp(tx, input.token);
      const personId = created === null ? person?.personId : await createPerson(tx, created);
      if (personId === null || personId === undefined)
        throw new ProblemError("state_conflict", "The person joined meanwhile. Open the link again.");
      await addMember(tx, { accountId, personId, role, projects, operator });
      const login = await beginLogin(tx, { personId, accountId, ...browser, limits: this.#limits, way: "link" });
      noteAudit({
        after: {
          way: "link",
          joinedAs: role,
          ...(projects === null ? {} : { projects }),
          ...(operator ? { operator } : {}),
        },
      });
      return login;
    });
  }

  async #newPerson(email: Email, { name: given, password }: LinkAcceptance) {
    if (given === undefined || given === null)
      throw invalid({ pointer: "/name", code: "required", detail: "A person who is new here has a name." });
    const name = requireName("/name", given);
    await requireGoodPassword("/password", password, [email.text, name]);
    return { email, name, passwordHash: await hashPassword(password) };
  }

  #noting(
    operation: RefusedSignIn["operation"],
    person: Person | null,
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
    await this.#consumeTry(email, note);
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

  async #consumeTry(email: Email, note: (reason: string) => void): Promise<void> {
    try {
      await this.#tries.consume(email.key);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      note("too many tries");
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new ProblemError("rate_limited", "The password of this e-mail address was tried too often.", {
        headers: {
          ratelimit: `"person";r=0;t=${seconds}`,
          "ratelimit-policy": `"person";q=${tries.points};w=${tries.duration}`,
          "retry-after": String(seconds),
        },
      });
    }
  }

  async #personOf(personId: string): Promise<Person> {
    const person = await findPerson(this.#database, { personId });
    if (person === null) throw refused();
    return person;
  }
}
