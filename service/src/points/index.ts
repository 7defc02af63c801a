export { readBalance } from "./balance.ts";
export { addUp, endedFigures, readEndedSums } from "./ended-sums.ts";
export { grantPoints } from "./grant.ts";
export { holdPoints, HoldRefused, refusalOf } from "./hold.ts";
export { priceOf, type Price } from "./price.ts";
export { usageRoutes } from "./routes.ts";
export { settlePoints, type Settlement } from "./settle.ts";
export { ledgerTable } from "./ledger-table.ts";
