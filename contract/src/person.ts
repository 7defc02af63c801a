/** People: roles, members, invitations, and the browsers in which a person is signed in. */
import { Type, type Static } from "typebox";
import { scopes, type Scope } from "./operation.ts";
import { accessProjectsMax, ProjectRef } from "./project.ts";
import { MailReadiness } from "./mail.ts";
import { Closed, Nullable, OptionalOrNull, StorableText, Timestamp, Uuid } from "./scalars.ts";

const reading = ["tasks:read", "panels:read", "reports:read", "usage:read"] as const satisfies readonly Scope[];
const editing = [...reading, "tasks:write", "panels:write"] as const satisfies readonly Scope[];
const administering = [
  ...editing,
  "webhook:manage",
  "members:read",
  "access:manage",
  "audit:read",
] as const satisfies readonly Scope[];

/**
 * What a member of an account may do: a role is a set of scopes, and nothing else. The 403s of the API, the console's places and the
 * reference follow from this table. From most to least.
 */
export const memberRoles = {
  owner: {
    about: "Everything in the account, including its members and their roles.",
    scopes: [...administering, "members:manage"],
    isLimited: false,
  },
  admin: {
    about:
      "Everything in the account but its members: also webhooks, the signing secret, access tokens, the audit log, and ending the logins of members.",
    scopes: administering,
    isLimited: false,
  },
  editor: { about: "Ask, and change panels, brands, imports and caps.", scopes: editing },
  viewer: { about: "Read tasks, answers, panels, figures and usage.", scopes: reading },
  client: {
    about:
      "Read the reports, figures and brands of the panels of named projects: nothing of points, runs, tasks and other projects.",
    scopes: ["reports:read"],
    isLimited: true,
  },
} as const satisfies Record<
  string,
  {
    readonly about: string;
    readonly scopes: readonly Scope[];
    /** Whether its members are limited to projects: always; never; or, if it is left out, as it is chosen. */
    readonly isLimited?: boolean;
  }
>;
export type MemberRole = keyof typeof memberRoles;
const roleNames = Object.keys(memberRoles) as MemberRole[];

export const RoleName = Type.Enum(roleNames, {
  description: roleNames.map((name) => `\`${name}\`: ${memberRoles[name].about}`).join(" "),
});

/** The projects of a membership or an invitation, as it is sent. */
const chosenProjects = OptionalOrNull(
  Type.Array(Uuid, {
    minItems: 1,
    maxItems: accessProjectsMax,
    uniqueItems: true,
    description:
      "The projects to which it is limited. Of a `client`: required. Of an `editor` or a `viewer`: null, or left out, for the whole account; if it is limited, only its scopes for panels are left, because tasks, usage and webhooks are those of the whole account. An `owner` and an `admin` are not limited.",
  }),
);
const limitedTo = Nullable(Type.Array(ProjectRef), {
  description: "The projects to which it is limited, by name. Null: it is for the whole account.",
});

/** The shortest password. The estimate of how many guesses it takes decides the rest. */
export const passwordLengthMin = 12;
export const passwordLengthMax = 100;

const email = StorableText({ minLength: 3, maxLength: 254, description: "An e-mail address. Case does not matter." });
const personName = StorableText({ minLength: 1, maxLength: 100, description: "The name that others see." });
const newPassword = StorableText({
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  description: `At least ${passwordLengthMin} characters. Passwords that are known from breaches, or that are guessed as easily, are refused.`,
});
const linkToken = Type.String({
  pattern: "^[A-Za-z0-9_-]{43}$",
  description: "The part of the link after `#`.",
});

const factorCode = StorableText({
  minLength: 6,
  maxLength: 30,
  description: "Of a person with a second factor: the code that the authenticator app shows, or a recovery code.",
});

/** Sent to sign in. */
export const SignInWithPassword = Closed({
  email,
  code: OptionalOrNull(factorCode),
  password: StorableText({ minLength: 1, maxLength: passwordLengthMax, description: "The person's password." }),
});
export type SignInWithPassword = Static<typeof SignInWithPassword>;

