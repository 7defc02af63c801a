/** Who may sign in to an account, and in which browsers they are signed in. */
import { Type } from "typebox";
import { json, ofBrowsers, ofLogins, operation, usual, withBody } from "./operation.ts";
import {
  CreatedInvitation,
  InvitationList,
  InvitationRequest,
  LinkAcceptance,
  LoginAccount,
  LoginList,
  LoginState,
  MemberChange,
  MemberList,
  MemberRecord,
  NewPasskey,
  NewSecondFactor,
  OneTimeLink,
  OneTimeLinkState,
  PasskeyAnswer,
  PasskeyJoinStart,
  PasskeyList,
  PasskeyName,
  PasskeyOptions,
  PasskeyRecord,
  PasskeyReset,
  PasskeySignInStart,
  PasskeyStart,
  PasswordChange,
  ProviderAddress,
  ProviderLogout,
  ProviderParams,
  ProviderResponse,
  ProviderSignInStart,
  ProviderSignOut,
  RecoveryCodes,
  SecondFactorCode,
  SecondFactorRemoval,
  SecondFactorRule,
  SecondFactorRuleChange,
  SecondFactorStart,
  SignInWays,
  SignInWithPassword,
} from "./person.ts";
import { Closed, Uuid } from "./scalars.ts";

const bytesMax = 16 * 1024;
const setsCookie = { "Set-Cookie": Type.String({ description: "The login. Only the browser reads it." }) };
const memberId = Closed({ member_id: Uuid });

export const signIn = operation({
  id: "signIn",
  method: "POST",
  path: "/v1/login",
  tag: "People",
  summary: "Sign in with a password",
  description:
    "For browsers: the login is a cookie that scripts cannot read. Requests with it have the header `X-Querent-Login: 1`, and come from the service's own origin. Programs use access tokens. A process accepts ten wrong passwords for an e-mail address within fifteen minutes, whether or not the person exists.",
  scope: null,
  login: "begins",
  body: { schema: SignInWithPassword, required: true, bytesMax },
  replies: { 201: { description: "The person is signed in.", headers: setsCookie, content: json(LoginState) } },
  problems: [...ofBrowsers, ...withBody, "sign_in_refused", "second_factor_required"],
});

export const listSignInWays = operation({
  id: "listSignInWays",
  method: "GET",
  path: "/v1/sign-in",
  tag: "People",
  summary: "List the ways to sign in",
  description: "What the page for signing in offers.",
  scope: null,
  replies: { 200: { description: "The ways.", content: json(SignInWays) } },
  problems: ["malformed_request", "internal", "unavailable"],
});

export const beginProviderSignIn = operation({
  id: "beginProviderSignIn",
  method: "POST",
  path: "/v1/login/providers/{provider_id}/attempts",
  tag: "People",
  summary: "Begin to sign in at an identity provider",
  description:
    "For browsers. The response contains the address of the provider, and a cookie to which the provider's answer is bound for ten minutes. With the token of an invitation in `link`, the sign-in accepts the invitation.",
  scope: null,
  audit: false,
  login: "begins",
  params: ProviderParams,
  body: { schema: ProviderSignInStart, required: true, bytesMax },
  replies: { 201: { description: "Where to go.", headers: setsCookie, content: json(ProviderAddress) } },
  problems: [...ofBrowsers, ...withBody, "not_found", "sign_in_refused", "state_conflict"],
});

export const signInWithProvider = operation({
  id: "signInWithProvider",
  method: "POST",
  path: "/v1/login/providers/{provider_id}",
  tag: "People",
  summary: "Sign in with the answer of an identity provider",
  description:
    "For the browser that began it, once. Memberships that the provider's groups decide are given, changed or taken back.",
  scope: null,
  login: "begins",
  params: ProviderParams,
  body: { schema: ProviderResponse, required: true, bytesMax },
  replies: { 201: { description: "The person is signed in.", headers: setsCookie, content: json(LoginState) } },
  problems: [...ofBrowsers, ...withBody, "not_found", "sign_in_refused", "state_conflict"],
});

export const signInByProxy = operation({
  id: "signInByProxy",
  method: "POST",
  path: "/v1/login/proxy",
  tag: "People",
  summary: "Sign in by a proxy that has signed the person in",
  description:
    "For browsers: signs in whom the proxy in front of the service states in a header of this request. Headers of any other address are ignored. Each request of the login has to come by way of the proxy and state the same person; otherwise the login ends. With the token of an invitation in `link`, the sign-in accepts the invitation.",
  scope: null,
  login: "begins",
  body: { schema: ProviderSignInStart, required: true, bytesMax },
  replies: { 201: { description: "The person is signed in.", headers: setsCookie, content: json(LoginState) } },
  problems: [...ofBrowsers, ...withBody, "not_found", "sign_in_refused", "state_conflict"],
});

