import type { Cap } from "@querent/client";
import { useEffect, useRef } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { capsMessages } from "../../i18n/caps.ts";
import { phrases } from "../../i18n/phrases.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { inputOf, isSame, limits, withCap, type CapDraft, type ReadCaps } from "./cap-draft.ts";

const pointsMax = 1e15;

interface CapFormProps {
  /** The cap that is edited; null for a new one. What a saved cap limits cannot be changed. */
  readonly of: Cap | null;
  readonly draft: CapDraft;
  readonly change: (draft: CapDraft) => void;
  readonly read: ReadCaps;
  readonly saved: () => void;
  readonly cancel: () => void;
}

export function CapForm({ of, draft, change, read, saved, cancel }: CapFormProps) {
  const t = capsMessages.value;
  const { busy, failed, run } = useAttempt();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("input, select")?.focus(), []);
  const cap = inputOf(draft);
  const isTaken = of === null && cap !== null && read.caps.some((other) => isSame(other, cap));
  const submit = (event: Event) => {
    event.preventDefault();
    if (cap === null || isTaken) return;
    run(async () => {
      // Others may have changed other caps since they were shown.
      await querent.caps.set(withCap(await querent.caps.list(), cap));
      announce(t.saved);
      saved();
    });
  };
  return (
    <form ref={form} class="panel form" aria-label={of === null ? t.create : t.edit} onSubmit={submit}>
      {of === null ? <SubjectFields draft={draft} change={change} {...read} /> : null}
      {limits.map((limit) => (
        <NumberField
          key={limit}
          label={t.limits[limit]}
          hint={t.limitHint}
          value={draft[limit]}
          change={(points) => change({ ...draft, [limit]: points })}
          min={0}
          max={pointsMax}
          optional
        />
      ))}
      {isTaken ? (
        <p class="note note-warn" role="status">
          {t.taken}
        </p>
      ) : null}
      {failed === null ? null : <FailureNote failed={failed} />}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={cap === null || isTaken || busy}>
          {t.save}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {phrases.value.cancel}
        </button>
      </div>
    </form>
  );
}

interface SubjectFieldsProps
  extends Pick<CapFormProps, "draft" | "change">, Pick<ReadCaps, "panelNames" | "projectNames"> {}

function SubjectFields({ draft, change, panelNames, projectNames }: SubjectFieldsProps) {
  const t = capsMessages.value;
  return (
    <>
      <fieldset class="field">
        <legend>{t.kind}</legend>
        <Segments
          look="wrap"
          name="kind"
          value={draft.kind}
          labels={t.kinds}
          choose={(kind) => change({ ...draft, kind })}
        />
      </fieldset>
      {draft.kind === "panel" ? (
        <label class="field">
          <span>{t.panelLabel}</span>
          <select
            class="input"
            required
            value={draft.panelId}
            onChange={({ currentTarget }) => change({ ...draft, panelId: currentTarget.value })}
          >
            <option value="">{t.choosePanel}</option>
            {[...panelNames].map(([panelId, name]) => (
              <option key={panelId} value={panelId}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {draft.kind === "project" ? (
        <label class="field">
          <span>{t.projectLabel}</span>
          <select
            class="input"
            required
            value={draft.projectId}
            onChange={({ currentTarget }) => change({ ...draft, projectId: currentTarget.value })}
          >
            <option value="">{t.chooseProject}</option>
            {[...projectNames].map(([projectId, name]) => (
              <option key={projectId} value={projectId}>
                {name}
              </option>
            ))}
          </select>
          <span class="quiet small">{t.projectHint}</span>
        </label>
      ) : null}
      {draft.kind === "tag" ? (
        <label class="field">
          <span>{t.tagLabel}</span>
          <input
            class="input"
            required
            maxLength={64}
            autocomplete="off"
            value={draft.tag}
            onInput={({ currentTarget }) => change({ ...draft, tag: currentTarget.value })}
          />
          <span class="quiet small">{t.tagHint}</span>
        </label>
      ) : null}
    </>
  );
}
