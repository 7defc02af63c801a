import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** The processes that this one starts, from now until `stop`. */
export function startedChildren(): { readonly children: readonly ChildProcess[]; stop(): void } {
  const children: ChildProcess[] = [];
  const note = (message: unknown) => children.push((message as { process: ChildProcess }).process);
  subscribe("child_process", note);
  return { children, stop: () => void unsubscribe("child_process", note) };
}
