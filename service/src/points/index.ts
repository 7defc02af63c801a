export { readBalance } from "./balance.ts";
export {
  CapExceeded,
  capRefusalOf,
  chargeCaps,
  readConcernedCaps,
  type ConcernedCap,
  type PointsRequest,
} from "./caps.ts";
export { capWarnings } from "./cap-warnings.ts";
export { capRoutes } from "./cap-routes.ts";
export { addUp, endedFigures, readEndedSums } from "./ended-sums.ts";
export { forgetFreeBatches, recordFreeBatch } from "./free-batches.ts";
export { grantPoints } from "./grant.ts";
export { holdPoints, HoldRefused, refusalOf } from "./hold.ts";
export { readLastEntry } from "./last-entry.ts";
export { priceOf, type Price } from "./price.ts";
export { usageRoutes } from "./routes.ts";
export { settlePoints, type Settlement } from "./settle.ts";
export { ledgerTable } from "./ledger-table.ts";
