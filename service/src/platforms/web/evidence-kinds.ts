/** What an operator can have kept as evidence of a web platform's answers besides the page's HTML. */
export const evidenceKinds = ["picture", "archive"] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];
