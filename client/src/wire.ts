/**
 * The types of the API, generated from its schemas by `npm run docs`. Do not edit.
 */

export interface Alert {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  alertId: string;
  /** For people. */
  name: string;
  /** `figure_changed`: a figure of a panel has changed by more than chance explains, a cited site included. `source_gone`: a site that answers of a panel cited is cited no more. `instrument_changed`: what a panel is measured with has changed, such as the version of a model. `endpoint_failing`: the account's webhook endpoint fails or is suspended, or a channel is gone. `points_short`: the account has no points left, or less than it takes in a day. `platform_failing`: a platform fails or is paused, no worker can ask it, or no worker has a browser. `session_attention`: a session of a web platform is signed out, or needs a person; for operators (`admin`). */
  kinds: (
    | "figure_changed"
    | "source_gone"
    | "instrument_changed"
    | "endpoint_failing"
    | "points_short"
    | "platform_failing"
    | "session_attention"
  )[];
  /** Null: all. */
  panels: string[] | null;
  /** Without those that were deleted. */
  channels: NamedChannel[];
  recipients: {
    email: string;
    /** Since then, no mail goes there. Null: it does. */
    unsubscribedAt: string | null;
  }[];
  /** What is found in them is told in one message when they end. */
  quietHours: {
    /** Hours and minutes. */
    from: string;
    /** Hours and minutes. Earlier than `from`: on the next day. */
    to: string;
    /** A name of the IANA database, such as `Europe/Berlin`. */
    timeZone: string;
  } | null;
  /** Of the messages. Default: `en`. */
  language: "en" | "zh-CN" | "de" | "fr" | "es" | "ja";
  /** True: nothing is told, and what is found meanwhile is not told later. Default: false. */
  paused: boolean;
  /** Findings that are told when the quiet hours end, or soon. */
  waiting: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  lastToldAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  updatedAt: string;
}

export interface AlertRequest {
  /** For people. */
  name: string;
  /** `figure_changed`: a figure of a panel has changed by more than chance explains, a cited site included. `source_gone`: a site that answers of a panel cited is cited no more. `instrument_changed`: what a panel is measured with has changed, such as the version of a model. `endpoint_failing`: the account's webhook endpoint fails or is suspended, or a channel is gone. `points_short`: the account has no points left, or less than it takes in a day. `platform_failing`: a platform fails or is paused, no worker can ask it, or no worker has a browser. `session_attention`: a session of a web platform is signed out, or needs a person; for operators (`admin`). */
  kinds: (
    | "figure_changed"
    | "source_gone"
    | "instrument_changed"
    | "endpoint_failing"
    | "points_short"
    | "platform_failing"
    | "session_attention"
  )[];
  /** Only of these panels. Null: of all, those to come included. Conditions are of the account. */
  panels?: string[] | null;
  /** A channel of PagerDuty gets conditions, and not what is found in panels. */
  channels?: string[];
  /** Each gets a mail alone. */
  recipients?: string[];
  /** Recipients who have unsubscribed, and have asked to get mail again. Their next mail says so. */
  contactAgain?: string[] | null;
  /** What is found in them is told in one message when they end. */
  quietHours?: {
    /** Hours and minutes. */
    from: string;
    /** Hours and minutes. Earlier than `from`: on the next day. */
    to: string;
    /** A name of the IANA database, such as `Europe/Berlin`. */
    timeZone: string;
  } | null;
  /** Of the messages. Default: `en`. */
  language?: "en" | "zh-CN" | "de" | "fr" | "es" | "ja" | null;
  /** True: nothing is told, and what is found meanwhile is not told later. Default: false. */
  paused?: boolean | null;
}

export interface Alerts {
  /** Oldest first. */
  alerts: Alert[];
  mail: {
    from: string | null;
    /** Why no mail can be sent, for people. Null: it can be tried. */
    missing: string | null;
  };
}

export interface NamedChannel {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  channelId: string;
  kind: "slack" | "teams" | "pagerduty" | "webhook";
  name: string;
}

export interface ToldFinding {
  subject: string;
  kind:
    | "figure_changed"
    | "source_gone"
    | "instrument_changed"
    | "endpoint_failing"
    | "points_short"
    | "platform_failing"
    | "session_attention";
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string | null;
  /** `waiting`: for the end of the quiet hours, or the next message. `over`: told, and ended since. */
  state: "waiting" | "told" | "over";
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  foundAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  toldAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  overAt: string | null;
  /** When a waiting one is told. */
  dueAt: string | null;
  deliveries: {
    /** A mail address, or the name of a channel. */
    to: string;
    /** `unknown`: the delivery has ended, and is no longer stored. */
    state: "pending" | "delivered" | "failed" | "unsubscribed" | "unknown";
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    deliveryId: string | null;
  }[];
}

export interface ToldFindings {
  /** Newest first, at most 100. */
  findings: ToldFinding[];
}

export interface Channel {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  channelId: string;
  /** `slack`: an incoming webhook of Slack. `teams`: a workflow webhook of Microsoft Teams, which gets an Adaptive Card. `pagerduty`: an integration key of PagerDuty’s Events API v2. `webhook`: an endpoint of your own, which gets the event with the account's signature. */
  kind: "slack" | "teams" | "pagerduty" | "webhook";
  /** For people, such as `#ai-visibility`. */
  name: string;
  /** The host and the end of the secret, by which people recognize it: `hooks.slack.com/…mple`. */
  address: string;
  /** Null unless `kind` is `pagerduty`. */
  region: "us" | "eu" | null;
  /** `gone`: the service behind it has said that the address does not exist any more. Nothing is sent until a new one is stored, or a test passes. */
  state: "active" | "gone";
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  goneSince: string | null;
  /** Why it is gone, or what the last failed attempt met. For people. */
  problem: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  lastSuccessAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  updatedAt: string;
}

export interface ChannelChange {
  /** For people, such as `#ai-visibility`. */
  name: string;
  /** In place of the stored one. Absent or null: the stored one stays. */
  secret?: string | null;
  /** Of `pagerduty`: the service region of the PagerDuty account. Default: `us`. */
  region?: "us" | "eu" | null;
}

export interface ChannelRequest {
  /** `slack`: an incoming webhook of Slack. `teams`: a workflow webhook of Microsoft Teams, which gets an Adaptive Card. `pagerduty`: an integration key of PagerDuty’s Events API v2. `webhook`: an endpoint of your own, which gets the event with the account's signature. */
  kind: "slack" | "teams" | "pagerduty" | "webhook";
  /** For people, such as `#ai-visibility`. */
  name: string;
  /** The address that Slack, Teams or your endpoint gave, or the integration key of PagerDuty. Stored encrypted, and never shown again. */
  secret: string;
  /** Of `pagerduty`: the service region of the PagerDuty account. Default: `us`. */
  region?: "us" | "eu" | null;
}

export interface Channels {
  /** Oldest first. */
  channels: Channel[];
}

export interface ChannelTest {
  /** The service behind the channel has accepted the message. */
  passed: boolean;
  /** What happened and what to do, for people. */
  detail: string;
  /** The HTTP status of the reply. Null: there was none. */
  status: number | null;
  /** Why there is no complete response. `dns`: the host name could not be resolved. `address`: the host's address is not allowed. `connect`: the connection could not be established. `tls`: the handshake failed, or the certificate is invalid. `timeout`: the response took too long. `reset`: the connection was closed. `too_large`: the response or its headers exceed the limit. `malformed`: the response is not valid HTTP, or SMTP. Of mails: `not_set_up`: the operator has not set up mail in the process that sends. `unsubscribed`: the recipient had unsubscribed, so nothing was sent. `expired`: the report is no longer stored, so nothing was sent. Of channels: `channel_removed`: the channel had been deleted, so nothing was sent. `channel_gone`: the channel was gone before, so nothing was sent. */
  fault:
    | "dns"
    | "address"
    | "connect"
    | "tls"
    | "timeout"
    | "reset"
    | "too_large"
    | "malformed"
    | "not_set_up"
    | "unsubscribed"
    | "expired"
    | "channel_removed"
    | "channel_gone"
    | null;
  durationMs: number;
}

/** One question for one platform. */
export interface SubmissionItem {
  /** The question: 1 to 10,000 characters after trimming. Must not be blank. */
  question: string;
  /** Code of the answer platform, as listed by `GET /v1/platforms`. */
  platformCode: string;
  options?: SubmittedOptions | null;
  /** An absolute `https:` URL, without user name or password. */
  webhookUrl?: string | null;
  /** Your own reference, returned as sent. */
  clientReference?: string | null;
  /** Up to 10 tags. */
  tags?: string[] | null;
  /** ISO 8601 UTC, ending in `Z`, such as `2026-11-01T09:30:00Z`. */
  notBefore?: string | null;
  /** ISO 8601 UTC, ending in `Z`, such as `2026-11-01T09:30:00Z`. */
  startBefore?: string | null;
  /** The task's maximum run time in seconds. Time in the queue does not count. Default: the platform's value. */
  runTimeoutSeconds?: number | null;
  /** Orders the tasks of your account. 9 is the highest priority. Default: 5. */
  priority?: number | null;
}

export interface SubmissionAccepted {
  acceptedCount: number;
  /** One entry per item, in the order of the list. */
  tasks: SubmittedTask[];
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  batchId: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** The points held for the batch. A task's final cost is its `chargedPoints`. */
  estimatedPoints: number;
}

export interface TaskOptions {
  /** Requests a deeper analysis. Default: false. */
  deepAnalysis: boolean;
  /** `answer` (default): the standard answer. `screenshot`: the answer and a screenshot. `share_link`: the answer and a public URL of it. Web platforms always return `answer` here. */
  output: "answer" | "screenshot" | "share_link";
  /** For web platforms. `json` (default): the structured answer. `html`: the content of the web page. `all`: both. Other platforms always return the structured answer. */
  resultFormat: "json" | "html" | "all";
  /** ISO 3166-1 alpha-2 code of the country to ask from, such as `DE`. Returned in upper case. */
  country?: string;
  /** Language of the answer as a BCP 47 tag, such as `de` or `pt-BR`. Returned in canonical form. */
  language?: string;
  location?: {
    /** City, such as `Munich`. */
    city?: string;
    /** Region or state, such as `Bavaria`. */
    region?: string;
    /** Degrees north. Requires `longitude`. */
    latitude?: number;
    /** Degrees east. Requires `latitude`. */
    longitude?: number;
  };
  /** Whom the assistant talks to or whom it plays, as a system text of up to 2,000 characters. Line breaks and tabs are the only control characters allowed. */
  persona?: string;
  /** One of the models that the platform lists in `optionValues.model`. */
  model?: string;
  /** How much the platform searches before it answers. */
  searchDepth?: "low" | "medium" | "high";
  domains?: {
    /** Search only these domains and their subdomains. */
    allow?: string[];
    /** Don't use these domains and their subdomains. */
    deny?: string[];
  };
  /** Use only pages that were published on or after this date (`YYYY-MM-DD`), which is not in the future. */
  since?: string;
  /** What happens if the platform does not support one of these options. `refuse` (default): the submission is rejected. `ignore`: the question is asked without the option, and `effective` reports it as `unsupported`. */
  onUnsupported?: "refuse" | "ignore";
}

/** One task: its question, state, answer and points. */
export interface TaskRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  taskId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  batchId: string;
  clientReference: string | null;
  tags: string[];
  question: string;
  platformCode: string;
  options: TaskOptions;
  /** The task's own webhook endpoint. Null: the account's endpoint is used. */
  webhookUrl: string | null;
  priority: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  notBefore: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startBefore: string | null;
  /** As submitted, or the platform's value. Null for tasks accepted by versions that did not record it. */
  runTimeoutSeconds: number | null;
  /** `pending` until the task ends, including while it is running. The other states are final. */
  state: "pending" | "completed" | "failed" | "canceled";
  progress: Progress | null;
  /** The answer in Markdown (CommonMark and GFM), including its cards. Null before completion. Formulas of web pages are TeX in `$…$` and `$$…$$`. */
  content: string | null;
  pageHtml: string | null;
  /** The model that the platform reported. */
  modelVersion: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  observedAt: string | null;
  sources: Source[];
  products: ProductCard[];
  videos: VideoCard[];
  media: MediaCard[];
  reasoningProcess: ReasoningStep[] | null;
  searchProcess: SearchStep[] | null;
  /** Advertisements that the platform showed with its answer. They are in no other field. Empty before completion, and if there were none: see `availability.ads`. */
  ads: Ad[];
  /** Other drafts of the answer, if the platform showed several of them beside each other. `content` is the draft whose position is missing here. */
  alternatives: {
    /** Its place among all drafts, in the order of the page. */
    position: number;
    /** Its text in Markdown. */
    content: string;
  }[];
  /** Questions that the platform showed beside its answer. They are no part of `content`. */
  relatedQuestions: string[];
  /** Searches that the platform showed beside its answer. They are no part of `content`. */
  relatedSearches: string[];
  screenshotUrl: string | null;
  shareUrl: string | null;
  /** What ended the platform's answer before its end: the platform's limit of length, or its content filter. `content` is what came before, and its last line states this. Null if the platform ended its answer by itself, or does not tell. */
  truncatedBy: "length_limit" | "content_filter" | null;
  /** Present if there is a result. Null before the task ends, if it failed (see `failure`) or was canceled, and once the result has expired (see `expired`). */
  availability: Availability | null;
  /** Present if there is a result. Null before the task ends, if it failed (see `failure`) or was canceled, and once the result has expired (see `expired`). */
  provenance: Provenance | null;
  /** What was in force when the platform was asked: for each requested option its value and how it was applied. Present if there is a result; empty if no such option was requested. Null without a result, and for answers of versions that did not record it. */
  effective: Effective | null;
  /** What the operator keeps of the platform's page besides its HTML, by the platform's configuration. Empty if nothing is kept, before completion, and once the result has expired. */
  evidence: PageEvidence[];
  failure: Failure | null;
  /** The points charged for the task. */
  chargedPoints: number;
  /** 0 before the task ends, 1 when it ends, and 1 higher each time the result is replaced. */
  revision: number;
  /** True once the retention period of the result has passed and its content has been deleted. Always false for failed and canceled tasks, which have no result. */
  expired: boolean;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  completedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  canceledAt: string | null;
  /** When the result expires. Null if there is no result. */
  expiresAt: string | null;
  /** The duration of the attempt that ended the task, in milliseconds. Excludes time in the queue and waits between attempts. Null before the task ends, for canceled tasks, and for tasks that ended without an attempt. */
  durationMs: number | null;
}

export interface TaskSummary {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  taskId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  batchId: string;
  clientReference: string | null;
  tags: string[];
  question: string;
  platformCode: string;
  options: TaskOptions;
  /** The task's own webhook endpoint. Null: the account's endpoint is used. */
  webhookUrl: string | null;
  priority: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  notBefore: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startBefore: string | null;
  /** As submitted, or the platform's value. Null for tasks accepted by versions that did not record it. */
  runTimeoutSeconds: number | null;
  /** `pending` until the task ends, including while it is running. The other states are final. */
  state: "pending" | "completed" | "failed" | "canceled";
  progress: Progress | null;
  failure: Failure | null;
  /** The points charged for the task. */
  chargedPoints: number;
  /** 0 before the task ends, 1 when it ends, and 1 higher each time the result is replaced. */
  revision: number;
  /** True once the retention period of the result has passed and its content has been deleted. Always false for failed and canceled tasks, which have no result. */
  expired: boolean;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  completedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  canceledAt: string | null;
  /** When the result expires. Null if there is no result. */
  expiresAt: string | null;
  /** The duration of the attempt that ended the task, in milliseconds. Excludes time in the queue and waits between attempts. Null before the task ends, for canceled tasks, and for tasks that ended without an attempt. */
  durationMs: number | null;
}

/** A source that the answer cites. */
export interface Source {
  title: string;
  /** The URL as the platform returned it, including tracking parameters. */
  url: string;
  summary: string | null;
  /** Site name, or the host name if the platform gives none. */
  site: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  publishedAt: string | null;
  /** The URL that all URLs of the page have in common: without tracking parameters and wrappers. Left out if it is `url` itself, and in results of earlier versions. */
  canonicalUrl?: string;
  /** `url` is a redirect that does not contain the address of its page, such as those of Gemini. Left out for all other sources. */
  opaque?: true;
  /** With `opaque`: the registrable domain of the site that the platform names beside the redirect. Empty if it names none. */
  domain?: string;
}

/** An advertisement that the platform showed with its answer. It is in no other field. */
export interface Ad {
  /** The order in which the advertisements were shown: 1 to n. */
  position: number;
  advertiser: string | null;
  title: string | null;
  text: string | null;
  /** The landing page, without identifiers of clicks. It was not opened, because that would count as a click. */
  url: string | null;
  /** The address as the advertisement shows it. */
  displayUrl: string | null;
  thumbnail: string | null;
  products: {
    title: string;
    /** Display price. */
    price: string | null;
    url: string | null;
    thumbnail: string | null;
  }[];
  /** An open string. Known values: above_answer, in_answer, below_answer, beside_answer, in_products, other. */
  placement: string;
  /** How the platform marks it, such as `Sponsored`. */
  label: string | null;
  /** The names of the parameters that were removed from `url`, because they identify a click. `redirect` if `url` was taken out of an address that counts clicks. */
  removed: string[];
}

/** A product that the platform showed in its answer. */
export interface ProductCard {
  /** Position in the order shared by `products`, `videos` and `media`: 1 to n, without gaps or duplicates. */
  position: number;
  title: string;
  /** The URL to open first: a web URL or an app deep link. Never empty: if the platform gives none, it is the `deepLink`, or else the `fallbackUrl`. */
  url: string;
  /** `web` opens in a browser. `app_deep_link` requires the app. If it fails, open `fallbackUrl`. */
  urlType: "web" | "app_deep_link";
  deepLink: string | null;
  trackingUrl: string | null;
  fallbackUrl: string | null;
  /** URL of a picture. `""` if the platform gives none. */
  thumbnail: string;
  /** Name of the shop or mall. `""` if the platform gives none. */
  mall: string;
  /** `""` if the platform gives none. */
  mallPlatform: string;
  /** For reference only. Clients must not build a URL from it. `""` if the platform gives none. */
  mallProductId: string;
  /** `""` if the platform gives none. */
  skuId: string;
  /** `""` if the platform gives none. */
  shopId: string;
  /** Display price. Not used for billing. `""` if the platform gives none. */
  price: string;
  /** `""` if the platform gives none. */
  priceUnit: string;
  /** Display text. `""` if the platform gives none. */
  sales: string;
  sellingPoints: string[];
}

/** A video that the platform showed in its answer. */
export interface VideoCard {
  /** Position in the order shared by `products`, `videos` and `media`: 1 to n, without gaps or duplicates. */
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
  /** Position in the order shared by `products`, `videos` and `media`: 1 to n, without gaps or duplicates. */
  position: number;
  /** An open string. Known values: image, music, album, playlist, map, place, weather, stock, chart, news, file, other. */
  mediaType: string;
  title: string | null;
  url: string | null;
  thumbnail: string | null;
  content: string | null;
}

export interface BatchRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  batchId: string;
  /** `finished` once every task has ended. */
  state: "pending" | "finished";
  taskCount: number;
  /** The question of the first item, truncated to 200 characters. */
  firstQuestion: string;
  /** The platforms of its tasks, ordered by code. */
  platformCodes: string[];
  counts: {
    pending: number;
    completed: number;
    failed: number;
    canceled: number;
  };
  /** The number of pending tasks that are running. */
  running: number;
  /** Share of the tasks that have ended. */
  progress: number;
  points: {
    /** Points held when the batch was accepted. */
    estimated: number;
    charged: number;
    released: number;
  };
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  finishedAt: string | null;
  /** Estimated end, based on the tasks that ended in the last minute. Null if none did. */
  etaAt: string | null;
}

export interface BatchPage {
  batches: BatchRecord[];
  nextCursor: string | null;
}

export interface BatchCancellation {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  batchId: string;
  /** The number of tasks that this request canceled. Tasks that had already ended are unchanged. */
  canceledCount: number;
}

export interface Quote {
  /** True if every item would be accepted. */
  valid: boolean;
  itemCount: number;
  /** The points of the valid items. */
  estimatedPoints: number;
  availablePoints: number;
  affordable: boolean;
  items: {
    index: number;
    points: number | null;
    errors: ProblemItem[];
    /** Values that are accepted but have no effect. */
    warnings: {
      /** JSON Pointer (RFC 6901) into the body. */
      pointer: string;
      code: "output_without_effect" | "result_format_without_effect" | "option_ignored";
      detail: string;
    }[];
  }[];
}

/** A set of prompts that is asked again and again. */
export interface PanelInput {
  /** A name for people. */
  name: string;
  /** The questions. */
  prompts: PanelPrompt[];
  /** Codes of answer platforms. Only a panel that an import has made may have none: it is never asked, and its answers are imported. */
  platforms: string[];
  locales?: PanelLocale[] | null;
  personas?: PanelPersona[] | null;
  /** How often a run asks each cell. Default: 1. */
  repeats?: number | null;
  /** Platforms of which a run asks a random part of the cells only, such as `{"chatgpt-web": 0.1}`: a tenth, rounded up, drawn anew for each run. In whole percent. `GET /v1/panels/{panel_id}/bridge` estimates their figures with the help of a platform that is asked everything. */
  platformShare?: Record<string, number> | null;
  /** Ask in waves, each cell `repeats` times, until the figure of each platform is known as well as wanted. After the first two waves or so, cells whose answers agree are asked less often. What is not needed is not asked, and no points are held for it. */
  askUntil?: {
    /** The wanted width of the interval of 95 %, from its low to its high end: `0.08` is 4 points on each side. Of each platform, about these prompts. */
    width: number;
    /** What is to be known. Default: `presence`. `recommendation` is no longer measured and refused; panels that were made with it keep it, and their runs stop after the first wave. */
    measure?: "presence" | "listed" | "own_citation_rate" | "recommendation" | null;
    /** The brand. Default: the account's oldest own brand. */
    entityId?: string | null;
    /** How often a run asks a cell at most. A run has so many waves divided by `repeats`, and at least 15. Default: 30. */
    repeatsMax?: number | null;
    /** A wave that would cost more in all is not asked. */
    pointsMax?: number | null;
  } | null;
  /** The brands among which shares and places are counted, own ones and competitors: a brand that is not among them is in no figure of the panel. Left out: those of the revision before; of a new panel, the own brands and competitors that its project has by then, or by the first run at which it has any. Another set makes a new revision. It counts for all answers that were searched for these brands; for earlier ones, those of them that they were searched for. */
  brands?: {
    own?: string[] | null;
    competitors?: string[] | null;
  } | null;
  /** Tags of the tasks. */
  tags?: string[] | null;
  options?: SubmittedOptions | null;
  schedule?: PanelSchedule | null;
  frame?: SubmittedFrame | null;
}

export interface PanelPrompt {
  /** The question: 1 to 10,000 characters after trimming. Must not be blank. */
  text: string;
  /** Identifies the prompt in all revisions. Default: derived from its text, so that the same text has the same id. */
  promptId?: string | null;
  /** What the prompt is about. */
  topic?: string | null;
  /** What somebody who asks this wants, such as `compare` or `buy`. */
  intent?: string | null;
  /** The origins of the proposal that the prompt was chosen from. Left out: as in the revision before; of a new prompt, it was written by hand. Returned in counts only, in `frame`. */
  origins?: ("search" | "search_console" | "page" | "template" | "pasted")[] | null;
}

export interface PanelLocale {
  /** ISO 3166-1 alpha-2 code of the country to ask from, such as `DE`. Returned in upper case. */
  country?: string | null;
  /** Language of the answer as a BCP 47 tag, such as `de` or `pt-BR`. Returned in canonical form. */
  language?: string | null;
  /** Where in the country: a place, coordinates, or both. */
  location?: {
    /** City, such as `Munich`. */
    city?: string | null;
    /** Region or state, such as `Bavaria`. */
    region?: string | null;
    /** Degrees north. Requires `longitude`. */
    latitude?: number | null;
    /** Degrees east. Requires `latitude`. */
    longitude?: number | null;
  } | null;
}

export interface PanelPersona {
  /** Identifies the persona in the panel. */
  name: string;
  /** Whom the assistant talks to or whom it plays, as a system text of up to 2,000 characters. Line breaks and tabs are the only control characters allowed. */
  text: string;
}

export interface PanelSchedule {
  /** Five fields: minute, hour, day of month, month, day of week. `0 6 * * MON` is every Monday at 6:00. A time that the change to summer time leaves out is moved forward; one that occurs twice in the autumn counts once. */
  cron: string;
  /** An IANA time zone, such as `Europe/Berlin`. */
  timeZone?: string | null;
  /** Each run starts up to so many seconds after its time, always the same for one time. Default: 0. */
  jitterSeconds?: number | null;
  /** What happens to times that passed while no worker ran. `latest` (default): one run, for the last of them. `all`: a run for each. `skip`: none that is more than 15 minutes late. */
  catchUp?: "all" | "latest" | "skip" | null;
  /** True: nothing is started until it is set to false. Default: false. */
  paused?: boolean | null;
}

export interface CompleteSchedule {
  /** Five fields: minute, hour, day of month, month, day of week. `0 6 * * MON` is every Monday at 6:00. A time that the change to summer time leaves out is moved forward; one that occurs twice in the autumn counts once. */
  cron: string;
  /** An IANA time zone, such as `Europe/Berlin`. */
  timeZone: string;
  /** Each run starts up to so many seconds after its time, always the same for one time. Default: 0. */
  jitterSeconds: number;
  /** What happens to times that passed while no worker ran. `latest` (default): one run, for the last of them. `all`: a run for each. `skip`: none that is more than 15 minutes late. */
  catchUp: "all" | "latest" | "skip";
  /** True: nothing is started until it is set to false. Default: false. */
  paused: boolean;
}

