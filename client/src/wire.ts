/**
 * What goes over the wire, as types. Made from the schemas by `npm run docs`: change those, not this file.
 */

/** One question for one platform. */
export interface SubmissionItem {
  /** The question: 1 to 10,000 characters after trimming, not white space alone. */
  question: string;
  /** Code of the answer platform, as `GET /v1/platforms` lists it. */
  platformCode: string;
  options?: SubmittedOptions | null;
  /** An absolute `https:` address, without user name or password in it. */
  webhookUrl?: string | null;
  /** Your own reference, returned as sent. */
  clientReference?: string | null;
  /** Up to 10 tags. */
  tags?: string[] | null;
  /** ISO 8601 UTC, ending in `Z`, such as `2026-11-01T09:30:00Z`. */
  notBefore?: string | null;
  /** ISO 8601 UTC, ending in `Z`, such as `2026-11-01T09:30:00Z`. */
  startBefore?: string | null;
  /** Seconds that one run may take; waiting in the queue never counts. The platform's own value otherwise. */
  runTimeoutSeconds?: number | null;
  /** Orders your own account's tasks only; 9 goes first. 5 when left out. */
  priority?: number | null;
}

export interface SubmissionAccepted {
  acceptedCount: number;
  /** One entry per item, in the order of the list. */
  tasks: SubmittedTask[];
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  batchId: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** Points held for the batch. What each task costs in the end is its `chargedPoints`. */
  estimatedPoints: number;
}

export interface TaskOptions {
  /** Ask for deeper analysis. False when left out. */
  deepAnalysis: boolean;
  /** `answer` (when left out): the standard answer. `screenshot`: the answer and a screenshot. `share_link`: the answer and a public address of it. Web-type platforms always return `answer` here. */
  output: "answer" | "screenshot" | "share_link";
  /** For web-type platforms. `json` (when left out): structured answer. `html`: web page content. `all`: both. Other platforms always give the structured answer. */
  resultFormat: "json" | "html" | "all";
}

/** One task: its question, state, answer and points. */
export interface TaskRecord {
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  taskId: string;
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  batchId: string;
  clientReference: string | null;
  tags: string[];
  question: string;
  platformCode: string;
  options: TaskOptions;
  /** The address given with the task; null: the account's. */
  webhookUrl: string | null;
  priority: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  notBefore: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startBefore: string | null;
  /** As given, or the platform's. Null in tasks that were accepted before the record showed it. */
  runTimeoutSeconds: number | null;
  /** `pending` until the end, whatever happens meanwhile; the other three are final. */
  state: "pending" | "completed" | "failed" | "canceled";
  progress: Progress | null;
  /** The answer in Markdown (CommonMark and GFM), with display-ready cards. Null before completion. */
  content: string | null;
  pageHtml: string | null;
  /** The model as the platform reported it. */
  modelVersion: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  observedAt: string | null;
  sources: Source[];
  products: ProductCard[];
  videos: VideoCard[];
  media: MediaCard[];
  reasoningProcess: ReasoningStep[] | null;
  searchProcess: SearchStep[] | null;
  screenshotUrl: string | null;
  shareUrl: string | null;
  /** There when there is a result. Null before the end; null when the task failed (`failure` says why everything is empty), was canceled, or its result has expired (`expired`). */
  availability: Availability | null;
  /** There when there is a result. Null before the end; null when the task failed (`failure` says why everything is empty), was canceled, or its result has expired (`expired`). */
  provenance: Provenance | null;
  failure: Failure | null;
  /** Points actually deducted. */
  chargedPoints: number;
  /** 0 before the end, 1 at the first end, +1 each time the stored result is replaced. */
  revision: number;
  /** True once the result has passed its retention period; its content is gone then. Always false for a task that never had a result: one that failed or was canceled. */
  expired: boolean;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  completedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  canceledAt: string | null;
  /** When the result expires. Null where there is none. */
  expiresAt: string | null;
  /** Milliseconds from the start of the attempt that ended the task to its end: what asking took. Time in the queue, and waits between attempts (a pause before a retry, a throttle, an open breaker), are not part of it. Null before the end, for a canceled task, and for one that ended without an attempt. */
  durationMs: number | null;
}

export interface TaskSummary {
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  taskId: string;
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  batchId: string;
  clientReference: string | null;
  tags: string[];
  question: string;
  platformCode: string;
  options: TaskOptions;
  /** The address given with the task; null: the account's. */
  webhookUrl: string | null;
  priority: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  notBefore: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startBefore: string | null;
  /** As given, or the platform's. Null in tasks that were accepted before the record showed it. */
  runTimeoutSeconds: number | null;
  /** `pending` until the end, whatever happens meanwhile; the other three are final. */
  state: "pending" | "completed" | "failed" | "canceled";
  progress: Progress | null;
  failure: Failure | null;
  /** Points actually deducted. */
  chargedPoints: number;
  /** 0 before the end, 1 at the first end, +1 each time the stored result is replaced. */
  revision: number;
  /** True once the result has passed its retention period; its content is gone then. Always false for a task that never had a result: one that failed or was canceled. */
  expired: boolean;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  completedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  canceledAt: string | null;
  /** When the result expires. Null where there is none. */
  expiresAt: string | null;
  /** Milliseconds from the start of the attempt that ended the task to its end: what asking took. Time in the queue, and waits between attempts (a pause before a retry, a throttle, an open breaker), are not part of it. Null before the end, for a canceled task, and for one that ended without an attempt. */
  durationMs: number | null;
}

/** A source that the answer cites. */
export interface Source {
  title: string;
  /** The address as the platform gave it; tracking parameters stay, they are evidence. */
  url: string;
  summary: string | null;
  /** Site name; the host name when the platform gives none. */
  site: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  publishedAt: string | null;
}