export const beginPasskeySignIn = operation({
  id: "beginPasskeySignIn",
  method: "POST",
  path: "/v1/login/passkey/attempts",
  tag: "People",
  summary: "Begin to sign in with a passkey",
  description:
    "For browsers, at the address of the service where passkeys work. The response contains what to ask the browser for, and a cookie to which its answer is bound for five minutes. It names nobody: the browser offers the passkeys that it has for this host. With the token of an invitation in `link`, the sign-in accepts the invitation.",
  scope: null,
  audit: false,
  login: "begins",
  body: { schema: PasskeySignInStart, required: true, bytesMax },
  replies: { 201: { description: "What to ask for.", headers: setsCookie, content: json(PasskeyOptions) } },
  problems: [...ofBrowsers, ...withBody, "not_found", "state_conflict"],
});

export const signInWithPasskey = operation({
  id: "signInWithPasskey",
  method: "POST",
  path: "/v1/login/passkey",
  tag: "People",
  summary: "Sign in with a passkey",
  description:
    "For the browser that began it, once. The passkey has to have verified the person, by a fingerprint or a PIN for example, so no code of an authenticator app is asked for.",
  scope: null,
  login: "begins",
  body: { schema: PasskeyAnswer, required: true, bytesMax },
  replies: { 201: { description: "The person is signed in.", headers: setsCookie, content: json(LoginState) } },
  problems: [...ofBrowsers, ...withBody, "not_found", "passkey_refused", "state_conflict"],
});

export const endProviderLogins = operation({
  id: "endProviderLogins",
  method: "POST",
  path: "/v1/login/providers/{provider_id}/logout",
  tag: "People",
  summary: "End logins by the word of their identity provider",
  description:
    "For identity providers (OpenID Connect Back-Channel Logout 1.0): ends the logins of a session, or of a person, that the provider has ended. The audit log of each account has its logins.",
  scope: null,
  audit: false,
  open: true,
  params: ProviderParams,
  body: { schema: ProviderLogout, required: true, bytesMax: 32 * 1024, type: "application/x-www-form-urlencoded" },
  replies: { 204: { description: "They are ended." } },
  problems: [
    "malformed_request",
    "validation_failed",
    ...withBody,
    "not_found",
    "rate_limited",
    "internal",
    "unavailable",
  ],
});

export const getLogin = operation({
  id: "getLogin",
  method: "GET",
  path: "/v1/login",
  tag: "People",
  summary: "Get who is signed in",
  scope: null,
  login: "required",
  withoutFactor: true,
  replies: { 200: { description: "Who is signed in, and what they may do.", content: json(LoginState) } },
  problems: ofLogins,
});

export const signOut = operation({
  id: "signOut",
  method: "DELETE",
  path: "/v1/login",
  tag: "People",
  summary: "Sign out",
  description: "Ends the login of this request immediately, in every process.",
  scope: null,
  login: "required",
  withoutFactor: true,
  replies: { 204: { description: "Signed out.", headers: setsCookie } },
  problems: [...ofLogins, ...withBody],
});

export const signOutAtProvider = operation({
  id: "signOutAtProvider",
  method: "POST",
  path: "/v1/login/sign-out",
  tag: "People",
  summary: "Sign out, also at the identity provider",
  description:
    "Ends the login of this request immediately. If the person signed in at an identity provider that ends sessions, the response says where the browser goes to end that session, too.",
  scope: null,
  login: "required",
  withoutFactor: true,
  replies: {
    200: { description: "Signed out, and where to go.", headers: setsCookie, content: json(ProviderSignOut) },
  },
  problems: [...ofLogins, ...withBody],
});

export const setLoginAccount = operation({
  id: "setLoginAccount",
  method: "PUT",
  path: "/v1/login/account",
  tag: "People",
  summary: "Go to another account",
  description: "Later requests of this login are for that account, of which the person has to be a member.",
  scope: null,
  login: "required",
  withoutFactor: true,
  body: { schema: LoginAccount, required: true, bytesMax },
  replies: { 200: { description: "Who is signed in, for the other account.", content: json(LoginState) } },
  problems: [...ofLogins, ...withBody, "not_found"],
});

