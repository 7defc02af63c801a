/** An example of each operation, in one small world: a batch of one question about coffee. Each is checked against its schema when the page is made. */
import { forEachAskedAs } from "@querent/contract";
import type {
  AccountRecord,
  AccountUse,
  BatchRecord,
  DeliveryDetail,
  DeliveryRecord,
  IssuedToken,
  LedgerEntry,
  NodeRecord,
  Overview,
  PlatformLimits,
  PlatformRecord,
  Problem,
  QueueRecord,
  Quote,
  RecoveryReply,
  SubmissionAccepted,
  SubmissionItem,
  TaskAttempts,
  TaskRecord,
  TokenRecord,
  TokenRequest,
  ProjectUsageDay,
  UsageDay,
  UsageRecord,
  WebhookRecord,
  WebhookTestReply,
} from "@querent/contract";

const taskId = "01a1fe21-b0cc-77ac-81aa-f4fac2ef9a34";
const batchId = "01a1fe21-b0cc-77ac-81aa-f11bac2d72a2";
const tokenId = "01a1fe20-93ad-7d0e-8a60-3f0b1c55d7a1";
const accountId = "01a1fe20-9210-7aa4-b1f3-77c1a2d0e6b4";
const createdAt = "2026-11-21T12:43:03.241Z";
const completedAt = "2026-11-21T12:43:03.285Z";
const question = "How fine should I grind for espresso?";

const submission: SubmissionItem[] = [
  { question, platformCode: "sample", options: {}, clientReference: "q-1", tags: ["coffee"] },
];

const accepted: SubmissionAccepted = {
  acceptedCount: 1,
  tasks: [{ taskId, clientReference: "q-1", state: "pending", statusUrl: `/v1/tasks/${taskId}` }],
  batchId,
  createdAt,
  estimatedPoints: 2,
};

const task: TaskRecord = {
  taskId,
  batchId,
  clientReference: "q-1",
  tags: ["coffee"],
  question,
  platformCode: "sample",
  options: { deepAnalysis: false, output: "answer", resultFormat: "json" },
  webhookUrl: null,
  priority: 5,
  notBefore: null,
  startBefore: null,
  runTimeoutSeconds: 60,
  state: "completed",
  progress: null,
  content:
    '> A shot that gushes out in ten seconds is usually sour and thin: grind finer.\n\n— [Espresso: dose, yield and time](https://coffee.example/espresso-basics)\n\n> **image** · [Five grind sizes side by side](https://media.example/image/grind-sizes "card 1")\n>\n> ![Five grind sizes side by side](https://media.example/image/grind-sizes.jpg)',
  pageHtml: null,
  modelVersion: "sample-1 (Coffee at home@0cfed567a982)",
  observedAt: "2026-11-21T12:43:03.270Z",
  sources: [
    {
      title: "Espresso: dose, yield and time",
      url: "https://coffee.example/espresso-basics",
      summary: "A shot that gushes out in ten seconds is usually sour and thin: grind finer.",
      site: "Coffee at home",
      publishedAt: "2025-03-04T00:00:00.000Z",
    },
  ],
  products: [],
  videos: [],
  media: [
    {
      position: 1,
      mediaType: "image",
      title: "Five grind sizes side by side",
      url: "https://media.example/image/grind-sizes",
      thumbnail: "https://media.example/image/grind-sizes.jpg",
      content: "From extra fine to coarse, with a coin for scale.",
    },
  ],
  reasoningProcess: null,
  searchProcess: [
    {
      position: 1,
      query: "fine grind espresso",
      results: [
        {
          title: "Espresso: dose, yield and time",
          url: "https://coffee.example/espresso-basics",
          site: "Coffee at home",
        },
      ],
    },
  ],
  ads: [],
  alternatives: [],
  relatedQuestions: [],
  relatedSearches: [],
  screenshotUrl: null,
  shareUrl: null,
  truncatedBy: null,
  availability: {
    content: "present",
    sources: "present",
    products: "none_on_platform",
    videos: "none_on_platform",
    media: "present",
    reasoningProcess: "not_requested",
    searchProcess: "present",
    pageHtml: "not_exposed",
    screenshot: "not_requested",
    share: "not_requested",
    ads: "not_exposed",
  },
  provenance: { kind: "sample", platform: "sample", endpoint: null, region: null },
  effective: {},
  evidence: [],
  failure: null,
  chargedPoints: 2,
  revision: 1,
  expired: false,
  createdAt,
  startedAt: "2026-11-21T12:43:03.255Z",
  completedAt,
  canceledAt: null,
  expiresAt: "2026-11-28T12:43:03.285Z",
  durationMs: 31,
};