export interface PanelRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  projectId: string;
  /** A name for people. */
  name: string;
  /** Counts the changes of what is asked. A change of the name or the schedule makes no revision. */
  revision: number;
  /** `sha256:` and the SHA-256 of what is asked. The order of members makes no difference. */
  digest: string;
  promptCount: number;
  /** prompts x platforms x locales x personas; of a platform with a `platformShare`, so many. */
  cellCount: number;
  /** The tasks of a run: cells x repeats. With `askUntil`, of its first wave. */
  taskCount: number;
  /** Null if it runs on request only. */
  schedule: CompleteSchedule | null;
  /** When the schedule starts its next run. Null: not at all. */
  nextRunAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  updatedAt: string;
  prompts: {
    /** Identifies the prompt in all revisions. Default: derived from its text, so that the same text has the same id. */
    promptId: string;
    /** The question: 1 to 10,000 characters after trimming. Must not be blank. */
    text: string;
    /** What the prompt is about. */
    topic: string | null;
    /** What somebody who asks this wants, such as `compare` or `buy`. */
    intent: string | null;
  }[];
  /** Codes of answer platforms. Only a panel that an import has made may have none: it is never asked, and its answers are imported. */
  platforms: string[];
  /** Empty: those in `options`, or the platforms' own. */
  locales: {
    /** ISO 3166-1 alpha-2 code of the country to ask from, such as `DE`. Returned in upper case. */
    country?: string;
    /** Language of the answer as a BCP 47 tag, such as `de` or `pt-BR`. Returned in canonical form. */
    language?: string;
    location?: {
      /** City, such as `Munich`. */
      city?: string;
      /** Region or state, such as `Bavaria`. */
      region?: string;
      /** Degrees north. Requires `longitude`. */
      latitude?: number;
      /** Degrees east. Requires `latitude`. */
      longitude?: number;
    };
  }[];
  personas: {
    /** Identifies the persona in the panel. */
    name: string;
    text: string;
  }[];
  /** How often a run asks each cell. Default: 1. */
  repeats: number;
  /** Platforms of which a run asks a random part of the cells only, such as `{"chatgpt-web": 0.1}`: a tenth, rounded up, drawn anew for each run. In whole percent. `GET /v1/panels/{panel_id}/bridge` estimates their figures with the help of a platform that is asked everything. */
  platformShare?: Record<string, number>;
  askUntil?: {
    /** The wanted width of the interval of 95 %, from its low to its high end: `0.08` is 4 points on each side. Of each platform, about these prompts. */
    width: number;
    /** What is to be known. Default: `presence`. `recommendation` is no longer measured and refused; panels that were made with it keep it, and their runs stop after the first wave. */
    measure: "presence" | "listed" | "own_citation_rate" | "recommendation";
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    entityId: string | null;
    /** How often a run asks a cell at most. A run has so many waves divided by `repeats`, and at least 15. Default: 30. */
    repeatsMax: number;
    /** A wave that would cost more in all is not asked. */
    pointsMax: number | null;
  };
  /** The brands among which shares and places are counted. Null: the panel names none, and its project had none when it last ran; as long as this is so, they are all own brands and competitors of the project. */
  brands: {
    own: {
      /** UUID, lower case. Ids created by the service are UUIDv7. */
      entityId: string;
      name: string;
    }[];
    competitors: {
      /** UUID, lower case. Ids created by the service are UUIDv7. */
      entityId: string;
      name: string;
    }[];
  } | null;
  /** Tags of the tasks. */
  tags: string[];
  options: {
    /** Requests a deeper analysis. Default: false. */
    deepAnalysis?: boolean;
    /** `answer` (default): the standard answer. `screenshot`: the answer and a screenshot. `share_link`: the answer and a public URL of it. Web platforms always return `answer` here. */
    output?: "answer" | "screenshot" | "share_link";
    /** For web platforms. `json` (default): the structured answer. `html`: the content of the web page. `all`: both. Other platforms always return the structured answer. */
    resultFormat?: "json" | "html" | "all";
    /** ISO 3166-1 alpha-2 code of the country to ask from, such as `DE`. Returned in upper case. */
    country?: string;
    /** Language of the answer as a BCP 47 tag, such as `de` or `pt-BR`. Returned in canonical form. */
    language?: string;
    location?: {
      /** City, such as `Munich`. */
      city?: string;
      /** Region or state, such as `Bavaria`. */
      region?: string;
      /** Degrees north. Requires `longitude`. */
      latitude?: number;
      /** Degrees east. Requires `latitude`. */
      longitude?: number;
    };
    /** Whom the assistant talks to or whom it plays, as a system text of up to 2,000 characters. Line breaks and tabs are the only control characters allowed. */
    persona?: string;
    /** One of the models that the platform lists in `optionValues.model`. */
    model?: string;
    /** How much the platform searches before it answers. */
    searchDepth?: "low" | "medium" | "high";
    domains?: {
      /** Search only these domains and their subdomains. */
      allow?: string[];
      /** Don't use these domains and their subdomains. */
      deny?: string[];
    };
    /** Use only pages that were published on or after this date (`YYYY-MM-DD`), which is not in the future. */
    since?: string;
    /** What happens if the platform does not support one of these options. `refuse` (default): the submission is rejected. `ignore`: the question is asked without the option, and `effective` reports it as `unsupported`. */
    onUnsupported?: "refuse" | "ignore";
  };
  /** Prompts whose text names entities of the project as they are now. Their answers name them because they were asked to, so they are left out of the figures of these entities. */
  brandedPrompts: BrandedPrompt[];
  /** From how many proposals the prompts were chosen. Absent if it is not known, as of panels whose prompts were all written by hand or come from a file. */
  frame?: {
    /** Oldest first. */
    draws: PromptDraw[];
    /** Proposals of all draws. */
    proposals: number;
    /** Of each origin; a proposal may have several. */
    byOrigin: {
      /** Of the origin `search`. */
      search: number;
      /** Of the origin `search_console`. */
      search_console: number;
      /** Of the origin `page`. */
      page: number;
      /** Of the origin `template`. */
      template: number;
      /** Of the origin `pasted`. */
      pasted: number;
    };
    /** Prompts of the revision that were chosen from them. */
    chosen: number;
    /** Of each origin; a prompt may have several. */
    chosenByOrigin: {
      /** Of the origin `search`. */
      search: number;
      /** Of the origin `search_console`. */
      search_console: number;
      /** Of the origin `page`. */
      page: number;
      /** Of the origin `template`. */
      template: number;
      /** Of the origin `pasted`. */
      pasted: number;
    };
    /** Prompts of the revision that were not: they were written by hand. */
    written: number;
  };
  /** True: the prompts could not be searched for the account's entities, because they take too much work, or too many searches were waiting. Figures of the panel reply 503 as long as this is so. Otherwise absent. */
  brandedPromptsUnknown?: boolean;
}

export interface BrandedPrompt {
  /** Identifies the prompt in all revisions. Default: derived from its text, so that the same text has the same id. */
  promptId: string;
  /** The entities that the text of the prompt names. */
  entityIds: string[];
}

/** A panel without what it asks. */
export interface PanelSummary {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  projectId: string;
  /** A name for people. */
  name: string;
  /** Counts the changes of what is asked. A change of the name or the schedule makes no revision. */
  revision: number;
  /** `sha256:` and the SHA-256 of what is asked. The order of members makes no difference. */
  digest: string;
  promptCount: number;
  /** prompts x platforms x locales x personas; of a platform with a `platformShare`, so many. */
  cellCount: number;
  /** The tasks of a run: cells x repeats. With `askUntil`, of its first wave. */
  taskCount: number;
  /** Null if it runs on request only. */
  schedule: CompleteSchedule | null;
  /** When the schedule starts its next run. Null: not at all. */
  nextRunAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  updatedAt: string;
}

export interface PromptDraw {
  /** When they were proposed. */
  proposedAt: string;
  /** Different proposals. */
  proposals: number;
  /** Of each origin; a proposal may have several. */
  byOrigin: {
    /** Of the origin `search`. */
    search: number;
    /** Of the origin `search_console`. */
    search_console: number;
    /** Of the origin `page`. */
    page: number;
    /** Of the origin `template`. */
    template: number;
    /** Of the origin `pasted`. */
    pasted: number;
  };
  /** What was read for them. */
  settings: {
    /** Panels whose answers' searches were read. */
    panels?: number | null;
    /** ISO 8601 UTC, ending in `Z`, such as `2026-11-01T09:30:00Z`. */
    from?: string | null;
    /** ISO 8601 UTC, ending in `Z`, such as `2026-11-01T09:30:00Z`. */
    to?: string | null;
    /** Rows of the Search Console export. */
    rows?: number | null;
    /** The host that was read. */
    site?: string | null;
    /** Pages that were read. */
    pages?: number | null;
    topics?: string[] | null;
    languages?: ("en" | "zh" | "de" | "fr" | "es" | "ja")[] | null;
    /** Questions in what was pasted. */
    questions?: number | null;
  };
}

/** Why it is proposed. */
export interface PromptEvidence {
  origin: "search" | "search_console" | "page" | "template" | "pasted";
  /** Of `search`: `search`, `related_question` or `related_search`. Of `page`: `title`, `heading`, `question`, `faq` or `details`. Of `template`: which one. */
  kind?: string;
  /** As it was found, if it is not the proposal's text. */
  text?: string;
  /** Of `search`: answers with it. */
  answers?: number;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId?: string;
  /** Of the newest of these answers. */
  runId?: string | null;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  taskId?: string | null;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  observationId?: string;
  platformCode?: string;
  /** Of `search_console`. */
  clicks?: number | null;
  /** Of `search_console`. */
  impressions?: number | null;
  /** Of `search_console`: the mean position. */
  position?: number | null;
  /** Of `page`. */
  address?: string;
  /** Of `pasted` and `search_console`: where it stands. */
  line?: number;
  /** Of `template`: the brands that it names. */
  entityIds?: string[];
}

export interface PromptProposal {
  /** As it was found most often: a question, or the keywords of a search. */
  text: string;
  /** The same as a question, if `text` is none and a rule can make one of it. Read it before you use it. */
  question: string | null;
  /** As its letters and words say; null if they don't. */
  language: string | null;
  /** A term that several proposals have in common. Null: there is none. */
  topic: string | null;
  /** `comparison`: it chooses between things. `transactional`: it is about buying. `navigational`: it looks for a page of a brand. `informational`: anything else. */
  intent: "informational" | "comparison" | "transactional" | "navigational";
  /** The word that decided it. Null: none did. */
  intentWord: string | null;
  /** True if it names an own brand or a competitor, in whatever case, or a host of theirs. Its answers name them because they were asked to, so it belongs into no panel that measures visibility. */
  branded: boolean;
  /** The entities of the project that it names. */
  entities: ProposedEntity[];
  origins: ("search" | "search_console" | "page" | "template" | "pasted")[];
  /** At most five, the strongest of each origin first. */
  evidence: PromptEvidence[];
  /** All of it. */
  evidenceCount: number;
  /** Other ways in which it was written, at most five. */
  variants: string[];
  /** True if the panel of `panelId` asks it already, in whatever form. */
  inPanel: boolean;
}

/** At least one of the five sources. */
export interface PromptProposalRequest {
  /** A panel: what it asks already is marked. Its project is the one whose brands and panels are read. */
  panelId?: string | null;
  /** The language of texts whose language is not recognised by their letters and words. */
  language?: "en" | "zh" | "de" | "fr" | "es" | "ja" | null;
  /** The searches that platforms made for the answers of the project's panels, and the related questions and searches that they showed: of the newest 50,000 answers in the window. */
  searches?: {
    /** Panels of the project. Default: its newest 50. */
    panelIds?: string[] | null;
    /** Default: 90 days before `to`. */
    from?: string | null;
    /** Default: now. */
    to?: string | null;
  } | null;
  /** What people searched for, as Google Search Console exports it. */
  searchConsole?: {
    /** The text of `Queries.csv` of an export: the first column has the queries, whatever its header is called. Clicks, impressions and positions are read if their headers are known, in the languages of the exports. Separated by commas, semicolons or tabs, with or without a byte order mark. At most 50,000 rows are read. */
    csv: string;
  } | null;
  /** The site's own pages: titles, headings, and questions that they answer. */
  site?: {
    /** A page, `example.com` or `https://example.com/shop`. It and up to 19 pages of the same site are read, which its links and the sitemap name, as far as the site's `robots.txt` allows it to `Querent`. */
    address: string;
  } | null;
  /** Prompts made from the topics, and from the names of the project's brands: alternatives to each competitor, and each own brand against each competitor. */
  templates?: {
    /** For `the best …`. Proposals that contain all words of a topic are grouped under it. */
    topics?: string[] | null;
    /** Default: `language`, or `en`. */
    languages?: ("en" | "zh" | "de" | "fr" | "es" | "ja")[] | null;
  } | null;
  /** Questions that people ask. */
  questions?: {
    /** Lines, or texts of forums and mails. The sentences in it that are questions are taken. */
    text: string;
  } | null;
}

export interface PromptProposals {
  /** By topic, those with the most proposals first; within a topic, the strongest first. */
  proposals: PromptProposal[];
  /** Proposals that are counted but not listed. */
  more: number;
  sources: PromptSourceFacts[];
  draw: PromptDraw;
}

export interface PromptSourceFacts {
  origin: "search" | "search_console" | "page" | "template" | "pasted";
  /** Texts that were found and taken. */
  found: number;
  /** Texts that were not taken: `too_long`, `too_short`, `no_question`, `chrome` (of the site's menus), `faulty_row`, `too_many`. */
  leftOut: Record<string, number>;
  /** Of `page`: what was requested, in that order. */
  pages?: {
    address: string;
    /** `cut`: read up to the limit of a page. `disallowed`: by the site's robots.txt. `robots_unavailable`: robots.txt could not be read, so no page was. `elsewhere`: it redirects to another site. `not_allowed`: its address is not one of a public host. `failed`: no answer, or an error. `too_late`: the time for the site was over. */
    outcome:
      | "read"
      | "cut"
      | "disallowed"
      | "robots_unavailable"
      | "elsewhere"
      | "not_allowed"
      | "not_html"
      | "failed"
      | "too_late";
    status?: number;
  }[];
}

export interface ProposedEntity {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  entityId: string;
  name: string;
  relation: "own" | "competitor" | "other";
}

/** From which proposals the prompts were chosen. It is kept with the revision and changes nothing of what is asked. Left out: as in the revision before. Empty: not known. */
export interface SubmittedFrame {
  /** `draw` of each reply of `POST /v1/prompt-proposals` from which prompts were chosen, unchanged. */
  draws: PromptDraw[];
}

export interface PanelPage {
  panels: PanelSummary[];
  nextCursor: string | null;
}

export interface PanelRevision {
  /** Counts the changes of what is asked. A change of the name or the schedule makes no revision. */
  revision: number;
  /** `sha256:` and the SHA-256 of what is asked. The order of members makes no difference. */
  digest: string;
  promptCount: number;
  /** prompts x platforms x locales x personas; of a platform with a `platformShare`, so many. */
  cellCount: number;
  /** The tasks of a run: cells x repeats. With `askUntil`, of its first wave. */
  taskCount: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
}

export interface PanelRevisions {
  /** Newest first. */
  revisions: PanelRevision[];
}

export interface PanelQuote {
  /** True if a run would be accepted. */
  valid: boolean;
  cellCount: number;
  /** The tasks of one run; with `askUntil`, the most. */
  taskCount: number;
  /** The price of one run; with `askUntil`, the most. */
  estimatedPoints: number;
  /** Null if the panel has no `askUntil`. */
  waves: {
    /** The most waves. */
    max: number;
    /** The price of 15 waves in which later waves ask each cell with the least probability, 0.2. */
    leastPoints: number;
    mostPoints: number;
    /** The mean of the last runs of this revision, at most ten, that stopped by themselves. Null: there is none; see the plan of the panel. */
    expectedPoints: number | null;
  } | null;
  availablePoints: number;
  affordable: boolean;
  /** Which caps a run would exceed now, and by how much. Null: none. */
  capExceeded: string | null;
  errors: ProblemItem[];
  /** The next times of the schedule, at most 60. Empty if there is none, or it is paused. */
  nextSlots: string[];
  /** The time of the schedule with which its figures have intervals: of the fifth run. Null: they have them, or no time is scheduled. */
  firstInterval: string | null;
  /** The time of the schedule with which changes are judged: of the fifth day (UTC) with a run. Null: they are, or no time is scheduled. */
  firstVerdict: string | null;
}

export interface PanelRun {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  runId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  /** Counts the changes of what is asked. A change of the name or the schedule makes no revision. */
  revision: number;
  /** The time of the schedule. Null: it was requested. */
  slot: string | null;
  /** `started`: its tasks were created; `batches` says how they are doing. `refused`: nothing was created and no points were held, for the reason in `problem`. `missed`: its time passed while no worker ran, and the schedule's `catchUp` left it out. */
  state: "started" | "refused" | "missed";
  cellCount: number;
  taskCount: number;
  /** The points that were held; for a refused run, its price if known. */
  points: number;
  problem: {
    code: string;
    detail: string;
  } | null;
  /** Null if the run asks everything at once. */
  waves: {
    /** The waves so far. */
    asked: number;
    /** The most waves. */
    max: number;
    /** The tasks of so many waves. */
    tasksMax: number;
    /** The most points. */
    pointsMax: number;
    /** The points that were not needed: `pointsMax` without those that were held. Null until it has stopped. */
    pointsSaved: number | null;
    /** Why no further wave is asked. `width_reached`: the interval is narrow enough. `repeats_max`, `points_max`: the panel allows no more. `refused`: a cap, the balance or a platform refused the next wave; see `problem`. `canceled`: a task of the run was canceled. `no_answers`: the last wave brought none. `nothing_to_measure`: the account does not have the brand, or every prompt names it, or the measure was taken out; then see `problem`. Null: it goes on. */
    stopped:
      | "width_reached"
      | "repeats_max"
      | "points_max"
      | "refused"
      | "canceled"
      | "no_answers"
      | "nothing_to_measure"
      | null;
    problem: {
      code: string;
      detail: string;
    } | null;
    /** What is known of each platform, after its last wave. */
    platforms: {
      platformCode: string;
      waves: number;
      /** Those that say something about the measure. */
      answers: number;
      /** The figure. Null without answers. */
      value: number | null;
      low: number | null;
      high: number | null;
      /** The width that was reached. Null before 15 waves. */
      width: number | null;
      /** Why no further wave is asked. `width_reached`: the interval is narrow enough. `repeats_max`, `points_max`: the panel allows no more. `refused`: a cap, the balance or a platform refused the next wave; see `problem`. `canceled`: a task of the run was canceled. `no_answers`: the last wave brought none. `nothing_to_measure`: the account does not have the brand, or every prompt names it, or the measure was taken out; then see `problem`. Null: it goes on. */
      stopped:
        | "width_reached"
        | "repeats_max"
        | "points_max"
        | "refused"
        | "canceled"
        | "no_answers"
        | "nothing_to_measure"
        | null;
    }[];
  } | null;
  /** The batches of the run, at most 1,000 tasks each by default. Each wave adds its own. */
  batches: BatchRecord[];
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** When the last of its tasks ended, noticed within seconds. */
  endedAt: string | null;
  /** How its tasks ended. Null until all have. */
  tasks: RunEnd | null;
}

export interface PanelRuns {
  /** Newest first. */
  runs: PanelRun[];
  nextCursor: string | null;
}

export interface PanelChanges {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  /** Null if no run has been evaluated yet. */
  evaluatedAt: string | null;
  series: SeriesVerdict[];
  /** Those of the last 366 days, newest first, at most 500. */
  changes: FoundChange[];
  /** Those of the last 366 days, newest first, at most 500. */
  instrumentChanges: FoundInstrumentChange[];
}

export interface SeriesVerdict {
  measure:
    | "presence"
    | "mention_share"
    | "first_place"
    | "first_place_of_all"
    | "position"
    | "listed"
    | "own_citation_rate"
    | "own_citation_share"
    | "citation_rate"
    | "citation_share"
    | "type_citation_rate"
    | "type_citation_share"
    | "cited_answers"
    | "carded_answers"
    | "core_citation_share"
    | "source_agreement_within_days"
    | "source_agreement_between_days"
    | "order_agreement_within_days"
    | "order_agreement_between_days"
    | "first_place_changes"
    | "first_place_changes_between_runs"
    | "platform_source_agreement"
    | "search_count"
    | "answer_length"
    | "empty_rate"
    | "time_to_answer"
    | "price_per_answer"
    | "failure_rate"
    | "refusal_rate"
    | "ad_rate"
    | "ad_share"
    | "own_ad_rate"
    | "own_ad_share"
    | "rival_ad_rate"
    | "product_rate"
    | "product_position"
    | "product_share"
    | "shop_share";
  definition: string;
  /** Null: it is about a site. */
  entityId: string | null;
  /** Of `citation_rate`: the site. Null: it is about an entity. */
  domain: string | null;
  platformCode: string;
  kind: "api" | "web" | "sample" | "imported";
  locale: string;
  persona: string;
  /** `changed`: by more than chance explains; see `changeId`. `not_distinguishable` from chance. `not_enough_data`: see `missingDays`. `instrument_changed`: too recently for a comparison. Null: paused, for the reason in `paused`. */
  verdict: "changed" | "not_distinguishable" | "not_enough_data" | "instrument_changed" | null;
  /** The first day that was compared. */
  from: string | null;
  /** The last one. */
  to: string | null;
  /** Prompts that were asked at the beginning and at the end, in the same words: only these are compared. */
  prompts: number;
  /** Prompts with answers that stand on one side only, because they are new or were reworded. Verdicts of earlier versions do not have it. */
  promptsLeftOut?: number;
  /** 1: none. Null without a comparison. */
  evidence: number | null;
  /** The evidence that is needed. */
  threshold: number | null;
  /** The change, for `changed`; that of the instrument, for `instrument_changed`. */
  changeId: string | null;
  /** For `not_distinguishable`, the smallest change that would have been found. Null if none would. */
  smallestChange: {
    difference: number;
    /** A change that began on this day is the example. */
    since: string;
  } | null;
  /** Of `not_distinguishable`: it would be a change if the runs were independent of each other, and may as well be something that moves all prompts for several runs. Later runs decide. */
  reason?: "dependent_runs" | null;
  /** How many more days with a run are needed for a verdict. */
  missingDays: number | null;
  /** The platform's pages do not match the recipe, so figures may be wrong. */
  paused: {
    reason: "recipe_drift";
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    since: string;
    /** As in `health.drift` of `GET /v1/platforms`, without `fallback`. */
    signs: {
      what: string;
      sign: "fallback" | "unmatched" | "check" | "unread";
    }[];
  } | null;
}

export interface FoundChange {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  changeId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  measure:
    | "presence"
    | "mention_share"
    | "first_place"
    | "first_place_of_all"
    | "position"
    | "listed"
    | "own_citation_rate"
    | "own_citation_share"
    | "citation_rate"
    | "citation_share"
    | "type_citation_rate"
    | "type_citation_share"
    | "cited_answers"
    | "carded_answers"
    | "core_citation_share"
    | "source_agreement_within_days"
    | "source_agreement_between_days"
    | "order_agreement_within_days"
    | "order_agreement_between_days"
    | "first_place_changes"
    | "first_place_changes_between_runs"
    | "platform_source_agreement"
    | "search_count"
    | "answer_length"
    | "empty_rate"
    | "time_to_answer"
    | "price_per_answer"
    | "failure_rate"
    | "refusal_rate"
    | "ad_rate"
    | "ad_share"
    | "own_ad_rate"
    | "own_ad_share"
    | "rival_ad_rate"
    | "product_rate"
    | "product_position"
    | "product_share"
    | "shop_share";
  definition: string;
  /** Null: it is about a site. */
  entityId: string | null;
  /** Of `citation_rate`: the site. Null: it is about an entity. */
  domain: string | null;
  platformCode: string;
  kind: "api" | "web" | "sample" | "imported";
  locale: string;
  persona: string;
  direction: "up" | "down";
  /** After minus before, of the paired means: each prompt compared with itself, taken with the same instrument. */
  difference: number;
  /** The day (UTC) with which it most probably began. */
  since: string;
  /** The first day with which it may have begun: in 95 % of changes, it is from this day to `latest`. Changes that were found by earlier versions have no such days. */
  earliest?: string;
  /** The last day with which it may have begun. */
  latest?: string;
  /** `sudden`: from one day to the next. `gradual`: it goes on since then, or went on for several days. Null: the days do not tell. */
  shape?: "sudden" | "gradual" | null;
  /** True: the same gradual change as the one before it in this series, which goes on. */
  continues?: boolean;
  /** The first run of that day. Null for imported answers. */
  sinceRunId: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  foundAt: string;
  /** Prompts that stand on both sides, and were compared. Changes that were found by earlier versions do not have it. */
  prompts?: number;
  /** Prompts with answers that stand on one side only, because they are new or were reworded. */
  promptsLeftOut?: number;
  /** If nothing had changed, it would reach `threshold` within 28 days with a run in at most one of `threshold` series, also if the runs resemble the ones before. */
  evidence: number;
  /** The evidence that it needed, which is higher the more series the panel has: the false discovery rate of all of them is at most 5 %. */
  threshold: number;
  before: Figure;
  after: Figure;
}

export interface FoundInstrumentChange {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  changeId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  platformCode: string;
  kind: "api" | "web" | "sample" | "imported";
  /** The first day (UTC) of the new instrument, or the first one without the one that is gone. */
  since: string;
  /** The first run of that day. */
  sinceRunId: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  foundAt: string;
  /** Several if they alternated. */
  before: FigureInstrument[];
  after: FigureInstrument[];
  /** Presence of own entities on both sides. A difference is that of the instrument, not of the brand. */
  figures: {
    measure:
      | "presence"
      | "mention_share"
      | "first_place"
      | "first_place_of_all"
      | "position"
      | "listed"
      | "own_citation_rate"
      | "own_citation_share"
      | "citation_rate"
      | "citation_share"
      | "type_citation_rate"
      | "type_citation_share"
      | "cited_answers"
      | "carded_answers"
      | "core_citation_share"
      | "source_agreement_within_days"
      | "source_agreement_between_days"
      | "order_agreement_within_days"
      | "order_agreement_between_days"
      | "first_place_changes"
      | "first_place_changes_between_runs"
      | "platform_source_agreement"
      | "search_count"
      | "answer_length"
      | "empty_rate"
      | "time_to_answer"
      | "price_per_answer"
      | "failure_rate"
      | "refusal_rate"
      | "ad_rate"
      | "ad_share"
      | "own_ad_rate"
      | "own_ad_share"
      | "rival_ad_rate"
      | "product_rate"
      | "product_position"
      | "product_share"
      | "shop_share";
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    entityId: string;
    locale: string;
    persona: string;
    before: Figure | null;
    after: Figure | null;
  }[];
}

export interface PanelRunDiff {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  before: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    runId: string;
    revision: number;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    createdAt: string;
  };
  after: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    runId: string;
    revision: number;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    createdAt: string;
  };
  /** Other runs of the panel from which the noise of reruns is computed. */
  otherRuns: number;
  cells: {
    /** Cells that both runs have answers of. */
    both: number;
    /** Cells that only the run that is compared with has answers of. */
    onlyBefore: number;
    /** Cells that only this run has answers of. */
    onlyAfter: number;
  };
  /** In how many cells each aspect differs, and in how many pairs of reruns it differs anyway. */
  aspects: {
    aspect: "text" | "brands" | "first" | "sources" | "cards" | "prices";
    /** Cells that differ. */
    changed: number;
    /** Cells that could be compared. */
    cells: number;
    /** How often reruns differ at least as much anyway: `differ` of `pairs`. A pair is a run and the one after it, of the same cell and with the same instrument, and neither of them is one of the two that are compared. */
    reruns: RerunNoise;
  }[];
  /** The cells that differ. Empty: both runs brought the same. */
  changes: RunCellChange[];
  nextCursor: string | null;
}

