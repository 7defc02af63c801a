/** The operators' API for signing in to a web platform in a browser of the service. */
import { api } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Route } from "../api/route.ts";
import { noteAudit } from "../runtime/audited.ts";
import { changedBy, type OnChange } from "../kernel/change-event.ts";
import { keepSession, readSessionRecord, SessionError, type LimitsOfSession } from "../sessions/index.ts";
import { notNow, signInRecord, type SignIns, type SignInsDeps } from "./sign-ins.ts";

export interface SignInRouteDeps extends Pick<SignInsDeps, "database" | "masterKey"> {
  readonly signIns: SignIns;
  readonly limitsOf: LimitsOfSession;
  readonly onChange: OnChange;
}

const changeMsMax = 15_000;
/** The picture shows what a person types and sees. */
const headers = { "cache-control": "no-store" };

export function signInRoutes({ database, masterKey, signIns, limitsOf, onChange }: SignInRouteDeps): Route[] {
  return [
    route(api.startSignIn, async ({ caller, body: { platformCode: platform, name, country = null } }) => {
      noteAudit({ target: { type: "session", id: `${platform}/${name}` } });
      const signIn = await signIns.start({ tokenId: caller.tokenId, platform, name, country });
      onChange({ event: "sign_in.started", platform, session: name, by: changedBy(caller) });
      return { status: 201, headers, body: signInRecord(signIn) };
    }),

    route(api.getSignIn, async ({ caller, params, query: { after }, signal }) => {
      const signIn = signIns.of(caller.tokenId, params.sign_in_id);
      signIn.touch();
      if (after !== undefined)
        await signIn.pages.changed(after, AbortSignal.any([signal, AbortSignal.timeout(changeMsMax)]));
      return { status: 200, headers, body: signInRecord(signIns.of(caller.tokenId, signIn.id)) };
    }),

    route(api.sendSignInInput, async ({ caller, params, body: { events } }) => {
      const signIn = signIns.of(caller.tokenId, params.sign_in_id);
      signIn.touch();
      await signIn.pages.send(events);
      return { status: 204 };
    }),

    route(api.saveSignIn, async ({ caller, params }) => {
      const signIn = signIns.of(caller.tokenId, params.sign_in_id);
      const { platform, name } = signIn;
      noteAudit({ target: { type: "session", id: `${platform}/${name}` } });
      const text = await signIn.read();
      if (text === null) throw notNow("The browser did not return the session in time. Try again.");
      try {
        await database.transaction((tx) => keepSession(tx, masterKey, { platform, name, text }));
      } catch (error) {
        throw error instanceof SessionError ? new ProblemError("validation_failed", error.message) : error;
      }
      onChange({ event: "session.stored", platform, session: name, by: changedBy(caller) });
      await signIn.end();
      return { status: 201, headers, body: await readSessionRecord(database, { platform, name, limitsOf }) };
    }),

    route(api.cancelSignIn, async ({ caller, params }) => {
      await signIns.of(caller.tokenId, params.sign_in_id).end();
      return { status: 204 };
    }),
  ];
}