const canceled: TaskRecord = {
  ...task,
  state: "canceled",
  content: null,
  modelVersion: null,
  observedAt: null,
  sources: [],
  media: [],
  searchProcess: null,
  availability: null,
  provenance: null,
  effective: null,
  chargedPoints: 0,
  startedAt: null,
  canceledAt: completedAt,
  durationMs: null,
};

const attempts: TaskAttempts = {
  taskId,
  state: "completed",
  expired: false,
  attemptCount: 2,
  attempts: [
    {
      attempt: 1,
      startedAt: "2026-11-21T12:43:03.249Z",
      endedAt: "2026-11-21T12:43:04.021Z",
      nodeId: "01a1fe1f-5a10-7c43-9be2-0f6a1c2d3e4f",
      outcome: "failed",
      code: "platform_unavailable",
      message: "The platform answered 503.",
      platformStatus: 503,
      probe: false,
    },
    {
      attempt: 2,
      startedAt: "2026-11-21T12:43:09.310Z",
      endedAt: "2026-11-21T12:43:09.402Z",
      nodeId: "01a1fe1f-5a10-7c43-9be2-0f6a1c2d3e4f",
      outcome: "completed",
      code: null,
      message: null,
      platformStatus: null,
      probe: true,
    },
  ],
  waits: [
    { reason: "queued", from: createdAt, until: "2026-11-21T12:43:03.249Z" },
    { reason: "breaker_open", from: "2026-11-21T12:43:04.021Z", until: "2026-11-21T12:43:09.310Z" },
  ],
};

const { content: _content, ...withoutContent } = task;
const {
  pageHtml: _pageHtml,
  modelVersion: _modelVersion,
  observedAt: _observedAt,
  sources: _sources,
  products: _products,
  videos: _videos,
  media: _media,
  reasoningProcess: _reasoning,
  searchProcess: _search,
  ads: _ads,
  alternatives: _alternatives,
  relatedQuestions: _relatedQuestions,
  relatedSearches: _relatedSearches,
  screenshotUrl: _screenshot,
  shareUrl: _share,
  truncatedBy: _truncatedBy,
  availability: _availability,
  provenance: _provenance,
  effective: _effective,
  evidence: _evidence,
  ...summary
} = withoutContent;

const quote: Quote = {
  valid: false,
  itemCount: 2,
  estimatedPoints: 5,
  availablePoints: 999_997,
  affordable: true,
  items: [
    { index: 0, points: 5, errors: [], warnings: [] },
    {
      index: 1,
      points: null,
      warnings: [],
      errors: [
        {
          pointer: "/1/platformCode",
          code: "unknown_platform",
          detail: "There is no such platform. Known: sample, simulator.",
        },
      ],
    },
  ],
};

const batch: BatchRecord = {
  batchId,
  state: "finished",
  taskCount: 1,
  firstQuestion: summary.question,
  platformCodes: [summary.platformCode],
  counts: { pending: 0, completed: 1, failed: 0, canceled: 0 },
  running: 0,
  progress: 1,
  points: { estimated: 2, charged: 2, released: 0 },
  createdAt,
  finishedAt: completedAt,
  etaAt: null,
};

const platform: PlatformRecord = {
  platformCode: "sample",
  name: "Sample documents",
  kind: "sample",
  configured: true,
  unavailable: null,
  standIn: false,
  setUp: null,
  state: "ready",
  failingSince: null,
  lastFailure: {
    code: "platform_unavailable",
    message: "The platform answered 503.",
    at: "2026-11-21T12:43:04.021Z",
    platformStatus: 503,
  },
  breakerOpenUntil: null,
  throttledSince: null,
  throttledUntil: null,
  nextTryAt: null,
  outputs: ["answer"],
  recipe: null,
  unavailableOutputs: [],
  resultFormats: ["json"],
  options: forEachAskedAs(() => "native"),
  optionValues: {
    country: null,
    location: ["city", "region", "latitude", "longitude"],
    model: ["sample-1"],
    domains: { allowMax: 100, denyMax: 100, together: true },
  },
  returns: {
    sources: true,
    products: true,
    videos: true,
    media: true,
    reasoningProcess: true,
    searchProcess: true,
    pageHtml: false,
  },
  price: { base: 2, deepAnalysis: 3, screenshot: 1, shareLink: 1, pageHtml: 0 },
  runTimeoutSeconds: 60,
  health: {
    windowSeconds: 3600,
    finished: 1,
    successRate: 1,
    p50Seconds: 0.05,
    p95Seconds: 0.05,
    recent: { windowSeconds: 300, finished: 1, successRate: 1 },
    queued: 0,
    running: 0,
    drift: null,
  },
};