export const setPassword = operation({
  id: "setPassword",
  method: "PUT",
  path: "/v1/login/password",
  tag: "People",
  summary: "Change the own password",
  description: "Ends all other logins of the person. A person without a password, who has a passkey, gets one.",
  scope: null,
  login: "required",
  body: { schema: PasswordChange, required: true, bytesMax },
  replies: { 204: { description: "The password is changed." } },
  problems: [...ofLogins, ...withBody, "sign_in_refused", "fresh_sign_in_required", "state_conflict"],
});

export const beginSecondFactor = operation({
  id: "beginSecondFactor",
  method: "POST",
  path: "/v1/login/second-factor",
  tag: "People",
  summary: "Begin to add a second factor",
  description:
    "Makes a secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). It counts once a code of it was entered.",
  scope: null,
  login: "required",
  withoutFactor: true,
  body: { schema: SecondFactorStart, required: true, bytesMax },
  replies: { 201: { description: "The secret.", content: json(NewSecondFactor) } },
  problems: [...ofLogins, ...withBody, "sign_in_refused", "state_conflict"],
});

export const confirmSecondFactor = operation({
  id: "confirmSecondFactor",
  method: "PUT",
  path: "/v1/login/second-factor",
  tag: "People",
  summary: "Add a second factor",
  description:
    "From now on the person signs in with the password and a code. Ends all other logins of the person. The response contains the recovery codes, which cannot be read again.",
  scope: null,
  login: "required",
  withoutFactor: true,
  body: { schema: SecondFactorCode, required: true, bytesMax },
  replies: { 200: { description: "The recovery codes.", content: json(RecoveryCodes) } },
  problems: [...ofLogins, ...withBody, "sign_in_refused"],
});

export const removeSecondFactor = operation({
  id: "removeSecondFactor",
  method: "POST",
  path: "/v1/login/second-factor/removal",
  tag: "People",
  summary: "Remove the own second factor",
  description: "With the password and a code. The recovery codes are deleted, too.",
  scope: null,
  login: "required",
  body: { schema: SecondFactorRemoval, required: true, bytesMax },
  replies: { 204: { description: "It is removed." } },
  problems: [...ofLogins, ...withBody, "sign_in_refused"],
});

export const listPasskeys = operation({
  id: "listPasskeys",
  method: "GET",
  path: "/v1/login/passkeys",
  tag: "People",
  summary: "List the own passkeys",
  scope: null,
  login: "required",
  withoutFactor: true,
  replies: { 200: { description: "The passkeys.", content: json(PasskeyList) } },
  problems: ofLogins,
});

const ofChanges = [
  ...ofLogins,
  ...withBody,
  "sign_in_refused",
  "second_factor_required",
  "fresh_sign_in_required",
] as const;
const passkeyId = Closed({ passkey_id: Uuid });

export const beginPasskey = operation({
  id: "beginPasskey",
  method: "POST",
  path: "/v1/login/passkeys/attempts",
  tag: "People",
  summary: "Begin to add a passkey",
  description:
    "With the password and, of a person with a second factor, a code; or within ten minutes after signing in. A person who has no password, and signs in at an identity provider, adds no passkey: the provider decides who signs in.",
  scope: null,
  audit: false,
  login: "required",
  withoutFactor: true,
  body: { schema: PasskeyStart, required: true, bytesMax },
  replies: { 201: { description: "What to ask for.", headers: setsCookie, content: json(PasskeyOptions) } },
  problems: [...ofChanges, "state_conflict"],
});

export const addPasskey = operation({
  id: "addPasskey",
  method: "POST",
  path: "/v1/login/passkeys",
  tag: "People",
  summary: "Add a passkey",
  description: "From the browser that began it, once and within five minutes.",
  scope: null,
  login: "required",
  withoutFactor: true,
  body: { schema: NewPasskey, required: true, bytesMax },
  replies: { 201: { description: "The passkey.", headers: setsCookie, content: json(PasskeyRecord) } },
  problems: [...ofLogins, ...withBody, "passkey_refused", "state_conflict"],
});

export const renamePasskey = operation({
  id: "renamePasskey",
  method: "PUT",
  path: "/v1/login/passkeys/{passkey_id}",
  tag: "People",
  summary: "Rename a passkey",
  scope: null,
  login: "required",
  params: passkeyId,
  body: { schema: PasskeyName, required: true, bytesMax },
  replies: { 200: { description: "The passkey.", content: json(PasskeyRecord) } },
  problems: [...ofLogins, ...withBody, "not_found"],
});

