/** The state of platforms and accounts: read models over the tables of other rooms. */
export { browserCondition, platformConditions, pointsConditions, type ConditionSource } from "./conditions.ts";
export { overviewRoutes, readOverview } from "./overview.ts";
export {
  costOf,
  costsOf,
  readPlatformCosts,
  type PlatformCost,
  type PlatformCosts,
  type VendorPrices,
} from "./platform-costs.ts";
export { forgetDrift, PlatformDrift, readDrift } from "./platform-drift.ts";
export { forgetHealth, PlatformHealth } from "./platform-health.ts";
export { platformRoutes } from "./platform-routes.ts";
export { platformStates } from "./conditions.ts";
