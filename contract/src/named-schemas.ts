import type { TSchema } from "typebox";
import { AccountLimits, AccountPage, AccountRecord, AccountRequest, PointsGrant } from "./account.ts";
import { BatchCancellation, BatchPage, BatchRecord } from "./batch.ts";
import { Cap, CapInput, Caps, CapsChange } from "./cap.ts";
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
import { EvidenceKeys } from "./evidence.ts";
import { Notification } from "./notification.ts";
import { Overview, OverviewBucket, OverviewPeriod } from "./overview.ts";
import {
  CompleteSchedule,
  PanelInput,
  PanelLocale,
  PanelPage,
  PanelPersona,
  PanelPrompt,
  PanelQuote,
  PanelRecord,
  PanelRevision,
  PanelRevisions,
  PanelRun,
  PanelRuns,
  PanelSchedule,
  PanelSummary,
} from "./panel.ts";
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
  PanelInput,
  PanelPrompt,
  PanelLocale,
  PanelPersona,
  PanelSchedule,
  CompleteSchedule,
  PanelRecord,
  PanelSummary,
  PanelPage,
  PanelRevision,
  PanelRevisions,
  PanelQuote,
  PanelRun,
  PanelRuns,
  CapInput,
  Cap,
  CapsChange,
  Caps,
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
  EvidenceKeys,
  Notification,
  Problem,
};
