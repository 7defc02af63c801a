export { pruneEntries, sealEntries, type HeadSigner } from "./chain.ts";
export { auditFormats, streamEntries, type AuditFormat } from "./formats.ts";
export { listEntries, type AuditFilter } from "./entries.ts";
export { auditCommand, auditRequests, installationId, recordBeside } from "./record.ts";
export { auditRoutes } from "./routes.ts";
export { readChains, verifyChain, type ChainVerdict } from "./verify.ts";
