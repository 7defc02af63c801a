import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Later } from "../ui/use-later.tsx";
import { shellMessages } from "../i18n/shell.ts";
import type { Scope } from "@querent/client";
import { path, to } from "./address.ts";
import { Allowed } from "./allowed.tsx";
import { session } from "./session.ts";
import { useTitle } from "../ui/use-title.ts";

/** The view that the address names. Each is fetched when it is first opened. */
export function View() {
  useFocusOnArrival(path.value);
  const taskId = /^\/tasks\/([^/]+)$/.exec(path.value)?.[1];
  if (taskId !== undefined) return <Later key={taskId} load={loadTaskView} props={{ taskId }} />;
  const batchIds = /^\/batches\/([^/]+)$/.exec(path.value)?.[1];
  if (batchIds !== undefined) return <Later key={batchIds} load={loadBatchView} props={{ batchIds }} />;
  const panelId = /^\/panels\/([^/]+)$/.exec(path.value)?.[1];
  if (panelId !== undefined && panelId !== "new")
    return <Later key={panelId} load={loadPanelView} props={{ panelId }} />;
  const [, entityId, ofBrand] = /^\/brands\/([^/]+)\/(mentions|proposals)$/.exec(path.value) ?? [];
  if (entityId !== undefined)
    return (
      <Later
        key={path.value}
        load={ofBrand === "mentions" ? loadMentionsView : loadProposalsView}
        props={{ entityId }}
      />
    );
  const name = /^\/webhooks\/(check|deliveries(\/[^/]+)?)$/.test(path.value)
    ? "/webhooks"
    : /^\/operator\/(accounts|platforms|sessions|mail)$/.test(path.value)
      ? "/operator"
      : path.value;
  const load = loaders.get(name);
  if (load === undefined) return <NotFound />;
  const loaded = <Later key={name} load={load} props={none} />;
  const scope = needed.get(name);
  // A token without the scope is told so by the service, where its person tries.
  if (scope === undefined || session.value?.login === null) return loaded;
  return (
    <Allowed scope={scope} otherwise={<NotAllowed />}>
      {loaded}
    </Allowed>
  );
}

const none = {};

/** Views that are of use only to somebody who has a scope. */
const needed: ReadonlyMap<string, Scope> = new Map([
  ["/ask", "tasks:write"],
  ["/panels/new", "panels:write"],
  ["/projects", "panels:write"],
  ["/tasks", "tasks:read"],
  ["/batches", "tasks:read"],
  ["/observations", "tasks:read"],
  ["/platforms", "tasks:read"],
  ["/usage", "usage:read"],
  ["/caps", "usage:read"],
  ["/tokens", "usage:read"],
]);

const loaders = new Map<string, () => Promise<ComponentType>>([
  ["/", () => import("../views/overview/overview-view.tsx").then(({ OverviewView }) => OverviewView)],
  ["/tasks", () => import("../views/tasks/tasks-view.tsx").then(({ TasksView }) => TasksView)],
  ["/batches", () => import("../views/batches/batches-view.tsx").then(({ BatchesView }) => BatchesView)],
  ["/webhooks", () => import("../views/webhooks/webhooks-view.tsx").then(({ WebhooksView }) => WebhooksView)],
  ["/ask", () => import("../views/new-batch/new-batch-view.tsx").then(({ NewBatchView }) => NewBatchView)],
  ["/platforms", () => import("../views/platforms/platforms-view.tsx").then(({ PlatformsView }) => PlatformsView)],
  ["/panels", () => import("../views/panels/panels-view.tsx").then(({ PanelsView }) => PanelsView)],
  ["/panels/new", () => import("../views/panels/new-panel-view.tsx").then(({ NewPanelView }) => NewPanelView)],
  ["/projects", () => import("../views/projects/projects-view.tsx").then(({ ProjectsView }) => ProjectsView)],
  ["/observations", () => import("../views/answers/answers-view.tsx").then(({ AnswersView }) => AnswersView)],
  ["/brands", () => import("../views/brands/brands-view.tsx").then(({ BrandsView }) => BrandsView)],
  ["/alerts", () => import("../views/alerts/alerts-view.tsx").then(({ AlertsView }) => AlertsView)],
  ["/usage", () => import("../views/usage/usage-view.tsx").then(({ UsageView }) => UsageView)],
  ["/caps", () => import("../views/caps/caps-view.tsx").then(({ CapsView }) => CapsView)],
  ["/tokens", () => import("../views/tokens/tokens-view.tsx").then(({ TokensView }) => TokensView)],
  ["/members", () => import("../views/people/members-view.tsx").then(({ MembersView }) => MembersView)],
  ["/audit", () => import("../views/audit/audit-view.tsx").then(({ AuditView }) => AuditView)],
  ["/profile", () => import("../views/people/profile-view.tsx").then(({ ProfileView }) => ProfileView)],
  ["/operator", () => import("../views/operator/operator-view.tsx").then(({ OperatorView }) => OperatorView)],
]);
const loadPanelView = () => import("../views/panels/panel-view.tsx").then(({ PanelView }) => PanelView);
const loadMentionsView = () => import("../views/answers/mentions-view.tsx").then(({ MentionsView }) => MentionsView);
const loadProposalsView = () => import("../views/brands/proposals-view.tsx").then(({ ProposalsView }) => ProposalsView);
const loadTaskView = () => import("../views/task/task-view.tsx").then(({ TaskView }) => TaskView);
const loadBatchView = () => import("../views/batch/batch-view.tsx").then(({ BatchView }) => BatchView);

// The first one comes while the token is being tried.
void loaders.get(path.value)?.();

/** Shown for an address whose view needs more than the person’s role allows. */
function NotAllowed() {
  const t = shellMessages.value.notAllowed;
  useTitle(t.title);
  return (
    <div class="view">
      <div class="empty">
        <h1>{t.title}</h1>
        <p class="quiet">{t.text}</p>
        <a class="button primary" href={to("/")}>
          {shellMessages.value.notFound.back}
        </a>
      </div>
    </div>
  );
}

/** Shown for an address that no view has. */
function NotFound() {
  const t = shellMessages.value.notFound;
  useTitle(t.title);
  return (
    <div class="view">
      <div class="empty">
        <h1>{t.title}</h1>
        <p class="quiet">
          {t.text} <code>{path.value.slice(0, 200)}</code>
        </p>
        <a class="button primary" href={to("/")}>
          {t.back}
        </a>
      </div>
    </div>
  );
}

/** Moves the focus to the content of a new view, for users of keyboards and screen readers. */
function useFocusOnArrival(view: string): void {
  const before = useRef(view);
  useEffect(() => {
    if (before.current === view) return;
    before.current = view;
    window.scrollTo(0, 0);
    document.getElementById("content")?.focus({ preventScroll: true });
  }, [view]);
}