const webhook: WebhookRecord = {
  url: "https://hooks.example.com/querent",
  signingSecret: "whsec_NoAXUZbhSp2POARm2yuE9fp0c06f95ZcdQrrz20uNfs",
  secretVersion: 1,
  events: ["task.finished"],
  status: "active",
  suspendedAt: null,
  suspendedReason: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  lastFailureStatus: null,
  lastFailureFault: null,
};

const usage: UsageRecord = {
  account: "default",
  token: { tokenId, scopes: ["tasks:write", "tasks:read", "webhook:manage", "usage:read"] },
  balance: { available: 999_998, held: 0, captured: 2, granted: 1_000_000 },
  from: "2026-10-23T12:43:03.554Z",
  to: "2026-11-21T12:43:03.554Z",
  days: [{ day: "2026-11-21", platformCode: "sample", completed: 1, failed: 0, canceled: 0, chargedPoints: 2 }],
  storage: {
    rows: { held: 41_230, quota: 10_000_000 },
    bytes: { held: 52_400_000, quota: 21_474_836_480 },
    artifactBytes: { held: 310_000_000, quota: 214_748_364_800 },
    kinds: [
      { kind: "imports", rows: 40_002, bytes: 51_800_000, limited: true, measuredAt: createdAt },
      { kind: "panels", rows: 1_228, bytes: 600_000, limited: true, measuredAt: createdAt },
      { kind: "artifacts", rows: 612, bytes: 310_000_000, limited: false, measuredAt: createdAt },
    ],
  },
};

const ended = {
  completed: 118,
  failed: 2,
  canceled: 0,
  successRate: 0.983,
  p50Seconds: 6.2,
  p95Seconds: 21.5,
  chargedPoints: 236,
};
const bucket = { ...ended, completed: 5, failed: 0, successRate: 1, chargedPoints: 10 };

const overview: Overview = {
  conditions: [
    {
      code: "platform_failing",
      severity: "error",
      since: "2026-11-21T12:41:10.502Z",
      detail:
        "Sample documents failed many times in a row, and is not asked before 2026-11-21T12:44:10.000Z. Its tasks wait. Last failure: platform_unavailable, The platform answered 503.",
      platformCode: "sample",
    },
  ],
  period: "24h",
  pending: { total: 12, running: 4, oldest: "2026-11-21T12:42:51.020Z" },
  current: { from: "2026-11-20T13:00:00.000Z", to: "2026-11-21T13:00:00.000Z", ...ended },
  before: { from: "2026-11-19T13:00:00.000Z", to: "2026-11-20T13:00:00.000Z", ...ended, completed: 96 },
  bucketSeconds: 3600,
  series: [{ start: "2026-11-20T13:00:00.000Z", ...bucket }],
  seriesBefore: [{ start: "2026-11-19T13:00:00.000Z", ...bucket }],
  webhook: {
    status: "active",
    suspendedAt: null,
    suspendedReason: null,
    lastSuccessAt: "2026-11-21T12:43:03.331Z",
    failuresSinceSuccess: 0,
    pendingDeliveries: 0,
    failedDeliveries: 0,
  },
};

const usageDay: UsageDay = {
  day: "2026-11-21",
  platformCode: "sample",
  tokenId,
  tokenName: "nightly survey",
  completed: 1,
  failed: 0,
  canceled: 0,
  chargedPoints: 2,
};

const projectUsageDay: ProjectUsageDay = {
  day: "2026-11-21",
  projectId: "01a1fe2b-0a5e-7a10-8c07-3a1f6f0c9b21",
  projectName: "Acme Mills",
  platformCode: "sample",
  completed: 1,
  failed: 0,
  canceled: 0,
  chargedPoints: 2,
};

const token: TokenRecord = {
  tokenId,
  name: "nightly survey",
  preview: "qrt_8fKq",
  scopes: ["tasks:write", "tasks:read"],
  projects: null,
  createdAt,
  expiresAt: "2027-11-21T00:00:00.000Z",
  lastUsedAt: null,
  revokedAt: null,
};
const tokenRequest: TokenRequest = {
  name: "nightly survey",
  scopes: ["tasks:write", "tasks:read"],
  expiresAt: "2027-11-21T00:00:00Z",
};
const issued: IssuedToken = { token: "qrt_8fKqYw3o0nNn5wq2m1rTzXvUaBcDeFgHiJkLmNoPqRs", record: token };

