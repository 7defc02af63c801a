/** Signing in at an identity provider, or by a proxy: the buttons that begin it, and the page to which a provider sends the browser back. */
import { QuerentError, type LoginState, type SignInWays } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { clientFor } from "../api/querent.ts";
import { peopleMessages } from "../i18n/people.ts";
import { signInMessages } from "../i18n/sign-in.ts";
import { recall, remember } from "../ui/browser-storage.ts";
import { FailureNote } from "../ui/failure-note.tsx";
import { useAttempt, type TriedAction } from "../ui/use-attempt.ts";
import { base, go, to } from "./address.ts";
import { signIn, signOut, takeProxyTry } from "./session.ts";
import { sessionOf } from "./try-session.ts";
import { EntryPage } from "./entry-page.tsx";
import * as css from "./sign-in.module.css";

const client = clientFor("");

/** What the service offers; null until it has said so. Without an answer, passwords and tokens are offered, and nothing else. */
export function useSignInWays(): SignInWays | null {
  const [ways, setWays] = useState<SignInWays | null>(null);
  useEffect(() => {
    client.login.ways().then(setWays, () => undefined);
  }, []);
  return ways;
}

/** One button for each identity provider. With the token of an invitation, signing in there accepts it. */
export function ProviderButtons({ ways, link }: { ways: SignInWays | null; link: string | null }) {
  const t = signInMessages.value;
  const { busy, failed, run } = useAttempt();
  if (ways === null || ways.providers.length === 0) return null;
  const begin = (providerId: string) =>
    run(async () => {
      const address = await client.login.beginAt(providerId, link, { maxRetries: 0 });
      remember("tab", returnEntry, window.location.pathname + window.location.search);
      window.location.assign(address);
    });
  return (
    <div class={css.signInForm}>
      {ways.providers.map(({ providerId, name }) => (
        <button
          key={providerId}
          type="button"
          class="button wide"
          aria-disabled={busy}
          onClick={() => begin(providerId)}
        >
          <bdi>{t.continueWith(name)}</bdi>
        </button>
      ))}
      {failed === null ? null : <FailureNote failed={failed} />}
    </div>
  );
}

/** Signs in by the proxy that the page came by way of, without being asked. Until it has answered, nothing else is offered. */
export function useProxySignIn(ways: SignInWays | null): TriedAction & { readonly isUnasked: boolean } {
  const attempt = useAttempt();
  const [isUnasked, setUnasked] = useState(false);
  const isStated = ways !== null && ways.proxy !== null;
  useEffect(() => {
    if (!isStated || !takeProxyTry()) return;
    setUnasked(true);
    attempt.run(async () => {
      try {
        signIn(sessionOf(await client.login.signInByProxy(null, { maxRetries: 0 })), "memory");
      } finally {
        setUnasked(false);
      }
    });
  }, [isStated]);
  return { ...attempt, isUnasked };
}

/** For the proxy that states somebody, if there is one. With the token of an invitation, signing in by it accepts it. */
export function ProxyButton({
  ways,
  attempt: { busy, failed, run },
  link = null,
  signedIn,
}: {
  ways: SignInWays | null;
  attempt: TriedAction;
  link?: string | null;
  signedIn: (login: LoginState) => void;
}) {
  const t = signInMessages.value;
  if (ways === null || ways.proxy === null) return null;
  const begin = () => run(async () => signedIn(await client.login.signInByProxy(link, { maxRetries: 0 })));
  return (
    <div class={css.signInForm}>
      <button type="button" class="button wide" aria-disabled={busy} onClick={begin}>
        <bdi>{t.continueWith(ways.proxy.name)}</bdi>
      </button>
      {failed === null ? null : <Refused failed={failed} />}
    </div>
  );
}

/** Why nobody was signed in. */
const Refused = ({ failed }: { failed: QuerentError }) =>
  failed.problem?.code === "sign_in_refused" ? (
    <p class="note note-bad" role="alert">
      {failed.problem.detail}
    </p>
  ) : (
    <FailureNote failed={failed} />
  );

/** Where the person was in the console when the sign-in began: the console goes there again, and nowhere outside of it. */
const returnEntry = "querent.return";

/** Where an identity provider sends the browser back to. Its answer is only heard from the browser that began the sign-in. */
export function ProviderAnswer({ providerId }: { providerId: string }) {
  const t = signInMessages.value;
  const [failed, setFailed] = useState<QuerentError | null>(null);
  useEffect(() => {
    document.title = `${t.title} · Querent`;
    const response = window.location.search.slice(1);
    // The answer works once, and is not to stay in the history.
    window.history.replaceState(null, "", window.location.pathname);
    const complete = async () => {
      try {
        const login = await client.login.signInAt(providerId, response || "none", { maxRetries: 0 });
        const former = recall("tab", returnEntry);
        remember("tab", returnEntry, null);
        signOut();
        go(former?.startsWith(`${base}/`) === true && !former.startsWith(`${base}/join`) ? former : to("/"), {
          replace: true,
        });
        signIn(sessionOf(login), "memory");
      } catch (error) {
        if (!(error instanceof QuerentError)) throw error;
        setFailed(error);
      }
    };
    void complete();
  }, []);
  return (
    <EntryPage>
      <h1>{failed === null ? t.trying : t.notSignedIn}</h1>
      {failed === null ? null : <Refused failed={failed} />}
      {failed === null ? null : (
        <a class="button start" href={to("/")}>
          {peopleMessages.value.join.toSignIn}
        </a>
      )}
    </EntryPage>
  );
}
