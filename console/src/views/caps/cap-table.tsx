import type { Cap } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { to } from "../../app/address.ts";
import { capsMessages } from "../../i18n/caps.ts";
import { phrases } from "../../i18n/phrases.ts";
import { announce } from "../../ui/announcer.tsx";
import { ConfirmButtons } from "../../ui/confirm-buttons.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { Ago, number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { reachedOf, withoutCap } from "./cap-draft.ts";
import { ColumnHeads } from "../../ui/column-heads.tsx";
import * as css from "./cap-table.module.css";

interface CapTableProps {
  readonly caps: readonly Cap[];
  readonly panelNames: ReadonlyMap<string, string>;
  readonly projectNames: ReadonlyMap<string, string>;
  readonly mayChange: boolean;
  readonly edit: (cap: Cap) => void;
  readonly changed: () => void;
}

const keyOf = ({ kind, subject }: Cap) => `${kind} ${subject ?? ""}`;

export function CapTable({ caps, panelNames, projectNames, mayChange, edit, changed }: CapTableProps) {
  const t = capsMessages.value;
  const { failed, run } = useAttempt();
  const [asked, setAsked] = useState<string | null>(null);
  const remove = (cap: Cap) =>
    run(async () => {
      await querent.caps.set(withoutCap(await querent.caps.list(), cap));
      announce(t.removed);
      setAsked(null);
      changed();
    });
  return (
    <>
      {failed === null ? null : <FailureNote failed={failed} />}
      <TablePlace label={t.title}>
        <table class="table">
          <ColumnHeads columns={["of", "run", "day", "month", "since"]} labels={t.columns} actions />
          <tbody>
            {caps.map((cap) => (
              <tr key={keyOf(cap)} data-cap={keyOf(cap).trim()}>
                <th scope="row">
                  <CapName cap={cap} panelNames={panelNames} projectNames={projectNames} />
                </th>
                <td class={cap.runPoints === null ? "quiet" : undefined}>
                  {cap.runPoints === null ? t.noLimit : t.perRun(number(cap.runPoints))}
                </td>
                <td>
                  <Used held={cap.dayHeld} limit={cap.dayPoints} />
                </td>
                <td>
                  <Used held={cap.monthHeld} limit={cap.monthPoints} />
                </td>
                <td class="quiet nowrap">
                  <Ago at={cap.countedFrom} />
                </td>
                <td class="figure">
                  {mayChange ? (
                    <RowActions
                      name={nameOf(cap, { panelNames, projectNames })}
                      isAsked={asked === keyOf(cap)}
                      ask={(isAsked) => setAsked(isAsked ? keyOf(cap) : null)}
                      edit={() => edit(cap)}
                      remove={() => remove(cap)}
                    />
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablePlace>
    </>
  );
}

type Names = Pick<CapTableProps, "panelNames" | "projectNames">;

function nameOf({ kind, subject }: Cap, { panelNames, projectNames }: Names): string {
  const t = capsMessages.value;
  if (subject === null) return t.account;
  if (kind === "tag") return t.tag(subject);
  return kind === "project"
    ? `${t.project} ${projectNames.get(subject) ?? subject}`
    : `${t.panel} ${panelNames.get(subject) ?? subject}`;
}

function CapName({ cap, ...names }: Names & { cap: Cap }) {
  const { panelNames } = names;
  const name = <bdi class={css.name}>{nameOf(cap, names)}</bdi>;
  const { kind, subject } = cap;
  if (kind !== "panel" || subject === null || !panelNames.has(subject)) return name;
  return <a href={to(`/panels/${subject}`, { part: "runs" })}>{name}</a>;
}

/** What is used of a limit, in words and as a bar. */
function Used({ held, limit }: { held: number; limit: number | null }) {
  const t = capsMessages.value;
  if (limit === null) return <span class="quiet">{t.noLimit}</span>;
  const reached = reachedOf(held, limit);
  const share = limit === 0 ? 1 : Math.min(1, held / limit);
  return (
    <div class={css.used}>
      <span>
        {t.used(number(held), number(limit))}{" "}
        {reached === null ? null : <span class={`tag ${css[`reached-${reached}`]}`}>{t.reached[reached]}</span>}
      </span>
      <span class={css.bar} aria-hidden="true">
        <span class={css[`bar-${reached ?? 0}`]} style={{ inlineSize: `${100 * share}%` }} />
      </span>
    </div>
  );
}

interface RowActionsProps {
  /** What the cap limits. */
  readonly name: string;
  /** Whether the user pressed Remove and has yet to confirm. */
  readonly isAsked: boolean;
  readonly ask: (isAsked: boolean) => void;
  readonly edit: () => void;
  readonly remove: () => void;
}

function RowActions({ name, isAsked, ask, edit, remove }: RowActionsProps) {
  const t = capsMessages.value;
  return (
    <span class={`actions ${css.rowActions}`}>
      {isAsked ? (
        <ConfirmButtons yes={t.reallyRemove} confirm={remove} no={phrases.value.cancel} withdraw={() => ask(false)} />
      ) : (
        <>
          <button type="button" class="button ghost" aria-label={`${t.edit} ${name}`} onClick={edit}>
            {t.edit}
          </button>
          <button type="button" class="button ghost" aria-label={`${t.remove} ${name}`} onClick={() => ask(true)}>
            {t.remove}
          </button>
        </>
      )}
    </span>
  );
}
