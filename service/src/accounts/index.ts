export { createToken, isTokenUsable, listTokens, revokeToken, type NewToken } from "./access-token.ts";
export {
  accountNames,
  findAccount,
  hasAccounts,
  insertAccount,
  listAccounts,
  setUnfinishedMax,
  deleteAccount,
} from "./account.ts";
export { authenticator, validTokens } from "./authenticate.ts";
export { countStored, isMeasuringDue, measureAllStored, measureDeleted, measureStored } from "./count-stored.ts";
export { revisionRows } from "./storage-kinds.ts";
export { measureAccountStorage, readStored, requireRoom, setStorageQuota, type StorageQuota } from "./storage.ts";
export { tokenRoutes } from "./token-routes.ts";
