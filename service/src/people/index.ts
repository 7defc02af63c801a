export { AuthorizationServer, authorizationPaths } from "./authorization-server.ts";
export {
  connectionAuthenticator,
  endConnection,
  endConnectionsOf,
  forgetConnections,
  listConnections,
  validConnections,
} from "./connection.ts";
export { clientKeyAlgorithms, readClientKey } from "./client-key.ts";
export { connectionRoutes } from "./connection-routes.ts";
export { guardedFetch } from "./guarded-fetch.ts";
export { IdentityProvider, type ProviderSettings } from "./identity-provider.ts";
export { invite, linkAddress, listInvitations, makePasswordLink, withdraw } from "./link.ts";
export { endLogins, forgetLogins, loginAuthenticator, validLogins, type LoginLimits } from "./login.ts";
export { listPasskeys, removePasskeys } from "./passkey.ts";
export {
  addMember,
  findPerson,
  hasPersons,
  listMembers,
  readEmail,
  removeMember,
  roleNamed,
  setOperator,
  setRole,
  type Email,
} from "./person.ts";
export { Refusals } from "./refusals.ts";
export { InvitationMailer } from "./invitation-mail.ts";
export { personRoutes } from "./routes.ts";
export { setFactorRule } from "./second-factor-rule.ts";
export { removeFactor, sealedFactors } from "./second-factor.ts";
export { SignInProxy, type ProxySettings } from "./sign-in-proxy.ts";
export { redirectAddress, signedOutAddress, SingleSignOn, unlink } from "./single-sign-on.ts";
