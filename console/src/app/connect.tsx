import { QuerentError, type ConnectionRequest, type LoginState } from "@querent/client";
import { useEffect, useState } from "preact/hooks";
import { querent } from "../api/querent.ts";
import { connectionMessages } from "../i18n/connections.ts";
import { FailureNote } from "../ui/failure-note.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { AccountSelect } from "./account-select.tsx";
import { to } from "./address.ts";
import { leave } from "./leave.ts";
import { session } from "./session.ts";
import { EntryPage } from "./entry-page.tsx";
import * as css from "./connect.module.css";
import * as page from "./sign-in.module.css";

/** Where the authorization server sends the browser: the person decides on an assistant that asks to be connected. */
export function Connect() {
  const t = connectionMessages.value;
  const login = session.value?.login ?? null;
  const [request, setRequest] = useState<ConnectionRequest | null>(null);
  const [failed, setFailed] = useState<QuerentError | null>(null);
  useEffect(() => {
    document.title = `${t.title} · Querent`;
    if (login === null) return;
    const read = async () => {
      try {
        setRequest(await querent.login.connectionRequest());
      } catch (error) {
        if (!(error instanceof QuerentError)) throw error;
        setFailed(error);
      }
    };
    void read();
  }, []);
  return (
    <EntryPage>
      {login === null ? (
        <>
          <h1>{t.title}</h1>
          <p class={page.lead}>{t.needsPerson}</p>
          <button type="button" class="button start" onClick={leave}>
            {t.signInAsPerson}
          </button>
        </>
      ) : failed?.status === 404 ? (
        <>
          <h1>{t.noneTitle}</h1>
          <p class={page.lead}>{t.none}</p>
          <a class="button start" href={to("/")}>
            {t.toConsole}
          </a>
        </>
      ) : failed !== null ? (
        <>
          <h1>{t.title}</h1>
          <FailureNote failed={failed} />
        </>
      ) : request === null ? null : (
        <Decision request={request} login={login} />
      )}
    </EntryPage>
  );
}

function Decision({ request, login }: { request: ConnectionRequest; login: LoginState }) {
  const t = connectionMessages.value;
  const { client, redirect, requestId, accountId, requested, allowed } = request;
  const [given, setGiven] = useState<readonly ConnectionRequest["allowed"][number][]>(allowed);
  const [isDecided, setDecided] = useState(false);
  const { busy, failed, run } = useAttempt();
  const decide = (scopes: ConnectionRequest["allowed"]) =>
    run(async () => {
      const address = await querent.login.decideConnection({ requestId, accountId, scopes });
      setDecided(true);
      window.location.assign(address);
    });
  if (isDecided)
    return (
      <>
        <h1>{t.title}</h1>
        <p role="status">{t.decided}</p>
      </>
    );
  const beyond = requested.filter((scope) => !allowed.includes(scope));
  return (
    <>
      <h1 class={css.asks}>
        <bdi>{t.asks(client.name)}</bdi>
      </h1>
      <p class={page.lead}>
        <bdi>{t.lead(request.accountName)}</bdi>
      </p>
      <div class={page.signInForm}>
        <dl class={css.facts}>
          {client.host === null ? null : (
            <div>
              <dt>{t.publishedBy}</dt>
              <dd class={css.host}>
                <bdi>{client.host}</bdi>
              </dd>
            </div>
          )}
          <div>
            <dt>{t.sentTo}</dt>
            <dd class={css.host}>
              <bdi>{redirect.host}</bdi>
            </dd>
          </div>
        </dl>
        {client.host === null ? <p class="note note-warn">{t.unverified}</p> : null}
        {redirect.kind === "web" ? null : <p class="note note-warn">{t[redirect.kind]}</p>}
        <AccountSelect login={login} label={t.account} />
        <p class="quiet small">
          <bdi>{t.signedInAs(login.person.email)}</bdi>
        </p>
        <fieldset class="field">
          <legend>{t.may}</legend>
          {allowed.map((scope) => (
            <label class="choice" key={scope}>
              <input
                type="checkbox"
                checked={given.includes(scope)}
                onChange={({ currentTarget }) =>
                  setGiven(currentTarget.checked ? [...given, scope] : given.filter((other) => other !== scope))
                }
              />
              <span>{t.scopes[scope]}</span>
            </label>
          ))}
          {allowed.length === 0 ? (
            <p class="note">{t.nothingAllowed}</p>
          ) : beyond.length > 0 ? (
            <p class="quiet small">{t.notAllowed(beyond.map((scope) => t.scopes[scope]).join("; "))}</p>
          ) : null}
        </fieldset>
        {failed === null ? null : <FailureNote failed={failed} />}
        <div class={css.answers}>
          <button type="button" class="button" aria-disabled={busy} onClick={() => decide([])}>
            {t.refuse}
          </button>
          <button
            type="button"
            class="button primary"
            aria-disabled={busy}
            disabled={given.length === 0}
            onClick={() => decide([...given])}
          >
            {t.allow}
          </button>
        </div>
        <p class="quiet small">{t.endsIn}</p>
      </div>
    </>
  );
}
