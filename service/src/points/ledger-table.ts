export const ledgerTable = { table: "ledger", key: "cause_id" } as const;