export const removePasskey = operation({
  id: "removePasskey",
  method: "POST",
  path: "/v1/login/passkeys/{passkey_id}/removal",
  tag: "People",
  summary: "Remove a passkey",
  description:
    "Confirmed like adding one. Ends the other logins that began with it. The last way to sign in cannot be removed.",
  scope: null,
  login: "required",
  params: passkeyId,
  body: { schema: PasskeyStart, required: true, bytesMax },
  replies: { 204: { description: "It is removed." } },
  problems: [...ofChanges, "not_found", "state_conflict"],
});

export const listLogins = operation({
  id: "listLogins",
  method: "GET",
  path: "/v1/logins",
  tag: "People",
  summary: "List the own logins",
  description: "The browsers in which the person is signed in.",
  scope: null,
  login: "required",
  replies: { 200: { description: "The logins.", content: json(LoginList) } },
  problems: ofLogins,
});

export const endLogins = operation({
  id: "endLogins",
  method: "DELETE",
  path: "/v1/logins",
  tag: "People",
  summary: "End all other logins",
  description: "Ends all logins of the person but that of this request, with immediate effect.",
  scope: null,
  login: "required",
  replies: { 204: { description: "They are ended." } },
  problems: [...ofLogins, ...withBody],
});

export const endLogin = operation({
  id: "endLogin",
  method: "DELETE",
  path: "/v1/logins/{login_id}",
  tag: "People",
  summary: "End one of the own logins",
  scope: null,
  login: "required",
  params: Closed({ login_id: Uuid }),
  replies: { 204: { description: "It is ended." } },
  problems: [...ofLogins, ...withBody, "not_found"],
});

export const readLink = operation({
  id: "readLink",
  method: "POST",
  path: "/v1/links/reading",
  tag: "People",
  summary: "Read what a one-time link is for",
  description: "The token is in the body, so that no log of addresses has it.",
  scope: null,
  audit: false,
  login: "begins",
  body: { schema: OneTimeLink, required: true, bytesMax },
  replies: { 200: { description: "What it is for.", content: json(OneTimeLinkState) } },
  problems: [...ofBrowsers, ...withBody, "not_found"],
});

export const beginPasskeyOfLink = operation({
  id: "beginPasskeyOfLink",
  method: "POST",
  path: "/v1/links/passkey",
  tag: "People",
  summary: "Begin to use a one-time link with a new passkey",
  description:
    "For a person who is new here, or whose link is for a new password: the passkey takes the place of a password. The answer of the browser is part of the link's acceptance.",
  scope: null,
  audit: false,
  login: "begins",
  body: { schema: PasskeyJoinStart, required: true, bytesMax },
  replies: { 201: { description: "What to ask for.", headers: setsCookie, content: json(PasskeyOptions) } },
  problems: [...ofBrowsers, ...withBody, "not_found", "state_conflict"],
});

export const acceptLink = operation({
  id: "acceptLink",
  method: "POST",
  path: "/v1/links/acceptance",
  tag: "People",
  summary: "Use a one-time link",
  description:
    "Accepts an invitation, or sets a new password, and signs in. A person who already has a password here accepts an invitation with it. A new password ends all earlier logins of the person. In place of a new password, a passkey can be sent.",
  scope: null,
  login: "begins",
  body: { schema: LinkAcceptance, required: true, bytesMax },
  replies: { 201: { description: "The person is signed in.", headers: setsCookie, content: json(LoginState) } },
  problems: [
    ...ofBrowsers,
    ...withBody,
    "not_found",
    "sign_in_refused",
    "second_factor_required",
    "passkey_refused",
    "state_conflict",
  ],
});

export const listMembers = operation({
  id: "listMembers",
  method: "GET",
  path: "/v1/members",
  tag: "People",
  summary: "List the account's members",
  scope: "members:read",
  replies: { 200: { description: "The members.", content: json(MemberList) } },
  problems: usual,
});