export const loginWays = ["password", "link", "provider", "passkey"] as const;
/** How a login began. */
export type LoginWay = (typeof loginWays)[number];

const providerId = Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,39}$" });
export const ProviderParams = Closed({ provider_id: providerId });

/** The ways in which people sign in to this service. */
export const SignInWays = Type.Object({
  password: Type.Boolean({ description: "With an e-mail address and a password." }),
  token: Type.Boolean({ description: "The console accepts access tokens." }),
  providers: Type.Array(Type.Object({ providerId, name: Type.String({ description: "What people call it." }) }), {
    description: "Identity providers, in the order of the operator's file.",
  }),
  proxy: Nullable(Type.Object({ name: Type.String({ description: "What people call it." }) }), {
    description:
      "The proxy by way of which this request came, and which has signed somebody in. Null: the request came in another way, the proxy states nobody, or none is configured.",
  }),
  passkeys: Type.Boolean({ description: "With a passkey, at the address of this request." }),
  passkeyAddress: Nullable(Type.String(), {
    description:
      "Where passkeys work, if not at the address of this request. Null: they work here, or nowhere: they need a host name, and HTTPS or `localhost`.",
  }),
});
export type SignInWays = Static<typeof SignInWays>;

/** Sent to begin a sign-in at an identity provider, or to sign in by a proxy. */
export const ProviderSignInStart = Closed({
  link: OptionalOrNull(linkToken),
});
export type ProviderSignInStart = Static<typeof ProviderSignInStart>;

/** An address of the identity provider, to which the browser goes. */
export const ProviderAddress = Type.Object({
  address: Type.String({ description: "An address of the identity provider, to which the browser goes." }),
});
export type ProviderAddress = Static<typeof ProviderAddress>;

/** Sent when the identity provider has sent the browser back. */
export const ProviderResponse = Closed({
  response: Type.String({
    minLength: 1,
    maxLength: 8192,
    description: "The query of the address to which the provider has sent the browser back, without `?`.",
  }),
});
export type ProviderResponse = Static<typeof ProviderResponse>;

/** Where to end the session at the identity provider, too. */
export const ProviderSignOut = Type.Object({
  address: Nullable(Type.String(), {
    description: "Where the browser ends the session at the identity provider, too. Null: there is none to end.",
  }),
});
export type ProviderSignOut = Static<typeof ProviderSignOut>;

/** Sent by an identity provider whose session has ended. */
export const ProviderLogout = Type.Object({
  logout_token: Type.String({
    minLength: 1,
    maxLength: 16_384,
    description: "A logout token, signed by the provider.",
  }),
});

const memberships = Type.Array(
  Type.Object({ accountId: Uuid, accountName: Type.String(), memberId: Uuid, role: RoleName }),
  { description: "The accounts of which the person is a member, by name." },
);

/** Who is signed in with this request, and for which account. */
export const LoginState = Type.Object({
  loginId: Uuid,
  person: Type.Object({ personId: Uuid, email: Type.String(), name: Type.String() }),
  accountId: Uuid,
  accountName: Type.String(),
  memberId: Uuid,
  role: RoleName,
  operator: Type.Boolean({
    description: "The person also operates the service: the scope `admin` is added to those of the role.",
  }),
  secondFactor: Type.Boolean({ description: "The person signs in with a password and a code." }),
  recoveryCodes: Type.Integer({ minimum: 0, description: "How many recovery codes are left." }),
  hasPassword: Type.Boolean({ description: "The person can sign in with a password." }),
  passkeys: Type.Integer({ minimum: 0, description: "How many passkeys the person has." }),
  needsSecondFactor: Type.Boolean({
    description:
      "The account requires a second factor, and this login has shown none: other operations are refused until it has.",
  }),
  way: Type.Enum([...loginWays], {
    description:
      "How the person signed in. `password`: with the password. `link`: with a one-time link. `provider`: at an identity provider, or by a proxy. `passkey`: with a passkey.",
  }),
  providerId: Nullable(Type.String(), {
    description: "The identity provider at which the person signed in. `proxy`: the proxy in front of the service.",
  }),
  scopes: Type.Array(Type.Enum([...scopes]), { description: "What the person may do in this account." }),
  projects: limitedTo,
  memberships,
  expiresAt: Timestamp,
});
export type LoginState = Static<typeof LoginState>;

