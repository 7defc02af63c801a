export { announceRevisions, lockFurtherDeliveries } from "./announce-revisions.ts";
export { notificationBody } from "./body.ts";
export { deliveryRoutes, type DeliveryRoutesDeps } from "./delivery-routes.ts";
export { endHeld, expireBodies } from "./expire.ts";
export { EventFeed, type EventFeedOptions } from "./event-feed.ts";
export { eventRoutes } from "./event-routes.ts";
export { readWebhookHealth, webhookConditions } from "./health.ts";
export { hintOthers, noticeChannel, readHint } from "./hint.ts";
export type { NotifierLog } from "./notifier-log.ts";
export { Notifier, type NotifierDeps, type NotifierOptions } from "./notifier.ts";
export { prepareDeliveries, writeDeliveries, type OutboxOptions, type TaskEnd } from "./outbox.ts";
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
export type { TaskRecords } from "./task-records.ts";
export { signature } from "./signature.ts";
