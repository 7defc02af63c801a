import type { Availability, Failure, PlatformRecord, Progress } from "@querent/client";
import { spoken } from "./spoken.ts";

interface TaskWords {
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
  expired: string;
  tabs: Record<"answer" | "steps" | "page" | "screenshot" | "timeline" | "deliveries" | "json", string>;
  tabsLabel: string;
  waiting: Record<Progress["phase"], string>;
  attempt: (count: number) => string;
  retryAt: (when: string) => string;
  failed: string;
  retryable: string;
  notRetryable: string;
  uncharged: string;
  stages: Record<Failure["stage"], string>;
  platformStatus: (status: number) => string;
  canceled: string;
  advice: Record<Failure["code"], string>;
  sources: string;
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
  noResults: string;
  pageNote: string;
  pageTitle: string;
  noPage: string;
  openShare: string;
  screenshotAlt: string;
  jsonNote: string;
  copyJson: string;
  timeline: Record<"created" | "started" | "observed" | "completed" | "canceled" | "expires", string>;
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

const english: TaskWords = {
  back: "Tasks",
  unknown: "There is no such task",
  unknownText: "The address may be mistyped, or the task belongs to another account.",
  more: "Show the whole question",
  less: "Show less",
  facts: {
    platform: "Platform",
    model: "Model",
    asked: "Asked",
    took: "Took",
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
    html: "Page",
    all: "Answer and page",
  },
  kinds: { api: "API", web: "Web page", sample: "Sample" },
  expired: "The result has expired. Question, state and points stay.",
  tabs: {
    answer: "Answer",
    steps: "Steps",
    page: "Page",
    screenshot: "Screenshot",
    timeline: "Timeline",
    deliveries: "Deliveries",
    json: "JSON",
  },
  tabsLabel: "Parts of the task",
  waiting: {
    queued: "Waits for its turn",
    running: "The platform is being asked",
    waiting_retry: "Will be asked again",
  },
  attempt: (count) => `Attempt ${count}`,
  retryAt: (when) => `again ${when}`,
  failed: "The task failed",
  retryable: "The same question may succeed if it is asked again.",
  notRetryable: "Asking the same again would fail the same way.",
  uncharged: "Nothing was charged.",
  stages: {
    queue: "in the queue",
    platform: "at the platform",
    parse: "while reading the answer",
    artifact: "while making the picture or the link",
  },
  platformStatus: (status) => `The platform answered HTTP ${status}.`,
  canceled: "The task was canceled before it ended. Nothing was charged.",
  advice: {
    platform_unavailable: "Ask again later.",
    platform_timeout: "Ask again later, or give it more time.",
    platform_rate_limited: "Ask again later. The operator may lower the platform’s rate.",
    platform_auth: "The operator has to put the platform’s credentials right first.",
    platform_refused: "Ask another way, or another platform.",
    platform_bad_response: "Ask again later. If it stays so, tell the operator.",
    platform_not_configured: "The operator has to configure the platform first.",
    run_timeout: "Ask again with more time to run.",
    start_deadline_passed: "Ask again with a later deadline, or with none.",
    output_unavailable: "Ask again for the plain answer.",
    internal: "Ask again. If it stays so, tell the operator the task’s id.",
  },
  sources: "Sources",
  noAnswer: "There is no answer text",
  pictures: (hosts) => (hosts === 1 ? "Show pictures, from 1 site" : `Show pictures, from ${hosts} sites`),
  picturesNote: "Pictures come from the sites that the platform named. Those sites learn that somebody looks.",
  card: (position, kind) => `Card ${position}, ${kind}`,
  cardKinds: { product: "Product", video: "Video" },
  openApp: "Open in the app",
  openWeb: "Open in the browser",
  unsafe: "This address is shown, not linked: it leads to something that is no web page.",
  sold: "Sales",
  availability: "What came back",
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
    present: "present",
    none_on_platform: "the platform showed none",
    not_requested: "not asked for",
    not_exposed: "this platform never shows it",
    parse_failed: "shown, but could not be read",
  },
  reasoning: "Reasoning",
  searches: "Searches",
  searchFor: "Searched for",
  noResults: "no result was listed",
  pageNote:
    "The page as it was stored. It runs no script and loads nothing, so styles and pictures from elsewhere are missing.",
  pageTitle: "The stored page",
  noPage: "No page was stored",
  openShare: "Open the share link",
  screenshotAlt: "Screenshot of the answer",
  jsonNote: "The record as the API gives it, every number as it stands there.",
  copyJson: "Copy JSON",
  timeline: {
    created: "Accepted",
    started: "Started",
    observed: "Platform answered",
    completed: "Ended",
    canceled: "Canceled",
    expires: "Result expires",
  },
  later: (gap) => `${gap} later`,
  noDeliveries: "No notification was made for this task yet",
  deliveriesRefused: "This token may not read deliveries: it lacks the scope webhook:manage.",
  deliveryRevision: (revision) => `Notification ${revision}`,
  attempts: (count) => (count === 1 ? "1 attempt" : `${count} attempts`),
  noAttempts: "It has not been sent.",
  nextAttempt: (when) => `Next attempt ${when}`,
  redeliver: "Send again",
  redelivered: "A new notification is on its way",
  ownAddress: "the task’s own address",
  defaultAddress: "the account’s address",
  faults: {
    dns: "name not found",
    address: "address not allowed",
    connect: "no connection",
    tls: "TLS failed",
    timeout: "timed out",
    reset: "connection broke",
    too_large: "answer too large",
    malformed: "not HTTP",
  },
  request: "What is sent",
  askAgain: "Ask again",
  askingAgain: "Asking …",
  cancel: "Cancel",
  copyId: "Copy the task’s id",
  asked: "Asked again: this is the new task",
  wasCanceled: "Canceled",
};

