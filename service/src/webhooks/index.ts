export {
  announceEvent,
  countAddressed,
  sendAddressed,
  subscribesTo,
  type AccountEvent,
} from "./outbox/account-events.ts";
export {
  findSubscription,
  putRecipients,
  readRecipients,
  toldOfAdding,
  unsubscribeRecipient,
  type Recipient,
} from "./outbox/recipients.ts";
export {
  listChannels,
  forgetChannels,
  readChannels,
  sealedChannels,
  type ChannelName,
  type ComposeNotice,
  type EventToTell,
  type Notice,
} from "./channels/channels.ts";
export { ChannelSender, type ChannelSenderOptions } from "./send/send-channel.ts";
export { channelRoutes } from "./settings/channel-routes.ts";
export { MailSender, type ComposeMail, type MailToSend } from "./send/send-mail.ts";
export { readAddressedDeliveries, type AddressedDelivery } from "./redeliver/deliveries.ts";
export {
  announceRevisions,
  lockFurtherDeliveries,
  channelUrl,
  notificationBody,
  type TaskRecords,
  wakeUpChannel,
  prepareDeliveries,
  writeDeliveries,
  type OutboxOptions,
  type FinishedTask,
} from "./outbox/outbox.ts";
export { deliveryRoutes, type DeliveryRoutesDeps } from "./redeliver/delivery-routes.ts";
export { endPaused, expireBodies } from "./outbox/expire.ts";
export { EventFeed, type EventFeedOptions } from "./feed/event-feed.ts";
export { startOfFeed } from "./feed/read-events.ts";
export { eventRoutes } from "./feed/event-routes.ts";
export { readWebhookHealth, webhookConditions } from "./settings/health.ts";
export { deliveringByAccount, measureDeliveries, type BacklogFigures } from "./measure.ts";
export type { NotifierLog } from "./send/record-attempts.ts";
export { Notifier, type NotifierDeps, type NotifierOptions } from "./send/notifier.ts";
export { webhookRoutes, type WebhookRouteDeps } from "./settings/routes.ts";
export { Sender, type DeliveryFault, type SenderOptions, type SendOutcome } from "./send/send.ts";
export type { SettingsDeps } from "./settings/settings.ts";
export { signature, signRequest, type SignedRequest } from "./signing/signature.ts";
export { deliveriesTable, endFeedHistory, hasPendingDeliveries, pruneDeliveries } from "./retention.ts";
export {
  sealedSecrets,
  checkMasterKey,
  createSigningSecret,
  holdsSecrets,
  replaceLostSecret,
} from "./signing/signing-secrets.ts";