export interface RunCellChange {
  promptId: string;
  platformCode: string;
  locale: string;
  persona: string;
  /** Answers of the cell. 0: only the other run has any, and nothing is compared. */
  answers: {
    /** In the run that is compared with. */
    before: number;
    /** In this run. */
    after: number;
  };
  instruments: {
    before: FigureInstrument[];
    after: FigureInstrument[];
  };
  /** Null if the texts are the same, have expired, or were not requested. */
  text: RunTextChange | null;
  brands: RunItemChange[];
  /** The entity that the answer names before every other. */
  first: RunItemChange[];
  sources: RunItemChange[];
  cards: RunItemChange[];
  /** The changes of cards that have a price in both runs. */
  prices: RunPriceChange[];
}

export interface RunTextChange {
  /** The words that both answers have, in any order, as a share of all of their words. The mean over repeats. */
  similarity: number;
  /** How often reruns differ at least as much anyway: `differ` of `pairs`. A pair is a run and the one after it, of the same cell and with the same instrument, and neither of them is one of the two that are compared. */
  reruns: RerunNoise;
  /** The first repeat that differs, word by word. Null: there is too little in common to show. */
  words:
    | {
        change: "same" | "removed" | "added";
        text: string;
      }[]
    | null;
}

export interface RunItemChange {
  /** The id of the entity; the canonical URL of the source; the kind of the card, and its URL or else its title. */
  item: string;
  /** Name of the entity, domain of the source, or title of the card. */
  label: string;
  /** Answers of the cell that contain it, in the run that is compared with. */
  before: number;
  /** The same, in this run. */
  after: number;
  /** How often reruns differ at least as much anyway: `differ` of `pairs`. A pair is a run and the one after it, of the same cell and with the same instrument, and neither of them is one of the two that are compared. */
  reruns: RerunNoise;
}

export interface RunPriceChange {
  item: string;
  label: string;
  before: string[];
  after: string[];
  /** How often reruns differ at least as much anyway: `differ` of `pairs`. A pair is a run and the one after it, of the same cell and with the same instrument, and neither of them is one of the two that are compared. */
  reruns: RerunNoise;
}

/** How often reruns differ at least as much anyway: `differ` of `pairs`. A pair is a run and the one after it, of the same cell and with the same instrument, and neither of them is one of the two that are compared. */
export interface RerunNoise {
  /** Pairs of reruns that differ at least as much. */
  differ: number;
  /** Pairs of reruns that could be compared. 0: chance cannot be told from change. */
  pairs: number;
}

/** What is wanted of a plan. */
export interface PlanRequest {
  measure:
    | "presence"
    | "mention_share"
    | "first_place"
    | "first_place_of_all"
    | "position"
    | "listed"
    | "own_citation_rate"
    | "own_citation_share"
    | "citation_rate"
    | "citation_share"
    | "type_citation_rate"
    | "type_citation_share"
    | "cited_answers"
    | "carded_answers"
    | "core_citation_share"
    | "source_agreement_within_days"
    | "source_agreement_between_days"
    | "order_agreement_within_days"
    | "order_agreement_between_days"
    | "first_place_changes"
    | "first_place_changes_between_runs"
    | "platform_source_agreement"
    | "search_count"
    | "answer_length"
    | "empty_rate"
    | "time_to_answer"
    | "price_per_answer"
    | "failure_rate"
    | "refusal_rate"
    | "ad_rate"
    | "ad_share"
    | "own_ad_rate"
    | "own_ad_share"
    | "rival_ad_rate"
    | "product_rate"
    | "product_position"
    | "product_share"
    | "shop_share";
  /** For measures of an entity. */
  entityId?: string;
  /** For measures of a domain. */
  domain?: string;
  /** For measures of a type of sites. */
  sourceType?: string;
  /** A platform of the panel. */
  platformCode: string;
  /** The locale as in `cell.locale` of observations. Required if the panel has several. */
  locale?: string;
  /** The name of the persona. Required if the panel has several. */
  persona?: string;
  scope: "these_prompts" | "prompts_like_these";
  /** The wanted width of the interval of 95 %, from its low to its high end: `0.08` is 4 points on each side. */
  width: number;
  /** The most runs. Default: 60. */
  runsMax?: number;
  /** How often the panel runs. Default: once a day. */
  runsPerDay?: number;
  /** The most repeats of a prompt in a run. Default: 10. */
  repeatsMax?: number;
  /** The pilot: answers from then on. Default: 28 days before `to`, or the last seven runs if they began earlier. */
  from?: string;
  /** The first moment after the pilot. Default: now. */
  to?: string;
  /** What to assume instead of computing it from a pilot. */
  assume?: {
    /** The figure. */
    value: number;
    /** Standard deviation between topics. */
    betweenTopics: number;
    /** Standard deviation between the prompts of a topic. */
    betweenPrompts: number;
    /** Standard deviation of what a run does to all prompts alike. */
    betweenRuns: number;
    /** Standard deviation between repeats. Default for rates: what a rate of `value` leaves. */
    betweenAnswers?: number;
  };
}

export interface PanelPlan {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  revision: number;
  measure:
    | "presence"
    | "mention_share"
    | "first_place"
    | "first_place_of_all"
    | "position"
    | "listed"
    | "own_citation_rate"
    | "own_citation_share"
    | "citation_rate"
    | "citation_share"
    | "type_citation_rate"
    | "type_citation_share"
    | "cited_answers"
    | "carded_answers"
    | "core_citation_share"
    | "source_agreement_within_days"
    | "source_agreement_between_days"
    | "order_agreement_within_days"
    | "order_agreement_between_days"
    | "first_place_changes"
    | "first_place_changes_between_runs"
    | "platform_source_agreement"
    | "search_count"
    | "answer_length"
    | "empty_rate"
    | "time_to_answer"
    | "price_per_answer"
    | "failure_rate"
    | "refusal_rate"
    | "ad_rate"
    | "ad_share"
    | "own_ad_rate"
    | "own_ad_share"
    | "rival_ad_rate"
    | "product_rate"
    | "product_position"
    | "product_share"
    | "shop_share";
  definition: string;
  scope: "these_prompts" | "prompts_like_these";
  wantedWidth: number;
  /** What the deviations were computed from. Null: assumptions, or no pilot that suffices. */
  pilot: {
    kind: "api" | "web" | "sample" | "imported";
    locale: string;
    persona: string;
    /** Topics. */
    topics: number;
    /** Prompts. */
    prompts: number;
    /** Runs. */
    runs: number;
    window: {
      /** ISO 8601 UTC with milliseconds, ending in `Z`. */
      from: string;
      /** ISO 8601 UTC with milliseconds, ending in `Z`. */
      to: string;
    };
  } | null;
  deviations: {
    /** The figure. */
    value: number;
    /** Standard deviation between topics. */
    betweenTopics: number;
    /** Standard deviation between the prompts of a topic. */
    betweenPrompts: number;
    /** Standard deviation of what a run does to all prompts alike. */
    betweenRuns: number;
    /** Standard deviation of what a run does to one prompt: its repeats have it in common. */
    ofRunAndPrompt: number;
    /** Standard deviation between the repeats of a prompt in a run. */
    betweenAnswers: number;
    /** False: the pilot asked no prompt twice in a run, so repeats are taken to be independent. */
    areRepeatsKnown: boolean;
  } | null;
  /** With the prompts of the panel. Null for the reason in `reason`. */
  samePrompts: PlanDesign | null;
  /** For `prompts_like_these`: with the number of topics that is cheapest. Null: not with 1,000 prompts. */
  moreTopics: PlanDesign | null;
  /** The narrowest that the prompts of the panel can reach, with the most runs and repeats. Null: below the floor of topics or runs. */
  least: PlanDesign | null;
  /** What one run with `askUntil` is expected to need: the mean of 40 simulated ones with the rates of the pilot. Its interval is that of the moment of the run. Null: without a pilot, or for a measure or scope that no run can stop for. */
  inWaves: {
    /** Waves. */
    waves: number;
    /** Answers of this platform. */
    answers: number;
    /** Points for them at the prices of today. */
    points: number;
    /** The part of such runs that reach the width with at most `repeatsMax` waves, or 100. */
    reached: number;
  } | null;
  /** The smallest changes of the figure that are found within some runs in 80 % of 60 simulated panels, with the prompts and repeats of the panel. Null: without deviations, or for a measure or entity whose changes are not looked for. */
  changes: {
    /** The evidence that is needed among the series of the panel. */
    threshold: number;
    /** So many runs with no change come before, on a day each. */
    runsBefore: number;
    smallest: {
      /** The runs since the change, on a day each. */
      runs: number;
      /** Null: no change is found so often. */
      difference: number | null;
    }[];
  } | null;
  /** Why the prompts of the panel cannot reach the width. */
  reason: {
    code: "pilot_too_small" | "too_few_topics" | "too_few_runs" | "width_not_reached";
    detail: string;
  } | null;
}

export interface PlanDesign {
  /** Topics. */
  topics: number;
  /** Prompts in all. */
  prompts: number;
  /** Runs. */
  runs: number;
  /** Days that the runs take. */
  days: number;
  /** How often a run asks each prompt. */
  repeats: number;
  /** Answers of this platform: prompts x runs x repeats. */
  answers: number;
  /** Points for them at the prices of today. */
  points: number;
  /** Points if all platforms, locales and personas of the panel are asked as often. */
  panelPoints: number;
  /** The width to expect: half of such panels get a narrower interval. */
  width: number;
  /** The width is between these in 80 % of such panels. Few runs, or a small pilot, make this range wide. */
  likely: {
    low: number;
    high: number;
  };
  /** Where the rest of the width comes from, as shares of the variance. */
  variance: {
    /** From the choice of topics and prompts: only more of them reduce it. */
    topics: number;
    /** From what a run does to all prompts alike: only more runs reduce it. */
    runs: number;
    /** From the answers of each prompt: more runs or repeats reduce it. */
    answers: number;
  };
  /** What it cannot have less of. `width`: fewer answers would not reach the width. `runs`, `topics`: it is at the floor below which no interval is computed, or its width cannot be promised. */
  bound: "width" | "runs" | "topics";
}

export interface PanelBridge {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  revision: number;
  measure:
    | "presence"
    | "mention_share"
    | "first_place"
    | "first_place_of_all"
    | "position"
    | "listed"
    | "own_citation_rate"
    | "own_citation_share"
    | "citation_rate"
    | "citation_share"
    | "type_citation_rate"
    | "type_citation_share"
    | "cited_answers"
    | "carded_answers"
    | "core_citation_share"
    | "source_agreement_within_days"
    | "source_agreement_between_days"
    | "order_agreement_within_days"
    | "order_agreement_between_days"
    | "first_place_changes"
    | "first_place_changes_between_runs"
    | "platform_source_agreement"
    | "search_count"
    | "answer_length"
    | "empty_rate"
    | "time_to_answer"
    | "price_per_answer"
    | "failure_rate"
    | "refusal_rate"
    | "ad_rate"
    | "ad_share"
    | "own_ad_rate"
    | "own_ad_share"
    | "rival_ad_rate"
    | "product_rate"
    | "product_position"
    | "product_share"
    | "shop_share";
  definition: string;
  /** The platform that was asked everything. */
  fromPlatform: string;
  /** The platform that was asked a random part, and that is meant. */
  toPlatform: string;
  window: {
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    from: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    to: string;
  };
  thesePrompts: BridgedFigure;
  promptsLikeThese: BridgedFigure;
  /** Prompts in runs that both platforms answered. */
  pairCount: number;
  /** Prompts in runs that only `fromPlatform` answered. */
  unpairedCount: number;
  /** The pairs, newest run first; at most 1,000. */
  pairs: BridgePair[];
}

export interface BridgedFigure {
  scope: "these_prompts" | "prompts_like_these";
  /** The figure of `toPlatform`, from its own answers and those of `fromPlatform`. */
  value: number | null;
  /** Null for the reason in `reason`. */
  interval: FigureInterval | null;
  /** From the pairs' answers of `toPlatform` alone. */
  observedOnly: {
    value: number | null;
    interval: FigureInterval | null;
  };
  /** How much the answers of `fromPlatform` count. */
  lambda: number;
  /** How much smaller the variance is than that of the answers of `toPlatform` alone. */
  gain: number;
  /** `informs`: `fromPlatform` narrows the interval. `tells_nothing`: its answers say nothing, or hardly anything, about those of `toPlatform`. `too_few`: there are too few pairs to tell. */
  verdict: "informs" | "tells_nothing" | "too_few";
  /** Why there is no interval. */
  reason: {
    code: "too_few_pairs" | "too_few_runs" | "too_few_topics" | "same_prompts_in_each_run";
    detail: string;
    /** How many there are. */
    there: number;
    /** How many are needed at least. */
    needed: number;
  } | null;
}

export interface BridgePair {
  promptId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  runId: string;
  /** The mean of the prompt's answers in the run. */
  from: number;
  to: number;
}

export interface PanelPairs {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  revision: number;
  measure:
    | "source_agreement_within_days"
    | "source_agreement_between_days"
    | "order_agreement_within_days"
    | "order_agreement_between_days"
    | "first_place_changes"
    | "first_place_changes_between_runs";
  definition: string;
  window: {
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    from: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    to: string;
  };
  /** All pairs of which the figures are the means. */
  pairCount: number;
  /** Those whose answers differ. */
  differingCount: number;
  /** Those that differ, or all with `all=true`, prompt by prompt: at most 1,000. */
  pairs: AnswerPair[];
}

export interface AnswerPair {
  promptId: string;
  platformCode: string;
  kind: "api" | "web" | "sample" | "imported";
  locale: string;
  persona: string;
  /** What the pair adds to the mean. */
  value: number;
  /** Whether the answers do not agree completely. */
  differs: boolean;
  one: PairedAnswer;
  other: PairedAnswer;
}

export interface PairedAnswer {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  observationId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  taskId: string | null;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  runId: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  observedAt: string;
  /** What is compared: the domains of its sources, or the ids of the own entities and competitors in the order in which it names them. Of measures of the first place, only the first one. */
  items: string[];
}

export interface PanelSearches {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  revision: number;
  window: {
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    from: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    to: string;
  };
  kind: "search" | "related_question" | "related_search";
  rows: PanelSearchRow[];
}

export interface PanelSearchRow {
  platformCode: string;
  kind: "api" | "web" | "sample" | "imported";
  locale: string;
  persona: string;
  /** Null: all prompts together. */
  promptId: string | null;
  /** Answers whose searches are known, also those that made none. */
  answers: number;
  /** Answers whose searches are not known: `not_reported`, the platform does not report them; `not_recorded`, an earlier version recorded the answer. */
  leftOut: Record<string, number>;
  /** Between the earlier and the later half: the middle between the first and the last answer. */
  middle: string | null;
  /** Different searches. */
  queryCount: number;
  entities: SearchedEntity[];
  /** Those in most answers first. */
  searches: PanelSearch[];
}

export interface PanelSearch {
  /** As it is written most often. Case and what separates words make no difference. */
  query: string;
  /** Answers with it. */
  answers: number;
  /** Of the answers of the row. */
  share: number;
  /** How often it was made: an answer can have it several times. */
  times: number;
  /** Prompts to which an answer has it. */
  prompts: number;
  /** The panel's own entities and competitors that it names. */
  entityIds: string[];
  /** In the window. */
  firstSeenAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  lastSeenAt: string;
  /** `new`: in no answer of the earlier half, and in more of the later half than chance explains. `gone`: the other way round. `in_both`: in answers of both halves. `not_distinguishable`: in one half alone, which may be chance. */
  trend: "new" | "gone" | "in_both" | "not_distinguishable";
  /** How likely chance puts all of its answers into one half: exact, within prompts, adjusted for the number of searches of the row (Benjamini and Hochberg). Null: in both halves, or too few for any verdict. */
  pValue: number | null;
  earlier: {
    /** Answers of this half with the search. */
    with: number;
    /** Answers of this half to the prompts that were answered in both halves. */
    answers: number;
  };
  later: {
    /** Answers of this half with the search. */
    with: number;
    /** Answers of this half to the prompts that were answered in both halves. */
    answers: number;
  };
}

export interface SearchedEntity {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  entityId: string;
  /** Answers with a search that names it, to prompts that don't. */
  answers: number;
  /** Answers of the row to prompts whose text does not name it. */
  of: number;
  /** Null if there are no such answers. */
  share: number | null;
}

export interface PanelPrices {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  revision: number;
  window: {
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    from: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    to: string;
  };
  /** All product cards of the selection. */
  offers: number;
  /** Product cards that are in no series: `no_price`, they show none; `not_one_price`, a range, a lower bound, or several prices; `recurring`, a price for each month or the like; `no_currency`; `not_understood`. */
  leftOut: Record<string, number>;
  /** All series. */
  seriesCount: number;
  /** Those with most prices first. */
  series: PriceSeries[];
}

export interface PriceSeries {
  platformCode: string;
  kind: "api" | "web" | "sample" | "imported";
  locale: string;
  persona: string;
  /** The title as it is written most often. Titles that differ in case, or in what separates words, are one product. */
  product: string;
  /** The entities that its headings name. */
  entityIds: string[];
  /** The domain that it leads to; if that is not known, the shop as it is named. Empty if neither is. */
  shop: string;
  /** The ISO 4217 code; or the sign, such as `$`, if several currencies have it and the locale does not tell which. Currencies are never combined nor converted. */
  currency: string;
  /** Product cards with a price. */
  offers: number;
  /** Answers that show them. */
  answers: number;
  /** The lowest price. */
  lowest: number;
  lowerQuartile: number | null;
  median: number | null;
  upperQuartile: number | null;
  /** The highest price. */
  highest: number;
  /** Why there are no median and quartiles: they are stated from 5 prices on. */
  reason: {
    code: "too_few_prices";
    /** How many there are. */
    there: number;
    /** How many are needed. */
    needed: number;
  } | null;
  days: {
    /** UTC. */
    day: string;
    /** Product cards with a price. */
    offers: number;
    /** Answers that show them. */
    answers: number;
    /** The lowest price. */
    lowest: number;
    lowerQuartile: number | null;
    median: number | null;
    upperQuartile: number | null;
    /** The highest price. */
    highest: number;
    /** Why there are no median and quartiles: they are stated from 5 prices on. */
    reason: {
      code: "too_few_prices";
      /** How many there are. */
      there: number;
      /** How many are needed. */
      needed: number;
    } | null;
  }[];
}

export interface PanelComparison {
  one: ComparedArm;
  other: ComparedArm;
  /** Prompts that both arms have: those of the panel, or of two panels, those in exactly the same words. */
  commonPrompts: number;
  rows: ComparisonRow[];
}

export interface ComparedArm {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  revision: number;
  platformCode: string;
  kind: "api" | "web" | "sample" | "imported";
  locale: string;
  persona: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  importId: string | null;
  window: {
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    from: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    to: string;
  };
  /** Answers of the arm, also those to prompts that the other arm does not have. */
  answers: number;
}

export interface ComparisonRow {
  measure:
    | "presence"
    | "mention_share"
    | "first_place"
    | "first_place_of_all"
    | "position"
    | "listed"
    | "own_citation_rate"
    | "own_citation_share"
    | "citation_rate"
    | "citation_share"
    | "type_citation_rate"
    | "type_citation_share"
    | "cited_answers"
    | "carded_answers"
    | "core_citation_share"
    | "source_agreement_within_days"
    | "source_agreement_between_days"
    | "order_agreement_within_days"
    | "order_agreement_between_days"
    | "first_place_changes"
    | "first_place_changes_between_runs"
    | "platform_source_agreement"
    | "search_count"
    | "answer_length"
    | "empty_rate"
    | "time_to_answer"
    | "price_per_answer"
    | "failure_rate"
    | "refusal_rate"
    | "ad_rate"
    | "ad_share"
    | "own_ad_rate"
    | "own_ad_share"
    | "rival_ad_rate"
    | "product_rate"
    | "product_position"
    | "product_share"
    | "shop_share";
  definition: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  entityId: string | null;
  domain: string | null;
  sourceType: string | null;
  one: {
    /** Over the prompts of both arms. */
    value: number | null;
    /** Answers to these prompts. */
    answers: number;
    /** Runs of these answers; without a run, days. */
    runs: number;
    /** What the answers were taken with: the latest instrument with enough runs. */
    instrument: FigureInstrument[];
  };
  other: {
    /** Over the prompts of both arms. */
    value: number | null;
    /** Answers to these prompts. */
    answers: number;
    /** Runs of these answers; without a run, days. */
    runs: number;
    /** What the answers were taken with: the latest instrument with enough runs. */
    instrument: FigureInstrument[];
  };
  /** Prompts that have a value in both arms: only these are compared. */
  prompts: number;
  /** Prompts of both arms that have a value in only one of them. */
  unpaired: number;
  /** Topics of the prompts that are compared. */
  topics: number;
  /** From 2 % of missing answers in an arm on, for shares: the least and the greatest difference, whatever the missing answers would have said. */
  bounds: {
    low: number;
    high: number;
  } | null;
  thesePrompts: Difference;
  promptsLikeThese: Difference;
}

export interface Difference {
  scope: "these_prompts" | "prompts_like_these";
  /** The value of `other` minus that of `one`, each over the same prompts with the same weights. */
  value: number | null;
  /** Of the difference. `these_prompts`: from how the answers of each arm vary from run to run. `prompts_like_these`: from how the topics' differences vary. Null for the reason in `reason`. */
  interval: FigureInterval | null;
  /** How probable a difference at least as large is if there is none. */
  p: number | null;
  /** The p-value adjusted for all differences of this scope in the comparison (Benjamini and Hochberg): of the differences with at most 0.05, at most 5 % are expected to be none. */
  adjustedP: number | null;
  /** Why there is no difference, or no interval. */
  reason: {
    code:
      | "no_common_prompts"
      | "too_few_runs"
      | "too_few_days"
      | "too_few_pairs_of_days"
      | "too_few_pairs_of_runs"
      | "too_few_topics"
      | "dependent_runs"
      | "no_interval";
    detail: string;
    /** The arm that has too few. Null: it is not about one arm. */
    arm: "one" | "other" | null;
    /** How many there are. */
    there: number;
    /** How many are needed at least. */
    needed: number;
  } | null;
}

export interface PanelFigures {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  revision: number;
  window: {
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    from: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    to: string;
  };
  rows: FigureRow[];
}

export interface FigureRow {
  measure:
    | "presence"
    | "mention_share"
    | "first_place"
    | "first_place_of_all"
    | "position"
    | "listed"
    | "own_citation_rate"
    | "own_citation_share"
    | "citation_rate"
    | "citation_share"
    | "type_citation_rate"
    | "type_citation_share"
    | "cited_answers"
    | "carded_answers"
    | "core_citation_share"
    | "source_agreement_within_days"
    | "source_agreement_between_days"
    | "order_agreement_within_days"
    | "order_agreement_between_days"
    | "first_place_changes"
    | "first_place_changes_between_runs"
    | "platform_source_agreement"
    | "search_count"
    | "answer_length"
    | "empty_rate"
    | "time_to_answer"
    | "price_per_answer"
    | "failure_rate"
    | "refusal_rate"
    | "ad_rate"
    | "ad_share"
    | "own_ad_rate"
    | "own_ad_share"
    | "rival_ad_rate"
    | "product_rate"
    | "product_position"
    | "product_share"
    | "shop_share";
  definition: string;
  /** That of the measure: of values, intervals and bounds. Left out in reports, which keep their form. */
  unit?: "share" | "position" | "searches" | "characters" | "milliseconds" | "points";
  /** What the row is about; null where that does not apply. */
  group: FigureGroup;
  /** Prompts that were left out because their text names the entity. */
  brandedPromptsLeftOut: number;
  /** How many answers of the group are not in the figure, by reason. */
  leftOut: Record<string, number>;
  /** In a series of runs or days: true if the row was not taken with the same instruments as the one before it. */
  seam: boolean;
  thesePrompts: Figure;
  promptsLikeThese: Figure;
  /** The same of the answers that were taken with other instruments, the latest first, at most ten: the figures above are of the latest instrument of the surface with enough runs for an interval, or else of the latest one. Empty in series of runs and days, where `seam` says where the instrument changed, and in blends. */
  otherInstruments: {
    instrument: FigureInstrument;
    thesePrompts: Figure;
    promptsLikeThese: Figure;
  }[];
}

/** What the row is about; null where that does not apply. */
export interface FigureGroup {
  platformCode: string;
  kind: "api" | "web" | "sample" | "imported";
  locale: string;
  persona: string;
  /** The platform that it is compared with. */
  otherPlatformCode: string | null;
  otherKind: "api" | "web" | "sample" | "imported" | null;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  entityId: string | null;
  domain: string | null;
  sourceType: string | null;
  promptId: string | null;
  topic: string | null;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  runId: string | null;
  /** UTC. Of a run: the day of its first answer. */
  day: string | null;
}

export interface Figure {
  /** Null if there are no answers from which it could be made. */
  value: number | null;
  /** Null for the reason in `reason`. */
  interval: FigureInterval | null;
  /** From 2 % of missing answers on, for shares: the lower end of the interval if none of the missing answers had what is measured, and the upper end if all of them had. Figures of changes that were found by earlier versions do not have it. */
  bounds?: {
    low: number;
    high: number;
    /** That of the interval. Null: there is no interval, and the bounds are those of the value alone. */
    level: number | null;
    /** Answers that are missing: tasks that failed, and answers that the measure could not read. */
    missing: number;
    /** The missing ones, and those from which the figure was made. */
    asked: number;
  } | null;
  /** `these_prompts`: about exactly these prompts. `prompts_like_these`: about the prompts from which these are a sample. */
  scope: "these_prompts" | "prompts_like_these";
  /** Prompts with answers in the figure. */
  cells: number;
  /** Answers in the figure. */
  answers: number;
  window: {
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    from: string | null;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    to: string | null;
  };
  /** Everything that its answers were taken with. */
  instrument: FigureInstrument[];
  /** Whether its answers were taken with different instruments, which are not comparable: only if that was asked for, and in series of runs and days whose parts have several. Figures of changes that were found by earlier versions do not have it. */
  blend?: boolean;
  definition: string;
  /** Why the value or its interval is missing. */
  reason: FigureReason | null;
  /** Where the answers are listed that were considered. */
  observations: string;
}

export interface FigureInterval {
  low: number;
  high: number;
  /** 0.95: of such intervals, 95 % contain what they are about. */
  level: number;
  method: string;
}