/** A product that the platform showed in its answer. */
export interface ProductCard {
  /** Place in the one order shared by `products`, `videos` and `media`: 1..n, no gap, no tie. */
  position: number;
  title: string;
  /** Preferred click address: a web address or an app deep link. Click this first. Never empty: where the platform gives none, it is its `deepLink`, else its `fallbackUrl`. */
  url: string;
  /** `web` opens in a browser. `app_deep_link` needs the app; on failure try `fallbackUrl`. */
  urlType: "web" | "app_deep_link";
  deepLink: string | null;
  trackingUrl: string | null;
  fallbackUrl: string | null;
  /** Web address of a picture. `""` when the platform gives none. */
  thumbnail: string;
  /** Name of the shop or mall. `""` when the platform gives none. */
  mall: string;
  /** `""` when the platform gives none. */
  mallPlatform: string;
  /** For reference only. Clients must not build a mall address from it. `""` when the platform gives none. */
  mallProductId: string;
  /** `""` when the platform gives none. */
  skuId: string;
  /** `""` when the platform gives none. */
  shopId: string;
  /** Display price; not used in billing. `""` when the platform gives none. */
  price: string;
  /** `""` when the platform gives none. */
  priceUnit: string;
  /** Display text. `""` when the platform gives none. */
  sales: string;
  sellingPoints: string[];
}

/** A video that the platform showed in its answer. */
export interface VideoCard {
  /** Place in the one order shared by `products`, `videos` and `media`: 1..n, no gap, no tie. */
  position: number;
  title: string;
  url: string;
  cover: string | null;
  author: string | null;
  /** Display text, such as `12:30`. */
  duration: string | null;
  videoId: string | null;
  videoPlatform: string | null;
}

/** Any other rich media that the platform showed in its answer. */
export interface MediaCard {
  /** Place in the one order shared by `products`, `videos` and `media`: 1..n, no gap, no tie. */
  position: number;
  /** An open string. Known values: image, music, album, playlist, map, place, weather, stock, chart, news, file, other. */
  mediaType: string;
  title: string | null;
  url: string | null;
  thumbnail: string | null;
  content: string | null;
}

export interface BatchRecord {
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  batchId: string;
  /** `finished` once every task has ended. */
  state: "pending" | "finished";
  taskCount: number;
  /** The question of its first item, cut after 200 characters. */
  firstQuestion: string;
  /** The platforms that it asks, in the order of their codes. */
  platformCodes: string[];
  counts: {
    pending: number;
    completed: number;
    failed: number;
    canceled: number;
  };
  /** How many of the pending tasks run right now. */
  running: number;
  /** Share of the tasks that have ended. */
  progress: number;
  points: {
    /** Held at acceptance. */
    estimated: number;
    charged: number;
    released: number;
  };
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  finishedAt: string | null;
  /** Estimated end, from the pace of the last minute; null when there is no pace to tell from. */
  etaAt: string | null;
}

export interface BatchPage {
  batches: BatchRecord[];
  nextCursor: string | null;
}

export interface BatchCancellation {
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  batchId: string;
  /** Tasks that this request canceled; those that had ended stay as they were. */
  canceledCount: number;
}

export interface Quote {
  /** True when every item would be accepted. */
  valid: boolean;
  itemCount: number;
  /** Of the valid items. */
  estimatedPoints: number;
  availablePoints: number;
  affordable: boolean;
  items: {
    index: number;
    points: number | null;
    errors: ProblemItem[];
    /** What would be accepted, and have no effect. */
    warnings: {
      /** JSON Pointer (RFC 6901) into the body. */
      pointer: string;
      code: "output_without_effect" | "result_format_without_effect";
      detail: string;
    }[];
  }[];
}

