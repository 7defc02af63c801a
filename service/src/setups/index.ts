/** Keys and settings of platforms that administrators store, and their API. */
export { StoredSetups, type StoredSettings } from "./stored-setups.ts";
export { putKey, deleteKey, forgetKeys, sealedKeys, SetupError } from "./stored-keys.ts";
export { setupRoutes, type SetupView } from "./setup-routes.ts";