export interface FigureInstrument {
  kind: "api" | "web" | "sample" | "imported";
  modelVersion: string | null;
  recipe: string | null;
  reader: number;
  matcher: string | null;
  sourceRules: string | null;
  /** The revision with which the panel began to ask what was asked: other prompts, options or personas are another instrument. Null for answers from elsewhere. Left out where only what a platform answers with is meant. */
  panelRevision?: number | null;
  /** The last change of the panel's brands or of their names before the answers were searched for them: a brand that was added, or a new alias. A recount searches those again that have not expired. Null: the panel had no brands. Left out as above. */
  brandsSince?: string | null;
}

export interface FigureReason {
  code:
    | "too_few_answers"
    | "too_few_runs"
    | "too_few_days"
    | "too_few_pairs_of_days"
    | "too_few_pairs_of_runs"
    | "too_few_topics"
    | "dependent_runs"
    | "no_interval";
  detail: string;
  /** How many there are. */
  there: number;
  /** How many are needed at least. */
  needed: number;
  /** How many more are needed. */
  missing: number;
}

export interface Measure {
  id:
    | "presence"
    | "mention_share"
    | "first_place"
    | "first_place_of_all"
    | "position"
    | "listed"
    | "own_citation_rate"
    | "own_citation_share"
    | "citation_rate"
    | "citation_share"
    | "type_citation_rate"
    | "type_citation_share"
    | "cited_answers"
    | "carded_answers"
    | "core_citation_share"
    | "source_agreement_within_days"
    | "source_agreement_between_days"
    | "order_agreement_within_days"
    | "order_agreement_between_days"
    | "first_place_changes"
    | "first_place_changes_between_runs"
    | "platform_source_agreement"
    | "search_count"
    | "answer_length"
    | "empty_rate"
    | "time_to_answer"
    | "price_per_answer"
    | "failure_rate"
    | "refusal_rate"
    | "ad_rate"
    | "ad_share"
    | "own_ad_rate"
    | "own_ad_share"
    | "rival_ad_rate"
    | "product_rate"
    | "product_position"
    | "product_share"
    | "shop_share";
  /** Changes with the meaning of the measure. Figures with different definitions are not comparable. */
  definition: string;
  /** `rate`: from 0 to 1. */
  kind: "rate" | "mean";
  /** What a figure is about besides the answers. */
  per: "entity" | "domain" | "source_type" | "answer";
  unit: "share" | "position" | "searches" | "characters" | "milliseconds" | "points";
  /** What the interval takes for independent of each other. Null: the measure has no interval. */
  sample: "runs" | "days" | "pairs_of_days" | "pairs_of_runs" | null;
  title: string;
  counts: string;
  leavesOut: string;
  formula: string;
  /** What is needed at least for an interval. */
  floor: string;
}

export interface Measures {
  measures: Measure[];
}

export interface CapInput {
  /** `account`: everything that the account submits. `project`: the runs of the panels of a project. `panel`: the runs of a panel. `tag`: the tasks with a tag, of runs and of batches. */
  kind: "account" | "project" | "panel" | "tag";
  /** The id of the project or the panel, or the tag. None for the account. */
  subject?: string | null;
  runPoints?: number | null;
  dayPoints?: number | null;
  monthPoints?: number | null;
}

export interface Cap {
  /** `account`: everything that the account submits. `project`: the runs of the panels of a project. `panel`: the runs of a panel. `tag`: the tasks with a tag, of runs and of batches. */
  kind: "account" | "project" | "panel" | "tag";
  subject: string | null;
  /** The most points of one run or batch. Null: no limit. */
  runPoints: number | null;
  /** The most points held in a day (UTC). Null: no limit. */
  dayPoints: number | null;
  /** The most points held in a month (UTC). Null: no limit. */
  monthPoints: number | null;
  /** The points held today. Points of tasks that failed since are not subtracted. */
  dayHeld: number;
  /** The points held this month. */
  monthHeld: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  countedFrom: string;
}

export interface CapsChange {
  /** All caps of the account. Others are removed. */
  caps: CapInput[];
}

export interface Caps {
  caps: Cap[];
}

export interface PlatformRecord {
  platformCode: string;
  name: string;
  kind: "api" | "web" | "sample";
  /** How far a web platform's recipe is known to match its page. Null for platforms of other kinds. */
  recipe: {
    /** `checked_live`: it was seen to work on the page. `from_source`: it was written from public sources of `checkedOn`, and not checked on the page. `unchecked`: neither is known. */
    status: "checked_live" | "from_source" | "unchecked";
    checkedOn: string | null;
  } | null;
  /** False if something that it requires is missing, such as its key or a browser. Tasks for it are rejected. */
  configured: boolean;
  /** Why tasks for it are currently rejected. Null while they are accepted. */
  unavailable: {
    code: "platform_not_configured" | "browser_unavailable";
    /** An explanation for people. */
    detail: string;
  } | null;
  /** True: an example page of the service answers in place of the platform until the operator has set that up. Its answers are invented, and their `provenance` has the kind `sample` and `standIn: true`. */
  standIn: boolean;
  /** What the operator can do to set the platform up. Null if it is set up. */
  setUp: {
    /** What the platform lacks, for people. */
    reason: string;
    /** The command with which the operator sets it up. */
    command: string;
  } | null;
  /** The outputs that are currently accepted. */
  outputs: ("answer" | "screenshot" | "share_link")[];
  /** The outputs that are currently rejected, with the reason. */
  unavailableOutputs: {
    output: "answer" | "screenshot" | "share_link";
    code: "platform_not_configured" | "browser_unavailable";
    /** An explanation for people. */
    detail: string;
  }[];
  /** The current state. `ready`: no known problem. `degraded`: the last attempt failed, or fewer than 9 in 10 recent attempts succeeded. `failing`: no recent attempt succeeded, or the circuit breaker has opened and no probe has succeeded since. `throttled`: it returned a rate limit, and no request is sent before `throttledUntil`. `paused`: the operator has set its limit to 0. `not_configured`: something that it requires is missing, and tasks for it are rejected. `no_browser`: it requires a browser, and none is available. `no_worker`: no running worker can ask it, and its tasks wait for one. More states may be added. */
  state: "ready" | "degraded" | "failing" | "throttled" | "paused" | "not_configured" | "no_browser" | "no_worker";
  /** The time of the first failure after the last success. Null if the last attempt succeeded. */
  failingSince: string | null;
  /** The last failed or throttled attempt, over all accounts. Kept after the platform has recovered. */
  lastFailure: {
    code:
      | "platform_unavailable"
      | "platform_timeout"
      | "platform_rate_limited"
      | "platform_auth"
      | "platform_human_check"
      | "platform_refused"
      | "platform_bad_response"
      | "platform_not_configured"
      | "run_timeout"
      | "start_deadline_passed"
      | "output_unavailable"
      | "internal";
    /** A message for people. Contains no secrets. */
    message: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    at: string;
    platformStatus: number | null;
  } | null;
  /** Set while the circuit breaker is open after consecutive failures. No request is sent before this time. */
  breakerOpenUntil: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  throttledSince: string | null;
  /** Set while it is throttled. No request is sent before this time. */
  throttledUntil: string | null;
  /** The later of `breakerOpenUntil` and `throttledUntil`. Null if both are null. */
  nextTryAt: string | null;
  resultFormats: ("json" | "html" | "all")[];
  /** How the platform supports each of the options that say from where, as whom and with what a question is asked. */
  options: {
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    country: "native" | "prompted" | "unsupported";
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    language: "native" | "prompted" | "unsupported";
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    location: "native" | "prompted" | "unsupported";
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    persona: "native" | "prompted" | "unsupported";
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    model: "native" | "prompted" | "unsupported";
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    searchDepth: "native" | "prompted" | "unsupported";
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    domains: "native" | "prompted" | "unsupported";
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    since: "native" | "prompted" | "unsupported";
  };
  /** Which values of these options the platform supports. */
  optionValues: {
    /** The supported countries. Null: all. */
    country: string[] | null;
    /** The supported members of `location`. */
    location: ("city" | "region" | "latitude" | "longitude")[];
    /** The models that can be requested. */
    model: string[];
    /** Null if `domains` is unsupported. */
    domains: {
      /** The largest number of domains in `allow`. */
      allowMax: number;
      /** The largest number of domains in `deny`. */
      denyMax: number;
      /** Whether `allow` and `deny` can be used together. */
      together: boolean;
    } | null;
  };
  /** The fields that the platform can return. A field that is false here is `not_exposed` in a task's `availability`. */
  returns: {
    sources: boolean;
    products: boolean;
    videos: boolean;
    media: boolean;
    reasoningProcess: boolean;
    searchProcess: boolean;
    pageHtml: boolean;
  };
  /** Points: `base`, and the amount that each option adds. */
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
    /** The number of attempts that completed or failed in the window, over all accounts. */
    finished: number;
    successRate: number | null;
    /** Median duration of the successful attempts in seconds. Excludes time in the queue, throttling, open circuit breakers and failed attempts. */
    p50Seconds: number | null;
    /** The 95th percentile of the same. */
    p95Seconds: number | null;
    /** The same for the last 5 minutes, or for the whole window if no attempt ended in them. `state` is derived from it. Up to 5 seconds old. */
    recent: {
      windowSeconds: number;
      finished: number;
      successRate: number | null;
    };
    /** Your account's waiting tasks. */
    queued: number;
    /** Your account's running tasks. */
    running: number;
    /** Null for platforms of other kinds. */
    drift:
      | {
          /** The key in the recipe, such as `composer.input` or `extract.sources`. */
          what: string;
          /** `fallback`: a selector other than the first of its list matched. `unmatched`: no selector of a required list matched. `check`: the page indicates more items than were parsed. `unread`: a field that most earlier answers had is no longer parsed. */
          sign: "fallback" | "unmatched" | "check" | "unread";
          /** ISO 8601 UTC with milliseconds, ending in `Z`. */
          since: string;
          /** The share of the attempts of the last 24 hours. */
          share: number;
        }[]
      | null;
  };
}

export interface PlatformList {
  platforms: PlatformRecord[];
}

export interface WebhookRecord {
  /** The account's webhook endpoint. Null if none is set. */
  url: string | null;
  /** `whsec_<base64url>`. The HMAC key is the whole string, as UTF-8 bytes. */
  signingSecret: string;
  secretVersion: number;
  /** The types of events that the account is told of. `task.finished` is always among them. */
  events: EventType[];
  status: "active" | "suspended" | "unset";
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  suspendedAt: string | null;
  /** Why the endpoint is suspended. `gone`: it returned 410. `failing`: all attempts have failed for days. Null while it is not suspended. */
  suspendedReason: "gone" | "failing" | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  lastSuccessAt: string | null;
  /** The last failed attempt to deliver to the endpoint. Null after a success, and for a new endpoint. */
  lastFailureAt: string | null;
  /** The status that the endpoint returned. Null if it returned none. */
  lastFailureStatus: number | null;
  /** Why there is no complete response. `dns`: the host name could not be resolved. `address`: the host's address is not allowed. `connect`: the connection could not be established. `tls`: the handshake failed, or the certificate is invalid. `timeout`: the response took too long. `reset`: the connection was closed. `too_large`: the response or its headers exceed the limit. `malformed`: the response is not valid HTTP, or SMTP. Of mails: `not_set_up`: the operator has not set up mail in the process that sends. `unsubscribed`: the recipient had unsubscribed, so nothing was sent. `expired`: the report is no longer stored, so nothing was sent. Of channels: `channel_removed`: the channel had been deleted, so nothing was sent. `channel_gone`: the channel was gone before, so nothing was sent. */
  lastFailureFault:
    | "dns"
    | "address"
    | "connect"
    | "tls"
    | "timeout"
    | "reset"
    | "too_large"
    | "malformed"
    | "not_set_up"
    | "unsubscribed"
    | "expired"
    | "channel_removed"
    | "channel_gone"
    | null;
}

export interface WebhookChange {
  /** An absolute `https:` URL, without user name or password. */
  url: string | null;
  /** The types of events to be told of, by webhook and in the event feed. `task.finished` cannot be left out. Omitted: as they are, at first only `task.finished`. */
  events?: EventType[] | null;
  /** Ignored. Accepted so that a record that was read can be sent back. */
  signingSecret?: unknown;
  /** Ignored. Accepted so that a record that was read can be sent back. */
  secretVersion?: unknown;
  /** Ignored. Accepted so that a record that was read can be sent back. */
  status?: unknown;
  /** Ignored. Accepted so that a record that was read can be sent back. */
  suspendedAt?: unknown;
  /** Ignored. Accepted so that a record that was read can be sent back. */
  suspendedReason?: unknown;
  /** Ignored. Accepted so that a record that was read can be sent back. */
  lastSuccessAt?: unknown;
  /** Ignored. Accepted so that a record that was read can be sent back. */
  lastFailureAt?: unknown;
  /** Ignored. Accepted so that a record that was read can be sent back. */
  lastFailureStatus?: unknown;
  /** Ignored. Accepted so that a record that was read can be sent back. */
  lastFailureFault?: unknown;
}

export interface SecretRotation {
  /** For this time, webhooks also carry `X-Service-Signature-Previous`, created with the previous secret. Default: 0. */
  previousSecretValidSeconds?: number | null;
}

export interface WebhookTest {
  /** A URL to test instead of the account's endpoint, for example before setting it. */
  url?: string | null;
  /** The type of event that the webhook is of, with invented data, whether the account has subscribed to it or not. */
  event?:
    | "task.finished"
    | "panel.run.finished"
    | "panel.change.detected"
    | "panel.instrument.changed"
    | "cap.reached"
    | "report.ready"
    | "alert.raised"
    | null;
  /** Sends `task.finished` in the form that it has if the result is too large for a webhook. */
  resultOmitted?: boolean | null;
}

export interface WebhookTestReply {
  /** True if the receiver returned a 2xx status. */
  passed: boolean;
  /** An absolute `https:` URL, without user name or password. */
  url: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  deliveryId: string;
  status: number | null;
  /** Why there is no complete response. `dns`: the host name could not be resolved. `address`: the host's address is not allowed. `connect`: the connection could not be established. `tls`: the handshake failed, or the certificate is invalid. `timeout`: the response took too long. `reset`: the connection was closed. `too_large`: the response or its headers exceed the limit. `malformed`: the response is not valid HTTP, or SMTP. Of mails: `not_set_up`: the operator has not set up mail in the process that sends. `unsubscribed`: the recipient had unsubscribed, so nothing was sent. `expired`: the report is no longer stored, so nothing was sent. Of channels: `channel_removed`: the channel had been deleted, so nothing was sent. `channel_gone`: the channel was gone before, so nothing was sent. */
  fault:
    | "dns"
    | "address"
    | "connect"
    | "tls"
    | "timeout"
    | "reset"
    | "too_large"
    | "malformed"
    | "not_set_up"
    | "unsubscribed"
    | "expired"
    | "channel_removed"
    | "channel_gone"
    | null;
  durationMs: number;
  responseSnippet: string | null;
  /** True if the account's endpoint was suspended and this test lifted the suspension. Held deliveries are now sent. */
  suspensionLifted: boolean;
}

export interface RecoveryRequest {
  /** Deliveries created at this time or later. ISO 8601 UTC, ending in `Z`. */
  since: string;
  /** ISO 8601 UTC, ending in `Z`, such as `2026-11-01T09:30:00Z`. */
  until?: string | null;
  /** Default: both. */
  states?: ("failed" | "skipped")[] | null;
  /** The maximum number of redeliveries per request. Default: 10,000. */
  limit?: number | null;
}

export interface RecoveryReply {
  /** The number of redeliveries created by this request. */
  redeliveredCount: number;
  /** The number of deliveries between `since` and `until` that remain, counted up to 100,000. Repeat the request with the returned `until` until it is 0. */
  remaining: number;
  /** The number of deliveries that cannot be redelivered because the account has no endpoint, counted up to 100,000. Set one, and repeat the request. */
  unaddressed: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  until: string;
}

export interface DeliveryRecord {
  /** The value of the `X-Service-Delivery` header. */
  deliveryId: string;
  event: EventType;
  /** Null for an event of the account, whose id is `eventId`. */
  taskId: string | null;
  /** The event of the account that it is of. Null: it is of a task. */
  eventId: string | null;
  /** 1 when the task ends, and 1 higher with each requested redelivery and each new revision of the result. */
  deliveryRevision: number;
  /** `pending`: being sent, or waiting for its next attempt. `delivered`: the receiver returned a 2xx status. `failed`: no further attempts are made, for the reason in `failureReason`. `skipped`: no endpoint was set when the task ended. `superseded`: replaced by a redelivery or by the notification of a new revision before it was delivered. */
  state: "pending" | "delivered" | "failed" | "skipped" | "superseded";
  /** The phase of a pending delivery. `queued`: ready to be sent. `in_flight`: being sent. `waiting`: not sent before `nextAttemptAt`. `held`: the account's endpoint is suspended. Null in every other state. */
  phase: "queued" | "in_flight" | "waiting" | "held" | null;
  /** The endpoint that it is sent to, `mailto:` and the recipient of a mail, or `channel:` and the id of a channel. Null if it was skipped. */
  url: string | null;
  /** True if it goes to the account's endpoint, and not to one of the task's own or to a recipient. */
  toAccountDefault: boolean;
  /** The number of attempts. */
  attemptCount: number;
  /** Null while it is being sent or held, and after it has finished. */
  nextAttemptAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  finishedAt: string | null;
  /** What a pending delivery is waiting for. `turn`: its turn among the deliveries to the same receiver. `retry`: its next attempt. `receiver_failing`: the receiver failed several times in a row, and nothing is sent to it before `nextAttemptAt`. `endpoint_suspended`: the account's endpoint to be set again or to pass a test. In this case the delivery fails once it is 3 days older than the retention period of results. Null while it is being sent, and after it has finished. */
  waitingFor: "turn" | "retry" | "receiver_failing" | "endpoint_suspended" | null;
  /** Why the delivery failed. `gone`: the receiver returned 410, or the channel was gone. `attempts_exhausted`: 14 attempts failed. `endpoint_suspended`: the account's endpoint remained suspended until after the result had expired. Of mails: `refused`: the mail server does not take it for this recipient, and would not later. `unsubscribed`: the recipient unsubscribed before it was sent. `expired`: the report is no longer stored. Of channels: `gone`: the service behind it says that the address does not exist any more. `refused`: it does not take the message. `channel_removed`: the channel was deleted. Null in every other state. */
  failureReason:
    | "gone"
    | "attempts_exhausted"
    | "endpoint_suspended"
    | "refused"
    | "unsubscribed"
    | "expired"
    | "channel_removed"
    | null;
}

export interface DeliveryAttempt {
  attempt: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startedAt: string;
  durationMs: number;
  /** The HTTP status that the receiver returned, or the reply code of the mail server. Null if it returned none. */
  status: number | null;
  /** Why there is no complete response. `dns`: the host name could not be resolved. `address`: the host's address is not allowed. `connect`: the connection could not be established. `tls`: the handshake failed, or the certificate is invalid. `timeout`: the response took too long. `reset`: the connection was closed. `too_large`: the response or its headers exceed the limit. `malformed`: the response is not valid HTTP, or SMTP. Of mails: `not_set_up`: the operator has not set up mail in the process that sends. `unsubscribed`: the recipient had unsubscribed, so nothing was sent. `expired`: the report is no longer stored, so nothing was sent. Of channels: `channel_removed`: the channel had been deleted, so nothing was sent. `channel_gone`: the channel was gone before, so nothing was sent. */
  fault:
    | "dns"
    | "address"
    | "connect"
    | "tls"
    | "timeout"
    | "reset"
    | "too_large"
    | "malformed"
    | "not_set_up"
    | "unsubscribed"
    | "expired"
    | "channel_removed"
    | "channel_gone"
    | null;
  /** The first 8 KiB of the response body, or the mail server's reply, as text. */
  responseSnippet: string | null;
  /** The time of the next attempt, as scheduled after this one. */
  nextAttemptAt: string | null;
  /** The signature headers of this attempt, as sent: `X-Service-Signature`, `X-Service-Secret-Version`, `X-Service-Timestamp`, those of Standard Webhooks and, during a rotation with an overlap, `X-Service-Signature-Previous`. Null for attempts made by versions that did not store them. */
  headers: Record<string, string> | null;
}

/** A delivery with all its attempts and the request that is sent. */
export interface DeliveryDetail {
  /** The value of the `X-Service-Delivery` header. */
  deliveryId: string;
  event: EventType;
  /** Null for an event of the account, whose id is `eventId`. */
  taskId: string | null;
  /** The event of the account that it is of. Null: it is of a task. */
  eventId: string | null;
  /** 1 when the task ends, and 1 higher with each requested redelivery and each new revision of the result. */
  deliveryRevision: number;
  /** `pending`: being sent, or waiting for its next attempt. `delivered`: the receiver returned a 2xx status. `failed`: no further attempts are made, for the reason in `failureReason`. `skipped`: no endpoint was set when the task ended. `superseded`: replaced by a redelivery or by the notification of a new revision before it was delivered. */
  state: "pending" | "delivered" | "failed" | "skipped" | "superseded";
  /** The phase of a pending delivery. `queued`: ready to be sent. `in_flight`: being sent. `waiting`: not sent before `nextAttemptAt`. `held`: the account's endpoint is suspended. Null in every other state. */
  phase: "queued" | "in_flight" | "waiting" | "held" | null;
  /** The endpoint that it is sent to, `mailto:` and the recipient of a mail, or `channel:` and the id of a channel. Null if it was skipped. */
  url: string | null;
  /** True if it goes to the account's endpoint, and not to one of the task's own or to a recipient. */
  toAccountDefault: boolean;
  /** The number of attempts. */
  attemptCount: number;
  /** Null while it is being sent or held, and after it has finished. */
  nextAttemptAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  finishedAt: string | null;
  /** What a pending delivery is waiting for. `turn`: its turn among the deliveries to the same receiver. `retry`: its next attempt. `receiver_failing`: the receiver failed several times in a row, and nothing is sent to it before `nextAttemptAt`. `endpoint_suspended`: the account's endpoint to be set again or to pass a test. In this case the delivery fails once it is 3 days older than the retention period of results. Null while it is being sent, and after it has finished. */
  waitingFor: "turn" | "retry" | "receiver_failing" | "endpoint_suspended" | null;
  /** Why the delivery failed. `gone`: the receiver returned 410, or the channel was gone. `attempts_exhausted`: 14 attempts failed. `endpoint_suspended`: the account's endpoint remained suspended until after the result had expired. Of mails: `refused`: the mail server does not take it for this recipient, and would not later. `unsubscribed`: the recipient unsubscribed before it was sent. `expired`: the report is no longer stored. Of channels: `gone`: the service behind it says that the address does not exist any more. `refused`: it does not take the message. `channel_removed`: the channel was deleted. Null in every other state. */
  failureReason:
    | "gone"
    | "attempts_exhausted"
    | "endpoint_suspended"
    | "refused"
    | "unsubscribed"
    | "expired"
    | "channel_removed"
    | null;
  /** Oldest first. */
  attempts: DeliveryAttempt[];
  /** The request that is sent. Null if the delivery was skipped, and of a mail and a channel, whose messages are made from the event when they are sent. */
  request: {
    method: "POST";
    /** The headers that are the same for every attempt. The signature headers are added when an attempt is made. */
    headers: Record<string, string>;
    /** The body as text, exactly as it is signed. */
    body: string;
    /** `kept`: the stored body. `rebuilt`: created from the current task record, because a body is deleted when no further attempt will be made. It differs from what was sent if the result has been replaced or has expired since. */
    bodyOrigin: "kept" | "rebuilt";
  } | null;
}

export interface DeliveryPage {
  deliveries: DeliveryRecord[];
  nextCursor: string | null;
}

export interface FeedEvent {
  /** The position in the feed. Also the `id` of the server-sent event. */
  cursor: string;
  /** The `X-Service-Delivery` of the webhook for this event. */
  deliveryId: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** The payload of a webhook, by `event`. Without a subscription, only `task.finished` is sent. */
  notification: AnyNotification;
}

export interface EventPage {
  /** Oldest first. */
  events: FeedEvent[];
  /** Pass it as `after` to continue, also after an empty page. */
  nextCursor: string;
  /** True if more events are available now. */
  hasMore: boolean;
}

export interface LedgerEntry {
  entryId: number;
  /** `grant`: the operator granted points. `hold`: points were held for an accepted batch. `capture`: a task completed and was charged. `release`: a task failed or was canceled, and its points were returned. */
  kind: "grant" | "hold" | "capture" | "release";
  /** Never negative. The sign follows from the kind. */
  points: number;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  batchId: string | null;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  taskId: string | null;
  note: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
}

export interface LedgerPage {
  entries: LedgerEntry[];
  nextCursor: string | null;
}

export interface ObservationRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  observationId: string;
  /** Null for imported answers. */
  taskId: string | null;
  /** Null for answers of tasks. */
  importId: string | null;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  batchId: string | null;
  clientReference: string | null;
  tags: string[];
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  observedAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  recordedAt: string;
  /** The revision of the result that it describes. */
  revision: number;
  /** The digest of the result that it describes, or of the imported line. SHA-256, in hex. */
  resultDigest: string;
  /** Answers of the same cell are answers to the same question under the same conditions. */
  cell: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    panelId: string | null;
    panelRevision: number | null;
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    runId: string | null;
    /** The prompt in its panel. Null without a panel. */
    promptId: string | null;
    /** The digest of the question's text. SHA-256, in hex. */
    promptDigest: string;
    platformCode: string;
    locale: string;
    persona: string;
    repeat: number | null;
    /** With which probability a run with `askUntil` asked the cell in this wave: figures count the answer by the reciprocal. Null: 1. */
    probability: number | null;
  };
  /** What the answer was taken with. Figures of two instruments are not comparable without a look. */
  instrument: {
    kind: "api" | "web" | "sample" | "imported";
    /** As the platform reported it. */
    modelVersion: string | null;
    /** Digest of the recipe that read the web page. */
    recipe: string | null;
    /** Version of the code that parsed the answer. 0: not by us. */
    reader: number;
    /** Version of the code that found the mentions. Null: none looked. */
    matcher: string | null;
    /** Version of the rules of canonical URLs and of the list of domain types. Null before they were recorded. */
    sourceRules: string | null;
  };
  /** Length of the answer in UTF-16 code units. */
  contentLength: number;
  /** Searches that the platform reported. Null if it never reports them. */
  searchCount: number | null;
  /** Duration of the attempt that answered. */
  durationMs: number | null;
  /** Points that the answer was charged. Imported answers are free. */
  chargedPoints: number;
  /** `not_searched:limit`: the answer has no mentions because it takes more work to search for the account's entities than an answer may, or names more than 500. `not_searched:busy`: because too many texts were waiting to be searched. `not_searched:changed`: because the entities were changed while it ended. A recount searches it again. `empty`: no text. `unread`: an imported answer that was there, but whose text and sources were not read. `opaque_sources`: at least one source is a redirect whose site is not known. `not_exposed:FIELD`: the platform never returns the field. `parse_failed:FIELD`: it did, and it could not be parsed. `truncated:sources`, `truncated:cards`: the answer has more than 200, and only the first 200 are kept and counted. */
  flags: string[];
  /** At most 200; more are told in `flags`. */
  sources: ObservedSource[];
  mentions: ObservedMention[];
  cards: ObservedCard[];
  /** As `availability.ads` of the result. Null: not known, as of imported answers and of answers of earlier versions. */
  adAvailability:
    | "shown"
    | "none"
    | "not_requested"
    | "not_exposed"
    | "parse_failed"
    | "signed_in_state"
    | "country_without_ads"
    | null;
  /** Advertisements are in no other member. */
  ads: ObservedAd[];
  /** The searches that the platform made, in their order, and the related questions and searches that it showed: at most 50 of each. Null for answers without a panel, because they outlive the question; and of earlier versions. */
  searches: ObservedSearch[] | null;
}

