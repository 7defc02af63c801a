import type { TSchema } from "typebox";
import { AccountLimits, AccountPage, AccountRecord, AccountRequest, PointsGrant } from "./account.ts";
import { BatchCancellation, BatchPage, BatchRecord } from "./batch.ts";
import { MediaCard, ProductCard, Source, VideoCard } from "./cards.ts";
import {
  DeliveryAttempt,
  DeliveryDetail,
  DeliveryPage,
  DeliveryRecord,
  EventPage,
  FeedEvent,
  RecoveryReply,
  RecoveryRequest,
  WebhookTest,
  WebhookTestReply,
} from "./delivery.ts";
import { Engine, NodeList, NodeRecord, PlatformLimits, QueueRecord } from "./engine.ts";
import {
  EntityChanges,
  EntityMention,
  EntityMentions,
  EntityPage,
  EntityRecord,
  EntityRequest,
  EntityRevision,
  EntityRevisions,
  EntityTrial,
} from "./entity.ts";
import { EvidenceKeys } from "./evidence.ts";
import { ImportedAnswer, ImportPage, ImportRecord } from "./import.ts";
import { Notification } from "./notification.ts";
import {
  DeletedObservations,
  ObservationPage,
  ObservationRecord,
  ObservedCard,
  ObservedMention,
  ObservedSource,
  SourceCount,
  SourceCounts,
} from "./observation.ts";
import { Overview, OverviewBucket, OverviewPeriod } from "./overview.ts";
import { PlatformList, PlatformRecord } from "./platform.ts";
import { Problem } from "./problem.ts";
import { Quote } from "./quote.ts";
import { SubmissionAccepted, SubmissionItem } from "./submission.ts";
import { TaskOptions } from "./task-options.ts";
import { TaskRecord, TaskSummary } from "./task.ts";
import { IssuedToken, TokenList, TokenRecord, TokenRequest } from "./token.ts";
import { LedgerEntry, LedgerPage, PointsBalance, UsageDay, UsageDays, UsageRecord } from "./usage.ts";
import { SecretRotation, WebhookChange, WebhookRecord } from "./webhook.ts";

/** Schemas with a name in the document, so that code generators create one type for each. */
export const namedSchemas: Readonly<Record<string, TSchema>> = {
  SubmissionItem,
  SubmissionAccepted,
  TaskOptions,
  TaskRecord,
  TaskSummary,
  Source,
  ProductCard,
  VideoCard,
  MediaCard,
  BatchRecord,
  BatchPage,
  BatchCancellation,
  Quote,
  PlatformRecord,
  PlatformList,
  WebhookRecord,
  WebhookChange,
  SecretRotation,
  WebhookTest,
  WebhookTestReply,
  RecoveryRequest,
  RecoveryReply,
  DeliveryRecord,
  DeliveryAttempt,
  DeliveryDetail,
  DeliveryPage,
  FeedEvent,
  EventPage,
  LedgerEntry,
  LedgerPage,
  ObservationRecord,
  ObservedSource,
  ObservedMention,
  ObservedCard,
  ObservationPage,
  DeletedObservations,
  SourceCount,
  SourceCounts,
  ImportedAnswer,
  ImportRecord,
  ImportPage,
  Overview,
  OverviewPeriod,
  OverviewBucket,
  PointsBalance,
  UsageRecord,
  UsageDays,
  UsageDay,
  TokenRecord,
  TokenList,
  TokenRequest,
  IssuedToken,
  Engine,
  QueueRecord,
  NodeList,
  NodeRecord,
  PlatformLimits,
  AccountRecord,
  AccountPage,
  AccountRequest,
  AccountLimits,
  PointsGrant,
  EntityRequest,
  EntityRecord,
  EntityPage,
  EntityRevision,
  EntityRevisions,
  EntityChanges,
  EntityTrial,
  EntityMention,
  EntityMentions,
  EvidenceKeys,
  Notification,
  Problem,
};