export interface PlatformRecord {
  platformCode: string;
  name: string;
  kind: "api" | "web" | "sample";
  /** False when something that it needs is missing, such as its key or a browser; tasks for it are refused then. */
  configured: boolean;
  /** Why tasks for it are refused at present; null while they are accepted. */
  unavailable: {
    code: "platform_not_configured" | "browser_unavailable";
    /** For people, in one or a few sentences. */
    detail: string;
  } | null;
  /** The outputs that are accepted at present. */
  outputs: ("answer" | "screenshot" | "share_link")[];
  /** Outputs that are refused at present, with why. */
  unavailableOutputs: {
    output: "answer" | "screenshot" | "share_link";
    code: "platform_not_configured" | "browser_unavailable";
    /** For people, in one or a few sentences. */
    detail: string;
  }[];
  /** Whether it answers now. `ready`: nothing speaks against it. `degraded`: its last attempt failed, or less than 9 of 10 succeeded lately. `failing`: none succeeded lately, or its breaker has opened and no probe has succeeded since. `throttled`: it asked for fewer requests, and is not asked before `throttledUntil`. `paused`: the operator has set its limit to 0. `not_configured`: something that it needs is missing; tasks for it are refused. `no_browser`: it needs a browser, and there is none. More states may be added. */
  state: "ready" | "degraded" | "failing" | "throttled" | "paused" | "not_configured" | "no_browser";
  /** Its first failure after its last success; null: the last attempt succeeded. */
  failingSince: string | null;
  /** The last time that it failed, or throttled, over all accounts. It stays when the platform works again. */
  lastFailure: {
    code:
      | "platform_unavailable"
      | "platform_timeout"
      | "platform_rate_limited"
      | "platform_auth"
      | "platform_refused"
      | "platform_bad_response"
      | "platform_not_configured"
      | "run_timeout"
      | "start_deadline_passed"
      | "output_unavailable"
      | "internal";
    /** For people. Holds no secret. */
    message: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    at: string;
    platformStatus: number | null;
  } | null;
  /** Set while its breaker is open: it failed many times in a row, and nothing is asked before. */
  breakerOpenUntil: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  throttledSince: string | null;
  /** Set while it is throttled: nothing is asked before. */
  throttledUntil: string | null;
  /** The later of the two; null: it may be asked now. */
  nextTryAt: string | null;
  resultFormats: ("json" | "html" | "all")[];
  /** What the platform can give. A field that is false here is `not_exposed` in a task's `availability`. */
  returns: {
    sources: boolean;
    products: boolean;
    videos: boolean;
    media: boolean;
    reasoningProcess: boolean;
    searchProcess: boolean;
    pageHtml: boolean;
  };
  /** Whole points: `base`, and what each option adds. */
  price: {
    base: number;
    deepAnalysis: number;
    screenshot: number;
    shareLink: number;
    pageHtml: number;
  };
  runTimeoutSeconds: number;
  health: {
    windowSeconds: number;
    /** Attempts completed or failed in the window, over all accounts. */
    finished: number;
    successRate: number | null;
    /** Seconds to answer: half of the attempts that brought an answer took no longer, from their start to their end. Time in the queue, throttles, open breakers and attempts that failed are not part of it. */
    p50Seconds: number | null;
    /** 19 of 20 took no longer. */
    p95Seconds: number | null;
    /** The same of the last 5 minutes, or of the whole window where nothing ended in these. `state` is derived from it. Up to 5 seconds behind. */
    recent: {
      windowSeconds: number;
      finished: number;
      successRate: number | null;
    };
    /** Your own tasks that wait. */
    queued: number;
    /** Your own tasks that run. */
    running: number;
    /** Null for platforms that are not web pages. */
    drift:
      | {
          /** The place in the recipe, such as `composer.input` or `extract.sources`. */
          what: string;
          /** `fallback`: not the first selector of the list matched, but a later one. `unmatched`: none of a list that every answer needs. `check`: the page told of more than was read. `unread`: nothing is read any more of what most answers had before. */
          sign: "fallback" | "unmatched" | "check" | "unread";
          /** ISO 8601 UTC with milliseconds, ending in `Z`. */
          since: string;
          /** Of the asks of the last 24 hours. */
          share: number;
        }[]
      | null;
  };
}

export interface PlatformList {
  platforms: PlatformRecord[];
}

export interface WebhookRecord {
  /** Account default notification address; null when unset. */
  url: string | null;
  /** `whsec_<base64url>`. The whole string, as UTF-8 bytes, is the HMAC key. */
  signingSecret: string;
  secretVersion: number;
  status: "active" | "suspended" | "unset";
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  suspendedAt: string | null;
  /** Why the address is suspended. `gone`: it answered 410 once, which says that it is not there any more. `failing`: attempts to it have failed for days, and none succeeded. Null while it is not suspended. */
  suspendedReason: "gone" | "failing" | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  lastSuccessAt: string | null;
  /** The last failed attempt to the address; null after a success, and for a new address. */
  lastFailureAt: string | null;
  /** The status that it was answered; null when none came. */
  lastFailureStatus: number | null;
  /** What went wrong when no status came, or what cut the answer short after it. `dns`: the name was not resolved. `address`: the host is not one that may be sent to. `connect`: no connection. `tls`: the handshake or the certificate failed. `timeout`: longer than allowed. `reset`: the connection broke. `too_large`: answer or headers beyond the limit. `malformed`: not HTTP. */
  lastFailureFault: "dns" | "address" | "connect" | "tls" | "timeout" | "reset" | "too_large" | "malformed" | null;
}

export interface WebhookChange {
  /** An absolute `https:` address, without user name or password in it. */
  url: string | null;
  /** Ignored: `signingSecret` of the record that was read. */
  signingSecret?: unknown;
  /** Ignored: `secretVersion` of the record that was read. */
  secretVersion?: unknown;
  /** Ignored: `status` of the record that was read. */
  status?: unknown;
  /** Ignored: `suspendedAt` of the record that was read. */
  suspendedAt?: unknown;
  /** Ignored: `suspendedReason` of the record that was read. */
  suspendedReason?: unknown;
  /** Ignored: `lastSuccessAt` of the record that was read. */
  lastSuccessAt?: unknown;
  /** Ignored: `lastFailureAt` of the record that was read. */
  lastFailureAt?: unknown;
  /** Ignored: `lastFailureStatus` of the record that was read. */
  lastFailureStatus?: unknown;
  /** Ignored: `lastFailureFault` of the record that was read. */
  lastFailureFault?: unknown;
}

export interface SecretRotation {
  /** For so long, notifications also carry `X-Service-Signature-Previous`, made with the secret before. 0 when left out. */
  previousSecretValidSeconds?: number | null;
}

export interface WebhookTest {
  /** Another address than the account's, such as one that is about to be set. */
  url?: string | null;
}

export interface WebhookTestReply {
  /** True when the receiver answered 2xx. */
  passed: boolean;
  /** An absolute `https:` address, without user name or password in it. */
  url: string;
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  deliveryId: string;
  status: number | null;
  /** What went wrong when no status came, or what cut the answer short after it. `dns`: the name was not resolved. `address`: the host is not one that may be sent to. `connect`: no connection. `tls`: the handshake or the certificate failed. `timeout`: longer than allowed. `reset`: the connection broke. `too_large`: answer or headers beyond the limit. `malformed`: not HTTP. */
  fault: "dns" | "address" | "connect" | "tls" | "timeout" | "reset" | "too_large" | "malformed" | null;
  durationMs: number;
  responseSnippet: string | null;
  /** True when the account's address was suspended and this test ended that; what was held goes out now. */
  suspensionLifted: boolean;
}

