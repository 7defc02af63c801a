import type { Operation } from "./operation.ts";
import * as operator from "./operator-operations.ts";
import * as sessions from "./session-operations.ts";
import {
  cancelTask,
  getEvidence,
  getPageEvidence,
  getTask,
  getTaskAttempts,
  listTasks,
  quoteBatch,
  submitBatch,
} from "./task-operations.ts";
import { cancelBatch, getBatch, getBatchResults, listBatches } from "./batch-operations.ts";
import { getWebhook, putWebhook, recoverDeliveries, rotateSecret, testWebhook } from "./webhook-operations.ts";
import { getDelivery, getDeliveryBody, listDeliveries, listEvents, redeliver } from "./delivery-operations.ts";
import { getImport, importAnswers, listImports } from "./import-operations.ts";
import {
  deleteObservations,
  listEntityMentions,
  listFailedTasks,
  listObservations,
  listSources,
  recountMentions,
} from "./observation-operations.ts";
import {
  createEntity,
  decideNames,
  deleteEntity,
  getEntity,
  listEntities,
  listEntityRevisions,
  proposeNames,
  putEntities,
  putEntity,
  tryEntities,
} from "./entity-operations.ts";
import { getChanges } from "./change-operations.ts";
import { getFigures, listMeasures } from "./figure-operations.ts";
import { getLedger, getOverview, getUsage, getUsageDays } from "./usage-operations.ts";
import {
  createPanel,
  deletePanel,
  getCaps,
  getPanel,
  getPanelRun,
  listPanelRevisions,
  listPanelRuns,
  listPanels,
  putCaps,
  putPanel,
  quoteNewPanel,
  quotePanel,
  runPanel,
} from "./panel-operations.ts";
import { listPairs } from "./answer-pair-operations.ts";
import { bridgePanel } from "./bridge-operations.ts";
import { comparePanel } from "./comparison-operations.ts";
import { planPanel } from "./plan-operations.ts";
import { diffPanelRun } from "./run-diff-operations.ts";
import { getEvidenceKeys, getPageFont, getScreenshot, getSharePage } from "./public-operations.ts";
import {
  getPanelReport,
  getPanelSeal,
  getSharedReport,
  listReportShares,
  revokeReportShare,
  sealPanel,
  shareReport,
} from "./report-operations.ts";
import { getHealth, getLlmsText, getMetrics, getOpenapi, getReadiness, listPlatforms } from "./service-operations.ts";
import { issueToken, listTokens, revokeToken } from "./token-operations.ts";

export * from "./batch-operations.ts";
export * from "./change-operations.ts";
export * from "./answer-pair-operations.ts";
export * from "./bridge-operations.ts";
export * from "./comparison-operations.ts";
export * from "./delivery-operations.ts";
export * from "./entity-operations.ts";
export * from "./figure-operations.ts";
export * from "./import-operations.ts";
export * from "./observation-operations.ts";
export * from "./operator-operations.ts";
export * from "./session-operations.ts";
export * from "./panel-operations.ts";
export * from "./plan-operations.ts";
export * from "./public-operations.ts";
export * from "./report-operations.ts";
export * from "./run-diff-operations.ts";
export * from "./service-operations.ts";
export * from "./task-operations.ts";
export * from "./token-operations.ts";
export * from "./usage-operations.ts";
export * from "./webhook-operations.ts";

/** All operations, in the order of the reference. */
export const operations: readonly Operation[] = [
  submitBatch,
  quoteBatch,
  getTask,
  getTaskAttempts,
  listTasks,
  cancelTask,
  getEvidence,
  getPageEvidence,
  listBatches,
  getBatch,
  cancelBatch,
  getBatchResults,
  createPanel,
  listPanels,
  quoteNewPanel,
  getPanel,
  putPanel,
  deletePanel,
  listPanelRevisions,
  quotePanel,
  runPanel,
  listPanelRuns,
  diffPanelRun,
  getPanelRun,
  getFigures,
  getChanges,
  listMeasures,
  sealPanel,
  getPanelSeal,
  getPanelReport,
  shareReport,
  listReportShares,
  revokeReportShare,
  planPanel,
  bridgePanel,
  comparePanel,
  listPairs,
  getCaps,
  putCaps,
  listPlatforms,
  getWebhook,
  putWebhook,
  rotateSecret,
  testWebhook,
  recoverDeliveries,
  listDeliveries,
  getDelivery,
  getDeliveryBody,
  redeliver,
  listEvents,
  getOverview,
  getUsage,
  getUsageDays,
  getLedger,
  listFailedTasks,
  listObservations,
  deleteObservations,
  listSources,
  listEntityMentions,
  recountMentions,
  importAnswers,
  listImports,
  getImport,
  listEntities,
  createEntity,
  putEntities,
  tryEntities,
  getEntity,
  putEntity,
  deleteEntity,
  listEntityRevisions,
  proposeNames,
  decideNames,
  listTokens,
  issueToken,
  revokeToken,
  operator.getEngine,
  operator.listNodes,
  sessions.listSessions,
  sessions.putSession,
  sessions.deleteSession,
  sessions.resumeSession,
  sessions.startSignIn,
  sessions.getSignIn,
  sessions.sendSignInInput,
  sessions.saveSignIn,
  sessions.cancelSignIn,
  operator.setPlatformLimits,
  operator.removePlatformLimits,
  operator.listAccounts,
  operator.createAccount,
  operator.setAccountLimits,
  operator.grantPoints,
  operator.listAccountTokens,
  operator.issueAccountToken,
  operator.revokeAnyToken,
  getSharePage,
  getSharedReport,
  getScreenshot,
  getPageFont,
  getEvidenceKeys,
  getOpenapi,
  getLlmsText,
  getHealth,
  getReadiness,
  getMetrics,
];
