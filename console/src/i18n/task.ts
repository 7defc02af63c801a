import type {
  Availability,
  Failure,
  PageEvidence,
  PlatformRecord,
  Progress,
  TaskAttempt,
  TaskWait,
} from "@querent/client";
import { spoken } from "./spoken.ts";

interface TaskMessages {
  back: string;
  unknown: string;
  unknownText: string;
  more: string;
  less: string;
  facts: Record<
    "platform" | "model" | "asked" | "took" | "points" | "reference" | "revision" | "expires" | "observed" | "batch",
    string
  >;
  options: Record<"deepAnalysis" | "screenshot" | "share_link" | "html" | "all", string>;
  kinds: Record<PlatformRecord["kind"], string>;
  standIn: string;
  standInNote: string;
  expired: string;
  tabs: Record<"answer" | "steps" | "page" | "screenshot" | "timeline" | "deliveries" | "json", string>;
  tabsLabel: string;
  waiting: Record<Progress["phase"], string>;
  attempt: (count: number) => string;
  retryAt: (when: string) => string;
  waitReasons: Record<TaskWait["reason"], string>;
  attemptFailed: (attempt: number) => string;
  failed: string;
  retryable: string;
  notRetryable: string;
  uncharged: string;
  stages: Record<Failure["stage"], string>;
  platformStatus: (status: number) => string;
  canceled: string;
  advice: Record<Failure["code"], string>;
  sources: string;
  /** Beside the site of a source whose redirect hides the page. */
  hiddenPage: string;
  noAnswer: string;
  pictures: (hosts: number) => string;
  picturesNote: string;
  card: (position: number, kind: string) => string;
  cardKinds: Record<"product" | "video", string>;
  openApp: string;
  openWeb: string;
  unsafe: string;
  sold: string;
  availability: string;
  availabilityFields: Record<keyof Availability, string>;
  availabilities: Record<Availability["content"], string>;
  reasoning: string;
  searches: string;
  searchFor: string;
  opened: string;
  noResults: string;
  pageNote: string;
  pageTitle: string;
  noPage: string;
  pageEvidence: string;
  pageEvidenceNote: string;
  evidenceKinds: Record<PageEvidence["kind"], string>;
  pageFileMissing: (why: string) => string;
  digest: string;
  kilobytes: (count: string) => string;
  copyDigest: string;
  savePageFile: Record<PageEvidence["kind"], string>;
  pagePictureAlt: string;
  openShare: string;
  screenshotAlt: string;
  jsonNote: string;
  copyJson: string;
  timeline: Record<"created" | "started" | "observed" | "completed" | "canceled" | "expires", string>;
  outcomes: Record<NonNullable<TaskAttempt["outcome"]>, string>;
  underWay: string;
  probe: string;
  wait: string;
  waits: string;
  attemptsKept: (kept: string, all: string) => string;
  later: (gap: string) => string;
  noDeliveries: string;
  deliveriesRefused: string;
  deliveryRevision: (revision: number) => string;
  attempts: (count: number) => string;
  noAttempts: string;
  nextAttempt: (when: string) => string;
  redeliver: string;
  redelivered: string;
  ownAddress: string;
  defaultAddress: string;
  faults: Record<"dns" | "address" | "connect" | "tls" | "timeout" | "reset" | "too_large" | "malformed", string>;
  request: string;
  askAgain: string;
  askingAgain: string;
  cancel: string;
  copyId: string;
  asked: string;
  wasCanceled: string;
}