export const setMemberRole = operation({
  id: "setMemberRole",
  method: "PUT",
  path: "/v1/members/{member_id}",
  tag: "People",
  summary: "Change a member's role and projects",
  description:
    "Ends the member's logins for this account, open streams included: the next login has what is new. The last owner stays one.",
  scope: "members:manage",
  params: memberId,
  body: { schema: MemberChange, required: true, bytesMax },
  replies: { 200: { description: "The member.", content: json(MemberRecord) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const removeMember = operation({
  id: "removeMember",
  method: "DELETE",
  path: "/v1/members/{member_id}",
  tag: "People",
  summary: "Remove a member",
  description:
    "Takes effect immediately, also for open streams. Access tokens belong to the account and go on working: revoke those that the person knows. The last owner cannot be removed.",
  scope: "members:manage",
  params: memberId,
  replies: { 204: { description: "The person is no longer a member." } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const listMemberLogins = operation({
  id: "listMemberLogins",
  method: "GET",
  path: "/v1/members/{member_id}/logins",
  tag: "People",
  summary: "List the logins of a member",
  description: "The browsers in which the member is signed in for this account.",
  scope: "members:read",
  params: memberId,
  replies: { 200: { description: "The logins.", content: json(LoginList) } },
  problems: [...usual, "not_found"],
});

export const endMemberLogins = operation({
  id: "endMemberLogins",
  method: "DELETE",
  path: "/v1/members/{member_id}/logins",
  tag: "People",
  summary: "End the logins of a member",
  description: "Ends those for this account, with immediate effect. The member can sign in again.",
  scope: "access:manage",
  params: memberId,
  replies: { 204: { description: "They are ended." } },
  problems: [...usual, ...withBody, "not_found"],
});

export const resetSecondFactor = operation({
  id: "resetSecondFactor",
  method: "DELETE",
  path: "/v1/members/{member_id}/second-factor",
  tag: "People",
  summary: "Remove a member's second factor",
  description:
    "For a member who has lost the app and the recovery codes. Ends the member's logins. Only for members of no other account: otherwise an operator does it, with `querentd person reset-factor`.",
  scope: "members:manage",
  params: memberId,
  replies: { 204: { description: "The member signs in with the password alone." } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const resetPasskeys = operation({
  id: "resetPasskeys",
  method: "DELETE",
  path: "/v1/members/{member_id}/passkeys",
  tag: "People",
  summary: "Remove a member's passkeys",
  description:
    "For a member who has lost them. Ends the member's logins. If the member has no other way to sign in, the response contains a link that sets one up, which cannot be read again. Only for members of no other account who are no operators: otherwise an operator does it, with `querentd person remove-passkey`.",
  scope: "members:manage",
  params: memberId,
  replies: { 200: { description: "They are removed.", content: json(PasskeyReset) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const getSecondFactorRule = operation({
  id: "getSecondFactorRule",
  method: "GET",
  path: "/v1/account/second-factor",
  tag: "People",
  summary: "Get whether members need a second factor",
  scope: "members:read",
  replies: { 200: { description: "The rule.", content: json(SecondFactorRule) } },
  problems: usual,
});

export const setSecondFactorRule = operation({
  id: "setSecondFactorRule",
  method: "PUT",
  path: "/v1/account/second-factor",
  tag: "People",
  summary: "Require a second factor of members, or no longer",
  description:
    "Takes effect immediately, also for open streams: a member without a second factor signs in, and can only set one up. Whoever requires it has signed in with one. Tokens and logins of identity providers are not affected.",
  scope: "members:manage",
  body: { schema: SecondFactorRuleChange, required: true, bytesMax },
  replies: { 200: { description: "The rule.", content: json(SecondFactorRule) } },
  problems: [...usual, ...withBody, "state_conflict"],
});

export const listInvitations = operation({
  id: "listInvitations",
  method: "GET",
  path: "/v1/invitations",
  tag: "People",
  summary: "List the account's invitations",
  scope: "members:read",
  replies: { 200: { description: "The invitations.", content: json(InvitationList) } },
  problems: usual,
});

export const createInvitation = operation({
  id: "createInvitation",
  method: "POST",
  path: "/v1/invitations",
  tag: "People",
  summary: "Invite a person",
  description:
    "The response contains the link, which cannot be read again later. Replaces an earlier invitation of the same e-mail address, whose link stops working.",
  scope: "members:manage",
  body: { schema: InvitationRequest, required: true, bytesMax },
  replies: { 201: { description: "The invitation.", content: json(CreatedInvitation) } },
  problems: [...usual, ...withBody, "state_conflict"],
});

export const revokeInvitation = operation({
  id: "revokeInvitation",
  method: "DELETE",
  path: "/v1/invitations/{invitation_id}",
  tag: "People",
  summary: "Withdraw an invitation",
  scope: "members:manage",
  params: Closed({ invitation_id: Uuid }),
  replies: { 204: { description: "Its link no longer works." } },
  problems: [...usual, ...withBody, "not_found"],
});
