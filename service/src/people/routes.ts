import { api } from "@querent/contract";
import type { Database, Transaction } from "../db/index.ts";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Route, type RouteReply, type RouteRequest } from "../api/route.ts";
import { noteAudit } from "../runtime/audited.ts";
import { changedBy, type OnChange } from "../kernel/change-event.ts";
import type { InvitationMailer } from "./invitation-mail.ts";
import { findLink, invite, linkAddress, listInvitations, makePasswordLink, withdraw } from "./link.ts";
import { endLogins, listLogins, readLogin, requireShownFactor, type LoginLimits, type NewLogin } from "./login.ts";
import { listMembers, removeMember, requireEmail, requireName, setRole, type AccountMember } from "./person.ts";
import type { MasterKey } from "../vault/index.ts";
import { hasWay, listPasskeys, passkeyPlaces, removePasskeys, renamePasskey } from "./passkey.ts";
import { readFactorRule, setFactorRule } from "./second-factor-rule.ts";
import { beginFactor, confirmFactor, removeFactor } from "./second-factor.ts";
import type { Refusals } from "./refusals.ts";
import { SignInDesk, type AtPlace, type Requested } from "./sign-in.ts";
import type { SingleSignOn } from "./single-sign-on.ts";

export interface PersonRouteDeps {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly limits: LoginLimits;
  /** The address at which the service is reached; null if this process does not know it. */
  readonly publicBase: () => string | null;
  /** `QUERENT_PUBLIC_URL`; null if it is not set. */
  readonly publicUrl: string | null;
  readonly onChange: OnChange;
  readonly singleSignOn: SingleSignOn;
  readonly refusals: Refusals;
  /** The console accepts access tokens. */
  readonly consoleTokens: boolean;
  readonly mailer: InvitationMailer;
}

const secret = { "cache-control": "no-store" };
const invitationDays = 7;
const resetLinkHours = 24;

export function personRoutes(deps: PersonRouteDeps): Route[] {
  return [
    ...signInRoutes(deps),
    ...waysRoutes(deps),
    ...providerRoutes(deps),
    ...ownLoginRoutes(deps),
    ...memberRoutes(deps),
    ...invitationRoutes(deps),
  ];
}

function signInRoutes(deps: PersonRouteDeps): Route[] {
  const { database } = deps;
  const desk = new SignInDesk(deps);
  return [
    ...factorRoutes(deps, desk),
    ...passkeyRoutes(deps, desk),
    route(api.signIn, async (request) => signedIn(deps, await desk.withPassword(request.body, requestedBy(request)))),
    route(api.readLink, async ({ body }) => {
      const { state } = await findLink(database, body.token);
      return { status: 200, headers: secret, body: state };
    }),
    route(api.acceptLink, async (request) => ({
      ...(await signedIn(deps, await desk.withLink(request.body, placeOf(request)))),
      ...(request.body.passkey === undefined || request.body.passkey === null ? {} : { attempt: null }),
    })),
    route(api.setPassword, async ({ caller, body }) => {
      await desk.changePassword(caller.person, body);
      return { status: 204 };
    }),
  ];
}

function factorRoutes({ database, masterKey }: PersonRouteDeps, desk: SignInDesk): Route[] {
  return [
    route(api.beginSecondFactor, async ({ caller: { person }, body }) => {
      const { personId, email } = await desk.requireOwn(person.personId, body);
      await requireShownFactor(database, person);
      const made = await database.transaction((tx) => beginFactor(tx, masterKey, { personId, email }));
      return { status: 201, headers: secret, body: made };
    }),
    route(api.confirmSecondFactor, async ({ caller: { person }, body: { code } }) => {
      await requireShownFactor(database, person);
      const recoveryCodes = await confirmFactor(database, masterKey, { ...person, code });
      return { status: 200, headers: secret, body: { recoveryCodes } };
    }),
    route(api.removeSecondFactor, async ({ caller: { person }, body }) => {
      await desk.requireOwn(person.personId, body);
      await database.transaction((tx) => removeFactor(tx, person.personId));
      return { status: 204 };
    }),
  ];
}

