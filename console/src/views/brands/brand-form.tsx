import type { EntityRecord } from "@querent/client";
import { useEffect, useRef } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { brandsMessages } from "../../i18n/brands.ts";
import { phrases } from "../../i18n/phrases.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { requestOf, type BrandDraft } from "./brand-draft.ts";

interface BrandFormProps {
  /** The brand that is edited; null for a new one. */
  readonly of: EntityRecord | null;
  readonly draft: BrandDraft;
  readonly change: (draft: BrandDraft) => void;
  readonly saved: () => void;
  readonly cancel: () => void;
}

export function BrandForm({ of, draft, change, saved, cancel }: BrandFormProps) {
  const t = brandsMessages.value;
  const { busy, failed, run } = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const isReady = draft.name.trim() !== "";
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isReady) return;
    run(async () => {
      const request = requestOf(draft, of?.kind ?? "brand");
      if (of === null) await querent.entities.create(request);
      else await querent.entities.change(of.entityId, request);
      announce(t.saved);
      saved();
    });
  };
  return (
    <form class="panel form" aria-label={of === null ? t.create : t.edit} onSubmit={submit}>
      <div class="field">
        <label for="brand-name">{t.name}</label>
        <input
          id="brand-name"
          ref={field}
          class="input"
          maxLength={200}
          required
          autocomplete="off"
          value={draft.name}
          onInput={({ currentTarget }) => change({ ...draft, name: currentTarget.value })}
        />
      </div>
      <label class="choice">
        <input
          type="checkbox"
          checked={draft.caseSensitive}
          onChange={({ currentTarget }) => change({ ...draft, caseSensitive: currentTarget.checked })}
        />
        <span>{t.caseSensitive}</span>
      </label>
      <fieldset class="field">
        <legend>{t.relation}</legend>
        <Segments
          look="wrap"
          name="relation"
          value={draft.relation}
          labels={t.relations}
          choose={(relation) => change({ ...draft, relation })}
        />
      </fieldset>
      <Lines name="aliases" hint={t.aliasesHint} draft={draft} change={change} />
      <Lines name="contexts" hint={t.contextsHint} draft={draft} change={change} />
      <Lines name="domains" hint={t.domainsHint} draft={draft} change={change} />
      {failed === null ? null : <FailureNote failed={failed} />}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={!isReady || busy}>
          {t.save}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {phrases.value.cancel}
        </button>
      </div>
    </form>
  );
}

interface LinesProps extends Pick<BrandFormProps, "draft" | "change"> {
  readonly name: "aliases" | "contexts" | "domains";
  readonly hint: string;
}

function Lines({ name, hint, draft, change }: LinesProps) {
  const id = `brand-${name}`;
  return (
    <div class="field">
      <label for={id}>{brandsMessages.value[name]}</label>
      <textarea
        id={id}
        class="input"
        rows={3}
        aria-describedby={`${id}-hint`}
        spellcheck={false}
        value={draft[name]}
        onInput={({ currentTarget }) => change({ ...draft, [name]: currentTarget.value })}
      />
      <p id={`${id}-hint`} class="quiet small">
        {hint}
      </p>
    </div>
  );
}