export interface RecoveryRequest {
  /** Deliveries made at this time or later. ISO 8601 UTC, ending in `Z`. */
  since: string;
  /** ISO 8601 UTC, ending in `Z`, such as `2026-11-01T09:30:00Z`. */
  until?: string | null;
  /** Both when left out. */
  states?: ("failed" | "skipped")[] | null;
  /** Redeliveries that this call makes at most. 10,000 when left out. */
  limit?: number | null;
}

export interface RecoveryReply {
  /** Redeliveries that this call made. */
  redeliveredCount: number;
  /** What is left between `since` and `until`; counted to 100,000. Send the same request with this `until` until it is 0. */
  remaining: number;
  /** What can't be redelivered because the account has no address; counted to 100,000. Set one, then ask again. */
  unaddressed: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  until: string;
}

export interface DeliveryRecord {
  /** What the receiver sees as `X-Service-Delivery`. */
  deliveryId: string;
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  taskId: string;
  /** 1 at the task's end; +1 for each deliberate redelivery and each new revision of the result. */
  deliveryRevision: number;
  /** `pending`: being sent, or waiting for its next attempt. `delivered`: a 2xx came. `failed`: given up; `failureReason` says why. `skipped`: there was no address when the task ended. `superseded`: a redelivery, or the notification of a new revision, took its place before it was delivered. */
  state: "pending" | "delivered" | "failed" | "skipped" | "superseded";
  /** Where a pending delivery stands. `queued`: may be sent now. `in_flight`: being sent. `waiting`: not before `nextAttemptAt`. `held`: the account's address is suspended. Null after the end. */
  phase: "queued" | "in_flight" | "waiting" | "held" | null;
  /** Where it goes; null when it was skipped. */
  url: string | null;
  /** True when the task had no `webhookUrl` of its own. */
  toAccountDefault: boolean;
  /** Attempts made. */
  attemptCount: number;
  /** Null while it is sent, while it is held, and after the end. */
  nextAttemptAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  finishedAt: string | null;
  /** What a pending delivery waits for. `turn`: for its turn among the deliveries to its receiver. `retry`: for its next attempt. `receiver_failing`: the receiver failed several times in a row, and nothing is sent to it before `nextAttemptAt`. `endpoint_suspended`: for the account's address to be set again, or to pass a test. It is given up 3 days after the result has expired, counted from when the delivery was made. Null while it is sent, and after the end. */
  waitingFor: "turn" | "retry" | "receiver_failing" | "endpoint_suspended" | null;
  /** Why it was given up. `gone`: the receiver answered 410. `attempts_exhausted`: 14 attempts failed. `endpoint_suspended`: the account's address stayed suspended until after the result had expired. Null in every other state. */
  failureReason: "gone" | "attempts_exhausted" | "endpoint_suspended" | null;
}

export interface DeliveryAttempt {
  attempt: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startedAt: string;
  durationMs: number;
  /** The receiver's HTTP status; null when none came. */
  status: number | null;
  /** What went wrong when no status came, or what cut the answer short after it. `dns`: the name was not resolved. `address`: the host is not one that may be sent to. `connect`: no connection. `tls`: the handshake or the certificate failed. `timeout`: longer than allowed. `reset`: the connection broke. `too_large`: answer or headers beyond the limit. `malformed`: not HTTP. */
  fault: "dns" | "address" | "connect" | "tls" | "timeout" | "reset" | "too_large" | "malformed" | null;
  /** The first 8 KiB of the answer's body, as text. */
  responseSnippet: string | null;
  /** When it was to be tried again, as planned then. */
  nextAttemptAt: string | null;
  /** The headers that signed this attempt, as they were sent: `X-Service-Signature`, `X-Service-Secret-Version`, `X-Service-Timestamp`, those of Standard Webhooks and, while a former secret overlapped, `X-Service-Signature-Previous`. Null for attempts from before they were kept. */
  headers: Record<string, string> | null;
}

/** A delivery with every attempt and what it sends. */
export interface DeliveryDetail {
  /** What the receiver sees as `X-Service-Delivery`. */
  deliveryId: string;
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  taskId: string;
  /** 1 at the task's end; +1 for each deliberate redelivery and each new revision of the result. */
  deliveryRevision: number;
  /** `pending`: being sent, or waiting for its next attempt. `delivered`: a 2xx came. `failed`: given up; `failureReason` says why. `skipped`: there was no address when the task ended. `superseded`: a redelivery, or the notification of a new revision, took its place before it was delivered. */
  state: "pending" | "delivered" | "failed" | "skipped" | "superseded";
  /** Where a pending delivery stands. `queued`: may be sent now. `in_flight`: being sent. `waiting`: not before `nextAttemptAt`. `held`: the account's address is suspended. Null after the end. */
  phase: "queued" | "in_flight" | "waiting" | "held" | null;
  /** Where it goes; null when it was skipped. */
  url: string | null;
  /** True when the task had no `webhookUrl` of its own. */
  toAccountDefault: boolean;
  /** Attempts made. */
  attemptCount: number;
  /** Null while it is sent, while it is held, and after the end. */
  nextAttemptAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  finishedAt: string | null;
  /** What a pending delivery waits for. `turn`: for its turn among the deliveries to its receiver. `retry`: for its next attempt. `receiver_failing`: the receiver failed several times in a row, and nothing is sent to it before `nextAttemptAt`. `endpoint_suspended`: for the account's address to be set again, or to pass a test. It is given up 3 days after the result has expired, counted from when the delivery was made. Null while it is sent, and after the end. */
  waitingFor: "turn" | "retry" | "receiver_failing" | "endpoint_suspended" | null;
  /** Why it was given up. `gone`: the receiver answered 410. `attempts_exhausted`: 14 attempts failed. `endpoint_suspended`: the account's address stayed suspended until after the result had expired. Null in every other state. */
  failureReason: "gone" | "attempts_exhausted" | "endpoint_suspended" | null;
  /** Oldest first. */
  attempts: DeliveryAttempt[];
  /** What is sent. Null when it was skipped: nothing was. */
  request: {
    method: "POST";
    /** Those that are the same on every attempt. Each attempt adds those that sign it, made when it is sent. */
    headers: Record<string, string>;
    /** The body as text, byte for byte what is signed. */
    body: string;
    /** `kept`: the very bytes. `rebuilt`: the bytes are dropped once nothing will send them; this is made from the task as it is now, and differs when its result has expired since. */
    bodyOrigin: "kept" | "rebuilt";
  } | null;
}

