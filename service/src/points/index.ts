export { readBalance, grantPoints, readLastEntry, ledgerTable } from "./ledger.ts";
export {
  CapExceeded,
  capRefusalOf,
  chargeCaps,
  readConcernedCaps,
  type ConcernedCap,
  type PointsRequest,
  capWarnings,
} from "./caps.ts";
export { capRoutes } from "./cap-routes.ts";
export { addUp, endedFigures, readEndedSums } from "./ended-sums.ts";
export { forgetFreeBatches, recordFreeBatch } from "./free-batches.ts";
export { holdPoints, HoldRefused, refusalOf } from "./hold.ts";
export { priceOf, type Price } from "./price.ts";
export { usageRoutes } from "./routes.ts";
export { settlePoints, type Settlement } from "./settle.ts";
