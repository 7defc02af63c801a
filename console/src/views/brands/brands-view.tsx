import { ForbiddenError, type EntityRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { Allowed } from "../../app/allowed.tsx";
import { shownProject } from "../../app/projects.ts";
import { may } from "../../app/session.ts";
import { brandsMessages } from "../../i18n/brands.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { draftOf, emptyDraft, requestOf, type BrandDraft } from "./brand-draft.ts";
import { BrandForm } from "./brand-form.tsx";
import { BrandTable } from "./brand-table.tsx";
import { TryText } from "./try-text.tsx";
import { useTitle } from "../../ui/use-title.ts";

interface Editing {
  /** The brand that is edited; null for a new one. */
  readonly of: EntityRecord | null;
  readonly draft: BrandDraft;
}

/** The brands that answers are searched for, and a text to try them on. */
export function BrandsView() {
  const t = brandsMessages.value;
  const { value, failed, refresh } = useLive(
    `brands ${shownProject() ?? ""}`,
    async (call) => Array.fromAsync(querent.entities.list({ project: shownProject() }, call)),
    {
      everyMs: null,
    },
  );
  const [editing, setEditing] = useState<Editing | null>(null);
  const mayChange = may("panels:write");
  useTitle(t.title);
  if (failed instanceof ForbiddenError) return <p class="note">{t.forbidden}</p>;
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
      </header>
      <p class="quiet">{t.lead}</p>
      {!mayChange ? (
        <p class="note">{t.readOnly}</p>
      ) : editing === null ? (
        <button type="button" class="button primary start" onClick={() => setEditing({ of: null, draft: emptyDraft })}>
          <Icon name="add" />
          {t.create}
        </button>
      ) : (
        <BrandForm
          key={editing.of?.entityId ?? "new"}
          of={editing.of}
          draft={editing.draft}
          change={(draft) => setEditing({ ...editing, draft })}
          saved={() => {
            setEditing(null);
            refresh();
          }}
          cancel={() => setEditing(null)}
        />
      )}
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : value.length === 0 ? (
        editing === null ? (
          <div class="empty">
            <h2>{t.emptyTitle}</h2>
            <p class="quiet">{t.emptyText}</p>
          </div>
        ) : null
      ) : (
        <BrandTable
          brands={value}
          mayChange={mayChange}
          changed={refresh}
          edit={(brand) => {
            setEditing({ of: brand, draft: draftOf(brand) });
            window.scrollTo(0, 0);
          }}
        />
      )}
      <Allowed scope="panels:read">
        <TryText draft={editing === null ? null : requestOf(editing.draft, editing.of?.kind ?? "brand")} />
      </Allowed>
    </div>
  );
}