export interface ObservedSource {
  /** As the platform returned it. */
  url: string;
  /** Without tracking parameters and wrappers: the same page has the same canonical URL. */
  canonicalUrl: string;
  /** The registrable domain of the site, or the host if it has none; each user of a host such as `github.io` is a site. With `opaque`, of the site that the platform names beside the redirect. Empty if the site is not known. */
  domain: string;
  /** The type of the site, such as `news`; `other` if it is not in the list. Null if the site is not known. */
  type: string | null;
  /** `canonicalUrl` is a redirect that does not contain the address of its page: the page is not known. Left out for all other sources. */
  opaque?: true;
  /** With `opaque`: the host of the site, such as `docs.example.com`. Empty if it is not known. */
  host?: string;
}

export interface ObservedMention {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  entityId: string;
  /** Offset in `content`, in UTF-16 code units. */
  start: number;
  /** The offset after its last code unit. */
  end: number;
  /** The place of the item of a list that begins with it. Lists that warn of what they list, and lists of sources, give none. Null: it begins none, or `matcher` is older than version 2. Version 2 read fewer forms of lists, and those that warn as well. */
  listPosition: number | null;
}

export interface ObservedAd {
  position: number;
  /** As the advertisement names it. */
  advertiser: string | null;
  title: string | null;
  /** The landing page, without identifiers of clicks. It was not opened. */
  url: string | null;
  /** The host of the landing page, without `www.`; if it is hidden by a redirect, that of the address which the advertisement shows. Empty if neither tells it. */
  host: string;
  /** The registrable domain of `host`: the advertiser, as figures count it. */
  domain: string;
  placement: string;
}

export interface ObservedSearch {
  /** `search`: made by the platform. `related_question`, `related_search`: shown beside the answer. */
  kind: "search" | "related_question" | "related_search";
  query: string;
}

export interface ObservedCard {
  kind: "product" | "video" | "media";
  position: number;
  title: string;
  url: string | null;
  /** Offset of its heading in `content`, in UTF-16 code units: mentions from there to `end` name what the card shows. Left out by earlier versions, and if the text has no cards. */
  start?: number;
  /** The offset after its heading. */
  end?: number;
  /** Of a product: the display price. Left out if there is none. */
  price?: string;
  /** Of a product: the unit of the price. Left out if there is none. */
  priceUnit?: string;
  /** Of a product: the shop, as the platform names it. Left out if it names none. */
  shop?: string;
  /** Of a product: the registrable domain of the page that it leads to. Left out if only an app opens it, if a redirect hides the page, and by earlier versions. */
  domain?: string;
}

export interface FailedTaskPage {
  failures: FailedTaskRecord[];
  nextCursor: string | null;
}

export interface FailedTaskRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  failureId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  taskId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  batchId: string;
  clientReference: string | null;
  tags: string[];
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  failedAt: string;
  /** As of observations. */
  cell: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    panelId: string;
    panelRevision: number;
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    runId: string;
    promptId: string;
    platformCode: string;
    locale: string;
    persona: string;
    repeat: number;
    /** With which probability a run with `askUntil` asked the cell in this wave. Null: 1. */
    probability: number | null;
  };
  /** As of the platform's answers. */
  kind: "api" | "web" | "sample" | "imported";
  /** Digest of the recipe of the web page. Null: it has none. */
  recipe: string | null;
  /** Why it failed: as in the failure of the task. */
  code:
    | "platform_unavailable"
    | "platform_timeout"
    | "platform_rate_limited"
    | "platform_auth"
    | "platform_human_check"
    | "platform_refused"
    | "platform_bad_response"
    | "platform_not_configured"
    | "run_timeout"
    | "start_deadline_passed"
    | "output_unavailable"
    | "internal";
  stage: "queue" | "platform" | "parse" | "artifact";
  /** Attempts that were started. */
  attempts: number;
}

export interface ObservationPage {
  observations: ObservationRecord[];
  nextCursor: string | null;
}

export interface DeletedObservations {
  /** The observations that were deleted. */
  deletedCount: number;
  /** The failed tasks of panels that were deleted. */
  deletedFailureCount: number;
}

export interface SourceCount {
  domain: string;
  /** Null in counts by domain. In counts by address, null for the pages of the domain that redirects hide. */
  canonicalUrl: string | null;
  type: string | null;
  /** Answers that cite it at least once. */
  answers: number;
  /** Citations, counting each canonical URL once per answer. */
  citations: number;
  /** The share of the citations of all sources in the selection. */
  share: number;
  /** When the first answer of the selection was observed that cites it. */
  firstCitedAt: string;
  /** When the last one was. */
  lastCitedAt: string;
}

export interface SourceCounts {
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  from: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  to: string;
  /** Answers in the selection. */
  answers: number;
  /** Those that cite at least one source. */
  answersWithSources: number;
  /** Citations of all sources. */
  citations: number;
  /** Most answers first, then by name. */
  sources: SourceCount[];
}

export interface EntitySpan {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  observationId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  taskId: string | null;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  importId: string | null;
  platformCode: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  observedAt: string;
  /** Offset in the answer, in UTF-16 code units. */
  start: number;
  /** The offset after its last code unit. */
  end: number;
  /** What was written. Null if the answer has expired. */
  text: string | null;
  /** Up to 80 code units of the answer before it. */
  before: string | null;
  /** Up to 80 code units after it. */
  after: string | null;
}

export interface EntitySpanPage {
  /** Newest answer first, in the order of the answer. */
  mentions: EntitySpan[];
  nextCursor: string | null;
}

export interface MentionRecount {
  /** Observations whose answer was searched again. */
  recounted: number;
  /** Those whose mentions changed. */
  changed: number;
  /** Observations whose answer takes more work to search for the account's entities than an answer may: they keep their mentions. Define fewer names that contain each other, or differ only in their separators. */
  notSearched: number;
  /** Observations whose answer has expired: they keep their mentions, and the `matcher` that found them. */
  expired: number;
  /** Where to continue. Null: every observation was visited. */
  nextCursor: string | null;
}

export interface ImportedAnswer {
  /** Identifies the answer where it comes from. Without it, an answer is the same if its line is the same. */
  id?: string | null;
  /** The question, as it was asked. */
  question: string;
  /** Where it was asked. Any code, also of platforms that this service does not have. */
  platformCode: string;
  /** ISO 8601 UTC, ending in `Z`, such as `2026-11-01T09:30:00Z`. */
  observedAt: string;
  /** The answer. */
  content: string | null;
  /** True: the platform had an answer, but its text and sources were not read. It counts as an answer, and in no figure about what answers say. `content` must be null. */
  unread?: boolean | null;
  /** The model that the platform reported. */
  modelVersion?: string | null;
  /** Country and language of the question, in any notation. */
  locale?: string | null;
  /** The persona that asked. */
  persona?: string | null;
  /** The panel whose prompt was asked. Default: the panel that the request names, if any. */
  panelId?: string | null;
  /** The prompt: answers with the same one are answers to the same prompt. With a panel, one of its prompts; without it, the panel's prompt whose text is `question`. */
  promptId?: string | null;
  /** The topic of the prompt. Only read if the import adds the prompt to a panel of imported answers. */
  topic?: string | null;
  /** With a panel: in which run it was asked. The id of a run of the panel, or any name: answers with the same one are of one run. Default: the day of `observedAt` (UTC). */
  run?: string | null;
  /** Which of several repeats. */
  repeat?: number | null;
  /** Your own reference. */
  clientReference?: string | null;
  tags?: string[] | null;
  sources?:
    | {
        /** The address as the platform gave it. */
        url: string;
        /** Its title. */
        title?: string | null;
        /** The host name of its site. Only read if `url` is a redirect that does not contain the address of its page; what is no host name is ignored. For redirects of Gemini, the title is read where there is none. */
        site?: string | null;
      }[]
    | null;
  /** In the order in which the answer shows them. */
  products?:
    | {
        /** The product's name. */
        title: string;
        /** Its address. */
        url?: string | null;
        /** The price, as it was shown. */
        price?: string | null;
        /** Its unit, if that stood beside it. */
        priceUnit?: string | null;
        /** The shop, as it was named. */
        shop?: string | null;
      }[]
    | null;
  /** The advertisements beside the answer. Empty: there were none. Null: it is not known whether there were any. */
  ads?:
    | {
        /** As the advertisement names it. */
        advertiser?: string | null;
        /** Its title. */
        title?: string | null;
        /** The landing page. Identifiers of clicks are removed; it is never opened. */
        url?: string | null;
        /** The address as the advertisement shows it. */
        displayUrl?: string | null;
        /** Where it stood, such as `below_answer`. */
        placement?: string | null;
      }[]
    | null;
  /** Questions that were shown beside the answer. */
  relatedQuestions?: string[] | null;
  /** Searches that were shown beside the answer. */
  relatedSearches?: string[] | null;
  /** Null if it is not known. */
  searches?: string[] | null;
}

export interface ImportRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  importId: string;
  name: string;
  format: "querent" | "serpapi" | "dataforseo";
  /** The panel that the request named, or that the import made: that of answers which name none. Null: none. */
  panelId: string | null;
  /** The first line that has not been received. To continue an interrupted import, send from here on. */
  nextLine: number;
  /** Answers that became observations. */
  importedCount: number;
  /** Answers that were there already, and were left alone. */
  duplicateCount: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  updatedAt: string;
  /** In the reply to a part: lines that were imported, but with less than they announce (the first 100). Absent if there are none. */
  warnings?: {
    /** `/LINE`, with the number of the line. */
    pointer: string;
    detail: string;
  }[];
}

export interface ImportPage {
  imports: ImportRecord[];
  nextCursor: string | null;
}

export interface Overview {
  /** Current problems that delay tasks or deliveries, errors first. Empty if there are none. */
  conditions: {
    /** `endpoint_suspended`: nothing is sent to the account's webhook endpoint until the endpoint is set again or passes a test. `endpoint_failing`: the last attempts to deliver to it failed, and will be retried. `channel_gone`: a channel of reports and alerts is gone, and nothing is sent to it until its address is replaced or it passes a test. `platform_failing`: a platform is failing, or its circuit breaker is open. `platform_throttled`: a platform returned a rate limit and is paused until it expires. `platform_paused`: the operator has set a platform's limit to 0. `no_browser`: no worker has a working browser, so screenshots and tasks for web platforms are rejected. `no_worker`: no running worker can ask a platform, and its tasks wait. `points_exhausted`: the account has no points left. `points_low`: at the rate of the last 24 hours, the remaining points last less than a day. More codes may be added. */
    code:
      | "endpoint_suspended"
      | "endpoint_failing"
      | "channel_gone"
      | "platform_failing"
      | "platform_throttled"
      | "platform_paused"
      | "no_browser"
      | "no_worker"
      | "points_exhausted"
      | "points_low";
    /** `error`: something does not work. `warning`: it works with limitations, or is retried automatically. */
    severity: "error" | "warning";
    /** When it started. Null if unknown. */
    since: string | null;
    /** An explanation for people, and how to resolve it. */
    detail: string;
    /** The platform concerned, if any. */
    platformCode: string | null;
  }[];
  period: "24h" | "7d" | "30d";
  /** Tasks that have not ended. */
  pending: {
    total: number;
    running: number;
    /** When the oldest task that is ready or running was accepted. Tasks that wait for `notBefore` or for a retry are excluded. */
    oldest: string | null;
  };
  current: OverviewPeriod;
  before: OverviewPeriod;
  /** The duration of a bucket: 1 hour, 6 hours or 1 day. */
  bucketSeconds: number;
  /** The buckets of the period, oldest first and without gaps. The last one is incomplete. */
  series: OverviewBucket[];
  /** The same number of buckets of the preceding period. */
  seriesBefore: OverviewBucket[];
  webhook: {
    status: "active" | "suspended" | "unset";
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    suspendedAt: string | null;
    suspendedReason: "gone" | "failing" | null;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    lastSuccessAt: string | null;
    /** Failed attempts to deliver to the account's endpoint since the last success. */
    failuresSinceSuccess: number;
    /** Counted up to 1,000. */
    pendingDeliveries: number;
    /** Deliveries that failed in the period, among the 1,000 most recent ones that were not delivered. */
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
  /** completed / (completed + failed). Null if there were none. */
  successRate: number | null;
  /** Median time to answer of the completed tasks in seconds, estimated from a histogram. It is measured over the successful attempt, and excludes time in the queue, throttling, open circuit breakers and failed attempts. */
  p50Seconds: number | null;
  /** The 95th percentile of the same. */
  p95Seconds: number | null;
  chargedPoints: number;
}

export interface OverviewBucket {
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  start: string;
  completed: number;
  failed: number;
  canceled: number;
  /** completed / (completed + failed). Null if there were none. */
  successRate: number | null;
  /** Median time to answer of the completed tasks in seconds, estimated from a histogram. It is measured over the successful attempt, and excludes time in the queue, throttling, open circuit breakers and failed attempts. */
  p50Seconds: number | null;
  /** The 95th percentile of the same. */
  p95Seconds: number | null;
  chargedPoints: number;
}

export interface PointsBalance {
  /** Granted - captured - held. */
  available: number;
  /** Held for tasks that have not ended. */
  held: number;
  /** Total points captured. */
  captured: number;
  /** Total points granted. */
  granted: number;
}

/** What the account stores. Once it holds its quota of rows or bytes, requests that store more without points are refused with 403 `storage_quota_exceeded`. New tasks are refused only if `uncharged_tasks` alone, or `artifactBytes`, has reached its quota. Running tasks end and their results are stored in any case. */
export interface StorageUse {
  /** Rows that are stored without points. */
  rows: {
    held: number;
    quota: number;
  };
  /** Their size. */
  bytes: {
    held: number;
    quota: number;
  };
  /** Size of the files of results, as of the last measuring. */
  artifactBytes: {
    held: number;
    quota: number;
  };
  kinds: {
    /** `imports`: imported answers with their texts, and the imports (limited); `panels`: revisions, runs and seals of panels (limited); `entities`: revisions of entities (limited); `reports`: the pages of shared reports (limited); `uncharged_tasks`: tasks that failed or were canceled, with their questions (limited); `artifacts`: pages, screenshots and other files of results; `tasks`: all tasks, with their questions; `results`: results with the responses of platforms; `observations`: observations of tasks; `deliveries`: deliveries of webhooks. A task counts in `tasks` as well. */
    kind:
      | "imports"
      | "panels"
      | "entities"
      | "reports"
      | "uncharged_tasks"
      | "artifacts"
      | "tasks"
      | "results"
      | "observations"
      | "deliveries";
    rows: number;
    /** As stored, without indexes. */
    bytes: number;
    /** Counts towards the quota of rows and bytes. */
    limited: boolean;
    /** When the rows were last counted one by one. Null: not yet. What is limited is counted when it is stored, and is exact between two measurings as long as nothing expires. */
    measuredAt: string | null;
  }[];
}

export interface UsageRecord {
  account: string;
  /** The token of this request, and its scopes. */
  token: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    tokenId: string;
    scopes: (
      | "tasks:write"
      | "tasks:read"
      | "panels:write"
      | "panels:read"
      | "reports:read"
      | "webhook:manage"
      | "usage:read"
      | "members:read"
      | "members:manage"
      | "access:manage"
      | "audit:read"
      | "admin"
    )[];
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
  /** What the account stores. Once it holds its quota of rows or bytes, requests that store more without points are refused with 403 `storage_quota_exceeded`. New tasks are refused only if `uncharged_tasks` alone, or `artifactBytes`, has reached its quota. Running tasks end and their results are stored in any case. */
  storage: StorageUse;
}

export interface UsageDays {
  /** UTC day. */
  from: string;
  /** UTC day. */
  to: string;
  /** Newest first. Days on which no task ended are omitted. */
  days: UsageDay[];
}

export interface ProjectUsageDay {
  /** UTC day. */
  day: string;
  /** The project in which the panel was when it asked. A panel that moves leaves its usage behind. */
  projectId: string;
  /** Null if the project was deleted. */
  projectName: string | null;
  platformCode: string;
  completed: number;
  failed: number;
  canceled: number;
  chargedPoints: number;
}

export interface ProjectUsage {
  /** UTC day. */
  from: string;
  /** UTC day. */
  to: string;
  /** Newest first. What no panel asked is in no project, and neither is what ended before the service recorded this. */
  days: ProjectUsageDay[];
}

export interface UsageDay {
  /** UTC day. */
  day: string;
  platformCode: string;
  /** The token that submitted the tasks. Null if it was not recorded. */
  tokenId: string | null;
  tokenName: string | null;
  completed: number;
  failed: number;
  canceled: number;
  chargedPoints: number;
}

export interface TokenRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  tokenId: string;
  name: string | null;
  /** Its first characters, to identify it. */
  preview: string;
  scopes: (
    | "tasks:write"
    | "tasks:read"
    | "panels:write"
    | "panels:read"
    | "reports:read"
    | "webhook:manage"
    | "usage:read"
    | "members:read"
    | "members:manage"
    | "access:manage"
    | "audit:read"
    | "admin"
  )[];
  /** The projects to which it is limited, by name. Null: it is for the whole account. */
  projects: ProjectRef[] | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  expiresAt: string | null;
  /** With a precision of one minute. */
  lastUsedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  revokedAt: string | null;
}

export interface TokenList {
  /** Active tokens before revoked ones, newest first. At most 500. */
  tokens: TokenRecord[];
}

export interface TokenRequest {
  /** A name to identify it. */
  name: string;
  scopes: (
    | "tasks:write"
    | "tasks:read"
    | "panels:write"
    | "panels:read"
    | "reports:read"
    | "webhook:manage"
    | "usage:read"
    | "members:read"
    | "members:manage"
    | "access:manage"
    | "audit:read"
    | "admin"
  )[];
  /** The projects to which it is limited. It can have the scopes `tasks:read`, `panels:write`, `panels:read` and `reports:read`. Default: the whole account. */
  projects?: string[] | null;
  /** A time in the future. Default: the token does not expire. */
  expiresAt?: string | null;
}

export interface IssuedToken {
  /** `qrt_` and 43 characters. Store it: it cannot be read again. */
  token: string;
  record: TokenRecord;
}

export interface SignInWithPassword {
  /** An e-mail address. Case does not matter. */
  email: string;
  /** Of a person with a second factor: the code that the authenticator app shows, or a recovery code. */
  code?: string | null;
  /** The person's password. */
  password: string;
}

export interface LoginState {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  loginId: string;
  person: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    personId: string;
    email: string;
    name: string;
  };
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  accountId: string;
  accountName: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  memberId: string;
  /** `owner`: Everything in the account, including its members and their roles. `admin`: Everything in the account but its members: also webhooks, the signing secret, access tokens, the audit log, and ending the logins of members. `editor`: Ask, and change panels, brands, imports and caps. `viewer`: Read tasks, answers, panels, figures and usage. `client`: Read the reports, figures and brands of the panels of named projects: nothing of points, runs, tasks and other projects. */
  role: "owner" | "admin" | "editor" | "viewer" | "client";
  /** The person also operates the service: the scope `admin` is added to those of the role. */
  operator: boolean;
  /** The person signs in with a password and a code. */
  secondFactor: boolean;
  /** How many recovery codes are left. */
  recoveryCodes: number;
  /** The person can sign in with a password. */
  hasPassword: boolean;
  /** How many passkeys the person has. */
  passkeys: number;
  /** The account requires a second factor, and this login has shown none: other operations are refused until it has. */
  needsSecondFactor: boolean;
  /** How the person signed in. `password`: with the password. `link`: with a one-time link. `provider`: at an identity provider, or by a proxy. `passkey`: with a passkey. */
  way: "password" | "link" | "provider" | "passkey";
  /** The identity provider at which the person signed in. `proxy`: the proxy in front of the service. */
  providerId: string | null;
  /** What the person may do in this account. */
  scopes: (
    | "tasks:write"
    | "tasks:read"
    | "panels:write"
    | "panels:read"
    | "reports:read"
    | "webhook:manage"
    | "usage:read"
    | "members:read"
    | "members:manage"
    | "access:manage"
    | "audit:read"
    | "admin"
  )[];
  /** The projects to which it is limited, by name. Null: it is for the whole account. */
  projects: ProjectRef[] | null;
  /** The accounts of which the person is a member, by name. */
  memberships: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    accountId: string;
    accountName: string;
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    memberId: string;
    /** `owner`: Everything in the account, including its members and their roles. `admin`: Everything in the account but its members: also webhooks, the signing secret, access tokens, the audit log, and ending the logins of members. `editor`: Ask, and change panels, brands, imports and caps. `viewer`: Read tasks, answers, panels, figures and usage. `client`: Read the reports, figures and brands of the panels of named projects: nothing of points, runs, tasks and other projects. */
    role: "owner" | "admin" | "editor" | "viewer" | "client";
  }[];
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  expiresAt: string;
}

export interface LoginRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  loginId: string;
  /** The login of this request. */
  current: boolean;
  /** The address from which the person signed in. */
  address: string;
  /** The browser, as it named itself. */
  userAgent: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** With a precision of one minute. */
  lastUsedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  expiresAt: string;
}

export interface LoginList {
  /** Last used first. At most 200. */
  logins: LoginRecord[];
}

export interface PasswordChange {
  /** The present password. Left out: the person has none, and has signed in with a passkey within the last ten minutes. */
  currentPassword?: string | null;
  /** At least 12 characters. Passwords that are known from breaches, or that are guessed as easily, are refused. */
  newPassword: string;
}

export interface ProviderAddress {
  /** An address of the identity provider, to which the browser goes. */
  address: string;
}

export interface ProviderResponse {
  /** The query of the address to which the provider has sent the browser back, without `?`. */
  response: string;
}

export interface ProviderSignInStart {
  /** The part of the link after `#`. */
  link?: string | null;
}

export interface ProviderSignOut {
  /** Where the browser ends the session at the identity provider, too. Null: there is none to end. */
  address: string | null;
}

export interface NewSecondFactor {
  /** The secret in Base32, to be entered into an authenticator app by hand. */
  secret: string;
  /** The same as an `otpauth:` address, for a QR code. */
  address: string;
}

export interface RecoveryCodes {
  /** Each signs in once in place of a code of the app. They cannot be read again. */
  recoveryCodes: string[];
}

export interface SecondFactorRemoval {
  /** The person's password. */
  password: string;
  /** Of a person with a second factor: the code that the authenticator app shows, or a recovery code. */
  code: string;
}

export interface SecondFactorRule {
  /** Members need a passkey, or a password and a code. Whoever signs in at an identity provider has the second factor there. */
  required: boolean;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  since: string | null;
}

export interface SignInWays {
  /** With an e-mail address and a password. */
  password: boolean;
  /** The console accepts access tokens. */
  token: boolean;
  /** Identity providers, in the order of the operator's file. */
  providers: {
    providerId: string;
    /** What people call it. */
    name: string;
  }[];
  /** The proxy by way of which this request came, and which has signed somebody in. Null: the request came in another way, the proxy states nobody, or none is configured. */
  proxy: {
    /** What people call it. */
    name: string;
  } | null;
  /** With a passkey, at the address of this request. */
  passkeys: boolean;
  /** Where passkeys work, if not at the address of this request. Null: they work here, or nowhere: they need a host name, and HTTPS or `localhost`. */
  passkeyAddress: string | null;
}

export interface PasskeyOptions {
  /** As `PublicKeyCredential.parseCreationOptionsFromJSON()` or, to sign in, `parseRequestOptionsFromJSON()` take them. */
  options: Record<string, unknown>;
}

export interface NewPasskey {
  /** The `id` of the credential. In base64url, without padding. */
  credentialId: string;
  /** `response.clientDataJSON`. In base64url, without padding. */
  clientData: string;
  /** `response.attestationObject`. In base64url, without padding. */
  attestation: string;
  /** `response.transports`. */
  transports?: string[] | null;
  /** What the person calls it. */
  name?: string | null;
}

export interface PasskeyAnswer {
  /** The `id` of the credential. In base64url, without padding. */
  credentialId: string;
  /** `response.clientDataJSON`. In base64url, without padding. */
  clientData: string;
  /** `response.authenticatorData`. In base64url, without padding. */
  authenticatorData: string;
  /** `response.signature`. In base64url, without padding. */
  signature: string;
  /** `response.userHandle`. In base64url, without padding. */
  userHandle?: string | null;
}

export interface PasskeyRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  passkeyId: string;
  name: string;
  /** Where it works. */
  host: string;
  /** A password manager keeps it on several devices, as far as it says so. Otherwise it is lost with its device. */
  synced: boolean;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  lastUsedAt: string | null;
}

export interface PasskeyList {
  /** Oldest first. A person has at most 20. */
  passkeys: PasskeyRecord[];
}

export interface PasskeyStart {
  /** The person's password. */
  password?: string | null;
  /** Of a person with a second factor: the code that the authenticator app shows, or a recovery code. */
  code?: string | null;
}

export interface PasskeyReset {
  /** With it, the person sets a password or makes a new passkey, once and within 24 hours. Null: the person has another way to sign in. */
  link: string | null;
}

export interface OneTimeLinkState {
  /** `invitation`: to join an account. `password`: to set a new password. */
  purpose: "invitation" | "password";
  accountName: string | null;
  /** `owner`: Everything in the account, including its members and their roles. `admin`: Everything in the account but its members: also webhooks, the signing secret, access tokens, the audit log, and ending the logins of members. `editor`: Ask, and change panels, brands, imports and caps. `viewer`: Read tasks, answers, panels, figures and usage. `client`: Read the reports, figures and brands of the panels of named projects: nothing of points, runs, tasks and other projects. */
  role: "owner" | "admin" | "editor" | "viewer" | "client" | null;
  /** Null: the person chooses it. */
  email: string | null;
  /** A person with this e-mail address has a password here, and accepts the invitation with it. */
  known: boolean;
  /** A person with this e-mail address has a passkey here, and can accept the invitation by signing in with it. */
  passkey: boolean;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  expiresAt: string;
}

