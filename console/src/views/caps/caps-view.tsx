import { ForbiddenError, type Cap, type CallOptions, type PanelRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { query, to } from "../../app/address.ts";
import { may } from "../../app/session.ts";
import { capsMessages } from "../../i18n/caps.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { draftOf, emptyDraft, type CapDraft, type ReadCaps } from "./cap-draft.ts";
import { CapForm } from "./cap-form.tsx";
import { CapTable } from "./cap-table.tsx";
import { useTitle } from "../../ui/use-title.ts";

const refreshMs = 15_000;
const panelsMax = 1000;

interface Editing {
  /** Null: a new cap. */
  readonly of: Cap | null;
  readonly draft: CapDraft;
}

/** The caps of the account, or those that apply to one panel, with what is used of them. */
export function CapsView() {
  const t = capsMessages.value;
  const panelId = query.value.get("panel");
  const { value, failed, refresh } = useLive(`caps ${panelId}`, (call) => readCaps(panelId, call), {
    everyMs: refreshMs,
  });
  const [editing, setEditing] = useState<Editing | null>(null);
  const mayChange = may("panels:write");
  useTitle(t.title);
  if (failed instanceof ForbiddenError) return <p class="note">{t.forbidden}</p>;
  const done = () => {
    setEditing(null);
    refresh();
  };
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
      </header>
      <p class="quiet">{t.lead}</p>
      {!mayChange ? (
        <p class="note">{t.readOnly}</p>
      ) : editing === null ? (
        <button
          type="button"
          class="button primary start"
          onClick={() => setEditing({ of: null, draft: emptyDraft(panelId) })}
        >
          <Icon name="add" />
          {t.create}
        </button>
      ) : value === null ? null : (
        <CapForm
          of={editing.of}
          draft={editing.draft}
          change={(draft) => setEditing({ ...editing, draft })}
          read={value}
          saved={done}
          cancel={() => setEditing(null)}
        />
      )}
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : (
        <ShownCaps
          read={value}
          mayChange={mayChange}
          isEditing={editing !== null}
          edit={(cap) => {
            setEditing({ of: cap, draft: draftOf(cap) });
            window.scrollTo(0, 0);
          }}
          changed={done}
        />
      )}
      <p class="quiet small">
        {t.warnings}{" "}
        <a class="link" href={to("/webhooks")}>
          {t.warningsLink}
        </a>
      </p>
    </div>
  );
}

interface ShownCapsProps {
  readonly read: ReadCaps;
  readonly mayChange: boolean;
  readonly isEditing: boolean;
  readonly edit: (cap: Cap) => void;
  readonly changed: () => void;
}

function ShownCaps({ read, isEditing, ...changing }: ShownCapsProps) {
  const t = capsMessages.value;
  const { panel } = read;
  if (read.caps.length === 0)
    return isEditing ? null : (
      <div class="empty">
        <h2>{t.emptyTitle}</h2>
        <p class="quiet">{t.emptyText}</p>
      </div>
    );
  const shown = panel === null ? read.caps : read.caps.filter((cap) => appliesTo(cap, panel));
  return (
    <>
      {panel === null ? null : (
        <p>
          <strong>
            <bdi>{t.concerning(panel.name)}</bdi>
          </strong>{" "}
          <a class="link" href={to("/caps")}>
            {t.showAll}
          </a>
        </p>
      )}
      {shown.length === 0 ? (
        <p class="note">{t.noneConcern}</p>
      ) : (
        <CapTable caps={shown} panelNames={read.panelNames} projectNames={read.projectNames} {...changing} />
      )}
    </>
  );
}

const appliesTo = (
  { kind, subject }: Cap,
  { panelId, projectId, tags }: Pick<PanelRecord, "panelId" | "projectId" | "tags">,
) =>
  ({
    account: true,
    project: subject === projectId,
    panel: subject === panelId,
    tag: subject !== null && tags.includes(subject),
  })[kind];

async function readCaps(panelId: string | null, call: CallOptions): Promise<ReadCaps> {
  const [caps, panelNames, projects, panel] = await Promise.all([
    querent.caps.list(call),
    readPanelNames(call),
    querent.projects.list(call),
    panelId === null ? null : querent.panels.get(panelId, call),
  ]);
  const projectNames = new Map(projects.map(({ projectId, name }) => [projectId, name]));
  return { caps, panelNames, projectNames, panel };
}

async function readPanelNames(call: CallOptions): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { panelId, name } of querent.panels.list(call)) {
    names.set(panelId, name);
    if (names.size >= panelsMax) break;
  }
  return names;
}