export interface DeliveryPage {
  deliveries: DeliveryRecord[];
  nextCursor: string | null;
}

export interface FeedEvent {
  /** Position in the feed; the `id` of a server-sent event. */
  cursor: string;
  /** The notification of this event carries it as `X-Service-Delivery`. */
  deliveryId: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** Sent when a task ends, whatever its end, and when its result is replaced. */
  notification: Notification;
}

export interface EventPage {
  /** Oldest first. */
  events: FeedEvent[];
  /** Send it as `after` to go on, also when the page is empty. */
  nextCursor: string;
  /** True when more events are there already. */
  hasMore: boolean;
}

export interface LedgerEntry {
  entryId: number;
  /** `grant`: the operator gave points. `hold`: a batch was accepted. `capture`: a task completed, its points are spent. `release`: a task failed or was canceled, its points are back. */
  kind: "grant" | "hold" | "capture" | "release";
  /** Always positive; the kind tells the direction. */
  points: number;
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  batchId: string | null;
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  taskId: string | null;
  note: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
}

export interface LedgerPage {
  entries: LedgerEntry[];
  nextCursor: string | null;
}

export interface Overview {
  /** What holds tasks or deliveries up now, errors first; empty while all is well. For a banner. */
  conditions: {
    /** `endpoint_suspended`: nothing is sent to the account's address until it is set again or passes a test. `endpoint_failing`: the last attempts to it failed, and are repeated. `platform_failing`: a platform fails, or its breaker is open. `platform_throttled`: a platform asks for fewer requests, and nobody asks it for a while. `platform_paused`: the operator has set a platform's limit to 0. `no_browser`: no worker has a browser that works, so that screenshots and tasks for web platforms are refused. `points_exhausted`: no points are left to accept a task with. `points_low`: the points that are left last less than a day at the rate of the last 24 hours. More codes may be added. */
    code:
      | "endpoint_suspended"
      | "endpoint_failing"
      | "platform_failing"
      | "platform_throttled"
      | "platform_paused"
      | "no_browser"
      | "points_exhausted"
      | "points_low";
    /** `error`: something does not work. `warning`: it works, or tries again by itself. */
    severity: "error" | "warning";
    /** When it began; null where that is not known. */
    since: string | null;
    /** For people: what it means, and what ends it. */
    detail: string;
    /** Of the platform that it is about. */
    platformCode: string | null;
  }[];
  period: "24h" | "7d" | "30d";
  /** Tasks that have not ended, now. */
  pending: {
    total: number;
    running: number;
    /** When the oldest task was accepted that could run now or does. Those that wait for a time (`notBefore`, a retry) are left out. */
    oldest: string | null;
  };
  current: OverviewPeriod;
  before: OverviewPeriod;
  /** How much time one bucket covers: 1 hour, 6 hours or 1 day. */
  bucketSeconds: number;
  /** The period's buckets, oldest first; every one is there. The last is still being filled. */
  series: OverviewBucket[];
  /** As many buckets of the period before. */
  seriesBefore: OverviewBucket[];
  webhook: {
    status: "active" | "suspended" | "unset";
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    suspendedAt: string | null;
    suspendedReason: "gone" | "failing" | null;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    lastSuccessAt: string | null;
    /** Of attempts to the account's address. */
    failuresSinceSuccess: number;
    /** Counted up to 1,000. */
    pendingDeliveries: number;
    /** Given up in the period, among the newest 1,000 that did not arrive. */
    failedDeliveries: number;
  };
}

export interface OverviewPeriod {
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  from: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  to: string;
  completed: number;
  failed: number;
  canceled: number;
  /** completed / (completed + failed); null where neither was. */
  successRate: number | null;
  /** Seconds to answer, of the completed tasks, by a histogram: half took no longer, from the start of the attempt that brought the answer to its end. Time in the queue, throttles, open breakers and attempts that failed are not part of it. */
  p50Seconds: number | null;
  /** 19 of 20 took no longer. */
  p95Seconds: number | null;
  chargedPoints: number;
}

export interface OverviewBucket {
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  start: string;
  completed: number;
  failed: number;
  canceled: number;
  /** completed / (completed + failed); null where neither was. */
  successRate: number | null;
  /** Seconds to answer, of the completed tasks, by a histogram: half took no longer, from the start of the attempt that brought the answer to its end. Time in the queue, throttles, open breakers and attempts that failed are not part of it. */
  p50Seconds: number | null;
  /** 19 of 20 took no longer. */
  p95Seconds: number | null;
  chargedPoints: number;
}

export interface PointsBalance {
  /** Granted - captured - held. */
  available: number;
  /** Held for tasks that have not ended. */
  held: number;
  /** Spent, all time. */
  captured: number;
  /** Granted, all time. */
  granted: number;
}

export interface UsageRecord {
  account: string;
  /** The token that asks, and what it may do. */
  token: {
    /** UUID, lower case. Ids made by the service are UUIDv7. */
    tokenId: string;
    scopes: ("tasks:write" | "tasks:read" | "webhook:manage" | "usage:read" | "admin")[];
  };
  balance: PointsBalance;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  from: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  to: string;
  days: {
    /** UTC day. */
    day: string;
    platformCode: string;
    completed: number;
    failed: number;
    canceled: number;
    chargedPoints: number;
  }[];
}