const limits: PlatformLimits = { runningMax: 20, rate: { perSecond: 2, burst: 4 } };
const queue: QueueRecord = {
  platformCode: "perplexity",
  name: "Perplexity",
  configured: true,
  queued: 312,
  waiting: 3,
  running: 20,
  oldestQueuedAt: "2026-11-21T12:40:11.101Z",
  limits,
  configuredLimits: { runningMax: 50, rate: null },
  override: { setAt: "2026-11-21T12:41:00.000Z", tokenId },
  heldUntil: null,
  breaker: { opensAfter: 10, failuresInRow: 0, openUntil: null },
};
const node: NodeRecord = {
  nodeId: "01a1fe20-8f00-7c4d-9d0f-9b3f2f1f6f10",
  name: "4711",
  version: "0.1.0",
  startedAt: "2026-11-21T12:00:00.000Z",
  leaseUntil: "2026-11-21T12:43:15.000Z",
  alive: true,
  running: 20,
  roles: ["worker"],
  slotsMax: 1000,
  onlyPlatforms: ["api"],
  platforms: [
    { platformCode: "anthropic", running: 20, missing: null },
    { platformCode: "openai", running: 0, missing: "Set OPENAI_API_KEY." },
  ],
  browser: { usable: true, why: null },
};
const account: AccountRecord = {
  accountId,
  name: "Blue Harbour",
  createdAt,
  balance: { available: 50_000, held: 0, captured: 0, granted: 50_000 },
  unfinishedTasks: 0,
  unfinishedMax: 5_000_000,
  storage: {
    rows: 41_230,
    bytes: 52_400_000,
    artifactBytes: 310_000_000,
    totalBytes: 455_000_000,
    storageRowsMax: null,
    storageBytesMax: null,
    artifactBytesMax: null,
  },
};

const accountUse: AccountUse = {
  accountId: account.accountId,
  name: account.name,
  running: 12,
  deliveries: 3,
  eventStreams: 1,
  waits: 0,
  lists: 1,
  exports: 0,
  largeBodies: 0,
};

const entry: LedgerEntry = {
  entryId: 3,
  kind: "capture",
  points: 2,
  batchId,
  taskId,
  note: null,
  createdAt: completedAt,
};

/** What a refused submission is answered with. */
export const problemExample: Problem = {
  type: "/problems/validation_failed",
  title: "The request is not valid",
  status: 422,
  detail: "1 place is not valid. Nothing was accepted.",
  instance: "/v1/tasks/batch",
  code: "validation_failed",
  requestId: "01a1fe21-b23a-7733-a157-22a0874abc32",
  errors: [
    {
      pointer: "/0/options/depAnalysis",
      code: "unknown_field",
      detail: "There is no member `depAnalysis` here. Did you mean `deepAnalysis`?",
    },
  ],
};

/** The body of a notification. */
export const notificationExample = {
  event: "task.finished",
  deliveryRevision: 1,
  task: { ...task, resultOmitted: false },
} as const;

interface Example {
  readonly request?: unknown;
  readonly reply?: unknown;
}

const delivery: DeliveryRecord = {
  deliveryId: "01a1fe21-b0f5-7d0a-9e2f-6a1d3c0b7e42",
  event: "task.finished",
  taskId,
  eventId: null,
  deliveryRevision: 1,
  state: "delivered",
  phase: null,
  url: "https://hooks.example.com/querent",
  toAccountDefault: true,
  attemptCount: 1,
  nextAttemptAt: null,
  createdAt: completedAt,
  finishedAt: "2026-11-21T12:43:03.331Z",
  waitingFor: null,
  failureReason: null,
};

const deliveryDetail: DeliveryDetail = {
  ...delivery,
  attempts: [
    {
      attempt: 1,
      startedAt: "2026-11-21T12:43:03.291Z",
      durationMs: 38,
      status: 204,
      fault: null,
      responseSnippet: "",
      nextAttemptAt: null,
      headers: {
        "X-Service-Signature": "sha256=6c1b0e5d0b3f3f0a4f8d2f1c9e7a5b3d1f0e2c4a6b8d0f1e3c5a7b9d1f3e5c7a",
        "X-Service-Secret-Version": "1",
        "X-Service-Timestamp": "2026-11-21T12:43:03.291Z",
      },
    },
  ],
  request: {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "User-Agent": "Querent/0.1.0",
      "X-Service-Delivery": delivery.deliveryId,
    },
    body: '{"event":"task.finished","deliveryRevision":1,"task":{"taskId":"01a1fe21-b0cc-77ac-81aa-f4fac2ef9a34"}}',
    bodyOrigin: "rebuilt",
  },
};

