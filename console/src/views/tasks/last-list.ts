/** The tasks that the list showed last, so that `j` and `k` go on from one task to the next. */
let taskIds: readonly string[] = [];

export function rememberList(shown: readonly string[]): void {
  taskIds = shown;
}

export function neighbour(taskId: string, by: 1 | -1): string | null {
  const at = taskIds.indexOf(taskId);
  return at === -1 ? null : (taskIds[at + by] ?? null);
}
