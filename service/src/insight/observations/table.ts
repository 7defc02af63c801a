/** What remains of the tasks that were answered, and of those of panels that failed: kept and deleted alike. */
export const observationsTable = { table: "observations", key: "id" } as const;
export const failuresTable = { table: "panel_failures", key: "id" } as const;