function passkeyRoutes(deps: PersonRouteDeps, desk: SignInDesk): Route[] {
  const { database, singleSignOn } = deps;
  const asked = ({ options, attempt }: Awaited<ReturnType<SignInDesk["beginPasskey"]>>) => ({
    ...{ status: 201, headers: secret, body: { options }, attempt },
  });
  return [
    route(api.beginPasskeySignIn, async ({ body, headers }) =>
      asked(await desk.beginPasskey(body.link ?? null, headers["host"] ?? "")),
    ),
    route(api.signInWithPasskey, async (request) => ({
      ...(await signedIn(deps, await desk.withPasskey(request.body, placeOf(request)))),
      attempt: null,
    })),
    route(api.beginPasskeyOfLink, async ({ body, headers }) =>
      asked(await desk.beginPasskeyOfLink(body, headers["host"] ?? "")),
    ),
    route(api.listPasskeys, async ({ caller: { person } }) => ({
      status: 200,
      body: { passkeys: await listPasskeys(database, person.personId) },
    })),
    route(api.beginPasskey, async ({ caller: { person }, body, headers }) =>
      asked(await desk.beginOwnPasskey(person, body, headers["host"] ?? "")),
    ),
    route(api.addPasskey, async (request) => ({
      status: 201,
      headers: secret,
      body: await desk.addPasskey(request.caller.person, request.body, placeOf(request)),
      attempt: null,
    })),
    route(api.renamePasskey, async ({ caller: { person }, params: { passkey_id: passkeyId }, body }) => {
      const name = requireName("/name", body.name);
      const renamed = await database.transaction((tx) =>
        renamePasskey(tx, { personId: person.personId, passkeyId, name }),
      );
      return { status: 200, body: renamed };
    }),
    route(api.removePasskey, async ({ caller: { person }, params: { passkey_id: passkeyId }, body }) => {
      await desk.confirm(person, body);
      await database.transaction((tx) =>
        removePasskeys(tx, {
          ...{ personId: person.personId, passkeyId, exceptLogin: person.loginId },
          keepsOne: { providers: singleSignOn.isOn },
        }),
      );
      return { status: 204 };
    }),
  ];
}

function placeOf(
  request: Pick<RouteRequest<typeof api.signIn>, "requestId" | "address" | "headers" | "attempt">,
): AtPlace {
  return { ...requestedBy(request), host: request.headers["host"] ?? "", attempt: request.attempt };
}

function waysRoutes({ consoleTokens, singleSignOn, publicUrl }: PersonRouteDeps): Route[] {
  return [
    route(api.listSignInWays, async ({ headers, peer }) => {
      const { here, address } = passkeyPlaces(publicUrl, headers["host"] ?? "");
      return {
        status: 200,
        headers: secret,
        body: {
          password: true,
          token: consoleTokens,
          providers: singleSignOn.providers,
          proxy: singleSignOn.proxyOf(peer),
          passkeys: here !== null,
          passkeyAddress: address,
        },
      };
    }),
  ];
}

function providerRoutes(deps: PersonRouteDeps): Route[] {
  const { singleSignOn } = deps;
  return [
    route(api.beginProviderSignIn, async ({ params, body, headers }) => {
      const { address, attempt } = await singleSignOn.begin(params.provider_id, {
        link: body.link ?? null,
        host: headers["host"] ?? "",
      });
      return { status: 201, headers: secret, body: { address }, attempt };
    }),
    route(api.signInWithProvider, async (request) => {
      const { attempt, params, body } = request;
      const login = await singleSignOn.complete(
        params.provider_id,
        { secret: attempt, response: body.response },
        requestedBy(request),
      );
      return { ...(await signedIn(deps, login)), attempt: null };
    }),
    route(api.signInByProxy, async (request) =>
      signedIn(
        deps,
        await singleSignOn.signInByProxy(request.peer, { link: request.body.link ?? null }, requestedBy(request)),
      ),
    ),
    route(api.endProviderLogins, async (request) => {
      try {
        await singleSignOn.endByProvider(request.params.provider_id, request.body.logout_token, requestedBy(request));
      } catch (error) {
        if (!(error instanceof ProblemError) || error.code !== "sign_in_refused") throw error;
        // The status that the specification of logout tokens names.
        throw new ProblemError("malformed_request", error.message, { cause: error });
      }
      return { status: 204, headers: secret };
    }),
    route(api.signOutAtProvider, async ({ caller: { person } }) => ({
      status: 200,
      headers: secret,
      body: { address: await singleSignOn.signOut(person) },
      login: null,
    })),
  ];
}