export interface UsageDays {
  /** UTC day. */
  from: string;
  /** UTC day. */
  to: string;
  /** Newest first. What nothing ended on is not there. */
  days: UsageDay[];
}

export interface UsageDay {
  /** UTC day. */
  day: string;
  platformCode: string;
  /** The token that submitted; null where none was noted. */
  tokenId: string | null;
  tokenName: string | null;
  completed: number;
  failed: number;
  canceled: number;
  chargedPoints: number;
}

export interface TokenRecord {
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  tokenId: string;
  name: string | null;
  /** Its first characters, to tell it by. */
  preview: string;
  scopes: ("tasks:write" | "tasks:read" | "webhook:manage" | "usage:read" | "admin")[];
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  expiresAt: string | null;
  /** To the minute. */
  lastUsedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  revokedAt: string | null;
}

export interface TokenList {
  /** Those that are not revoked first, the newest first; 500 at most. */
  tokens: TokenRecord[];
}

export interface TokenRequest {
  /** To tell it by. */
  name: string;
  scopes: ("tasks:write" | "tasks:read" | "webhook:manage" | "usage:read" | "admin")[];
  /** In the future. It lives until it is revoked, when left out. */
  expiresAt?: string | null;
}

export interface IssuedToken {
  /** `qrt_` and 43 characters. Keep it: it can't be read again. */
  token: string;
  record: TokenRecord;
}

export interface Engine {
  queues: QueueRecord[];
  nodes: NodeRecord[];
}

export interface QueueRecord {
  platformCode: string;
  name: string;
  configured: boolean;
  /** Tasks that may start. Counted up to 20,000. */
  queued: number;
  /** Tasks that wait for a time or a retry. Counted up to 20,000. */
  waiting: number;
  running: number;
  /** When the oldest queued task was accepted. */
  oldestQueuedAt: string | null;
  limits: PlatformLimits;
  /** What the configuration says; null for a platform that is switched off in it. */
  configuredLimits: PlatformLimits | null;
  /** There while limits set live hold instead of the configuration's. */
  override: {
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    setAt: string;
    /** The token that set it. */
    tokenId: string | null;
  } | null;
  /** The platform asked for patience; nothing starts before. */
  heldUntil: string | null;
  breaker: {
    /** Failures in a row; null: never. */
    opensAfter: number | null;
    failuresInRow: number;
    /** Set while it is open. */
    openUntil: string | null;
  };
}

export interface NodeRecord {
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  nodeId: string;
  name: string;
  version: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startedAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  leaseUntil: string;
  /** Its lease has not run out, by the database's clock. */
  alive: boolean;
  running: number;
  /** Whether it can use a browser, for screenshots and for platforms that are web pages; null until it has looked. */
  browser: {
    usable: boolean;
    /** Why it can't use one; null when it can. */
    why: string | null;
  } | null;
}

export interface PlatformLimits {
  /** Tasks that run at once, over all nodes. 0 stops the platform. */
  runningMax: number;
  /** Null: as fast as it goes. */
  rate: {
    /** Starts a second. */
    perSecond: number;
    /** Starts at once. */
    burst: number;
  } | null;
}

export interface AccountRecord {
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  accountId: string;
  name: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  balance: PointsBalance;
  unfinishedTasks: number;
  /** Tasks that it may have unfinished at once; a submission beyond is refused with 503 `queue_full`. */
  unfinishedMax: number;
}

export interface AccountPage {
  accounts: AccountRecord[];
  nextCursor: string | null;
}

export interface AccountRequest {
  /** 1 to 100 letters, digits, spaces and `. _ @ -`, beginning with a letter or digit. */
  name: string;
  /** It starts with. 0 when left out. */
  points?: number | null;
}

export interface AccountLimits {
  /** Tasks that it may have unfinished at once; a submission beyond is refused with 503 `queue_full`. */
  unfinishedMax: number;
}

export interface PointsGrant {
  points: number;
  /** For the ledger. */
  note?: string | null;
}

export interface EvidenceKeys {
  keys: {
    /** The key's thumbprint (RFC 7638), as it stands in a manifest. */
    kid: string;
    kty: "OKP";
    crv: "Ed25519";
    /** The public key, base64url. */
    x: string;
    use: "sig";
    alg: "EdDSA";
  }[];
}

/** Sent when a task ends, whatever its end, and when its result is replaced. */
export interface Notification {
  event: "task.finished";
  /** 1 at first; +1 for each deliberate redelivery and each new revision of the result. */
  deliveryRevision: number;
  task: NotifiedTask | OmittedTask;
}

/** application/problem+json (RFC 9457) */
export interface Problem {
  /** Relative to the service's address: `/problems/<code>`, a page that explains it. */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** The path that was asked for. */
  instance: string;
  code:
    | "malformed_json"
    | "malformed_request"
    | "idempotency_key_missing"
    | "idempotency_key_malformed"
    | "unauthorized"
    | "points_short"
    | "scope_missing"
    | "not_found"
    | "method_not_allowed"
    | "request_timeout"
    | "idempotency_key_in_use"
    | "state_conflict"
    | "gone"
    | "payload_too_large"
    | "uri_too_long"
    | "unsupported_media_type"
    | "validation_failed"
    | "idempotency_key_reused"
    | "rate_limited"
    | "headers_too_large"
    | "internal"
    | "unavailable"
    | "queue_full";
  /** The same as the `X-Request-Id` header. */
  requestId: string;
  errors?: ProblemItem[];
}

