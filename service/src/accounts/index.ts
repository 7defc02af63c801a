export { createToken, listTokens, revokeToken, tokenHash, type NewToken, type TokenRow } from "./access-token.ts";
export { findAccount, insertAccount, listAccounts, type AccountRow } from "./account.ts";
export { authenticate, type Authenticated } from "./authenticate.ts";
