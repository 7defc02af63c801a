import type { EntityMentions, EntityRequest } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { brandsMessages } from "../../i18n/brands.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./try-text.module.css";

/** A text in which brands are found. @param draft the brand in the open form; null: all that are saved */
export function TryText({ draft }: { draft: EntityRequest | null }) {
  const t = brandsMessages.value;
  const [text, setText] = useState("");
  const [found, setFound] = useState<{ text: string; mentions: EntityMentions } | null>(null);
  const { busy, failed, run } = useAttempt();
  const isReady = text !== "" && (draft === null || draft.name !== "");
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isReady) return;
    run(async () => {
      const mentions = await querent.entities.try(text, draft === null ? {} : { entity: draft });
      setFound({ text, mentions });
    });
  };
  return (
    <section class="panel stack" aria-labelledby="try-text">
      <h2 id="try-text">{t.tryTitle}</h2>
      <p class="quiet">{draft === null ? t.tryLead : t.tryDraftLead}</p>
      <form class="stack" onSubmit={submit}>
        <textarea
          class="input"
          rows={5}
          aria-label={t.text}
          placeholder={t.textPlaceholder}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="button start" aria-disabled={!isReady || busy}>
          <Icon name="search" />
          {t.find}
        </button>
      </form>
      {failed === null ? null : <FailureNote failed={failed} />}
      {found === null ? null : (
        <div class="stack" role="status">
          <strong>{t.found(found.mentions.mentions.length)}</strong>
          {found.mentions.complete ? null : <p class="note">{t.incomplete}</p>}
          <p class={css.text} dir="auto" tabIndex={0} aria-label={t.text} role="group">
            {pieces(found.text, found.mentions)}
          </p>
        </div>
      )}
    </section>
  );
}

/** The text with its mentions marked. Entities of one name share a mark. */
function pieces(text: string, { mentions }: EntityMentions) {
  const shown = [];
  let at = 0;
  for (const { start, end } of mentions) {
    if (start < at) continue;
    const names = mentions.filter((each) => each.start === start).map(({ name }) => name);
    shown.push(
      text.slice(at, start),
      <mark key={start} class={css.mention} title={names.join(", ")}>
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  shown.push(text.slice(at));
  return shown;
}