/** A browser in which a person is signed in. */
export const LoginRecord = Type.Object({
  loginId: Uuid,
  current: Type.Boolean({ description: "The login of this request." }),
  address: Type.String({ description: "The address from which the person signed in." }),
  userAgent: Nullable(Type.String(), { description: "The browser, as it named itself." }),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp, { description: "With a precision of one minute." }),
  expiresAt: Timestamp,
});
export type LoginRecord = Static<typeof LoginRecord>;

export const LoginList = Type.Object({
  logins: Type.Array(LoginRecord, { description: "Last used first. At most 200." }),
});
export type LoginList = Static<typeof LoginList>;

export const LoginAccount = Closed({ accountId: Uuid });

const ownPassword = StorableText({ minLength: 1, maxLength: passwordLengthMax, description: "The person's password." });

export const SecondFactorStart = Closed({ password: ownPassword });
export type SecondFactorStart = Static<typeof SecondFactorStart>;

/** A secret for an authenticator app, which is shown only here. */
export const NewSecondFactor = Type.Object({
  secret: Type.String({ description: "The secret in Base32, to be entered into an authenticator app by hand." }),
  address: Type.String({ description: "The same as an `otpauth:` address, for a QR code." }),
});
export type NewSecondFactor = Static<typeof NewSecondFactor>;

export const SecondFactorCode = Closed({ code: factorCode });
export type SecondFactorCode = Static<typeof SecondFactorCode>;

export const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), {
    description: "Each signs in once in place of a code of the app. They cannot be read again.",
  }),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const SecondFactorRemoval = Closed({ password: ownPassword, code: factorCode });
export type SecondFactorRemoval = Static<typeof SecondFactorRemoval>;

/** What confirms a change of the ways to sign in. Left out: the person has signed in within the last ten minutes. */
const confirmation = { password: OptionalOrNull(ownPassword), code: OptionalOrNull(factorCode) };

/** The most passkeys that a person has. */
export const passkeysMax = 20;

const bytes = (maxLength: number, description: string) =>
  Type.String({ pattern: "^[A-Za-z0-9_-]+$", maxLength, description: `${description} In base64url, without padding.` });
const credentialId = bytes(1364, "The `id` of the credential.");
const clientData = bytes(4096, "`response.clientDataJSON`.");
const passkeyName = StorableText({ minLength: 1, maxLength: 60, description: "What the person calls it." });

/** What a browser is asked for. Its answer is accepted once, from the same browser, within five minutes. */
export const PasskeyOptions = Type.Object({
  options: Type.Record(Type.String(), Type.Unknown(), {
    description:
      "As `PublicKeyCredential.parseCreationOptionsFromJSON()` or, to sign in, `parseRequestOptionsFromJSON()` take them.",
  }),
});
export type PasskeyOptions = Static<typeof PasskeyOptions>;

/** A new passkey, from the members of what `navigator.credentials.create()` returns, as `toJSON()` writes it. */
export const NewPasskey = Closed({
  credentialId,
  clientData,
  attestation: bytes(8192, "`response.attestationObject`."),
  transports: OptionalOrNull(
    Type.Array(Type.String({ pattern: "^[a-z-]{1,20}$" }), { maxItems: 10, description: "`response.transports`." }),
  ),
  name: OptionalOrNull(passkeyName),
});
export type NewPasskey = Static<typeof NewPasskey>;