export interface SubmittedOptions {
  /** Ask for deeper analysis. False when left out. */
  deepAnalysis?: boolean | null;
  /** `answer` (when left out): the standard answer. `screenshot`: the answer and a screenshot. `share_link`: the answer and a public address of it. Web-type platforms always return `answer` here. */
  output?: "answer" | "screenshot" | "share_link" | null;
  /** For web-type platforms. `json` (when left out): structured answer. `html`: web page content. `all`: both. Other platforms always give the structured answer. */
  resultFormat?: "json" | "html" | "all" | null;
}

/** The questions: 1 to 1,000 items by default. */
export type Submission = SubmissionItem[];

export interface SubmittedTask {
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  taskId: string;
  clientReference: string | null;
  state: "pending";
  /** Relative path: `/v1/tasks/<task_id>`. */
  statusUrl: string;
}

export interface Progress {
  /** `queued`: it waits for its turn, or for its first attempt. `running`: an attempt is under way. `waiting_retry`: it was tried before, and waits for `nextAttemptAt`; `reason` says why. */
  phase: "queued" | "running" | "waiting_retry";
  /** Attempts made, the one that is under way included; 0 before the first. */
  attempt: number;
  /** When the first attempt began. */
  startedAt: string | null;
  /** The earliest time of the next attempt, as far as it is known: after a pause, a throttle or an open breaker. Null while it runs, and while only its turn is missing. */
  nextAttemptAt: string | null;
  /** What it waits for. Null while it runs. */
  reason: "queued" | "not_before" | "retry" | "throttled" | "breaker_open" | "paused" | null;
  /** The last attempt that failed; null when none has. */
  lastFailure: {
    code:
      | "platform_unavailable"
      | "platform_timeout"
      | "platform_rate_limited"
      | "platform_auth"
      | "platform_refused"
      | "platform_bad_response"
      | "platform_not_configured"
      | "run_timeout"
      | "start_deadline_passed"
      | "output_unavailable"
      | "internal";
    /** For people. Holds no secret. */
    message: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    at: string;
    /** Which attempt it was. */
    attempt: number;
    /** The HTTP status that the platform answered, when it did. */
    platformStatus: number | null;
  } | null;
}

export interface TaskAttempt {
  attempt: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startedAt: string;
  /** Null while it is under way. */
  endedAt: string | null;
  /** The process that ran it. Null for a task that completed at its first attempt: it is not kept then. */
  nodeId: string | null;
  /** Null while it is under way. */
  outcome: "completed" | "failed" | "throttled" | "lost" | "handed_back" | "canceled" | null;
  code:
    | "platform_unavailable"
    | "platform_timeout"
    | "platform_rate_limited"
    | "platform_auth"
    | "platform_refused"
    | "platform_bad_response"
    | "platform_not_configured"
    | "run_timeout"
    | "start_deadline_passed"
    | "output_unavailable"
    | "internal"
    | null;
  /** For people. Holds no secret. */
  message: string | null;
  /** The HTTP status that the platform answered, when it did. */
  platformStatus: number | null;
  /** True when it was let through to see whether a platform works again whose breaker had opened. */
  probe: boolean;
}

export interface TaskWait {
  /** `queued`: for its turn, behind other tasks or the platform's limits. `not_before`: for the time that it was submitted with. `retry`: the last attempt failed, and the next one comes after a pause. `throttled`: the platform answered that it is asked too often, and nobody asks it for a while. `breaker_open`: the platform failed many times in a row, and is left alone for a while. `paused`: the operator has set the platform's limit to 0. */
  reason: "queued" | "not_before" | "retry" | "throttled" | "breaker_open" | "paused";
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  from: string;
  /** When the next attempt began. Null while it waits. */
  until: string | null;
}

/** Every attempt of a task, and every wait with its reason. */
export interface TaskAttempts {
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  taskId: string;
  /** `pending` until the end, whatever happens meanwhile; the other three are final. */
  state: "pending" | "completed" | "failed" | "canceled";
  /** True once the result has expired: attempts and waits are deleted with it. */
  expired: boolean;
  /** Attempts made, those that are not kept included. Null once they have expired. */
  attemptCount: number | null;
  /** The last 20, oldest first. */
  attempts: TaskAttempt[];
  /** Before, between and after the attempts shown, oldest first. None overlaps an attempt. */
  waits: TaskWait[];
}

export interface Failure {
  code:
    | "platform_unavailable"
    | "platform_timeout"
    | "platform_rate_limited"
    | "platform_auth"
    | "platform_refused"
    | "platform_bad_response"
    | "platform_not_configured"
    | "run_timeout"
    | "start_deadline_passed"
    | "output_unavailable"
    | "internal";
  /** For people. Holds no secret. */
  message: string;
  stage: "queue" | "platform" | "parse" | "artifact";
  /** True when the same question may succeed if it is submitted again. */
  retryable: boolean;
  /** Attempts made: how many times a node began to ask the platform. Those that the platform throttled, and those that were lost with their node, are counted too, though they do not count towards the platform's limit of attempts. */
  attempts: number;
  /** The HTTP status that the platform answered, when it did. */
  platformStatus: number | null;
}