const english: TaskMessages = {
  back: "Tasks",
  unknown: "Task not found",
  unknownText: "Check the URL. The task may belong to another account.",
  more: "Show full question",
  less: "Show less",
  facts: {
    platform: "Platform",
    model: "Model",
    asked: "Submitted",
    took: "Duration",
    points: "Points",
    reference: "Reference",
    revision: "Revision",
    expires: "Expires",
    observed: "Observed",
    batch: "Batch",
  },
  options: {
    deepAnalysis: "Deep analysis",
    screenshot: "Screenshot",
    share_link: "Share link",
    html: "Page HTML",
    all: "Answer and page HTML",
  },
  kinds: { api: "API", web: "Web page", sample: "Sample" },
  standIn: "Stand-in",
  standInNote:
    "An example page of this service answered in place of the platform. Everything in the answer is invented.",
  expired: "The result has expired. The question, state and points are kept.",
  tabs: {
    answer: "Answer",
    steps: "Steps",
    page: "Page",
    screenshot: "Screenshot",
    timeline: "Timeline",
    deliveries: "Deliveries",
    json: "JSON",
  },
  tabsLabel: "Task sections",
  waiting: {
    queued: "Queued",
    running: "Running: waiting for the platform’s answer",
    waiting_retry: "The last attempt failed. Waiting for retry",
  },
  attempt: (count) => `Attempt ${count}`,
  retryAt: (when) => `next attempt ${when}`,
  waitReasons: {
    queued: "Waiting for its turn",
    not_before: "Scheduled for later",
    retry: "Waiting to retry after a failed attempt",
    throttled: "The platform is rate limiting requests",
    breaker_open: "The platform keeps failing, so no requests are sent for a while",
    paused: "The operator has paused the platform",
    no_worker: "No running worker can ask the platform",
  },
  attemptFailed: (attempt) => `Attempt ${attempt} failed`,
  failed: "Task failed",
  retryable: "The same question may succeed if you ask again.",
  notRetryable: "Asking the same question again would fail the same way.",
  uncharged: "No points were charged.",
  stages: {
    queue: "in the queue",
    platform: "at the platform",
    parse: "while parsing the answer",
    artifact: "while creating the screenshot or share link",
  },
  platformStatus: (status) => `The platform returned HTTP ${status}.`,
  canceled: "The task was canceled before it finished. No points were charged.",
  advice: {
    platform_unavailable: "Ask again later.",
    platform_timeout: "Ask again later, or allow a longer run time.",
    platform_rate_limited: "Ask again later. The operator can lower the platform’s rate limit.",
    platform_auth: "The operator needs to fix the platform’s credentials first.",
    platform_human_check: "The operator needs to pass the check of the platform’s page first.",
    platform_refused: "Rephrase the question, or try another platform.",
    platform_bad_response: "Ask again later. If it keeps failing, contact the operator.",
    platform_not_configured: "The operator needs to configure the platform first.",
    run_timeout: "Ask again with a longer run timeout.",
    start_deadline_passed: "Ask again with a later start deadline, or without one.",
    output_unavailable: "Ask again without a screenshot or share link.",
    internal: "Ask again. If it keeps failing, send the task ID to the operator.",
  },
  sources: "Sources",
  hiddenPage: "page hidden by a redirect",
  noAnswer: "No answer text",
  pictures: (hosts) => (hosts === 1 ? "Load images from 1 site" : `Load images from ${hosts} sites`),
  picturesNote: "Images are loaded from third-party sites, which can see your IP address.",
  card: (position, kind) => `Card ${position}, ${kind}`,
  cardKinds: { product: "Product", video: "Video" },
  openApp: "Open in app",
  openWeb: "Open in browser",
  unsafe: "Not linked because it isn’t a web address.",
  sold: "Sales",
  availability: "Result fields",
  availabilityFields: {
    content: "Answer",
    sources: "Sources",
    products: "Products",
    videos: "Videos",
    media: "Other cards",
    reasoningProcess: "Reasoning",
    searchProcess: "Searches",
    pageHtml: "Page",
    screenshot: "Screenshot",
    share: "Share link",
  },
  availabilities: {
    present: "Available",
    none_on_platform: "None on the platform",
    not_requested: "Not requested",
    not_exposed: "Not provided by this platform",
    parse_failed: "Could not be parsed",
  },
  reasoning: "Reasoning",
  searches: "Searches",
  searchFor: "Searched for",
  opened: "Opened",
  noResults: "No results listed",
  pageNote: "The stored page. Scripts and external content are blocked, so styles and images may be missing.",
  pageTitle: "Stored page",
  noPage: "No page stored",
  pageEvidence: "The page as it was",
  pageEvidenceNote:
    "Taken when the answer was complete, and sealed when the task ended. A web archive player, such as ReplayWeb.page, shows the archive.",
  evidenceKinds: { picture: "Picture of the page", archive: "Web archive (WACZ)" },
  pageFileMissing: (why) => `Missing: ${why}`,
  digest: "SHA-256",
  kilobytes: (count) => `${count} kB`,
  copyDigest: "Copy digest",
  savePageFile: { picture: "Save picture", archive: "Save archive" },
  pagePictureAlt: "The platform’s page with the question and the answer",
  openShare: "Open share link",
  screenshotAlt: "Screenshot of the answer",
  jsonNote: "The task exactly as the API returns it.",
  copyJson: "Copy JSON",
  timeline: {
    created: "Accepted",
    started: "Started",
    observed: "Platform answered",
    completed: "Finished",
    canceled: "Canceled",
    expires: "Result expires",
  },
  outcomes: {
    completed: "Completed",
    failed: "Failed",
    throttled: "Rate limited by the platform",
    lost: "Lost with the process that ran it",
    handed_back: "Handed to another process",
    canceled: "Canceled",
  },
  underWay: "Running",
  probe: "tests whether the platform has recovered",
  wait: "Waited",
  waits: "Waiting",
  attemptsKept: (kept, all) => `The last ${kept} of ${all} attempts are kept.`,
  later: (gap) => `${gap} later`,
  noDeliveries: "No deliveries for this task yet.",
  deliveriesRefused: "This token can’t read deliveries. It needs the webhook:manage scope.",
  deliveryRevision: (revision) => `Delivery ${revision}`,
  attempts: (count) => (count === 1 ? "1 attempt" : `${count} attempts`),
  noAttempts: "Not sent yet.",
  nextAttempt: (when) => `Next attempt ${when}`,
  redeliver: "Redeliver",
  redelivered: "Redelivery queued",
  ownAddress: "task endpoint",
  defaultAddress: "account endpoint",
  faults: {
    dns: "DNS lookup failed",
    address: "Address not allowed",
    connect: "Connection failed",
    tls: "TLS error",
    timeout: "Timed out",
    reset: "Connection reset",
    too_large: "Response too large",
    malformed: "Invalid HTTP response",
  },
  request: "Request",
  askAgain: "Ask again",
  askingAgain: "Asking…",
  cancel: "Cancel task",
  copyId: "Copy task ID",
  asked: "Asked again. This is the new task.",
  wasCanceled: "Task canceled",
};