/** The answer of a passkey, from the members of what `navigator.credentials.get()` returns, as `toJSON()` writes it. */
export const PasskeyAnswer = Closed({
  credentialId,
  clientData,
  authenticatorData: bytes(2048, "`response.authenticatorData`."),
  signature: bytes(2048, "`response.signature`."),
  userHandle: OptionalOrNull(bytes(86, "`response.userHandle`.")),
});
export type PasskeyAnswer = Static<typeof PasskeyAnswer>;

/** Sent to begin a sign-in with a passkey. */
export const PasskeySignInStart = Closed({
  link: OptionalOrNull(linkToken),
});
export type PasskeySignInStart = Static<typeof PasskeySignInStart>;

/** Sent to begin to use a one-time link with a new passkey. */
export const PasskeyJoinStart = Closed({
  token: linkToken,
  email: OptionalOrNull(email),
  name: OptionalOrNull(personName),
});
export type PasskeyJoinStart = Static<typeof PasskeyJoinStart>;

export const PasskeyStart = Closed(confirmation);
export type PasskeyStart = Static<typeof PasskeyStart>;
export const PasskeyName = Closed({ name: passkeyName });

/** A passkey of a person. */
export const PasskeyRecord = Type.Object({
  passkeyId: Uuid,
  name: Type.String(),
  host: Type.String({ description: "Where it works." }),
  synced: Type.Boolean({
    description:
      "A password manager keeps it on several devices, as far as it says so. Otherwise it is lost with its device.",
  }),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
});
export type PasskeyRecord = Static<typeof PasskeyRecord>;
export const PasskeyList = Type.Object({
  passkeys: Type.Array(PasskeyRecord, { description: `Oldest first. A person has at most ${passkeysMax}.` }),
});
export type PasskeyList = Static<typeof PasskeyList>;

/** What an owner gives to a member whose passkeys were removed. */
export const PasskeyReset = Type.Object({
  link: Nullable(Type.String(), {
    description:
      "With it, the person sets a password or makes a new passkey, once and within 24 hours. Null: the person has another way to sign in.",
  }),
});
export type PasskeyReset = Static<typeof PasskeyReset>;

export const PasswordChange = Closed({
  currentPassword: OptionalOrNull(
    StorableText({
      minLength: 1,
      maxLength: passwordLengthMax,
      description:
        "The present password. Left out: the person has none, and has signed in with a passkey within the last ten minutes.",
    }),
  ),
  newPassword,
});
export type PasswordChange = Static<typeof PasswordChange>;

/** A person as a member of an account. */
export const MemberRecord = Type.Object({
  memberId: Uuid,
  email: Type.String(),
  name: Type.String(),
  role: RoleName,
  projects: limitedTo,
  secondFactor: Type.Boolean({ description: "The person signs in with a password and a code." }),
  passkeys: Type.Integer({ minimum: 0, description: "How many passkeys the person has." }),
  hasPassword: Type.Boolean({ description: "The person can sign in with a password." }),
  provider: Nullable(Type.String(), {
    description:
      "The identity provider whose groups decide the role at each sign-in. Null: an invitation or an owner gave it.",
  }),
  createdAt: Timestamp,
  lastSignInAt: Nullable(Timestamp),
  logins: Type.Integer({ minimum: 0, description: "In how many browsers the person is signed in." }),
});
export type MemberRecord = Static<typeof MemberRecord>;

/** Whether members of the account need a second factor. */
export const SecondFactorRule = Type.Object({
  required: Type.Boolean({
    description:
      "Members need a passkey, or a password and a code. Whoever signs in at an identity provider has the second factor there.",
  }),
  since: Nullable(Timestamp),
});
export type SecondFactorRule = Static<typeof SecondFactorRule>;
export const SecondFactorRuleChange = Closed({ required: Type.Boolean() });

export const membersMax = 1000;
export const MemberList = Type.Object({
  members: Type.Array(MemberRecord, { description: `By e-mail address. An account has at most ${membersMax}.` }),
});
export type MemberList = Static<typeof MemberList>;