export interface Availability {
  /** `present`: it is there. `none_on_platform`: the platform can give it and gave none. `not_requested`: the options did not ask for it. `not_exposed`: this platform never gives it. `parse_failed`: it was given and could not be read. */
  content: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: it is there. `none_on_platform`: the platform can give it and gave none. `not_requested`: the options did not ask for it. `not_exposed`: this platform never gives it. `parse_failed`: it was given and could not be read. */
  sources: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: it is there. `none_on_platform`: the platform can give it and gave none. `not_requested`: the options did not ask for it. `not_exposed`: this platform never gives it. `parse_failed`: it was given and could not be read. */
  products: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: it is there. `none_on_platform`: the platform can give it and gave none. `not_requested`: the options did not ask for it. `not_exposed`: this platform never gives it. `parse_failed`: it was given and could not be read. */
  videos: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: it is there. `none_on_platform`: the platform can give it and gave none. `not_requested`: the options did not ask for it. `not_exposed`: this platform never gives it. `parse_failed`: it was given and could not be read. */
  media: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: it is there. `none_on_platform`: the platform can give it and gave none. `not_requested`: the options did not ask for it. `not_exposed`: this platform never gives it. `parse_failed`: it was given and could not be read. */
  reasoningProcess: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: it is there. `none_on_platform`: the platform can give it and gave none. `not_requested`: the options did not ask for it. `not_exposed`: this platform never gives it. `parse_failed`: it was given and could not be read. */
  searchProcess: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: it is there. `none_on_platform`: the platform can give it and gave none. `not_requested`: the options did not ask for it. `not_exposed`: this platform never gives it. `parse_failed`: it was given and could not be read. */
  pageHtml: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: it is there. `none_on_platform`: the platform can give it and gave none. `not_requested`: the options did not ask for it. `not_exposed`: this platform never gives it. `parse_failed`: it was given and could not be read. */
  screenshot: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: it is there. `none_on_platform`: the platform can give it and gave none. `not_requested`: the options did not ask for it. `not_exposed`: this platform never gives it. `parse_failed`: it was given and could not be read. */
  share: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
}

export interface Provenance {
  kind: "api" | "web" | "sample";
  platform: string;
  endpoint: string | null;
  region: string | null;
}

export interface ReasoningStep {
  position: number;
  text: string;
}

export interface SearchStep {
  position: number;
  query: string;
  results: {
    title: string;
    url: string;
    site: string;
  }[];
}

export interface NotifiedTask {
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  taskId: string;
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  batchId: string;
  clientReference: string | null;
  tags: string[];
  question: string;
  platformCode: string;
  options: TaskOptions;
  /** The address given with the task; null: the account's. */
  webhookUrl: string | null;
  priority: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  notBefore: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startBefore: string | null;
  /** As given, or the platform's. Null in tasks that were accepted before the record showed it. */
  runTimeoutSeconds: number | null;
  /** `pending` until the end, whatever happens meanwhile; the other three are final. */
  state: "pending" | "completed" | "failed" | "canceled";
  progress: Progress | null;
  /** The answer in Markdown (CommonMark and GFM), with display-ready cards. Null before completion. */
  content: string | null;
  pageHtml: string | null;
  /** The model as the platform reported it. */
  modelVersion: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  observedAt: string | null;
  sources: Source[];
  products: ProductCard[];
  videos: VideoCard[];
  media: MediaCard[];
  reasoningProcess: ReasoningStep[] | null;
  searchProcess: SearchStep[] | null;
  screenshotUrl: string | null;
  shareUrl: string | null;
  /** There when there is a result. Null before the end; null when the task failed (`failure` says why everything is empty), was canceled, or its result has expired (`expired`). */
  availability: Availability | null;
  /** There when there is a result. Null before the end; null when the task failed (`failure` says why everything is empty), was canceled, or its result has expired (`expired`). */
  provenance: Provenance | null;
  failure: Failure | null;
  /** Points actually deducted. */
  chargedPoints: number;
  /** 0 before the end, 1 at the first end, +1 each time the stored result is replaced. */
  revision: number;
  /** True once the result has passed its retention period; its content is gone then. Always false for a task that never had a result: one that failed or was canceled. */
  expired: boolean;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  completedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  canceledAt: string | null;
  /** When the result expires. Null where there is none. */
  expiresAt: string | null;
  /** Milliseconds from the start of the attempt that ended the task to its end: what asking took. Time in the queue, and waits between attempts (a pause before a retry, a throttle, an open breaker), are not part of it. Null before the end, for a canceled task, and for one that ended without an attempt. */
  durationMs: number | null;
  resultOmitted: false;
}

export interface OmittedTask {
  /** UUID, lower case. Ids made by the service are UUIDv7. */
  taskId: string;
  clientReference: string | null;
  /** `pending` until the end, whatever happens meanwhile; the other three are final. */
  state: "pending" | "completed" | "failed" | "canceled";
  content: null;
  revision: number;
  chargedPoints: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  completedAt: string | null;
  resultOmitted: true;
}

export interface ProblemItem {
  /** JSON Pointer (RFC 6901) into the body, or the name of a parameter as `?name`. */
  pointer: string;
  code:
    | "required"
    | "unknown_field"
    | "wrong_type"
    | "too_short"
    | "too_long"
    | "too_few"
    | "too_many"
    | "out_of_range"
    | "not_allowed"
    | "malformed"
    | "unstorable_text"
    | "unknown_platform"
    | "platform_not_configured"
    | "browser_unavailable"
    | "address_not_allowed";
  detail: string;
}

/** What a refused request is called. */
export type ProblemCode =
  | "malformed_json"
  | "malformed_request"
  | "idempotency_key_missing"
  | "idempotency_key_malformed"
  | "unauthorized"
  | "points_short"
  | "scope_missing"
  | "not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "idempotency_key_in_use"
  | "state_conflict"
  | "gone"
  | "payload_too_large"
  | "uri_too_long"
  | "unsupported_media_type"
  | "validation_failed"
  | "idempotency_key_reused"
  | "rate_limited"
  | "headers_too_large"
  | "internal"
  | "unavailable"
  | "queue_full";

/** What a token may do. */
export type Scope = "tasks:write" | "tasks:read" | "webhook:manage" | "usage:read" | "admin";

/** `pending` until the end; the other three are final. */
export type TaskState = TaskRecord["state"];
