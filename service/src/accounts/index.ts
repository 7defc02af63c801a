export { createToken, listTokens, revokeToken, tokenHash, type NewToken } from "./access-token.ts";
export { findAccount, insertAccount, listAccounts, setUnfinishedMax } from "./account.ts";
export { authenticate, validTokens } from "./authenticate.ts";
export { tokenRoutes } from "./token-routes.ts";
