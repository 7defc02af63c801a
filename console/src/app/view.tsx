import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { OverviewView } from "../views/overview/overview-view.tsx";
import { TasksView } from "../views/tasks/tasks-view.tsx";
import { shellWords } from "../words/shell.ts";
import { path, to } from "./address.ts";

/** The view that the address names. Views with heavy parts are fetched when they are first opened. */
export function View() {
  const taskId = /^\/tasks\/([^/]+)$/.exec(path.value)?.[1];
  useFocusOnArrival(path.value);
  if (taskId !== undefined) return <Later key={taskId} load={loadTaskView} props={{ taskId }} />;
  const batchIds = /^\/batches\/([^/]+)$/.exec(path.value)?.[1];
  if (batchIds !== undefined) return <Later key={batchIds} load={loadBatchView} props={{ batchIds }} />;
  if (path.value === "/batches") return <Later key="batches" load={loadBatchesView} props={{}} />;
  if (/^\/webhooks(\/(check|deliveries(\/[^/]+)?))?$/.test(path.value))
    return <Later key="webhooks" load={loadWebhooksView} props={{}} />;
  if (path.value === "/ask") return <Later key="ask" load={loadNewBatchView} props={{}} />;
  if (path.value === "/platforms") return <Later key="platforms" load={loadPlatformsView} props={{}} />;
  if (path.value === "/usage") return <Later key="usage" load={loadUsageView} props={{}} />;
  if (path.value === "/tokens") return <Later key="tokens" load={loadTokensView} props={{}} />;
  if (/^\/operator(\/accounts)?$/.test(path.value)) return <Later key="operator" load={loadOperatorView} props={{}} />;
  if (path.value === "/tasks") return <TasksView />;
  return path.value === "/" ? <OverviewView /> : <NotFound />;
}

/** An address of the console that leads nowhere. */
function NotFound() {
  const t = shellWords.value.notFound;
  useEffect(() => {
    document.title = `${t.title} · Querent`;
  }, [t]);
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

const loadTaskView = () => import("../views/task/task-view.tsx").then(({ TaskView }) => TaskView);
const loadNewBatchView = () => import("../views/new-batch/new-batch-view.tsx").then(({ NewBatchView }) => NewBatchView);
const loadBatchesView = () => import("../views/batches/batches-view.tsx").then(({ BatchesView }) => BatchesView);
const loadBatchView = () => import("../views/batch/batch-view.tsx").then(({ BatchView }) => BatchView);
const loadWebhooksView = () => import("../views/webhooks/webhooks-view.tsx").then(({ WebhooksView }) => WebhooksView);
const loadPlatformsView = () =>
  import("../views/platforms/platforms-view.tsx").then(({ PlatformsView }) => PlatformsView);
const loadUsageView = () => import("../views/usage/usage-view.tsx").then(({ UsageView }) => UsageView);
const loadTokensView = () => import("../views/tokens/tokens-view.tsx").then(({ TokensView }) => TokensView);
const loadOperatorView = () => import("../views/operator/operator-view.tsx").then(({ OperatorView }) => OperatorView);

interface LaterProps<Props extends object> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props;
}

function Later<Props extends object>({ load, props }: LaterProps<Props>) {
  const [loaded, setLoaded] = useState<{ view: ComponentType<Props> } | null>(null);
  useEffect(() => void load().then((view) => setLoaded({ view })), [load]);
  if (loaded === null) return null;
  return <loaded.view {...props} />;
}

/** Who goes to another view by keyboard, or hears the page, begins at its content. */
function useFocusOnArrival(view: string): void {
  const before = useRef(view);
  useEffect(() => {
    if (before.current === view) return;
    before.current = view;
    window.scrollTo(0, 0);
    document.getElementById("content")?.focus({ preventScroll: true });
  }, [view]);
}