function requestedBy({
  requestId,
  address,
  headers,
}: Pick<RouteRequest<typeof api.signIn>, "requestId" | "address" | "headers">): Requested {
  return { requestId, browser: { address, userAgent: headers["user-agent"] ?? null } };
}

async function signedIn({ database }: PersonRouteDeps, login: NewLogin): Promise<RouteReply> {
  const state = await readLogin(database, login.loginId);
  if (state === null) throw new Error("a login ended while it began");
  return { status: 201, headers: secret, body: state, login };
}

function ownLoginRoutes({ database, limits }: PersonRouteDeps): Route[] {
  return [
    route(api.getLogin, async ({ caller }) => {
      const state = await readLogin(database, caller.person.loginId);
      if (state === null) throw new ProblemError("unauthorized", "The login has ended.");
      return { status: 200, headers: secret, body: state };
    }),
    route(api.signOut, async ({ caller: { person } }) => {
      await database.transaction((tx) => endLogins(tx, person));
      return { status: 204, login: null };
    }),
    route(api.setLoginAccount, async ({ caller: { person }, body }) => {
      // Index: the primary key. The foreign key allows accounts of which the person is a member alone.
      await database.transaction(async (tx) => {
        const { rowCount } = await tx.query(
          `update logins l set account_id = $3
            where l.id = $1 and exists (select from members where account_id = $3 and person_id = $2)`,
          [person.loginId, person.personId, body.accountId],
        );
        if (rowCount === 0) throw new ProblemError("not_found", "The person is not a member of this account.");
        // Told to the account to which the person comes, and to no other.
        noteAudit({ accountId: body.accountId, target: { type: "login", id: person.loginId } });
      });
      const state = await readLogin(database, person.loginId);
      if (state === null) throw new ProblemError("unauthorized", "The login has ended.");
      return { status: 200, headers: secret, body: state };
    }),
    route(api.listLogins, async ({ caller: { person } }) => {
      const of = { personId: person.personId, accountId: null, currentId: person.loginId };
      return { status: 200, body: { logins: await listLogins(database, of, limits) } };
    }),
    route(api.endLogins, async ({ caller: { person } }) => {
      await database.transaction((tx) => endLogins(tx, { personId: person.personId, except: person.loginId }));
      return { status: 204 };
    }),
    route(api.endLogin, async ({ caller: { person }, params }) => {
      await database.transaction(async (tx) => {
        const ended = await endLogins(tx, { personId: person.personId, loginId: params.login_id });
        if (ended === 0) throw new ProblemError("not_found", "There is no such login.");
      });
      return { status: 204 };
    }),
  ];
}

