import { QuerentError, UnauthorizedError } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { Announcer } from "../ui/announcer.tsx";
import { FailureNote } from "../ui/failure-note.tsx";
import { Later } from "../ui/use-later.tsx";
import { path } from "./address.ts";
import { ProviderAnswer } from "./provider-sign-in.tsx";
import { tryLogin, trySession } from "./try-session.ts";
import { isGated, keptToken, mayHaveLogin, resume, session, signOut } from "./session.ts";
import { Shell } from "./shell.tsx";
import { SignIn } from "./sign-in.tsx";
import * as css from "./app.module.css";

const loadJoin = () => import("./join.tsx").then(({ Join }) => Join);
const loadConnect = () => import("./connect.tsx").then(({ Connect }) => Connect);
const loadFactorGate = () => import("./factor-gate.tsx").then(({ FactorGate }) => FactorGate);

/** The console: signed in or not. A token that was kept, or a login, is tried before anything is shown. */
export function App() {
  const answering = /^\/sign-in\/([a-z0-9-]+)$/.exec(path.value)?.[1];
  // A sign-in that is being completed replaces a former login, which is not tried beside it.
  const [resuming, setResuming] = useState(() =>
    answering === undefined ? (keptToken() ?? (mayHaveLogin() ? "" : null)) : null,
  );
  const [failed, setFailed] = useState<QuerentError | null>(null);
  const [tries, setTries] = useState(0);

  useEffect(() => {
    if (resuming === null) return;
    const aborting = new AbortController();
    const start = async () => {
      try {
        const call = { signal: aborting.signal };
        resume(await (resuming === "" ? tryLogin(call) : trySession(resuming, call)));
      } catch (error) {
        if (aborting.signal.aborted) return;
        if (!(error instanceof QuerentError)) throw error;
        // A token that the service does not know is forgotten. While the service can't be reached, it may well be good.
        if (!(error instanceof UnauthorizedError)) return setFailed(error);
        signOut(true);
      }
      setResuming(null);
    };
    void start();
    return () => aborting.abort();
  }, [resuming, tries]);

  if (failed !== null && resuming !== null) {
    const again = () => {
      setFailed(null);
      setTries(tries + 1);
    };
    return (
      <main class={css.alone}>
        <FailureNote failed={failed} retry={again} />
      </main>
    );
  }
  if (path.value === "/join")
    return (
      <>
        <Later load={loadJoin} props={{}} />
        <Announcer />
      </>
    );
  if (answering !== undefined)
    return (
      <>
        <ProviderAnswer providerId={answering} />
        <Announcer />
      </>
    );
  if (resuming !== null) return null;
  const login = session.value?.login ?? null;
  const gated = login !== null && isGated(login) ? login : null;
  if (path.value === "/connect" && session.value !== null && gated === null)
    return (
      <>
        <Later key={session.value.login?.accountId} load={loadConnect} props={{}} />
        <Announcer />
      </>
    );
  return (
    <>
      {/* What was read for one account is dropped with it. */}
      {session.value === null ? (
        <SignIn />
      ) : gated !== null ? (
        <Later key={gated.accountId} load={loadFactorGate} props={{ login: gated }} />
      ) : (
        <Shell key={login?.accountId} />
      )}
      <Announcer />
    </>
  );
}