export interface LinkAcceptance {
  /** The part of the link after `#`. */
  token: string;
  /** An e-mail address. Case does not matter. */
  email?: string | null;
  /** The name that others see. */
  name?: string | null;
  /** Of a person with a second factor: the code that the authenticator app shows, or a recovery code. */
  code?: string | null;
  /** A new password of at least 12 characters or, of a person who is known, the present one. Left out: a passkey is sent instead. */
  password?: string | null;
  passkey?: NewPasskey | null;
}

export interface MemberRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  memberId: string;
  email: string;
  name: string;
  /** `owner`: Everything in the account, including its members and their roles. `admin`: Everything in the account but its members: also webhooks, the signing secret, access tokens, the audit log, and ending the logins of members. `editor`: Ask, and change panels, brands, imports and caps. `viewer`: Read tasks, answers, panels, figures and usage. `client`: Read the reports, figures and brands of the panels of named projects: nothing of points, runs, tasks and other projects. */
  role: "owner" | "admin" | "editor" | "viewer" | "client";
  /** The projects to which it is limited, by name. Null: it is for the whole account. */
  projects: ProjectRef[] | null;
  /** The person signs in with a password and a code. */
  secondFactor: boolean;
  /** How many passkeys the person has. */
  passkeys: number;
  /** The person can sign in with a password. */
  hasPassword: boolean;
  /** The identity provider whose groups decide the role at each sign-in. Null: an invitation or an owner gave it. */
  provider: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  lastSignInAt: string | null;
  /** In how many browsers the person is signed in. */
  logins: number;
}

export interface MemberList {
  /** By e-mail address. An account has at most 1000. */
  members: MemberRecord[];
}

export interface MemberChange {
  /** `owner`: Everything in the account, including its members and their roles. `admin`: Everything in the account but its members: also webhooks, the signing secret, access tokens, the audit log, and ending the logins of members. `editor`: Ask, and change panels, brands, imports and caps. `viewer`: Read tasks, answers, panels, figures and usage. `client`: Read the reports, figures and brands of the panels of named projects: nothing of points, runs, tasks and other projects. */
  role: "owner" | "admin" | "editor" | "viewer" | "client";
  /** The projects to which it is limited, as in an invitation. Null: the whole account. Left out: as before. */
  projects?: string[] | null;
}

export interface InvitationRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  invitationId: string;
  /** Null: whoever opens the link chooses the e-mail address. */
  email: string | null;
  /** `owner`: Everything in the account, including its members and their roles. `admin`: Everything in the account but its members: also webhooks, the signing secret, access tokens, the audit log, and ending the logins of members. `editor`: Ask, and change panels, brands, imports and caps. `viewer`: Read tasks, answers, panels, figures and usage. `client`: Read the reports, figures and brands of the panels of named projects: nothing of points, runs, tasks and other projects. */
  role: "owner" | "admin" | "editor" | "viewer" | "client";
  /** The projects to which it is limited, by name. Null: it is for the whole account. */
  projects: ProjectRef[] | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  expiresAt: string;
}

export interface InvitationList {
  /** Those that can still be accepted, newest first. An account has at most 1000. */
  invitations: InvitationRecord[];
  mail: {
    /** From whom mail is. */
    from: string | null;
    /** Why no mail can be sent, for people. Null: it can be tried. */
    missing: string | null;
  };
}

export interface AuditEntry {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  entryId: string;
  /** Whose log it is in. All zeros: that of the installation. */
  accountId: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  at: string;
  /** `change`: something was changed. `secret`: a secret was read. `export`: data were taken as a file. `spend`: the spending of other accounts was read. `refusal`: a sign-in was refused. */
  kind: "change" | "secret" | "export" | "spend" | "refusal";
  /** The id of the operation in the API, or the command, such as `querentd token create`. */
  operation: string;
  actor: {
    /** `person`: a person who is a member of the account. `token`: a program with an access token of the account. `operator`: an operator of the service, by the API or with `querentd`. `system`: the service itself. `visitor`: somebody who was not signed in. */
    kind: "person" | "token" | "operator" | "system" | "visitor";
    /** The person or the token. Null: a command, or the service. */
    id: string | null;
    /** The person's e-mail address, the token's name, or the operating system's user. Null for operators of other accounts. */
    name: string | null;
  };
  /** What was changed or read, such as a `panel`. Null: the account as a whole. */
  target: {
    type: string;
    id: string;
  } | null;
  /** Settings before the change, where they are known. */
  before: Record<string, unknown> | null;
  /** Settings after it. */
  after: Record<string, unknown> | null;
  /** The client's address. Null: a command, or the service. */
  address: string | null;
  /** `X-Request-Id` of the response. */
  requestId: string | null;
  /** The place in the account's chain, without gaps. Null for the moment before the entry is sealed. */
  sequence: number | null;
  /** SHA-256 of this entry and the digest before it, in hexadecimal. Null until it is sealed. */
  digest: string | null;
}

export interface AuditPage {
  /** Newest first. */
  entries: AuditEntry[];
  nextCursor: string | null;
}

export interface InvitationRequest {
  /** An e-mail address. Case does not matter. */
  email: string;
  /** `owner`: Everything in the account, including its members and their roles. `admin`: Everything in the account but its members: also webhooks, the signing secret, access tokens, the audit log, and ending the logins of members. `editor`: Ask, and change panels, brands, imports and caps. `viewer`: Read tasks, answers, panels, figures and usage. `client`: Read the reports, figures and brands of the panels of named projects: nothing of points, runs, tasks and other projects. */
  role: "owner" | "admin" | "editor" | "viewer" | "client";
  /** The projects to which it is limited. Of a `client`: required. Of an `editor` or a `viewer`: null, or left out, for the whole account; if it is limited, only its scopes for panels are left, because tasks, usage and webhooks are those of the whole account. An `owner` and an `admin` are not limited. */
  projects?: string[] | null;
  /** After so many days the link expires. */
  days?: number | null;
  /** Also mails the link to `email`, in this language. Null: it is sent by hand. */
  mail?: "en" | "zh-CN" | null;
}

export interface CreatedInvitation {
  /** Send it to the person. It can be used once, and cannot be read again. */
  link: string;
  record: InvitationRecord;
  /** Null: no mail was asked for. */
  mail: InvitationMail | null;
}

export interface InvitationMail {
  /** `accepted`: the mail server has taken it. `refused`: the mail server takes no mail for this address. `unknown`: it may have taken it. `failed`: nothing was sent. */
  state: "accepted" | "refused" | "unknown" | "failed";
  /** The same for people, with what to do. */
  detail: string;
}

export interface ConnectionRequest {
  requestId: string;
  client: {
    /** What the client calls itself, in at most 80 characters that are letters, digits, spaces and punctuation. Nobody has verified it. */
    name: string;
    /** The host that publishes the client's description, by HTTPS. Null: the client registered itself, and nothing that it says of itself is verified. */
    host: string | null;
  };
  redirect: {
    /** The host to which the browser is sent with the answer, as in its address; of an app on the person's own device, the scheme of its address, such as `cursor:`. */
    host: string;
    /** `web`: a website. `device`: a program on this device, at an address such as `http://localhost`. `app`: whichever app of this device has claimed the scheme. Every program of a device can pass itself off as another in the last two. */
    kind: "web" | "device" | "app";
  };
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  accountId: string;
  accountName: string;
  /** What the client asks for, of what assistants can be given. */
  requested: ("tasks:read" | "reports:read" | "tasks:write")[];
  /** What of it the person's role in the account allows. Nothing else can be given. */
  allowed: ("tasks:read" | "reports:read" | "tasks:write")[];
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  expiresAt: string;
}

export interface ConnectionDecision {
  /** The request that the page has shown. If the browser has begun another one since, nothing is decided. */
  requestId: string;
  /** What the assistant may do, of what it asks for and the role allows. Empty: the request is refused. */
  scopes: (
    | "tasks:write"
    | "tasks:read"
    | "panels:write"
    | "panels:read"
    | "reports:read"
    | "webhook:manage"
    | "usage:read"
    | "members:read"
    | "members:manage"
    | "access:manage"
    | "audit:read"
    | "admin"
  )[];
  /** The account that the page has shown. If the login is for another one, nothing is decided. */
  accountId: string;
}

export interface ConnectionAnswer {
  /** An address of this service, which sends the browser back to the client. */
  address: string;
}

export interface ConnectionRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  connectionId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  accountId: string;
  accountName: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  memberId: string;
  /** The person who has connected it. */
  email: string;
  client: {
    /** What the client calls itself, in at most 80 characters that are letters, digits, spaces and punctuation. Nobody has verified it. */
    name: string;
    /** The host that publishes the client's description, by HTTPS. Null: the client registered itself, and nothing that it says of itself is verified. */
    host: string | null;
  };
  /** The host to which the browser is sent with the answer, as in its address; of an app on the person's own device, the scheme of its address, such as `cursor:`. */
  redirectHost: string;
  /** What the person has given it. At each request it can do what the person's role allows of that at the time. */
  scopes: ("tasks:read" | "reports:read" | "tasks:write")[];
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** With a precision of one minute. */
  lastUsedAt: string | null;
}

export interface ConnectionList {
  /** Newest first. At most 500. */
  connections: ConnectionRecord[];
}

export interface AccountUse {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  accountId: string;
  name: string;
  /** Running tasks, over all nodes. */
  running: number;
  /** Slots of webhook deliveries, over all processes. */
  deliveries: number;
  /** Event streams in the process that answered. */
  eventStreams: number;
  /** Requests that wait for the end of a task (`Prefer: wait`) in the process that answered. */
  waits: number;
  /** Requests for lists, usage and overviews in the process that answered. */
  lists: number;
  /** Exports of batches in the process that answered. */
  exports: number;
  /** Requests with a body above 256 KiB in the process that answered. */
  largeBodies: number;
}

export interface Engine {
  queues: QueueRecord[];
  nodes: NodeRecord[];
  /** The 20 accounts that use the most at the moment. */
  accounts: AccountUse[];
}

export interface QueueRecord {
  platformCode: string;
  name: string;
  configured: boolean;
  /** Tasks that are ready to start. Counted up to 20,000. */
  queued: number;
  /** Tasks that wait for `notBefore` or for a retry. Counted up to 20,000. */
  waiting: number;
  running: number;
  /** When the oldest queued task was accepted. */
  oldestQueuedAt: string | null;
  limits: PlatformLimits;
  /** The configured limits. Null for a platform that is disabled in the configuration. */
  configuredLimits: PlatformLimits | null;
  /** Present while limits that were set live replace the configured ones. */
  override: {
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    setAt: string;
    /** The token that set the limits. */
    tokenId: string | null;
  } | null;
  /** Throttled until: the platform returned a rate limit, and no task starts before this time. */
  heldUntil: string | null;
  breaker: {
    /** The number of consecutive failures that open it. Null: never. */
    opensAfter: number | null;
    failuresInRow: number;
    /** Set while it is open. */
    openUntil: string | null;
  };
}

export interface NodeList {
  nodes: NodeRecord[];
}

export interface NodeRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  nodeId: string;
  name: string;
  version: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startedAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  leaseUntil: string;
  /** True while its lease has not expired, by the database's clock. */
  alive: boolean;
  running: number;
  /** The roles of its process. Null until it has reported. */
  roles: string[] | null;
  /** Tasks that it runs at once. Null until it has reported. */
  slotsMax: number | null;
  /** `QUERENT_WORKER_PLATFORMS`: the platforms to which it is restricted. Null: none. */
  onlyPlatforms: string[] | null;
  /** The platforms whose tasks it runs, and those that it should run and cannot. */
  platforms: {
    platformCode: string;
    running: number;
    /** Why it cannot ask the platform, for the operator. Null if it can. */
    missing: string | null;
  }[];
  /** Whether it can use a browser, for screenshots and web platforms. Null until this has been checked. */
  browser: {
    usable: boolean;
    /** Why it cannot use a browser. Null if it can. */
    why: string | null;
  } | null;
}

export interface PlatformSetupList {
  platforms: PlatformSetup[];
}

export interface PlatformSetup {
  platformCode: string;
  name: string;
  kind: "api" | "web" | "sample";
  /** What the platform still needs, for people. Null: it can be asked. */
  missing: string | null;
  /** Null: the platform needs no key. */
  key: {
    /** The environment variable that can contain the key. Platforms that name the same variable use the same key. */
    variable: string;
    /** Where the key comes from. `environment`: the environment of the process that answers, which takes precedence. Null: there is none. */
    from: "environment" | "stored" | null;
    /** The last four characters of the stored key. Null without one, or if it has fewer than 16. */
    ending: string | null;
    /** When the stored key was stored. Null: none is stored. */
    storedAt: string | null;
    /** False: the key is stored, but the master key of the process that answers can't decrypt it. */
    readable: boolean;
    /** The vendor's page where one gets a key, if it is known. */
    page: string | null;
  } | null;
  /** Null: the platform is not a model API. */
  model: {
    value: string;
    from: "file" | "stored" | "built_in";
  } | null;
  /** The model for questions with `deepAnalysis`. `from`: where the value comes from. `file`: the file of `QUERENT_CONFIG`, which takes precedence. `stored`: it was set with the API or in the console. `built_in`: nobody has set it. */
  deepModel: {
    value: string;
    from: "file" | "stored" | "built_in";
  } | null;
  /** `from`: where the value comes from. `file`: the file of `QUERENT_CONFIG`, which takes precedence. `stored`: it was set with the API or in the console. `built_in`: nobody has set it. */
  price: {
    /** Points of a task. */
    base: {
      value: number;
      from: "file" | "stored" | "built_in";
    };
    /** Added by `deepAnalysis`. */
    deepAnalysis: {
      value: number;
      from: "file" | "stored" | "built_in";
    };
    /** Added by `output: screenshot`. */
    screenshot: {
      value: number;
      from: "file" | "stored" | "built_in";
    };
    /** Added by `output: share_link`. */
    shareLink: {
      value: number;
      from: "file" | "stored" | "built_in";
    };
    /** Added by `resultFormat: html` or `all`. */
    pageHtml: {
      value: number;
      from: "file" | "stored" | "built_in";
    };
  };
}

export interface PlatformKeyRequest {
  /** The vendor's key: printable ASCII characters without spaces. It can't be read again. */
  key: string;
}

export interface PlatformSettingsRequest {
  /** The name of a model, as the vendor's API takes it. */
  model?: string | null;
  /** The name of a model, as the vendor's API takes it. */
  deepModel?: string | null;
  price?: {
    base?: number | null;
    deepAnalysis?: number | null;
    screenshot?: number | null;
    shareLink?: number | null;
    pageHtml?: number | null;
  } | null;
}

export interface PlatformKeyTest {
  platformCode: string;
  /** `answered`: it works. `key_refused`: the vendor does not accept the key. `no_credit`: the account at the vendor has no credit or quota left. `unknown_model`: the vendor does not have the model, or its address has changed. `rate_limited`: it limits requests at the moment, so it knows the key. `unreachable`: there is no connection to the vendor. `timed_out`: no answer within 55 seconds. `vendor_fault`: the vendor has a fault, or its answer can't be parsed. `refused`: it refuses the question or the request. */
  result:
    | "answered"
    | "key_refused"
    | "no_credit"
    | "unknown_model"
    | "rate_limited"
    | "unreachable"
    | "timed_out"
    | "vendor_fault"
    | "refused";
  /** What came back, for people. Contains no key. */
  detail: string;
  /** The HTTP status of the vendor's response, if there was one. */
  status: number | null;
  /** The model that was asked. */
  model: string;
  seconds: number;
}

export interface SessionList {
  sessions: SessionRecord[];
}

export interface SessionRecord {
  platformCode: string;
  /** Names the account at the platform; unique within the platform. */
  name: string;
  /** `throttled`: the page limits this session, and it is not used before `throttledUntil`. `signed_out`: the page asks to sign in, and it is not used before the next sign-in. `needs_person`: the page asks for a human, and it is not used until a person has passed the check and resumed it, or signed in again. */
  state: "ready" | "throttled" | "signed_out" | "needs_person";
  /** Tasks that use it now. */
  running: number;
  /** Its own limits, from `sessions` of the platform's settings. Null: only those of the platform. */
  limits: {
    /** The most tasks that use it at the same time. */
    runningMax: number | null;
    /** The most tasks that begin to use it in a minute. */
    perMinute: number | null;
    /** The most tasks that begin to use it in an hour. */
    perHour: number | null;
  };
  /** Its size. */
  bytes: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  signedInAt: string;
  /** The last time that what the page changed was stored. */
  savedAt: string | null;
  /** The last time that a task began to use it. */
  usedAt: string | null;
  /** The last complete answer. */
  succeededAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  throttledUntil: string | null;
  /** Since when it is `signed_out` or `needs_person`. */
  signedOutAt: string | null;
  /** What the page showed, for the operator. */
  signedOutWhy: string | null;
}

/** Playwright's storage state, as `querentd recipe sign-in` writes it. */
export interface SessionState {
  cookies: {
    name: string;
    value: string;
    domain: string;
  }[];
  origins: {
    origin: string;
  }[];
}

export interface SignInRequest {
  /** A web platform. */
  platformCode: string;
  /** Names the account at the platform: 1 to 64 lowercase letters, digits, dots, hyphens and underscores, beginning with a letter or digit. */
  name: string;
  /** Visit the page from this country, through the proxy that tasks with `options.country` use. Default: from where the service is. */
  country?: string | null;
}

export interface SignIn {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  signInId: string;
  platformCode: string;
  /** The name that the session will have. */
  name: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  expiresAt: string;
  /** Increases with every change. Pass it as `after`. */
  version: number;
  /** The platform's page, and windows that it has opened. */
  pages: {
    pageId: string;
    /** The origin and path that the page is on, without its query. */
    address: string;
  }[];
  /** The page that the picture shows and that receives input. */
  shownPageId: string | null;
  picture: {
    /** A JPEG file, in base64. */
    jpeg: string;
    /** The width of the page in CSS pixels. Positions of input refer to it. */
    width: number;
    height: number;
  } | null;
}

export type SignInEvent =
  | {
      type: "move";
      x: number;
      y: number;
    }
  | {
      type: "press";
      x: number;
      y: number;
      clicks: number;
    }
  | {
      type: "release";
      x: number;
      y: number;
      clicks: number;
    }
  | {
      type: "wheel";
      x: number;
      y: number;
      deltaX: number;
      deltaY: number;
    }
  | {
      type: "key";
      key: string;
      shift: boolean;
      control: boolean;
    }
  | {
      type: "text";
      text: string;
    }
  | {
      type: "show";
      pageId: string;
    };

export interface SignInInput {
  events: SignInEvent[];
}

export interface PlatformLimits {
  /** Maximum number of running tasks, over all nodes. 0 pauses the platform. */
  runningMax: number;
  /** Null for no rate limit. */
  rate: {
    /** Tasks started per second. */
    perSecond: number;
    /** Tasks started at once. */
    burst: number;
  } | null;
}

export interface AccountStorage {
  /** Rows that count towards the quota. */
  rows: number;
  /** Their size. */
  bytes: number;
  /** Size of the files of results. */
  artifactBytes: number;
  /** Size of everything that the account stores. */
  totalBytes: number;
  /** Null for the service's setting. */
  storageRowsMax: number | null;
  /** Null for the service's setting. */
  storageBytesMax: number | null;
  /** Null for the service's setting. */
  artifactBytesMax: number | null;
}

export interface AccountRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  accountId: string;
  name: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  balance: PointsBalance;
  unfinishedTasks: number;
  /** Maximum number of unfinished tasks. A submission that exceeds it is rejected with 503 `queue_full`. */
  unfinishedMax: number;
  storage: AccountStorage;
}

export interface AccountPage {
  accounts: AccountRecord[];
  nextCursor: string | null;
}

export interface AccountRequest {
  /** 1 to 100 letters, digits, spaces and `. _ @ -`, starting with a letter or digit. */
  name: string;
  /** Initial balance. Default: 0. */
  points?: number | null;
}

export interface AccountLimits {
  /** Maximum number of unfinished tasks. A submission that exceeds it is rejected with 503 `queue_full`. */
  unfinishedMax: number;
  /** The most rows that the account may store without points. Null: the service's setting. Absent: unchanged. */
  storageRowsMax?: number | null;
  /** Their largest size. Null: the service's setting. Absent: unchanged. */
  storageBytesMax?: number | null;
  /** The largest size of the files of its results. Null: the service's setting. Absent: unchanged. */
  artifactBytesMax?: number | null;
}

export interface Demonstration {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  accountId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
}

export interface PointsGrant {
  points: number;
  /** Recorded in the ledger. */
  note?: string | null;
}

export interface EntityRequest {
  /** The name, which is also what is looked for. Unique in its project. Spaces around it are dropped. */
  name: string;
  kind?: "brand" | "product" | "person";
  /** Whether it is yours, or a competitor's. */
  relation?: "own" | "competitor" | "other";
  /** The name is found only in its own case: `Zoom`, not `zoom`. */
  caseSensitive?: boolean;
  aliases?: {
    /** Found in any case, with or without accents, spaces and hyphens. */
    text: string;
    /** Found only as it is written here: `HP`, not `hp`. */
    caseSensitive?: boolean;
  }[];
  /** Phrases that show that the name means something else. A phrase with the name in it excludes the mention in it: `Monday morning`. Any other phrase excludes the mentions of its sentence: `horsepower`. */
  negativeContexts?: string[];
  /** Its own sites, to tell own sources from those of competitors. */
  domains?: string[];
}

export interface EntityRecord {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  entityId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  projectId: string;
  /** 1 higher with each change of its content. */
  revision: number;
  name: string;
  kind: "brand" | "product" | "person";
  relation: "own" | "competitor" | "other";
  caseSensitive: boolean;
  aliases: {
    text: string;
    caseSensitive: boolean;
  }[];
  negativeContexts: string[];
  domains: string[];
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  updatedAt: string;
}

export interface EntityPage {
  entities: EntityRecord[];
  nextCursor: string | null;
}

export interface EntityRevision {
  revision: number;
  name: string;
  kind: "brand" | "product" | "person";
  relation: "own" | "competitor" | "other";
  caseSensitive: boolean;
  aliases: {
    text: string;
    caseSensitive: boolean;
  }[];
  negativeContexts: string[];
  domains: string[];
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
}

export interface EntityRevisions {
  /** Newest first. At most 200. */
  revisions: EntityRevision[];
}

export interface EntityChanges {
  created: number;
  updated: number;
  unchanged: number;
}

export interface EntityTrial {
  /** A text in Markdown, such as an answer. */
  text: string;
  /** Looks for this one instead of the account's entities. */
  entity?: {
    /** The name, which is also what is looked for. Unique in its project. Spaces around it are dropped. */
    name: string;
    kind?: "brand" | "product" | "person";
    /** Whether it is yours, or a competitor's. */
    relation?: "own" | "competitor" | "other";
    /** The name is found only in its own case: `Zoom`, not `zoom`. */
    caseSensitive?: boolean;
    aliases?: {
      /** Found in any case, with or without accents, spaces and hyphens. */
      text: string;
      /** Found only as it is written here: `HP`, not `hp`. */
      caseSensitive?: boolean;
    }[];
    /** Phrases that show that the name means something else. A phrase with the name in it excludes the mention in it: `Monday morning`. Any other phrase excludes the mentions of its sentence: `horsepower`. */
    negativeContexts?: string[];
    /** Its own sites, to tell own sources from those of competitors. */
    domains?: string[];
  };
}

export interface EntityMention {
  /** Null for the entity in the request. */
  entityId: string | null;
  name: string;
  /** The name or alias that was found. */
  variant: string;
  /** UTF-16 code units from the start of the text. */
  start: number;
  end: number;
}

export interface EntityMentions {
  /** The version of the code that found the mentions. */
  matcher: string;
  /** False if there are more mentions than are returned, or if the text was not searched to its end because that takes more work than a text may. */
  complete: boolean;
  /** By their order in the text. At most 10,000. */
  mentions: EntityMention[];
}

export interface NameChange {
  /** `alias`: another name. `negative_context`: a phrase in which the name means something else. `own_case`: the name, or the alias, of this text is found only in its own case. */
  kind: "alias" | "negative_context" | "own_case";
  /** The alias, the phrase, or the name. */
  text: string;
  /** The alias is found only as it is written. */
  caseSensitive?: boolean;
  /** With `own_case`: the other spellings in the answers that begin with a capital letter, such as `PUMA`. They become aliases, so that they are still found. */
  alsoAliases?: string[];
}

export interface NameProposal {
  /** `alias`: another name. `negative_context`: a phrase in which the name means something else. `own_case`: the name, or the alias, of this text is found only in its own case. */
  kind: "alias" | "negative_context" | "own_case";
  /** The alias, the phrase, or the name. */
  text: string;
  /** The alias is found only as it is written. */
  caseSensitive: boolean;
  /** With `own_case`: the other spellings in the answers that begin with a capital letter, such as `PUMA`. They become aliases, so that they are still found. */
  alsoAliases: string[];
  /** `script`: the name in the other Chinese script. `inflected`: the name with an ending of a language that inflects names. `own_case`: the name stands in lower case, as a word does. `sense`: it stands beside a word that shows another sense, such as juice or river. `quantity`: it counts something. `lower_case`: it is always in lower case in this phrase, and `own_case` was declined. `neighbour`: a word that stands mostly beside this name; it may or may not show another sense. */
  reason: "script" | "inflected" | "own_case" | "sense" | "quantity" | "lower_case" | "neighbour";
  /** The mentions that the change would add, or take away, in the answers that were searched. */
  mentions: number;
  /** The answers that have them. */
  answers: number;
  /** Some of the mentions: at most 5. */
  evidence: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    observationId: string;
    /** The text around the mention. */
    snippet: string;
    /** UTF-16 code units from the start of the snippet. */
    start: number;
    end: number;
  }[];
}

export interface NameProposals {
  /** By their reasons, the surest first, and then the most frequent first. */
  proposals: NameProposal[];
  /** The newest answers whose texts are still there, which were searched. */
  answers: number;
  /** The mentions of the entity in them, as it is now. */
  mentions: number;
  /** Answers with more work or mentions than are looked at. They are in no count. */
  notSearched: number;
}

export interface NameDecisions {
  /** Becomes a part of the entity. */
  approve?: NameChange[];
  /** Is not proposed again for this entity, until 200 others have been declined. */
  decline?: NameChange[];
}

