import type { SessionRecord, SignIn } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { conditions } from "../../app/conditions.ts";
import { sessionMessages } from "../../i18n/sessions.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { SessionForm, type SessionChoice } from "./session-form.tsx";
import { SessionTable } from "./session-table.tsx";
import { SignInPanel } from "./sign-in-panel.tsx";

const refreshMs = 5000;

/** Sessions of web platforms: what they are, and how one is signed in, imported or removed. */
export function SessionsPart() {
  const t = sessionMessages.value;
  const { value, failed, refresh } = useLive<SessionRecord[]>("sessions", (call) => querent.sessions.list(call), {
    everyMs: refreshMs,
  });
  const [asking, setAsking] = useState<SessionChoice | null>(null);
  const [started, setStarted] = useState<SignIn | null>(null);
  const platforms = conditions.value.platforms.filter(({ kind }) => kind === "web");
  const nameOf = (code: string) => platforms.find((platform) => platform.platformCode === code)?.name ?? code;
  const done = () => {
    setAsking(null);
    setStarted(null);
    refresh();
  };
  if (started !== null)
    return (
      <SignInPanel key={started.signInId} started={started} platformName={nameOf(started.platformCode)} close={done} />
    );
  const ask = (how: SessionChoice["how"]) =>
    setAsking({ how, platformCode: platforms[0]?.platformCode ?? "", name: "default" });
  return (
    <section class="stack" aria-labelledby="sessions-title">
      <h2 id="sessions-title">{t.title}</h2>
      <p class="quiet">{t.about}</p>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {asking !== null ? (
        <SessionForm
          key={`${asking.how} ${asking.platformCode} ${asking.name}`}
          choice={asking}
          platforms={platforms}
          started={setStarted}
          stored={done}
          cancel={() => setAsking(null)}
        />
      ) : platforms.length === 0 ? (
        <p class="note">{t.noPlatforms}</p>
      ) : (
        <div class="actions">
          <button type="button" class="button primary" onClick={() => ask("sign-in")}>
            {t.signIn}
          </button>
          <button type="button" class="button" onClick={() => ask("import")}>
            {t.importFile}
          </button>
        </div>
      )}
      {value === null ? null : value.length === 0 ? (
        <p class="note">{t.none}</p>
      ) : (
        <SessionTable
          sessions={value}
          nameOf={nameOf}
          signIn={({ platformCode, name }) => setAsking({ how: "sign-in", platformCode, name })}
          changed={refresh}
        />
      )}
    </section>
  );
}
