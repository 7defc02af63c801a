export const observationsTable = { table: "observations", key: "id" } as const;