const webhookTest: WebhookTestReply = {
  passed: true,
  url: "https://hooks.example.com/querent",
  deliveryId: "01a1fe25-0a11-7c3e-8d57-2b9f4e6a1c08",
  status: 204,
  fault: null,
  durationMs: 41,
  responseSnippet: "",
  suspensionLifted: false,
};

const recovery: RecoveryReply = {
  redeliveredCount: 312,
  remaining: 0,
  unaddressed: 0,
  until: "2026-11-21T15:00:00.000Z",
};

/** The examples by operation. */
export const examples: Readonly<Record<string, Example>> = {
  submitBatch: { request: submission, reply: accepted },
  quoteBatch: {
    request: [
      { question, platformCode: "sample", options: { deepAnalysis: true } },
      { question, platformCode: "smaple", options: {} },
    ],
    reply: quote,
  },
  getTask: { reply: task },
  getTaskAttempts: { reply: attempts },
  listTasks: { reply: { tasks: [summary], nextCursor: null } },
  listBatches: { reply: { batches: [batch], nextCursor: null } },
  cancelTask: { reply: canceled },
  getBatch: { reply: batch },
  cancelBatch: { reply: { batchId, canceledCount: 1 } },
  listPlatforms: { reply: { platforms: [platform] } },
  getWebhook: { reply: { ...webhook, url: null, status: "unset" } },
  putWebhook: { request: { url: "https://hooks.example.com/querent" }, reply: webhook },
  rotateSigningSecret: { request: { previousSecretValidSeconds: 3600 }, reply: { ...webhook, secretVersion: 2 } },
  testWebhook: { request: {}, reply: webhookTest },
  recoverDeliveries: { request: { since: "2026-11-21T09:00:00Z" }, reply: recovery },
  listDeliveries: { reply: { deliveries: [delivery], nextCursor: null } },
  getDelivery: { reply: deliveryDetail },
  getDeliveryBody: { reply: { event: "task.finished", deliveryRevision: 1, task: { ...task, resultOmitted: false } } },
  redeliver: {
    reply: {
      ...delivery,
      deliveryId: "01a1fe26-7d40-7b15-a3c9-5e8f0d2b6a91",
      deliveryRevision: 2,
      state: "pending",
      phase: "queued",
      waitingFor: "turn",
      attemptCount: 0,
      nextAttemptAt: "2026-11-21T12:48:20.100Z",
      createdAt: "2026-11-21T12:48:20.100Z",
      finishedAt: null,
    },
  },
  listEvents: {
    reply: {
      events: [
        {
          cursor: "MQ",
          deliveryId: delivery.deliveryId,
          createdAt: completedAt,
          notification: notificationExample,
        },
      ],
      nextCursor: "MQ",
      hasMore: false,
    },
  },
  getOverview: { reply: overview },
  getUsage: { reply: usage },
  getUsageDays: { reply: { from: "2026-10-23", to: "2026-11-21", days: [usageDay] } },
  getProjectUsage: { reply: { from: "2026-10-23", to: "2026-11-21", days: [projectUsageDay] } },
  listTokens: { reply: { tokens: [token] } },
  issueToken: { request: tokenRequest, reply: issued },
  revokeToken: { reply: { ...token, revokedAt: completedAt } },
  getEngine: { reply: { queues: [queue], nodes: [node], accounts: [accountUse] } },
  setPlatformLimits: { request: limits, reply: queue },
  removePlatformLimits: { reply: { ...queue, limits: { runningMax: 50, rate: null }, override: null } },
  listAccounts: { reply: { accounts: [account], nextCursor: null } },
  createAccount: { request: { name: account.name, points: 50_000 }, reply: account },
  setAccountLimits: {
    request: { unfinishedMax: 100_000, storageBytesMax: 50_000_000_000 },
    reply: {
      ...account,
      unfinishedMax: 100_000,
      storage: { ...account.storage, storageBytesMax: 50_000_000_000 },
    },
  },
  grantPoints: {
    request: { points: 10_000, note: "invoice 1042" },
    reply: { ...account, balance: { available: 60_000, held: 0, captured: 0, granted: 60_000 } },
  },
  listAccountTokens: { reply: { tokens: [token] } },
  issueAccountToken: { request: tokenRequest, reply: issued },
  revokeAnyToken: { reply: { ...token, revokedAt: completedAt } },
  getLedger: { reply: { entries: [entry], nextCursor: null } },
  getHealth: { reply: { status: "ok", version: "0.1.0" } },
  getReadiness: { reply: { status: "ready" } },
};
