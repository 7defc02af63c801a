import { declaredOperations, tags, type Operation } from "./operation.ts";

// Within a group, the order of the reference is that of these files.
export * from "./task-operations.ts";
export * from "./batch-operations.ts";
export * from "./panel-operations.ts";
export * from "./prompt-proposal-operations.ts";
export * from "./project-operations.ts";
export * from "./run-diff-operations.ts";
export * from "./figure-operations.ts";
export * from "./change-operations.ts";
export * from "./report-operations.ts";
export * from "./report-schedule-operations.ts";
export * from "./channel-operations.ts";
export * from "./alert-operations.ts";
export * from "./plan-operations.ts";
export * from "./bridge-operations.ts";
export * from "./comparison-operations.ts";
export * from "./answer-pair-operations.ts";
export * from "./answer-part-operations.ts";
export * from "./public-operations.ts";
export * from "./service-operations.ts";
export * from "./webhook-operations.ts";
export * from "./delivery-operations.ts";
export * from "./usage-operations.ts";
export * from "./observation-operations.ts";
export * from "./import-operations.ts";
export * from "./entity-operations.ts";
export * from "./token-operations.ts";
export * from "./person-operations.ts";
export * from "./connection-operations.ts";
export * from "./audit-operations.ts";
export * from "./operator-operations.ts";
export * from "./session-operations.ts";
export * from "./platform-setup-operations.ts";

/** All operations that these files declare, in the order of the reference. */
export const operations: readonly Operation[] = Object.keys(tags).flatMap((tag) =>
  declaredOperations.filter((operation) => operation.tag === tag),
);
