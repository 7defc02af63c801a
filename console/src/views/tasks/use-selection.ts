import type { TaskSummary } from "@querent/client";
import { useRef, useState } from "preact/hooks";

export interface TaskSelection {
  /** The selected tasks: null for none, and `matching` for all that the filter finds, whatever page they are on. */
  readonly chosen: null | "matching" | { readonly kind: "tasks"; readonly tasks: readonly TaskSummary[] };
  readonly isChosen: (taskId: string) => boolean;
  readonly isPageChosen: boolean;
  /** Toggles the task at this place of the page, or the range from the one that was toggled before. */
  readonly toggle: (at: number, isRange?: boolean) => void;
  readonly togglePage: () => void;
  readonly chooseMatching: () => void;
  readonly clear: () => void;
}

/** Which tasks of a list are selected. They stay so when newer tasks push them off the page. */
export function useSelection(page: readonly TaskSummary[]): TaskSelection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, TaskSummary> | "matching">(new Map());
  const last = useRef<string | null>(null);
  const isChosen = (taskId: string) => chosen === "matching" || chosen.has(taskId);
  const isPageChosen = page.length > 0 && page.every(({ taskId }) => isChosen(taskId));
  // When narrowing from all that match, start from the tasks on the page, which are the visible ones.
  const base = () => new Map(chosen === "matching" ? page.map((task) => [task.taskId, task]) : chosen);

  const set = (tasks: readonly TaskSummary[], on: boolean) => {
    const next = base();
    for (const task of tasks) {
      if (on) next.set(task.taskId, task);
      else next.delete(task.taskId);
    }
    setChosen(next);
  };
  const toggle = (at: number, isRange = false) => {
    const task = page[at];
    if (task === undefined) return;
    const from = isRange ? page.findIndex(({ taskId }) => taskId === last.current) : -1;
    last.current = task.taskId;
    const range = from === -1 ? [task] : page.slice(Math.min(from, at), Math.max(from, at) + 1);
    set(range, !isChosen(task.taskId));
  };
  /** The selected tasks in their current state, if they are on the page. */
  const current = () => {
    if (chosen === "matching") return "matching";
    if (chosen.size === 0) return null;
    const now = new Map(page.map((task) => [task.taskId, task]));
    return { kind: "tasks", tasks: [...chosen.values()].map((task) => now.get(task.taskId) ?? task) } as const;
  };
  return {
    chosen: current(),
    isChosen,
    isPageChosen,
    toggle,
    togglePage: () => set(page, !isPageChosen),
    chooseMatching: () => setChosen("matching"),
    clear: () => setChosen(new Map()),
  };
}