export const MemberChange = Closed({
  role: RoleName,
  projects: Type.Optional(
    Type.Unsafe<readonly string[] | null>({
      ...chosenProjects,
      description:
        "The projects to which it is limited, as in an invitation. Null: the whole account. Left out: as before.",
    }),
  ),
});
export type MemberChange = Static<typeof MemberChange>;

/** An invitation to an account, without its link, which is shown once. */
export const InvitationRecord = Type.Object({
  invitationId: Uuid,
  email: Nullable(Type.String(), { description: "Null: whoever opens the link chooses the e-mail address." }),
  role: RoleName,
  projects: limitedTo,
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type InvitationRecord = Static<typeof InvitationRecord>;

export const invitationsMax = 1000;
export const InvitationList = Type.Object({
  invitations: Type.Array(InvitationRecord, {
    description: `Those that can still be accepted, newest first. An account has at most ${invitationsMax}.`,
  }),
  mail: MailReadiness,
});
export type InvitationList = Static<typeof InvitationList>;

/** The languages of the console, and of the mails that invite people to it. */
export const consoleLanguages = ["en", "zh-CN"] as const;
const invitationMailStates = ["accepted", "refused", "unknown", "failed"] as const;

/** What became of the mail with an invitation's link. */
export const InvitationMail = Type.Object({
  state: Type.Enum([...invitationMailStates], {
    description:
      "`accepted`: the mail server has taken it. `refused`: the mail server takes no mail for this address. `unknown`: it may have taken it. `failed`: nothing was sent.",
  }),
  detail: Type.String({ description: "The same for people, with what to do." }),
});
export type InvitationMail = Static<typeof InvitationMail>;

export const invitationDaysMax = 30;
export const InvitationRequest = Closed({
  email,
  role: RoleName,
  projects: chosenProjects,
  days: OptionalOrNull(
    Type.Integer({
      minimum: 1,
      maximum: invitationDaysMax,
      default: 7,
      description: "After so many days the link expires.",
    }),
  ),
  mail: OptionalOrNull(
    Type.Enum([...consoleLanguages], {
      description: "Also mails the link to `email`, in this language. Null: it is sent by hand.",
    }),
  ),
});
export type InvitationRequest = Static<typeof InvitationRequest>;

/** An invitation with its link, which is shown only here. */
export const CreatedInvitation = Type.Object({
  link: Type.String({ description: "Send it to the person. It can be used once, and cannot be read again." }),
  record: InvitationRecord,
  mail: Nullable(InvitationMail, { description: "Null: no mail was asked for." }),
});
export type CreatedInvitation = Static<typeof CreatedInvitation>;

export const linkPurposes = ["invitation", "password"] as const;

export const OneTimeLink = Closed({ token: linkToken });

/** What a one-time link is for. */
export const OneTimeLinkState = Type.Object({
  purpose: Type.Enum([...linkPurposes], {
    description: "`invitation`: to join an account. `password`: to set a new password.",
  }),
  accountName: Nullable(Type.String()),
  role: Nullable(RoleName),
  email: Nullable(Type.String(), { description: "Null: the person chooses it." }),
  known: Type.Boolean({
    description: "A person with this e-mail address has a password here, and accepts the invitation with it.",
  }),
  passkey: Type.Boolean({
    description:
      "A person with this e-mail address has a passkey here, and can accept the invitation by signing in with it.",
  }),
  expiresAt: Timestamp,
});
export type OneTimeLinkState = Static<typeof OneTimeLinkState>;

/** Sent to use a one-time link. */
export const LinkAcceptance = Closed({
  token: linkToken,
  email: OptionalOrNull(email),
  name: OptionalOrNull(personName),
  code: OptionalOrNull(factorCode),
  password: OptionalOrNull(
    StorableText({
      minLength: 1,
      maxLength: passwordLengthMax,
      description: `A new password of at least ${passwordLengthMin} characters or, of a person who is known, the present one. Left out: a passkey is sent instead.`,
    }),
  ),
  passkey: OptionalOrNull(NewPasskey),
});
export type LinkAcceptance = Static<typeof LinkAcceptance>;
