import type { SessionRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { phrases } from "../../i18n/phrases.ts";
import { sessionMessages } from "../../i18n/sessions.ts";
import { announce } from "../../ui/announcer.tsx";
import { ConfirmButtons } from "../../ui/confirm-buttons.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { Ago, distance, now, number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./operator.module.css";
import { ColumnHeads } from "../../ui/column-heads.tsx";

interface SessionTableProps {
  readonly sessions: readonly SessionRecord[];
  readonly nameOf: (platformCode: string) => string;
  readonly signIn: (session: SessionRecord) => void;
  readonly changed: () => void;
}

export function SessionTable({ sessions, nameOf, signIn, changed }: SessionTableProps) {
  const t = sessionMessages.value;
  const { failed, run } = useAttempt();
  const [removing, setRemoving] = useState<string | null>(null);
  const act = (work: () => Promise<unknown>, said: string) =>
    run(async () => {
      await work();
      setRemoving(null);
      announce(said);
      changed();
    });
  return (
    <>
      {failed === null ? null : <FailureNote failed={failed} />}
      <TablePlace label={t.title}>
        <table class="table">
          <ColumnHeads
            columns={["platform", "account", "state", "limits", "signedIn", "success", "used"]}
            labels={t.columns}
            actions
          />
          <tbody>
            {sessions.map((session) => {
              const { platformCode, name } = session;
              const key = `${platformCode}/${name}`;
              return (
                <tr key={key}>
                  <th scope="row" class="nowrap">
                    {nameOf(platformCode)}
                  </th>
                  <td>
                    <code>{name}</code>
                  </td>
                  <td class={session.signedOutAt === null ? undefined : css.state}>
                    <State session={session} />
                  </td>
                  <td class="quiet">{limitsText(session)}</td>
                  <Time at={session.signedInAt} />
                  <Time at={session.succeededAt} />
                  <Time at={session.usedAt} />
                  <td class="figure">
                    <span class="actions">
                      {removing === key ? (
                        <ConfirmButtons
                          yes={t.reallyRemove}
                          confirm={() => act(() => querent.sessions.delete(platformCode, name), t.removed)}
                          no={phrases.value.cancel}
                          withdraw={() => setRemoving(null)}
                        />
                      ) : (
                        <Actions
                          of={`: ${nameOf(platformCode)} ${name}`}
                          needsPerson={session.state === "needs_person"}
                          signIn={() => signIn(session)}
                          resume={
                            session.state === "ready"
                              ? null
                              : () => act(() => querent.sessions.resume(platformCode, name), t.resumed)
                          }
                          remove={() => setRemoving(key)}
                        />
                      )}
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TablePlace>
    </>
  );
}

function limitsText({ limits }: SessionRecord): string {
  const t = sessionMessages.value;
  const texts = (["runningMax", "perMinute", "perHour"] as const).flatMap((limit) => {
    const count = limits[limit];
    return count === null ? [] : [t.limits[limit](number(count))];
  });
  return texts.length === 0 ? t.noLimits : texts.join(", ");
}

interface ActionsProps {
  /** What distinguishes these buttons from those of other rows. */
  readonly of: string;
  readonly needsPerson: boolean;
  readonly signIn: () => void;
  /** Uses the session again; null while it is in use. */
  readonly resume: (() => void) | null;
  readonly remove: () => void;
}

function Actions({ of, needsPerson, signIn, resume, remove }: ActionsProps) {
  const t = sessionMessages.value;
  const actions = [
    { label: needsPerson ? t.pass : t.again, act: signIn },
    ...(resume === null ? [] : [{ label: t.resume, act: resume }]),
    { label: t.remove, act: remove },
  ];
  return (
    <>
      {actions.map(({ label, act }) => (
        <button key={label} type="button" class="button ghost" aria-label={`${label}${of}`} onClick={act}>
          {label}
        </button>
      ))}
    </>
  );
}

function State({ session: { state, running, throttledUntil, signedOutWhy, signedOutAt } }: { session: SessionRecord }) {
  const t = sessionMessages.value;
  const mark = state === "ready" ? "mark mark-good" : state === "throttled" ? "mark mark-warn" : "mark mark-bad";
  return (
    <>
      <span class={mark}>
        {state === "throttled" && throttledUntil !== null
          ? t.pausedUntil(distance(Math.max(0, Date.parse(throttledUntil) - now.value)))
          : t.states[state]}
      </span>
      {signedOutAt === null ? null : (
        <div class="quiet small nowrap">
          <Ago at={signedOutAt} />
        </div>
      )}
      {running === 0 ? null : <span class="quiet small"> {t.running(number(running))}</span>}
      {state === "needs_person" ? <div class="small">{t.passAbout}</div> : null}
      {signedOutWhy === null ? null : (
        <div class="quiet small" lang="en">
          {signedOutWhy}
        </div>
      )}
    </>
  );
}

function Time({ at }: { at: string | null }) {
  return <td class="quiet nowrap">{at === null ? sessionMessages.value.never : <Ago at={at} />}</td>;
}
