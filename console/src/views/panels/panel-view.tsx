import type { PanelRecord, PanelRun } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { query, to } from "../../app/address.ts";
import { Allowed } from "../../app/allowed.tsx";
import { may } from "../../app/session.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { useLater } from "../../ui/use-later.tsx";
import { PanelForm } from "./panel-form.tsx";
import { PanelAddresses } from "./panel-addresses.tsx";
import { PanelReport } from "./panel-report.tsx";
import { ReportSending } from "./report-sending.tsx";
import { PanelProject } from "../projects/panel-project.tsx";
import { RunsPart, type ShownPanel } from "./runs-part.tsx";
import { useTitle } from "../../ui/use-title.ts";

const refreshMs = 5000;
const runsShown = 20;

const parts = ["figures", "runs"] as const;
type Part = (typeof parts)[number];

// Fetched separately, because of the library that draws its plots.
const loadFigures = () => import("../figures/figures-part.tsx").then(({ FiguresPart }) => FiguresPart);

/** One panel: its figures and, for those who may see them, its runs and prompts. */
export function PanelView({ panelId }: { panelId: string }) {
  const t = panelsMessages.value;
  const { value, failed, refresh } = useLive<ShownPanel | FiguresOnly>(panelId, (call) => readPanel(panelId, call), {
    everyMs: refreshMs,
  });
  const [isEdited, setEdited] = useState(false);
  const [saved, setSaved] = useState<PanelRecord | null>(null);
  const mayRead = may("panels:read");
  const part = (mayRead ? parts.find((known) => known === query.value.get("part")) : undefined) ?? "figures";
  const Figures = useLater(part === "figures" ? loadFigures : null);
  // Until it has been read again, what was saved is the panel: an edit of what was read before would undo it.
  const shown = value === null || saved === null ? value : { ...value, panel: newest(value.panel, saved) };
  const name = shown?.panel.name ?? t.title;
  useTitle(name);
  const close = (panel: PanelRecord) => {
    setSaved(panel);
    setEdited(false);
    refresh();
  };
  return (
    <div class="view">
      <header class="view-head">
        <h1 dir="auto">{name}</h1>
        <a class="button" href={to("/panels")}>
          {t.all}
        </a>
      </header>
      {mayRead ? <Parts panelId={panelId} shown={part} /> : null}
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {shown === null ? null : part === "figures" ? (
        <>
          {Figures === null ? null : <Figures panel={shown.panel} runs={shown.runs} />}
          <PanelReport panelId={panelId} />
          <Allowed scope="panels:read">
            <PanelAddresses panelId={panelId} />
            <ReportSending panelId={panelId} />
          </Allowed>
        </>
      ) : isEdited ? (
        <PanelForm before={shown.panel} done={close} cancel={() => setEdited(false)} />
      ) : shown.quote === null ? null : (
        <>
          <RunsPart shown={shown} edit={() => setEdited(true)} ran={refresh} />
          <PanelProject panel={shown.panel} moved={refresh} />
        </>
      )}
    </div>
  );
}

const newest = (one: PanelRecord, other: PanelRecord) => (other.revision > one.revision ? other : one);

function Parts({ panelId, shown }: { panelId: string; shown: Part }) {
  const t = panelsMessages.value;
  return (
    <nav class="parts" aria-label={t.partsLabel}>
      {parts.map((part) => (
        <a
          key={part}
          class="part-link"
          href={to(`/panels/${panelId}`, { part: part === "figures" ? undefined : part })}
          aria-current={part === shown ? "page" : undefined}
        >
          {t.parts[part]}
        </a>
      ))}
    </nav>
  );
}

/** What somebody sees who may read figures alone. */
interface FiguresOnly {
  readonly panel: PanelRecord;
  readonly quote: null;
  readonly runs: readonly PanelRun[];
}

async function readPanel(panelId: string, call: object): Promise<ShownPanel | FiguresOnly> {
  if (!may("panels:read")) return { panel: await querent.panels.get(panelId, call), quote: null, runs: [] };
  const [panel, quote] = await Promise.all([querent.panels.get(panelId, call), querent.panels.quote(panelId, call)]);
  const runs: PanelRun[] = [];
  for await (const run of querent.panels.runs(panelId, call)) {
    runs.push(run);
    if (runs.length >= runsShown) break;
  }
  return { panel, quote, runs };
}
