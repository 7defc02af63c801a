import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { TasksView } from "../views/tasks/tasks-view.tsx";
import { path } from "./address.ts";

interface TaskViewProps {
  readonly taskId: string;
}

/** The view that the address names. Views with heavy parts are fetched when they are first opened. */
export function View() {
  const taskId = /^\/tasks\/([^/]+)$/.exec(path.value)?.[1];
  useFocusOnArrival(taskId ?? "tasks");
  if (taskId !== undefined) return <Later load={loadTaskView} props={{ taskId: decodeURIComponent(taskId) }} />;
  return <TasksView />;
}

const loadTaskView = () => import("../views/task/task-view.tsx").then(({ TaskView }) => TaskView);

function Later({ load, props }: { load: () => Promise<ComponentType<TaskViewProps>>; props: TaskViewProps }) {
  const [loaded, setLoaded] = useState<{ view: ComponentType<TaskViewProps> } | null>(null);
  useEffect(() => void load().then((view) => setLoaded({ view })), [load]);
  if (loaded === null) return null;
  return <loaded.view key={props.taskId} {...props} />;
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