const chinese: TaskWords = {
  back: "任务",
  unknown: "没有这个任务",
  unknownText: "网址可能有误，或任务属于另一个账户。",
  more: "显示完整问题",
  less: "收起",
  facts: {
    platform: "平台",
    model: "模型",
    asked: "提问时间",
    took: "用时",
    points: "点数",
    reference: "编号",
    revision: "版本",
    expires: "结果过期",
    observed: "回答时间",
    batch: "批次",
  },
  options: { deepAnalysis: "深度分析", screenshot: "截图", share_link: "分享链接", html: "网页", all: "答案和网页" },
  kinds: { api: "API", web: "网页", sample: "示例" },
  expired: "结果已过期。问题、状态和点数仍然保留。",
  tabs: {
    answer: "答案",
    steps: "过程",
    page: "网页",
    screenshot: "截图",
    timeline: "时间线",
    deliveries: "通知投递",
    json: "JSON",
  },
  tabsLabel: "任务的各个部分",
  waiting: { queued: "正在排队", running: "正在向平台提问", waiting_retry: "稍后会再次提问" },
  attempt: (count) => `第 ${count} 次尝试`,
  retryAt: (when) => `${when}重试`,
  failed: "任务失败",
  retryable: "再次提同样的问题可能会成功。",
  notRetryable: "再次提同样的问题会以同样的方式失败。",
  uncharged: "未扣点数。",
  stages: { queue: "排队时", platform: "在平台上", parse: "读取答案时", artifact: "制作截图或链接时" },
  platformStatus: (status) => `平台返回 HTTP ${status}。`,
  canceled: "任务在结束前被取消，未扣点数。",
  advice: {
    platform_unavailable: "请稍后再问。",
    platform_timeout: "请稍后再问，或给它更多时间。",
    platform_rate_limited: "请稍后再问。运维人员可以降低该平台的速率。",
    platform_auth: "需要运维人员先修正该平台的凭据。",
    platform_refused: "请换一种问法，或换一个平台。",
    platform_bad_response: "请稍后再问。如果一直如此，请告知运维人员。",
    platform_not_configured: "需要运维人员先配置该平台。",
    run_timeout: "请用更长的运行时间再问。",
    start_deadline_passed: "请用更晚的期限再问，或不设期限。",
    output_unavailable: "请改为只要普通答案。",
    internal: "请再问一次。如果一直如此，请把任务编号告知运维人员。",
  },
  sources: "来源",
  noAnswer: "没有答案文本",
  pictures: (hosts) => `显示图片（来自 ${hosts} 个网站）`,
  picturesNote: "图片来自平台所指的网站，这些网站会知道有人在查看。",
  card: (position, kind) => `卡片 ${position}，${kind}`,
  cardKinds: { product: "商品", video: "视频" },
  openApp: "在应用中打开",
  openWeb: "在浏览器中打开",
  unsafe: "此地址只显示、不可点击：它指向的不是网页。",
  sold: "销量",
  availability: "返回内容",
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
    none_on_platform: "平台没有显示",
    not_requested: "没有请求",
    not_exposed: "此平台从不提供",
    parse_failed: "有显示，但无法读取",
  },
  reasoning: "推理过程",
  searches: "搜索过程",
  searchFor: "搜索",
  noResults: "没有列出结果",
  pageNote: "存储时的网页。不运行脚本，也不加载任何内容，因此缺少外部样式和图片。",
  pageTitle: "存储的网页",
  noPage: "没有存储网页",
  openShare: "打开分享链接",
  screenshotAlt: "答案截图",
  jsonNote: "API 返回的原始记录，所有数字保持原样。",
  copyJson: "复制 JSON",
  timeline: {
    created: "已接受",
    started: "开始",
    observed: "平台已回答",
    completed: "结束",
    canceled: "已取消",
    expires: "结果过期",
  },
  later: (gap) => `${gap}后`,
  noDeliveries: "此任务还没有通知",
  deliveriesRefused: "此令牌不能读取投递记录：缺少 webhook:manage 权限。",
  deliveryRevision: (revision) => `第 ${revision} 次通知`,
  attempts: (count) => `${count} 次尝试`,
  noAttempts: "尚未发送。",
  nextAttempt: (when) => `${when}再次尝试`,
  redeliver: "重新投递",
  redelivered: "新的通知已在投递",
  ownAddress: "任务自己的地址",
  defaultAddress: "账户地址",
  faults: {
    dns: "找不到域名",
    address: "不允许的地址",
    connect: "无法连接",
    tls: "TLS 失败",
    timeout: "超时",
    reset: "连接中断",
    too_large: "响应过大",
    malformed: "不是 HTTP",
  },
  request: "发送内容",
  askAgain: "再问一次",
  askingAgain: "正在提问…",
  cancel: "取消",
  copyId: "复制任务编号",
  asked: "已再次提问：这是新任务",
  wasCanceled: "已取消",
};

export const taskWords = spoken({ english, chinese });