const chinese: TaskMessages = {
  back: "任务",
  unknown: "找不到该任务",
  unknownText: "请检查网址。该任务可能属于其他账户。",
  more: "显示完整问题",
  less: "收起",
  facts: {
    platform: "平台",
    model: "模型",
    asked: "提交时间",
    took: "用时",
    points: "点数",
    reference: "自定义编号",
    revision: "版本",
    expires: "结果过期",
    observed: "回答时间",
    batch: "批次",
  },
  options: {
    deepAnalysis: "深度分析",
    screenshot: "截图",
    share_link: "分享链接",
    html: "网页 HTML",
    all: "答案和网页 HTML",
  },
  kinds: { api: "API", web: "网页", sample: "示例" },
  standIn: "示例页面",
  standInNote: "本服务的示例页面代替该平台作答，答案内容均为虚构。",
  expired: "结果已过期。问题、状态和点数仍然保留。",
  tabs: {
    answer: "答案",
    steps: "过程",
    page: "网页",
    screenshot: "截图",
    timeline: "时间线",
    deliveries: "投递记录",
    json: "JSON",
  },
  tabsLabel: "任务内容",
  waiting: { queued: "排队中", running: "运行中：等待平台回答", waiting_retry: "上次尝试失败，等待重试" },
  attempt: (count) => `第 ${count} 次尝试`,
  retryAt: (when) => `下次尝试：${when}`,
  waitReasons: {
    queued: "正在排队",
    not_before: "等待指定的开始时间",
    retry: "上次尝试失败，等待重试",
    throttled: "平台正在限制请求速率",
    breaker_open: "平台持续失败，暂时停止发送请求",
    paused: "运维人员已暂停该平台",
    no_worker: "没有正在运行的工作进程可以访问该平台",
  },
  attemptFailed: (attempt) => `第 ${attempt} 次尝试失败`,
  failed: "任务失败",
  retryable: "重新提问可能会成功。",
  notRetryable: "重新提问会以同样的方式失败。",
  uncharged: "未扣点数。",
  stages: { queue: "排队时", platform: "在平台上", parse: "解析答案时", artifact: "生成截图或分享链接时" },
  platformStatus: (status) => `平台返回 HTTP ${status}。`,
  canceled: "任务在结束前被取消，未扣点数。",
  advice: {
    platform_unavailable: "请稍后重新提问。",
    platform_timeout: "请稍后重新提问，或允许更长的运行时间。",
    platform_rate_limited: "请稍后重新提问。运维人员可以调低该平台的速率限制。",
    platform_auth: "需要运维人员先修复该平台的凭据。",
    platform_human_check: "需要运维人员先通过该平台网页的人机验证。",
    platform_refused: "请换一种问法，或换一个平台。",
    platform_bad_response: "请稍后重新提问。如果持续失败，请联系运维人员。",
    platform_not_configured: "需要运维人员先配置该平台。",
    run_timeout: "请设置更长的运行超时后重新提问。",
    start_deadline_passed: "请设置更晚的开始期限，或不设期限，然后重新提问。",
    output_unavailable: "请不要求截图或分享链接，重新提问。",
    internal: "请重新提问。如果持续失败，请将任务 ID 告知运维人员。",
  },
  sources: "来源",
  hiddenPage: "重定向隐藏了具体页面",
  noAnswer: "没有答案文本",
  pictures: (hosts) => `加载图片（来自 ${hosts} 个网站）`,
  picturesNote: "图片从第三方网站加载，这些网站可以看到您的 IP 地址。",
  card: (position, kind) => `卡片 ${position}，${kind}`,
  cardKinds: { product: "商品", video: "视频" },
  openApp: "在应用中打开",
  openWeb: "在浏览器中打开",
  unsafe: "不是网页地址，因此没有链接。",
  sold: "销量",
  availability: "结果字段",
  availabilityFields: {
    content: "答案",
    sources: "来源",
    products: "商品",
    videos: "视频",
    media: "其他卡片",
    reasoningProcess: "推理过程",
    searchProcess: "搜索过程",
    pageHtml: "网页",
    screenshot: "截图",
    share: "分享链接",
  },
  availabilities: {
    present: "有",
    none_on_platform: "平台未提供",
    not_requested: "未请求",
    not_exposed: "此平台不支持",
    parse_failed: "无法解析",
  },
  reasoning: "推理过程",
  searches: "搜索过程",
  searchFor: "搜索",
  opened: "打开",
  noResults: "没有列出结果",
  pageNote: "已存储的网页。脚本和外部内容被屏蔽，因此可能缺少样式和图片。",
  pageTitle: "已存储的网页",
  noPage: "没有存储网页",
  pageEvidence: "回答时的网页",
  pageEvidenceNote: "在回答完成时保存，并在任务结束时签封。可用网页归档播放器（例如 ReplayWeb.page）查看归档。",
  evidenceKinds: { picture: "网页图片", archive: "网页归档（WACZ）" },
  pageFileMissing: (why) => `缺失：${why}`,
  digest: "SHA-256",
  kilobytes: (count) => `${count} kB`,
  copyDigest: "复制摘要",
  savePageFile: { picture: "保存图片", archive: "保存归档" },
  pagePictureAlt: "平台的网页，包含问题和答案",
  openShare: "打开分享链接",
  screenshotAlt: "答案截图",
  jsonNote: "与 API 返回的任务完全一致。",
  copyJson: "复制 JSON",
  timeline: {
    created: "已接受",
    started: "开始",
    observed: "平台已回答",
    completed: "已完成",
    canceled: "已取消",
    expires: "结果过期",
  },
  outcomes: {
    completed: "已完成",
    failed: "失败",
    throttled: "被平台限速",
    lost: "执行进程中断",
    handed_back: "已转交其他进程",
    canceled: "已取消",
  },
  underWay: "运行中",
  probe: "测试平台是否已恢复",
  wait: "等待",
  waits: "等待中",
  attemptsKept: (kept, all) => `共 ${all} 次尝试，仅保留最近 ${kept} 次。`,
  later: (gap) => `${gap}后`,
  noDeliveries: "此任务还没有投递。",
  deliveriesRefused: "此令牌不能查看投递记录，需要 webhook:manage 权限。",
  deliveryRevision: (revision) => `投递 ${revision}`,
  attempts: (count) => `${count} 次尝试`,
  noAttempts: "尚未发送。",
  nextAttempt: (when) => `下次尝试：${when}`,
  redeliver: "重新投递",
  redelivered: "已加入重新投递队列",
  ownAddress: "任务端点",
  defaultAddress: "账户端点",
  faults: {
    dns: "DNS 解析失败",
    address: "不允许的地址",
    connect: "连接失败",
    tls: "TLS 错误",
    timeout: "超时",
    reset: "连接被重置",
    too_large: "响应过大",
    malformed: "无效的 HTTP 响应",
  },
  request: "请求",
  askAgain: "重新提问",
  askingAgain: "正在提问…",
  cancel: "取消任务",
  copyId: "复制任务 ID",
  asked: "已重新提问，这是新任务。",
  wasCanceled: "任务已取消",
};

export const taskMessages = spoken({ english, chinese });