export interface PanelReport {
  /** Changes if the same answers would make another report. */
  format: string;
  panel: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    panelId: string;
    name: string;
    revision: number;
    /** `sha256:` and the SHA-256 of what the revision asks, in canonical form. */
    digest: string;
  };
  window: {
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    from: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    to: string;
  };
  service: {
    name: string;
    version: string;
  };
  revisions: {
    revision: number;
    /** `sha256:` and the SHA-256 of what the revision asks, in canonical form. */
    digest: string;
    seal: {
      /** ISO 8601 UTC with milliseconds, ending in `Z`. */
      sealedAt: string;
      kid: string;
      /** Runs of the revision that had started when it was sealed. 0: no answer existed. */
      runsBefore: number;
    } | null;
    /** Answers of this revision in the report. */
    answers: number;
    sealed: "before_first_run" | "after_first_run" | "never";
  }[];
  /** The panel's brands. */
  entities: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    entityId: string;
    name: string;
    kind: "brand" | "product" | "person";
    relation: "own" | "competitor" | "other";
    domains: string[];
    aliases?: string[];
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    createdAt: string;
    /** When answers began to be searched for it by other names. Reports of earlier versions do not have it. */
    searchedSince?: string[];
  }[];
  counts: {
    /** Answers. */
    answers: number;
    /** Runs with answers. */
    runs: number;
    /** Days (UTC) with answers. */
    days: number;
    /** Prompts with answers. */
    prompts: number;
  };
  grade: ReportGrade;
  surfaces: {
    platformCode: string;
    kind: "api" | "web" | "sample" | "imported";
    locale: string;
    persona: string;
    /** Answers. */
    answers: number;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    firstAt: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    lastAt: string;
    /** Runs with answers. */
    runs: number;
    instruments: {
      instrument: FigureInstrument;
      /** Answers. */
      answers: number;
      /** ISO 8601 UTC with milliseconds, ending in `Z`. */
      firstAt: string;
      /** ISO 8601 UTC with milliseconds, ending in `Z`. */
      lastAt: string;
    }[];
    /** What the figures of the surface are of: the latest instrument with enough runs for an interval, or else the latest one. */
    headline: {
      instrument: FigureInstrument;
      /** Answers that were taken with it. */
      answers: number;
      /** Runs with such answers. */
      runs: number;
    } | null;
    /** How many runs have answers to each prompt of the panel, in its order. */
    runsOfPrompts: number[];
  }[];
  /** The definitions of all measures. */
  definitions: string[];
  /** Every measure, of everything that it can be about. */
  summary: FigureRow[];
  /** Presence by run. */
  series: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    entityId: string;
    definition: string;
    platformCode: string;
    kind: "api" | "web" | "sample" | "imported";
    locale: string;
    persona: string;
    points: {
      /** UUID, lower case. Ids created by the service are UUIDv7. */
      runId: string | null;
      day: string;
      value: number | null;
      /** Answers of the run. */
      answers: number;
      /** Not taken with the same instruments as the point before. */
      seam: boolean;
      /** The figure of this run and up to six before it, back to the last seam. Null for fewer than five runs. */
      trailing: {
        value: number;
        interval: FigureInterval;
        runs: number;
      } | null;
      observations: string;
    }[];
  }[];
  /** Presence of own entities by prompt. */
  prompts: FigureRow[];
  sources: {
    platformCode: string;
    kind: "api" | "web" | "sample" | "imported";
    locale: string;
    persona: string;
    /** Answers whose sources are known. */
    answers: number;
    /** Answers whose sources are not known, or hidden. */
    leftOut: number;
    /** Citations, counting each canonical URL once per answer. */
    citations: number;
    /** Most answers first; at most 50. */
    domains: {
      domain: string;
      type: string | null;
      /** Whose site it is, by the entities' domains. */
      relation: "own" | "competitor" | "other";
      /** Answers that cite it. */
      answers: number;
      /** Citations of it. */
      citations: number;
      share: number;
    }[];
    /** How many more domains there are. */
    domainsNotListed: number;
    types: {
      type: string;
      /** Citations. */
      citations: number;
      share: number;
    }[];
    relations: {
      relation: "own" | "competitor" | "other";
      /** Citations. */
      citations: number;
      share: number;
    }[];
    /** Domains that at least 80 % of the runs cite. Null for a single run. */
    core: string[] | null;
    /** How many other domains there are. */
    tail: number | null;
  }[];
  /** From how many proposals the prompts of the current revision were chosen. Absent: it is not known. */
  frame?: {
    /** Proposals of all draws. */
    proposals: number;
    /** Of each origin; a proposal may have several. */
    byOrigin: {
      /** Of the origin `search`. */
      search: number;
      /** Of the origin `search_console`. */
      search_console: number;
      /** Of the origin `page`. */
      page: number;
      /** Of the origin `template`. */
      template: number;
      /** Of the origin `pasted`. */
      pasted: number;
    };
    /** Prompts of the revision that were chosen from them. */
    chosen: number;
    /** Of each origin; a prompt may have several. */
    chosenByOrigin: {
      /** Of the origin `search`. */
      search: number;
      /** Of the origin `search_console`. */
      search_console: number;
      /** Of the origin `page`. */
      page: number;
      /** Of the origin `template`. */
      template: number;
      /** Of the origin `pasted`. */
      pasted: number;
    };
    /** Prompts of the revision that were not: they were written by hand. */
    written: number;
  };
  /** The changes that were found in the window, newest first, at most 50: as they were announced, with what the report's answers say about them. */
  changes?: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    changeId: string;
    measure:
      | "presence"
      | "mention_share"
      | "first_place"
      | "first_place_of_all"
      | "position"
      | "listed"
      | "own_citation_rate"
      | "own_citation_share"
      | "citation_rate"
      | "citation_share"
      | "type_citation_rate"
      | "type_citation_share"
      | "cited_answers"
      | "carded_answers"
      | "core_citation_share"
      | "source_agreement_within_days"
      | "source_agreement_between_days"
      | "order_agreement_within_days"
      | "order_agreement_between_days"
      | "first_place_changes"
      | "first_place_changes_between_runs"
      | "platform_source_agreement"
      | "search_count"
      | "answer_length"
      | "empty_rate"
      | "time_to_answer"
      | "price_per_answer"
      | "failure_rate"
      | "refusal_rate"
      | "ad_rate"
      | "ad_share"
      | "own_ad_rate"
      | "own_ad_share"
      | "rival_ad_rate"
      | "product_rate"
      | "product_position"
      | "product_share"
      | "shop_share";
    definition: string;
    /** Null: it is about a site. */
    entityId: string | null;
    /** Of `citation_rate`: the site. Null: it is about an entity. */
    domain: string | null;
    platformCode: string;
    kind: "api" | "web" | "sample" | "imported";
    locale: string;
    persona: string;
    direction: "up" | "down";
    /** After minus before, of the paired means: each prompt compared with itself, taken with the same instrument. */
    difference: number;
    /** The day (UTC) with which it most probably began. */
    since: string;
    /** The first day with which it may have begun: in 95 % of changes, it is from this day to `latest`. Changes that were found by earlier versions have no such days. */
    earliest?: string;
    /** The last day with which it may have begun. */
    latest?: string;
    /** `sudden`: from one day to the next. `gradual`: it goes on since then, or went on for several days. Null: the days do not tell. */
    shape?: "sudden" | "gradual" | null;
    /** True: the same gradual change as the one before it in this series, which goes on. */
    continues?: boolean;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    foundAt: string;
    /** Prompts that stand on both sides, and were compared. Changes that were found by earlier versions do not have it. */
    prompts?: number;
    /** Prompts with answers that stand on one side only, because they are new or were reworded. */
    promptsLeftOut?: number;
    /** If nothing had changed, it would reach `threshold` within 28 days with a run in at most one of `threshold` series, also if the runs resemble the ones before. */
    evidence: number;
    /** The evidence that it needed, which is higher the more series the panel has: the false discovery rate of all of them is at most 5 %. */
    threshold: number;
    before: Figure;
    after: Figure;
    verdict: "changed";
    recomputed: {
      /** Whether the report's answers give the same. `other`: the answers, the panel or its entities have changed since. `not_in_window`: it was made from answers that the report does not have. `not_recorded`: it is not known from which ones. */
      before: "same" | "other" | "not_in_window" | "not_recorded";
      /** Whether the report's answers give the same. `other`: the answers, the panel or its entities have changed since. `not_in_window`: it was made from answers that the report does not have. `not_recorded`: it is not known from which ones. */
      after: "same" | "other" | "not_in_window" | "not_recorded";
      /** Whether the report's answers give the same. `other`: the answers, the panel or its entities have changed since. `not_in_window`: it was made from answers that the report does not have. `not_recorded`: it is not known from which ones. */
      evidence: "same" | "other" | "not_in_window" | "not_recorded";
    };
  }[];
  /** Those of what the answers were taken with, newest first, at most 50. */
  instrumentChanges?: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    changeId: string;
    platformCode: string;
    kind: "api" | "web" | "sample" | "imported";
    /** The first day (UTC) of the new instrument, or the first one without the one that is gone. */
    since: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    foundAt: string;
    /** Several if they alternated. */
    before: FigureInstrument[];
    after: FigureInstrument[];
    /** Presence of own entities on both sides. A difference is that of the instrument, not of the brand. */
    figures: {
      measure:
        | "presence"
        | "mention_share"
        | "first_place"
        | "first_place_of_all"
        | "position"
        | "listed"
        | "own_citation_rate"
        | "own_citation_share"
        | "citation_rate"
        | "citation_share"
        | "type_citation_rate"
        | "type_citation_share"
        | "cited_answers"
        | "carded_answers"
        | "core_citation_share"
        | "source_agreement_within_days"
        | "source_agreement_between_days"
        | "order_agreement_within_days"
        | "order_agreement_between_days"
        | "first_place_changes"
        | "first_place_changes_between_runs"
        | "platform_source_agreement"
        | "search_count"
        | "answer_length"
        | "empty_rate"
        | "time_to_answer"
        | "price_per_answer"
        | "failure_rate"
        | "refusal_rate"
        | "ad_rate"
        | "ad_share"
        | "own_ad_rate"
        | "own_ad_share"
        | "rival_ad_rate"
        | "product_rate"
        | "product_position"
        | "product_share"
        | "shop_share";
      /** UUID, lower case. Ids created by the service are UUIDv7. */
      entityId: string;
      locale: string;
      persona: string;
      before: Figure | null;
      after: Figure | null;
    }[];
    verdict: "instrument_changed";
    recomputed: {
      /** Whether the report's answers give the same. `other`: the answers, the panel or its entities have changed since. `not_in_window`: it was made from answers that the report does not have. `not_recorded`: it is not known from which ones. */
      figures: "same" | "other" | "not_in_window" | "not_recorded";
    };
  }[];
}

export interface PanelSeal {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  revision: number;
  /** `sha256:` and the SHA-256 of what the revision asks, in canonical form. */
  digest: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  sealedAt: string;
  /** Runs of the revision that had started when it was sealed. 0: no answer existed. */
  runsBefore: number;
  /** The exact text that is signed: JSON with the members above and the public key. */
  seal: string;
  /** Ed25519, of the UTF-8 bytes of `seal`; base64url. */
  signature: string;
}

export interface ProjectRef {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  projectId: string;
  name: string;
}

export interface ProjectRecord {
  /** Of the default project: the id of the account. */
  projectId: string;
  /** Unique in the account. */
  name: string;
  /** The project that every account has. What is created without a project is created there. */
  isDefault: boolean;
  panelCount: number;
  /** Brands, products and people. */
  entityCount: number;
  /** Since when it takes no new panels and brands; the schedules of its panels were paused then. Null: it is in use. */
  archivedAt: string | null;
}

export interface ProjectList {
  /** The default project first, the others by name. An account has at most 500. */
  projects: ProjectRecord[];
}

export interface ProjectRequest {
  /** Unique in the account. Spaces around it are dropped. */
  name: string;
}

export interface ProjectChange {
  /** Unique in the account. Spaces around it are dropped. */
  name: string;
  /** True: it takes no new panels and brands, and the schedules of its panels are paused now. False: it is in use; schedules stay paused until they are resumed. Left out: as before. */
  archived?: boolean | null;
}

export interface ProjectMove {
  /** Panels, with the brands of their sets. */
  panelIds?: string[] | null;
  /** Brands that are in the set of no panel, or only in those of panels that are moved as well. */
  entityIds?: string[] | null;
}

export interface MovedToProject {
  /** Without those that were in the project before. */
  panelIds: string[];
  /** With the brands of the moved panels. */
  entityIds: string[];
}

export interface ReportLooks {
  /** At the top of each report, beside the logo. Null: none. */
  name: string | null;
  /** Of the line at the top and of what is emphasized, as `#rrggbb`. Where text in it would be hard to read, a lighter or darker one is used. Null: that of Querent. */
  color: string | null;
  /** Null: none. */
  logo: {
    type: "image/png" | "image/jpeg" | "image/webp";
    width: number;
    height: number;
    /** The file, in base64. */
    data: string;
  } | null;
}

export interface ReportLooksChange {
  /** Of the client, or of the agency. Left out: none. */
  name?: string | null;
  /** As `#rrggbb`. Left out: that of Querent. */
  color?: string | null;
  /** A PNG, JPEG or WebP picture in base64, of at most 256 KiB and 2000 × 2000 pixels. Left out: none. */
  logo?: string | null;
}

export interface ReportGrade {
  /** The least that one of the rules allows. */
  grade: "exploratory" | "directional" | "decision-grade";
  rules: {
    id: string;
    title: string;
    unit: "count" | "share" | "yes_or_no";
    /** What `directional` needs at least. Null: nothing. */
    directional: number | null;
    /** What `decision-grade` needs at least. Null: nothing. */
    decision: number | null;
    /** There must be more than these numbers, instead of at least as many. */
    exclusive?: true;
    /** What the value counts. */
    counts: string;
    /** What would raise it. */
    remedy: string;
    /** Null if it could not be computed, which is as good as 0. */
    value: number | null;
    /** The best grade that this rule allows. */
    allows: "exploratory" | "directional" | "decision-grade";
  }[];
}

export interface FigureLink {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  linkId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  /** CSV, or JSON with `?format=json`. Null if the service does not know its own public URL. */
  url: string | null;
  /** What it computes. */
  figures: {
    /** Measures, separated by commas. Default: the summary. */
    measure?: string;
    /** Default: every own entity and every competitor. */
    entityId?: string;
    /** For measures of a domain. */
    domain?: string;
    /** For measures of a type of sites. */
    sourceType?: string;
    /** One row for each of these. Default: `none`. */
    by?: "none" | "prompt" | "topic" | "run" | "day";
    /** Code of a platform. */
    platformCode?: string;
    /** The locale as in `cell.locale` of observations. */
    locale?: string;
    /** The name of the persona. */
    persona?: string;
    /** The window: these days until now. Default: 28 days, or the last seven runs if they began earlier. */
    lastDays?: number;
  };
  /** Whether programs have to send its password, with `Authorization: Basic` and any user name. */
  hasPassword: boolean;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  expiresAt: string;
}

export interface FigureLinkRequest {
  /** Measures, separated by commas. Default: the summary. */
  measure?: string;
  /** Default: every own entity and every competitor. */
  entityId?: string;
  /** For measures of a domain. */
  domain?: string;
  /** For measures of a type of sites. */
  sourceType?: string;
  /** One row for each of these. Default: `none`. */
  by?: "none" | "prompt" | "topic" | "run" | "day";
  /** Code of a platform. */
  platformCode?: string;
  /** The locale as in `cell.locale` of observations. */
  locale?: string;
  /** The name of the persona. */
  persona?: string;
  /** The window: these days until now. Default: 28 days, or the last seven runs if they began earlier. */
  lastDays?: number;
  /** How many days the link works. Default: 366. */
  days?: number;
  /** Whoever opens it has to know this password. At least 12 characters; those that are known from breaches, or that are guessed as easily, are refused. It is never shown again. Null, or left out: none. */
  password?: string | null;
}

export interface FigureLinks {
  /** Newest first. */
  links: FigureLink[];
}

export interface ReportShare {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  shareId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  window: {
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    from: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    to: string;
  };
  /** Null if the service does not know its own public URL. */
  url: string | null;
  /** Whether it opens with a password alone. */
  hasPassword: boolean;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  expiresAt: string;
}

export interface LinkPassword {
  /** Whoever opens it has to know this password. At least 12 characters; those that are known from breaches, or that are guessed as easily, are refused. It is never shown again. Null, or left out: none. */
  password: string | null;
}

export interface ReportShareRequest {
  /** Default: 28 days before `to`, or the last seven runs if they began earlier. */
  from?: string;
  /** The first moment after the window. Default: now. */
  to?: string;
  /** Default: `en`. */
  language?: "en" | "zh-CN" | "de" | "fr" | "es" | "ja";
  /** How many days the link works. Default: 30. */
  days?: number;
  /** Whoever opens it has to know this password. At least 12 characters; those that are known from breaches, or that are guessed as easily, are refused. It is never shown again. Null, or left out: none. */
  password?: string | null;
}

export interface ReportShares {
  /** Newest first. */
  shares: ReportShare[];
}

export interface ReportSchedule {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  scheduleId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  /** `run`: after each run of the panel that has ended. `week`, `month`: at a time. */
  every: "run" | "week" | "month";
  /** Null unless `every` is `week`. */
  weekday: number | null;
  /** Null unless `every` is `month`. */
  dayOfMonth: number | null;
  /** Null if `every` is `run`. */
  time: string | null;
  /** Null if `every` is `run`. */
  timeZone: string | null;
  /** `link`: a link that opens the report's page, as it is then, without a token. `pdf`: the report is attached. Default: `link_and_pdf`. */
  contents: "link" | "pdf" | "link_and_pdf";
  /** The language of the mail and the report. Default: `en`. */
  language: "en" | "zh-CN" | "de" | "fr" | "es" | "ja";
  /** The paper of the PDF. Default: `a4`. */
  paper: "a4" | "letter";
  /** For whom it is: stands in the mail, and at the top of each page of the PDF. */
  clientName: string | null;
  /** How many days a link works. Default: 30. */
  linkDays: number;
  /** True: nothing is sent until it is set to false. Default: false. */
  paused: boolean;
  recipients: {
    email: string;
    /** Since then, no mail goes there. Null: it does. */
    unsubscribedAt: string | null;
  }[];
  /** Without those that were deleted. */
  channels: NamedChannel[];
  /** Null: after the next run, or not at all. */
  nextAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  updatedAt: string;
}

export interface ReportScheduleRequest {
  /** `run`: after each run of the panel that has ended. `week`, `month`: at a time. */
  every: "run" | "week" | "month";
  /** Of `week`: 1 is Monday. Default: 1. */
  weekday?: number | null;
  /** Of `month`: a day that every month has. Default: 1. */
  dayOfMonth?: number | null;
  /** Of `week` and `month`: hours and minutes. Default: `08:00`. */
  time?: string | null;
  /** Of `time`: a name of the IANA database, such as `Europe/Berlin`. Default: `UTC`. */
  timeZone?: string | null;
  /** `link`: a link that opens the report's page, as it is then, without a token. `pdf`: the report is attached. Default: `link_and_pdf`. */
  contents?: "link" | "pdf" | "link_and_pdf" | null;
  /** The language of the mail and the report. Default: `en`. */
  language?: "en" | "zh-CN" | "de" | "fr" | "es" | "ja" | null;
  /** The paper of the PDF. Default: `a4`. */
  paper?: "a4" | "letter" | null;
  /** For whom it is: stands in the mail, and at the top of each page of the PDF. */
  clientName?: string | null;
  /** How many days a link works. Default: 30. */
  linkDays?: number | null;
  /** Each gets a mail alone. May be empty if there are `channels`. */
  recipients: string[];
  /** Channels that get a message with the link and what has changed, whatever `contents` says of mails. None of PagerDuty. */
  channels?: string[] | null;
  /** Recipients who have unsubscribed, and have asked to get reports again. Their next mail says that they were added again, and by whom. Others who have unsubscribed get nothing. */
  contactAgain?: string[] | null;
  /** True: nothing is sent until it is set to false. Default: false. */
  paused?: boolean | null;
}

export interface ReportSchedules {
  /** Oldest first. */
  schedules: ReportSchedule[];
  mail: {
    /** From whom mail is. */
    from: string | null;
    /** Why no mail can be sent, for people. Null: it can be tried. */
    missing: string | null;
  };
}

export interface SentReport {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  reportId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  scheduleId: string;
  /** `run`: a run has ended. `time`: its time has come. */
  reason: "run" | "time" | "request";
  /** `preparing`: it is made, or waits for its turn. `sent`: handed over to the deliveries. `nothing_to_report`: the panel has no answers in the window, so nothing was sent. */
  state: "preparing" | "sent" | "failed" | "nothing_to_report";
  /** Why it failed, or is tried again. For people. */
  problem: string | null;
  window: {
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    from: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    to: string;
  } | null;
  /** Null: it has no link, or the link has expired or was revoked. */
  shareUrl: string | null;
  /** Null: it has no PDF, or is older than 30 days. */
  pdfBytes: number | null;
  recipients: {
    email: string;
    /** `delivered`: the mail server has taken it. `unsubscribed`: nothing was sent, because the recipient had unsubscribed. `unknown`: its delivery has ended, and is no longer stored. */
    state: "pending" | "delivered" | "failed" | "unsubscribed" | "unknown";
    /** Its delivery, with every attempt, as long as deliveries are stored. */
    deliveryId: string | null;
    /** What the last attempt met, if it failed. For people. */
    problem: string | null;
  }[];
  channels: {
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    channelId: string;
    /** As it was then. */
    name: string;
    /** `unknown`: its delivery has ended, and is no longer stored. */
    state: "pending" | "delivered" | "failed" | "unknown";
    /** UUID, lower case. Ids created by the service are UUIDv7. */
    deliveryId: string | null;
    /** What the last attempt met, if it failed. For people. */
    problem: string | null;
  }[];
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  finishedAt: string | null;
}

export interface SentReports {
  /** Newest first, at most 50. */
  reports: SentReport[];
}

export interface MailSettings {
  /** From whom mail is. */
  from: string | null;
  /** Why no mail can be sent, for people. Null: it can be tried. */
  missing: string | null;
  server: {
    host: string;
    port: number;
    tls: "implicit" | "starttls" | "off";
  } | null;
}

export interface MailTest {
  /** The mail server has taken the message. */
  passed: boolean;
  /** What happened and what to do, for people. */
  detail: string;
  /** Where it failed. Null: it passed. */
  stage: "settings" | "name" | "connection" | "tls" | "sign_in" | "sender" | "recipient" | "message" | null;
  /** The server's SMTP reply code. Null: it gave none. */
  status: number | null;
  durationMs: number;
}

export interface EvidenceKeys {
  keys: {
    /** The key's thumbprint (RFC 7638), as in a manifest. */
    kid: string;
    kty: "OKP";
    crv: "Ed25519";
    /** The public key, base64url. */
    x: string;
    use: "sig";
    alg: "EdDSA";
  }[];
}

export interface PageEvidence {
  /** `picture`: a picture of the page (PNG). `archive`: a web archive of what the page received (WACZ). */
  kind: "picture" | "archive";
  /** The file's address, relative to the service's base address. Requires the access token, as the task does. Null if it is missing. */
  url: string | null;
  /** The file's name in the evidence of the task. */
  file: string | null;
  mediaType: string | null;
  bytes: number | null;
  /** The digest of the file, in hexadecimal, as sealed when the task ended. */
  sha256: string | null;
  /** Why there is no file. Null if there is one. */
  missing: string | null;
  /** What of the answer the file does not show, such as blocks that the page renders only when they are in view. Absent if nothing is known to be missing. */
  incomplete?: string;
}

/** Sent when a task completes, fails or is canceled, and when its result is replaced. */
export interface Notification {
  event: "task.finished";
  /** 1 when the task ends, and 1 higher with each requested redelivery and each new revision of the result. */
  deliveryRevision: number;
  task: NotifiedTask | OmittedTask;
}

/** Sent when all tasks of a panel's run have ended. */
export interface PanelRunFinished {
  event: "panel.run.finished";
  /** 1 at first, and 1 higher with each requested redelivery. */
  deliveryRevision: number;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  eventId: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  data: RunFinished;
}

/** Sent when a figure of a panel has changed by more than chance explains. */
export interface PanelChangeDetected {
  event: "panel.change.detected";
  /** 1 at first, and 1 higher with each requested redelivery. */
  deliveryRevision: number;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  eventId: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  data: FoundChange;
}

/** Sent when what a panel is measured with has changed, such as the version of a model. */
export interface PanelInstrumentChanged {
  event: "panel.instrument.changed";
  /** 1 at first, and 1 higher with each requested redelivery. */
  deliveryRevision: number;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  eventId: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  data: FoundInstrumentChange;
}

/** Sent when 50, 80 or 100 percent of a cap are used, and when a run or batch is refused because of it. */
export interface CapReachedNotification {
  event: "cap.reached";
  /** 1 at first, and 1 higher with each requested redelivery. */
  deliveryRevision: number;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  eventId: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  data: CapReached;
}

/** Sent when a report that was scheduled has been made and is sent to its recipients. */
export interface ReportReadyNotification {
  event: "report.ready";
  /** 1 at first, and 1 higher with each requested redelivery. */
  deliveryRevision: number;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  eventId: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  data: ReportReady;
}

/** Sent when an alert of the account is told to its channels and recipients. */
export interface AlertRaisedNotification {
  event: "alert.raised";
  /** 1 at first, and 1 higher with each requested redelivery. */
  deliveryRevision: number;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  eventId: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  data: AlertRaised;
}

/** The payload of a webhook, by `event`. Without a subscription, only `task.finished` is sent. */
export type AnyNotification =
  | Notification
  | PanelRunFinished
  | PanelChangeDetected
  | PanelInstrumentChanged
  | CapReachedNotification
  | ReportReadyNotification
  | AlertRaisedNotification;

export interface RunFinished {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  runId: string;
  /** The revision of the panel that was run. */
  revision: number;
  /** The time of the schedule. Null: it was requested. */
  slot: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startedAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  endedAt: string;
  taskCount: number;
  tasks: RunEnd;
  /** Null if the run asked everything at once. */
  waves: {
    /** The waves so far. */
    asked: number;
    /** The most waves. */
    max: number;
    /** The tasks of so many waves. */
    tasksMax: number;
    /** The most points. */
    pointsMax: number;
    /** The points that were not needed: `pointsMax` without those that were held. Null until it has stopped. */
    pointsSaved: number | null;
    /** Why no further wave is asked. `width_reached`: the interval is narrow enough. `repeats_max`, `points_max`: the panel allows no more. `refused`: a cap, the balance or a platform refused the next wave; see `problem`. `canceled`: a task of the run was canceled. `no_answers`: the last wave brought none. `nothing_to_measure`: the account does not have the brand, or every prompt names it, or the measure was taken out; then see `problem`. Null: it goes on. */
    stopped:
      | "width_reached"
      | "repeats_max"
      | "points_max"
      | "refused"
      | "canceled"
      | "no_answers"
      | "nothing_to_measure"
      | null;
    problem: {
      code: string;
      detail: string;
    } | null;
    /** What is known of each platform, after its last wave. */
    platforms: {
      platformCode: string;
      waves: number;
      /** Those that say something about the measure. */
      answers: number;
      /** The figure. Null without answers. */
      value: number | null;
      low: number | null;
      high: number | null;
      /** The width that was reached. Null before 15 waves. */
      width: number | null;
      /** Why no further wave is asked. `width_reached`: the interval is narrow enough. `repeats_max`, `points_max`: the panel allows no more. `refused`: a cap, the balance or a platform refused the next wave; see `problem`. `canceled`: a task of the run was canceled. `no_answers`: the last wave brought none. `nothing_to_measure`: the account does not have the brand, or every prompt names it, or the measure was taken out; then see `problem`. Null: it goes on. */
      stopped:
        | "width_reached"
        | "repeats_max"
        | "points_max"
        | "refused"
        | "canceled"
        | "no_answers"
        | "nothing_to_measure"
        | null;
    }[];
  } | null;
}

