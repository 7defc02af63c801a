export { notificationBody } from "./body.ts";
export { EgressGuard, type AddressCheck, type EgressOptions, type NameResolver } from "./egress-guard.ts";
export { Notifier, type NotifierDeps, type NotifierLog, type NotifierOptions } from "./notifier.ts";
export { writeDeliveries, type OutboxOptions, type TaskEnd } from "./outbox.ts";
export { pruneDeliveries } from "./retention.ts";
export { webhookRoutes, type WebhookRouteDeps } from "./routes.ts";
export {
  checkMasterKey,
  createSigningSecret,
  loadMasterKeyFile,
  MasterKey,
  MasterKeyError,
  parseMasterKey,
} from "./secrets.ts";
export { Sender, type Fault, type SendEnd, type SenderOptions, type Sending } from "./send.ts";
export type { SettingsDeps } from "./settings.ts";
export { signature } from "./signature.ts";