function memberRoutes(deps: PersonRouteDeps): Route[] {
  const { database, limits, onChange } = deps;
  return [
    route(api.getSecondFactorRule, async ({ caller: { accountId } }) => ({
      status: 200,
      body: await readFactorRule(database, accountId),
    })),
    route(api.setSecondFactorRule, async ({ caller: { accountId, person }, body: { required } }) => {
      const rule = await database.transaction(async (tx) => {
        const set = await setFactorRule(tx, { accountId, required });
        // Whoever requires it is not the first to be left outside.
        if (required && person !== null && (await readLogin(tx, person.loginId))?.needsSecondFactor !== false)
          throw new ProblemError(
            "state_conflict",
            "You have signed in without a second factor. Add a passkey or set up codes first, and sign in with it.",
          );
        return set;
      });
      return { status: 200, body: rule };
    }),
    route(api.listMembers, async ({ caller: { accountId } }) => {
      const members = await listMembers(database, { accountId }, limits);
      return { status: 200, body: { members: members.map(({ record }) => record) } };
    }),
    route(api.setMemberRole, async ({ caller, params, body: { role, projects } }) => {
      const { accountId } = caller;
      await database.transaction((tx) => setRole(tx, { accountId, memberId: params.member_id, role, projects }));
      onChange({ event: "member.role_changed", accountId, role, by: changedBy(caller) });
      return { status: 200, body: (await memberOf(deps, accountId, params.member_id)).record };
    }),
    route(api.removeMember, async ({ caller, params: { member_id: memberId } }) => {
      const { accountId } = caller;
      await database.transaction((tx) => removeMember(tx, { accountId, memberId }));
      onChange({ event: "member.removed", accountId, memberId, by: changedBy(caller) });
      return { status: 204 };
    }),
    route(api.listMemberLogins, async ({ caller, params }) => {
      const { personId } = await memberOf(deps, caller.accountId, params.member_id);
      const of = { personId, accountId: caller.accountId, currentId: caller.person?.loginId ?? null };
      return { status: 200, body: { logins: await listLogins(database, of, limits) } };
    }),
    route(api.endMemberLogins, async ({ caller, params: { member_id: memberId } }) => {
      const { accountId } = caller;
      const { personId } = await memberOf(deps, accountId, memberId);
      await database.transaction((tx) => endLogins(tx, { personId, accountId }));
      onChange({ event: "member.logins_ended", accountId, memberId, by: changedBy(caller) });
      return { status: 204 };
    }),
    route(api.resetSecondFactor, async ({ caller, params: { member_id: memberId } }) => {
      const { accountId } = caller;
      const { personId } = await memberOf(deps, accountId, memberId);
      await database.transaction(async (tx) => {
        await requireNoOtherAccount(tx, { personId, accountId }, "querentd person reset-factor");
        await removeFactor(tx, personId);
        await endLogins(tx, { personId });
      });
      return { status: 204 };
    }),
    route(api.resetPasskeys, async ({ caller, params: { member_id: memberId } }) => {
      const { accountId } = caller;
      const base = deps.publicBase();
      const { personId, operator } = await memberOf(deps, accountId, memberId);
      // The link that is made is as good as the person.
      if (operator)
        throw new ProblemError(
          "state_conflict",
          "The person operates the service. Another operator removes the passkeys: querentd person remove-passkey.",
        );
      const link = await database.transaction(async (tx) => {
        await requireNoOtherAccount(tx, { personId, accountId }, "querentd person remove-passkey");
        await removePasskeys(tx, { personId });
        await endLogins(tx, { personId });
        if (await hasWay(tx, personId, deps.singleSignOn.isOn)) return null;
        if (base === null) throw new ProblemError("unavailable", "The service does not know its address yet.");
        return linkAddress(base, await makePasswordLink(tx, personId, resetLinkHours));
      });
      return { status: 200, headers: secret, body: { link } };
    }),
  ];
}

/** What an owner resets for a member of this account alone: in another one, the person would be weaker by it. */
async function requireNoOtherAccount(
  tx: Transaction,
  { personId, accountId }: { readonly personId: string; readonly accountId: string },
  command: string,
): Promise<void> {
  const { rowCount } = await tx.query("select from members where person_id = $1 and account_id <> $2", [
    personId,
    accountId,
  ]);
  if (rowCount === 0) return;
  throw new ProblemError(
    "state_conflict",
    `The person is a member of other accounts, too. The operator does it: ${command}.`,
  );
}

async function memberOf(
  { database, limits }: PersonRouteDeps,
  accountId: string,
  memberId: string,
): Promise<AccountMember> {
  const [member] = await listMembers(database, { accountId, memberId }, limits);
  if (member === undefined) throw new ProblemError("not_found", "There is no such member.");
  return member;
}

function invitationRoutes({ database, publicBase, onChange, mailer }: PersonRouteDeps): Route[] {
  return [
    route(api.listInvitations, async ({ caller }) => ({
      status: 200,
      body: { invitations: await listInvitations(database, caller.accountId), mail: mailer.readiness },
    })),
    route(api.createInvitation, async ({ caller, body: { email: text, role, projects, days, mail } }) => {
      const base = publicBase();
      if (base === null) throw new ProblemError("unavailable", "The service does not know its address yet.");
      const { accountId, accountName } = caller;
      const email = requireEmail("/email", text);
      const { token, record } = await database.transaction((tx) =>
        invite(tx, { accountId, email, role, projects: projects ?? null, days: days ?? invitationDays }),
      );
      onChange({ event: "invitation.created", accountId, role, by: changedBy(caller) });
      const link = linkAddress(base, token);
      const mailed =
        mail === undefined || mail === null
          ? null
          : await mailer.send({
              ...{
                accountId,
                accountName,
                link,
                language: mail,
                email: email.text,
                by: caller.person === null ? null : caller.name,
              },
              expiresAt: new Date(record.expiresAt),
            });
      return { status: 201, headers: secret, body: { link, record, mail: mailed } };
    }),
    route(api.revokeInvitation, async ({ caller, params }) => {
      await database.transaction((tx) => withdraw(tx, caller.accountId, params.invitation_id));
      return { status: 204 };
    }),
  ];
}