export interface RunEnd {
  completed: number;
  failed: number;
  canceled: number;
  /** The number of failed tasks with each failure code. */
  failedByCode: Record<string, number>;
}

export interface CapReached {
  kind: "account" | "project" | "panel" | "tag";
  /** The id of the project or the panel, or the tag. Null: the cap of the account. */
  subject: string | null;
  period: "run" | "day" | "month";
  /** The first day (UTC) of the day or month. For `run`, the day of the run or batch. */
  periodStart: string;
  /** The highest threshold that was reached. Each is announced once in a period, and that of a run or batch once in a day. */
  thresholdPercent: 50 | 80 | 100;
  limitPoints: number;
  /** The points held in the period, with those just held. */
  usedPoints: number;
  /** The points of the run or batch that was refused because of this cap. Null: nothing was refused. */
  refusedPoints: number | null;
}

export interface ReportReady {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  reportId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string;
  panelName: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  scheduleId: string;
  window: {
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    from: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    to: string;
  };
  /** The language of the mail and the report. Default: `en`. */
  language: "en" | "zh-CN" | "de" | "fr" | "es" | "ja";
  /** A link that opens the report without a token. Null: it has none. */
  shareUrl: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  shareExpiresAt: string | null;
  answers: number;
  grade: "exploratory" | "directional" | "decision-grade";
  /** At most 10. */
  figures: {
    /** An own brand of the panel. */
    name: string;
    platformCode: string;
    kind: "api" | "web" | "sample" | "imported";
    /** Empty if the panel has none. */
    locale: string;
    /** Empty if the panel has none. */
    persona: string;
    /** The model versions of its answers: those of one instrument, which may not be that of the whole window. */
    models: string[];
    /** The answers from which it was made. */
    answers: number;
    /** That of its answers. */
    window: {
      /** ISO 8601 UTC with milliseconds, ending in `Z`. */
      from: string | null;
      /** ISO 8601 UTC with milliseconds, ending in `Z`. */
      to: string | null;
    };
    /** The share of answers that name it. Null: it could not be computed. */
    presence: number | null;
    interval: {
      low: number;
      high: number;
    } | null;
  }[];
  /** How many more there are in the report. */
  moreFigures: number;
  /** For whom it is: stands in the mail, and at the top of each page of the PDF. */
  clientName: string | null;
  /** What has changed in the window, newest first, at most 10. Earlier versions wrote none. */
  changes?: {
    /** Of the entity, or the site. */
    name: string;
    measure:
      | "presence"
      | "mention_share"
      | "first_place"
      | "first_place_of_all"
      | "position"
      | "listed"
      | "own_citation_rate"
      | "own_citation_share"
      | "citation_rate"
      | "citation_share"
      | "type_citation_rate"
      | "type_citation_share"
      | "cited_answers"
      | "carded_answers"
      | "core_citation_share"
      | "source_agreement_within_days"
      | "source_agreement_between_days"
      | "order_agreement_within_days"
      | "order_agreement_between_days"
      | "first_place_changes"
      | "first_place_changes_between_runs"
      | "platform_source_agreement"
      | "search_count"
      | "answer_length"
      | "empty_rate"
      | "time_to_answer"
      | "price_per_answer"
      | "failure_rate"
      | "refusal_rate"
      | "ad_rate"
      | "ad_share"
      | "own_ad_rate"
      | "own_ad_share"
      | "rival_ad_rate"
      | "product_rate"
      | "product_position"
      | "product_share"
      | "shop_share";
    platformCode: string;
    direction: "up" | "down";
    before: number | null;
    after: number | null;
    since: string;
  }[];
  /** How many more there are in the report. */
  moreChanges?: number;
  /** Of a delivery that is a mail, what it needs beside the rest. */
  mail?: {
    /** The report is attached as a PDF. */
    attached: boolean;
    unsubscribeUrl: string;
    /** Who has added the recipient again, and says that the recipient has asked for it. */
    addedAgainBy: string | null;
    /** Whose reports they are. */
    accountName: string;
  };
}

export interface AlertRaised {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  alertId: string;
  alertName: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  messageId: string;
  /** `over`: the conditions have ended. Sent to channels of PagerDuty, and to nobody else. */
  state: "raised" | "over";
  /** Of the messages. Default: `en`. */
  language: "en" | "zh-CN" | "de" | "fr" | "es" | "ja";
  accountName: string;
  /** At most 50. */
  findings: AlertFinding[];
  /** How many more there are. */
  moreFindings: number;
  /** The page of the console about it. Null: the URL is not known. */
  url: string | null;
  /** Of a delivery that is a mail, what it needs beside the rest. */
  mail?: {
    unsubscribeUrl: string;
    addedAgainBy: string | null;
  };
}

export interface AlertFinding {
  /** What it is about, once for each alert: `change <id>`, or a condition. */
  subject: string;
  kind:
    | "figure_changed"
    | "source_gone"
    | "instrument_changed"
    | "endpoint_failing"
    | "points_short"
    | "platform_failing"
    | "session_attention";
  severity: "error" | "warning" | "info";
  /** For people, in the language of the alert. */
  text: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  panelId: string | null;
  panelName: string | null;
  /** Of `GET /v1/panels/{panel_id}/changes`. Null for a condition. */
  changeId: string | null;
  platformCode: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  foundAt: string;
  /** Since when a condition is over. Null: it is not, or cannot be. */
  overAt: string | null;
}

/** application/problem+json (RFC 9457) */
export interface Problem {
  /** A URL relative to the service, `/problems/<code>`, of a page that explains the problem. */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** The path of the request. */
  instance: string;
  code:
    | "malformed_json"
    | "malformed_request"
    | "idempotency_key_missing"
    | "idempotency_key_malformed"
    | "unauthorized"
    | "link_password_required"
    | "sign_in_refused"
    | "second_factor_required"
    | "second_factor_missing"
    | "passkey_refused"
    | "fresh_sign_in_required"
    | "foreign_request"
    | "points_short"
    | "max_points_exceeded"
    | "cap_exceeded"
    | "scope_missing"
    | "storage_quota_exceeded"
    | "not_found"
    | "method_not_allowed"
    | "request_timeout"
    | "idempotency_key_in_use"
    | "state_conflict"
    | "gone"
    | "events_replaced"
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
  /** With a 410 of `GET /v1/events`: the cursor after which to continue. */
  resumeAfter?: string;
}

export interface SubmittedOptions {
  /** Requests a deeper analysis. Default: false. */
  deepAnalysis?: boolean | null;
  /** `answer` (default): the standard answer. `screenshot`: the answer and a screenshot. `share_link`: the answer and a public URL of it. Web platforms always return `answer` here. */
  output?: "answer" | "screenshot" | "share_link" | null;
  /** For web platforms. `json` (default): the structured answer. `html`: the content of the web page. `all`: both. Other platforms always return the structured answer. */
  resultFormat?: "json" | "html" | "all" | null;
  /** ISO 3166-1 alpha-2 code of the country to ask from, such as `DE`. Returned in upper case. */
  country?: string | null;
  /** Language of the answer as a BCP 47 tag, such as `de` or `pt-BR`. Returned in canonical form. */
  language?: string | null;
  /** Where in the country: a place, coordinates, or both. */
  location?: {
    /** City, such as `Munich`. */
    city?: string | null;
    /** Region or state, such as `Bavaria`. */
    region?: string | null;
    /** Degrees north. Requires `longitude`. */
    latitude?: number | null;
    /** Degrees east. Requires `latitude`. */
    longitude?: number | null;
  } | null;
  /** Whom the assistant talks to or whom it plays, as a system text of up to 2,000 characters. Line breaks and tabs are the only control characters allowed. */
  persona?: string | null;
  /** One of the models that the platform lists in `optionValues.model`. */
  model?: string | null;
  /** How much the platform searches before it answers. */
  searchDepth?: "low" | "medium" | "high" | null;
  /** Domains to search. */
  domains?: {
    /** Search only these domains and their subdomains. */
    allow?: string[] | null;
    /** Don't use these domains and their subdomains. */
    deny?: string[] | null;
  } | null;
  /** Use only pages that were published on or after this date (`YYYY-MM-DD`), which is not in the future. */
  since?: string | null;
  /** What happens if the platform does not support one of these options. `refuse` (default): the submission is rejected. `ignore`: the question is asked without the option, and `effective` reports it as `unsupported`. */
  onUnsupported?: "refuse" | "ignore" | null;
}

/** The questions: 1 to 1,000 items by default. */
export type Submission = SubmissionItem[];

export interface SubmittedTask {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  taskId: string;
  clientReference: string | null;
  state: "pending";
  /** Relative path: `/v1/tasks/<task_id>`. */
  statusUrl: string;
}

export interface Progress {
  /** `queued`: waiting for its turn or for its first attempt. `running`: an attempt is in progress. `waiting_retry`: waiting for `nextAttemptAt` after an earlier attempt, for the reason in `reason`. */
  phase: "queued" | "running" | "waiting_retry";
  /** The number of attempts, including the one in progress. 0 before the first. */
  attempt: number;
  /** When the first attempt started. */
  startedAt: string | null;
  /** The earliest time of the next attempt, after a retry delay, throttling or an open circuit breaker. Null while the task is running or only waits for its turn. */
  nextAttemptAt: string | null;
  /** What the task is waiting for. Null while it is running. */
  reason: "queued" | "not_before" | "retry" | "throttled" | "breaker_open" | "paused" | "no_worker" | null;
  /** The last failed attempt. Null if none has failed. */
  lastFailure: {
    code:
      | "platform_unavailable"
      | "platform_timeout"
      | "platform_rate_limited"
      | "platform_auth"
      | "platform_human_check"
      | "platform_refused"
      | "platform_bad_response"
      | "platform_not_configured"
      | "run_timeout"
      | "start_deadline_passed"
      | "output_unavailable"
      | "internal";
    /** A message for people. Contains no secrets. */
    message: string;
    /** ISO 8601 UTC with milliseconds, ending in `Z`. */
    at: string;
    /** The number of the attempt. */
    attempt: number;
    /** The HTTP status that the platform returned, if any. */
    platformStatus: number | null;
  } | null;
}

export interface TaskAttempt {
  attempt: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startedAt: string;
  /** Null while the attempt is in progress. */
  endedAt: string | null;
  /** The node that ran it. Null for a task that completed on its first attempt, for which no node is stored. */
  nodeId: string | null;
  /** Null while the attempt is in progress. */
  outcome: "completed" | "failed" | "throttled" | "lost" | "handed_back" | "canceled" | null;
  code:
    | "platform_unavailable"
    | "platform_timeout"
    | "platform_rate_limited"
    | "platform_auth"
    | "platform_human_check"
    | "platform_refused"
    | "platform_bad_response"
    | "platform_not_configured"
    | "run_timeout"
    | "start_deadline_passed"
    | "output_unavailable"
    | "internal"
    | null;
  /** A message for people. Contains no secrets. */
  message: string | null;
  /** The HTTP status that the platform returned, if any. */
  platformStatus: number | null;
  /** True if the attempt was a probe of a platform whose circuit breaker had opened. */
  probe: boolean;
}

export interface TaskWait {
  /** `queued`: for its turn, behind other tasks or the platform's limits. `not_before`: for the `notBefore` of the submission. `retry`: for the delay before the next attempt, after a failed one. `throttled`: the platform returned a rate limit, and no request is sent until it expires. `breaker_open`: the platform's circuit breaker is open after consecutive failures. `paused`: the operator has set the platform's limit to 0. `no_worker`: no running worker can ask the platform, for example because it lacks the key. */
  reason: "queued" | "not_before" | "retry" | "throttled" | "breaker_open" | "paused" | "no_worker";
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  from: string;
  /** When the next attempt started. Null while the task is waiting. */
  until: string | null;
}

/** The attempts of a task, and its waits with their reasons. */
export interface TaskAttempts {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  taskId: string;
  /** `pending` until the task ends, including while it is running. The other states are final. */
  state: "pending" | "completed" | "failed" | "canceled";
  /** True once the result has expired. Attempts and waits are deleted with it. */
  expired: boolean;
  /** The number of attempts, including those that are no longer stored. Null once they have expired. */
  attemptCount: number | null;
  /** The last 20 attempts, oldest first. */
  attempts: TaskAttempt[];
  /** The waits before, between and after these attempts, oldest first. They do not overlap attempts. */
  waits: TaskWait[];
}

export interface Failure {
  code:
    | "platform_unavailable"
    | "platform_timeout"
    | "platform_rate_limited"
    | "platform_auth"
    | "platform_human_check"
    | "platform_refused"
    | "platform_bad_response"
    | "platform_not_configured"
    | "run_timeout"
    | "start_deadline_passed"
    | "output_unavailable"
    | "internal";
  /** A message for people. Contains no secrets. */
  message: string;
  stage: "queue" | "platform" | "parse" | "artifact";
  /** True if the same question may succeed when submitted again. */
  retryable: boolean;
  /** The number of attempts that were started, including attempts that were throttled or lost with their node. Those do not count towards the platform's limit of attempts. */
  attempts: number;
  /** The HTTP status that the platform returned, if any. */
  platformStatus: number | null;
}

export interface Availability {
  /** `present`: the field has a value. `none_on_platform`: the platform can return it, but returned none. `not_requested`: the options did not request it. `not_exposed`: this platform never returns it. `parse_failed`: the platform returned it, but it could not be parsed. */
  content: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: the field has a value. `none_on_platform`: the platform can return it, but returned none. `not_requested`: the options did not request it. `not_exposed`: this platform never returns it. `parse_failed`: the platform returned it, but it could not be parsed. */
  sources: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: the field has a value. `none_on_platform`: the platform can return it, but returned none. `not_requested`: the options did not request it. `not_exposed`: this platform never returns it. `parse_failed`: the platform returned it, but it could not be parsed. */
  products: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: the field has a value. `none_on_platform`: the platform can return it, but returned none. `not_requested`: the options did not request it. `not_exposed`: this platform never returns it. `parse_failed`: the platform returned it, but it could not be parsed. */
  videos: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: the field has a value. `none_on_platform`: the platform can return it, but returned none. `not_requested`: the options did not request it. `not_exposed`: this platform never returns it. `parse_failed`: the platform returned it, but it could not be parsed. */
  media: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: the field has a value. `none_on_platform`: the platform can return it, but returned none. `not_requested`: the options did not request it. `not_exposed`: this platform never returns it. `parse_failed`: the platform returned it, but it could not be parsed. */
  reasoningProcess: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: the field has a value. `none_on_platform`: the platform can return it, but returned none. `not_requested`: the options did not request it. `not_exposed`: this platform never returns it. `parse_failed`: the platform returned it, but it could not be parsed. */
  searchProcess: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: the field has a value. `none_on_platform`: the platform can return it, but returned none. `not_requested`: the options did not request it. `not_exposed`: this platform never returns it. `parse_failed`: the platform returned it, but it could not be parsed. */
  pageHtml: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: the field has a value. `none_on_platform`: the platform can return it, but returned none. `not_requested`: the options did not request it. `not_exposed`: this platform never returns it. `parse_failed`: the platform returned it, but it could not be parsed. */
  screenshot: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `present`: the field has a value. `none_on_platform`: the platform can return it, but returned none. `not_requested`: the options did not request it. `not_exposed`: this platform never returns it. `parse_failed`: the platform returned it, but it could not be parsed. */
  share: "present" | "none_on_platform" | "not_requested" | "not_exposed" | "parse_failed";
  /** `shown`: there are advertisements in `ads`. `none`: they were looked for, and there were none. `not_requested`: the options did not request it. `not_exposed`: it is not known how this platform shows them, or it never does. `parse_failed`: an advertisement was there, and nothing of it could be read. `signed_in_state`: the platform shows none to visitors who are signed in, or who are not, as this one. `country_without_ads`: it shows none in the country of the visitor. Absent in results of earlier versions. */
  ads?: "shown" | "none" | "not_requested" | "not_exposed" | "parse_failed" | "signed_in_state" | "country_without_ads";
}

export interface Provenance {
  kind: "api" | "web" | "sample";
  platform: string;
  endpoint: string | null;
  region: string | null;
  /** True: an example page of the service answered in place of the platform, and everything in the answer is invented. Absent if the platform itself answered. */
  standIn?: boolean;
}

/** What was in force when the platform was asked: for each requested option its value and how it was applied. `value` is null if it was not applied. */
export interface Effective {
  country?: {
    /** ISO 3166-1 alpha-2 code of the country to ask from, such as `DE`. Returned in upper case. */
    value: string | null;
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    how: "native" | "prompted" | "unsupported";
  };
  language?: {
    /** Language of the answer as a BCP 47 tag, such as `de` or `pt-BR`. Returned in canonical form. */
    value: string | null;
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    how: "native" | "prompted" | "unsupported";
  };
  location?: {
    value: {
      /** City, such as `Munich`. */
      city?: string;
      /** Region or state, such as `Bavaria`. */
      region?: string;
      /** Degrees north. Requires `longitude`. */
      latitude?: number;
      /** Degrees east. Requires `latitude`. */
      longitude?: number;
    } | null;
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    how: "native" | "prompted" | "unsupported";
  };
  persona?: {
    /** Whom the assistant talks to or whom it plays, as a system text of up to 2,000 characters. Line breaks and tabs are the only control characters allowed. */
    value: string | null;
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    how: "native" | "prompted" | "unsupported";
  };
  model?: {
    /** One of the models that the platform lists in `optionValues.model`. */
    value: string | null;
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    how: "native" | "prompted" | "unsupported";
  };
  searchDepth?: {
    /** How much the platform searches before it answers. */
    value: "low" | "medium" | "high" | null;
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    how: "native" | "prompted" | "unsupported";
  };
  domains?: {
    value: {
      /** Search only these domains and their subdomains. */
      allow?: string[];
      /** Don't use these domains and their subdomains. */
      deny?: string[];
    } | null;
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    how: "native" | "prompted" | "unsupported";
  };
  since?: {
    /** Use only pages that were published on or after this date (`YYYY-MM-DD`), which is not in the future. */
    value: string | null;
    /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
    how: "native" | "prompted" | "unsupported";
  };
}

export interface PlatformOptions {
  /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
  country: "native" | "prompted" | "unsupported";
  /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
  language: "native" | "prompted" | "unsupported";
  /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
  location: "native" | "prompted" | "unsupported";
  /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
  persona: "native" | "prompted" | "unsupported";
  /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
  model: "native" | "prompted" | "unsupported";
  /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
  searchDepth: "native" | "prompted" | "unsupported";
  /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
  domains: "native" | "prompted" | "unsupported";
  /** `native`: in a place that the platform provides for it. `prompted`: as a sentence in the system text, which a model may disregard. `unsupported`: not possible. */
  since: "native" | "prompted" | "unsupported";
}

export interface PlatformOptionValues {
  /** The supported countries. Null: all. */
  country: string[] | null;
  /** The supported members of `location`. */
  location: ("city" | "region" | "latitude" | "longitude")[];
  /** The models that can be requested. */
  model: string[];
  /** Null if `domains` is unsupported. */
  domains: {
    /** The largest number of domains in `allow`. */
    allowMax: number;
    /** The largest number of domains in `deny`. */
    denyMax: number;
    /** Whether `allow` and `deny` can be used together. */
    together: boolean;
  } | null;
}

export interface ReasoningStep {
  position: number;
  text: string;
}

export interface SearchStep {
  position: number;
  /** What was searched for, on the web or within the page in `results`. Empty if the platform opened the pages in `results`. */
  query: string;
  results: {
    title: string;
    url: string;
    site: string;
  }[];
}

export interface NotifiedTask {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  taskId: string;
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  batchId: string;
  clientReference: string | null;
  tags: string[];
  question: string;
  platformCode: string;
  options: TaskOptions;
  /** The task's own webhook endpoint. Null: the account's endpoint is used. */
  webhookUrl: string | null;
  priority: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  notBefore: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startBefore: string | null;
  /** As submitted, or the platform's value. Null for tasks accepted by versions that did not record it. */
  runTimeoutSeconds: number | null;
  /** `pending` until the task ends, including while it is running. The other states are final. */
  state: "pending" | "completed" | "failed" | "canceled";
  progress: Progress | null;
  /** The answer in Markdown (CommonMark and GFM), including its cards. Null before completion. Formulas of web pages are TeX in `$…$` and `$$…$$`. */
  content: string | null;
  pageHtml: string | null;
  /** The model that the platform reported. */
  modelVersion: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  observedAt: string | null;
  sources: Source[];
  products: ProductCard[];
  videos: VideoCard[];
  media: MediaCard[];
  reasoningProcess: ReasoningStep[] | null;
  searchProcess: SearchStep[] | null;
  /** Advertisements that the platform showed with its answer. They are in no other field. Empty before completion, and if there were none: see `availability.ads`. */
  ads: Ad[];
  /** Other drafts of the answer, if the platform showed several of them beside each other. `content` is the draft whose position is missing here. */
  alternatives: {
    /** Its place among all drafts, in the order of the page. */
    position: number;
    /** Its text in Markdown. */
    content: string;
  }[];
  /** Questions that the platform showed beside its answer. They are no part of `content`. */
  relatedQuestions: string[];
  /** Searches that the platform showed beside its answer. They are no part of `content`. */
  relatedSearches: string[];
  screenshotUrl: string | null;
  shareUrl: string | null;
  /** What ended the platform's answer before its end: the platform's limit of length, or its content filter. `content` is what came before, and its last line states this. Null if the platform ended its answer by itself, or does not tell. */
  truncatedBy: "length_limit" | "content_filter" | null;
  /** Present if there is a result. Null before the task ends, if it failed (see `failure`) or was canceled, and once the result has expired (see `expired`). */
  availability: Availability | null;
  /** Present if there is a result. Null before the task ends, if it failed (see `failure`) or was canceled, and once the result has expired (see `expired`). */
  provenance: Provenance | null;
  /** What was in force when the platform was asked: for each requested option its value and how it was applied. Present if there is a result; empty if no such option was requested. Null without a result, and for answers of versions that did not record it. */
  effective: Effective | null;
  /** What the operator keeps of the platform's page besides its HTML, by the platform's configuration. Empty if nothing is kept, before completion, and once the result has expired. */
  evidence: PageEvidence[];
  failure: Failure | null;
  /** The points charged for the task. */
  chargedPoints: number;
  /** 0 before the task ends, 1 when it ends, and 1 higher each time the result is replaced. */
  revision: number;
  /** True once the retention period of the result has passed and its content has been deleted. Always false for failed and canceled tasks, which have no result. */
  expired: boolean;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  startedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  completedAt: string | null;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  canceledAt: string | null;
  /** When the result expires. Null if there is no result. */
  expiresAt: string | null;
  /** The duration of the attempt that ended the task, in milliseconds. Excludes time in the queue and waits between attempts. Null before the task ends, for canceled tasks, and for tasks that ended without an attempt. */
  durationMs: number | null;
  resultOmitted: false;
}

export interface OmittedTask {
  /** UUID, lower case. Ids created by the service are UUIDv7. */
  taskId: string;
  clientReference: string | null;
  /** `pending` until the task ends, including while it is running. The other states are final. */
  state: "pending" | "completed" | "failed" | "canceled";
  /** Always null. */
  content: string | null;
  revision: number;
  chargedPoints: number;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds, ending in `Z`. */
  completedAt: string | null;
  resultOmitted: true;
}

export type EventType =
  | "task.finished"
  | "panel.run.finished"
  | "panel.change.detected"
  | "panel.instrument.changed"
  | "cap.reached"
  | "report.ready"
  | "alert.raised";

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
    | "option_unsupported"
    | "browser_unavailable"
    | "address_not_allowed";
  detail: string;
}

/** The code of a problem. */
export type ProblemCode =
  | "malformed_json"
  | "malformed_request"
  | "idempotency_key_missing"
  | "idempotency_key_malformed"
  | "unauthorized"
  | "link_password_required"
  | "sign_in_refused"
  | "second_factor_required"
  | "second_factor_missing"
  | "passkey_refused"
  | "fresh_sign_in_required"
  | "foreign_request"
  | "points_short"
  | "max_points_exceeded"
  | "cap_exceeded"
  | "scope_missing"
  | "storage_quota_exceeded"
  | "not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "idempotency_key_in_use"
  | "state_conflict"
  | "gone"
  | "events_replaced"
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

/** All types of events. */
export const eventTypes = [
  "task.finished",
  "panel.run.finished",
  "panel.change.detected",
  "panel.instrument.changed",
  "cap.reached",
  "report.ready",
  "alert.raised",
] as const;

/** The kinds of alerts: which are found in panels, and which only operators choose. */
export const alertKinds = {
  figure_changed: { isOfPanel: true, needsAdmin: false },
  source_gone: { isOfPanel: true, needsAdmin: false },
  instrument_changed: { isOfPanel: true, needsAdmin: false },
  endpoint_failing: { isOfPanel: false, needsAdmin: false },
  points_short: { isOfPanel: false, needsAdmin: false },
  platform_failing: { isOfPanel: false, needsAdmin: false },
  session_attention: { isOfPanel: false, needsAdmin: true },
} as const;

/** All kinds of channels. */
export const channelKinds = ["slack", "teams", "pagerduty", "webhook"] as const;

/** The languages of reports. */
export const reportLanguages = ["en", "zh-CN", "de", "fr", "es", "ja"] as const;

/** The languages with rules for proposals of prompts. */
export const proposalLanguages = ["en", "zh", "de", "fr", "es", "ja"] as const;

/** The most bytes of a logo. */
export const logoBytesMax = 262144;

/** The name of the account that `createDemonstration` makes. */
export const demonstrationAccount = "simulated-demo";

/** A scope of a token. */
export type Scope =
  | "tasks:write"
  | "tasks:read"
  | "panels:write"
  | "panels:read"
  | "reports:read"
  | "webhook:manage"
  | "usage:read"
  | "members:read"
  | "members:manage"
  | "access:manage"
  | "audit:read"
  | "admin";

/** `pending` until the task ends. The other states are final. */
export type TaskState = TaskRecord["state"];
