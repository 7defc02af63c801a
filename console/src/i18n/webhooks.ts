/** What the webhook views say: the endpoint, the signing secret, and the deliveries. */
import type { EventType, SignatureFault, WebhookRecord } from "@querent/client";
import { spoken } from "./spoken.ts";

interface WebhooksMessages {
  title: string;
  parts: Record<"settings" | "deliveries" | "check", string>;
  refused: string;
  address: string;
  addressHint: string;
  addressLabel: string;
  set: string;
  remove: string;
  removeSure: string;
  removeYes: string;
  keep: string;
  wasSet: string;
  wasRemoved: string;
  status: Record<WebhookRecord["status"] | "failing", string>;
  statusText: Record<WebhookRecord["status"], string>;
  /** `last`: how the last attempt ended. */
  failingText: (last: string, ago: string) => string;
  resume: string;
  resumed: string;
  lastSuccess: string;
  never: string;
  test: string;
  testHint: string;
  testing: string;
  passed: string;
  notPassed: string;
  lifted: string;
  answered: (status: number, took: string) => string;
  noAnswer: (fault: string, took: string) => string;
  receiverSaid: string;
  secret: string;
  secretHint: string;
  version: (version: number) => string;
  copySecret: string;
  rotate: string;
  rotateText: string;
  rotateType: (word: string) => string;
  rotateWord: string;
  overlap: string;
  overlaps: Record<"none" | "hour" | "day" | "week", string>;
  rotateYes: string;
  cancel: string;
  newSecret: string;
  newSecretText: string;
  copyNewSecret: string;
  done: string;
  recover: string;
  recoverText: string;
  since: string;
  recoverRun: string;
  recovering: (done: string, left: string) => string;
  recovered: (count: string) => string;
  unaddressed: (count: string) => string;
  stop: string;
  check: string;
  checkText: string;
  body: string;
  bodyHint: string;
  headers: string;
  headersHint: string;
  checkSecret: string;
  useCurrent: string;
  checkRun: string;
  right: string;
  rightPrevious: string;
  rightTest: string;
  rightDelivery: (id: string) => string;
  wrong: Record<SignatureFault, string>;
  state: string;
  allStates: string;
  task: string;
  destination: string;
  destinationHint: string;
  from: string;
  until: string;
  clear: string;
  none: string;
  noneText: string;
  noneFit: string;
  badState: (state: string) => string;
  badTime: (time: string) => string;
  older: string;
  newest: string;
  noUrl: string;
  backToLog: string;
  unknown: string;
  eventNames: Record<EventType, string>;
  events: string;
  eventsHint: string;
  eventsSaved: string;
  facts: Record<
    | "event"
    | "question"
    | "task"
    | "notification"
    | "address"
    | "made"
    | "ended"
    | "attempts"
    | "next"
    | "id"
    | "reason",
    string
  >;
  reasons: {
    delivered: (status: number) => string;
    gone: string;
    exhausted: (attempts: number, last: string) => string;
    pending: (last: string) => string;
    notTried: string;
    skipped: string;
    superseded: string;
    paused: string;
  };
  attemptsTitle: string;
  requestTitle: string;
  signature: string;
  signatureHint: string;
  rawBody: string;
  bytes: (count: string) => string;
  bodyOrigin: Record<"kept" | "rebuilt", string>;
  copyBody: string;
  copyHeaders: string;
  nothingSent: string;
}

const english: WebhooksMessages = {
  title: "Webhooks",
  parts: { settings: "Endpoint", deliveries: "Deliveries", check: "Verify a signature" },
  refused: "This token can’t access webhooks. It needs the webhook:manage scope.",
  address: "Endpoint",
  addressHint:
    "A webhook is sent to this URL when a task finishes, unless the task sets its own. HTTPS and a public host are required.",
  addressLabel: "Endpoint URL",
  set: "Save",
  remove: "Remove",
  removeSure: "No webhooks will be sent until you set another endpoint. Missed deliveries can be recovered later.",
  removeYes: "Remove endpoint",
  keep: "Cancel",
  wasSet: "Endpoint saved",
  wasRemoved: "Endpoint removed",
  status: { active: "Active", failing: "Failing", suspended: "Suspended", unset: "Not set" },
  statusText: {
    active: "Deliveries are being sent.",
    suspended: "Deliveries are paused and kept. They are sent once the endpoint is resumed.",
    unset: "No endpoint is set. Webhooks are sent only for tasks that set their own URL.",
  },
  failingText: (last, ago) =>
    `The last attempt to deliver failed (${ago}: ${last}). Nothing is lost: each delivery is retried for about three days, and stays in the log below.`,
  resume: "Resume deliveries",
  resumed: "Deliveries resumed",
  lastSuccess: "Last successful delivery",
  never: "never",
  test: "Send test webhook",
  testHint:
    "Sends one signed webhook now, for a task that doesn’t exist. If it succeeds, a suspended endpoint is resumed.",
  testing: "Sending…",
  passed: "Test delivered.",
  notPassed: "Test failed.",
  lifted: "The endpoint is active again. Paused deliveries are being sent.",
  answered: (status, took) => `The endpoint returned HTTP ${status} after ${took}.`,
  noAnswer: (fault, took) => `No response: ${fault}, after ${took}.`,
  receiverSaid: "Response body",
  secret: "Signing secret",
  secretHint: "Every webhook is signed with this secret. Use it in your endpoint to verify the signature.",
  version: (version) => `Version ${version}`,
  copySecret: "Copy secret",
  rotate: "Rotate",
  rotateText:
    "The new secret signs every webhook from now on, including retries. An endpoint that only knows the old secret rejects them, unless you sign with both for a while.",
  rotateType: (word) => `Type ${word} to confirm`,
  rotateWord: "rotate",
  overlap: "Also sign with the old secret",
  overlaps: { none: "No", hour: "For 1 hour", day: "For 1 day", week: "For 7 days" },
  rotateYes: "Rotate secret",
  cancel: "Cancel",
  newSecret: "New secret",
  newSecretText: "Copy it now. It won’t be shown again.",
  copyNewSecret: "Copy new secret",
  done: "Done",
  recover: "Recover missed deliveries",
  recoverText: "Redelivers everything that failed, or had no endpoint, since the time you choose.",
  since: "Since",
  recoverRun: "Redeliver",
  recovering: (done, left) => `${done} redelivered, ${left} remaining`,
  recovered: (count) => `${count} redeliveries queued.`,
  unaddressed: (count) => `${count} have no endpoint. Set one first.`,
  stop: "Stop",
  check: "Verify a signature",
  checkText:
    "Paste what your endpoint received to check its signature. Everything is checked in your browser. Nothing is sent.",
  body: "Body",
  bodyHint: "The raw request body, before any parsing.",
  headers: "Headers",
  headersHint: "One per line, as name: value. X-Service-Signature is required.",
  checkSecret: "Signing secret",
  useCurrent: "Use account secret",
  checkRun: "Verify",
  right: "The signature is valid.",
  rightPrevious: "It was made with the previous secret. You are using the old secret during a rotation.",
  rightTest: "This is a test webhook.",
  rightDelivery: (id) => `Delivery ${id}.`,
  wrong: {
    body_not_raw: "The body is not raw bytes",
    secret_malformed: "The secret is malformed",
    signature_missing: "The signature header is missing",
    signature_malformed: "The signature header is malformed",
    signature_mismatch: "The signature doesn’t match",
    body_malformed: "The body is not a webhook payload",
  },
  state: "State",
  allStates: "All",
  task: "Task ID",
  destination: "Endpoint",
  destinationHint: "Full URL, or origin: https://hooks.example.com",
  from: "From",
  until: "Until",
  clear: "Clear filters",
  none: "No deliveries yet",
  noneText: "A delivery is created when a task finishes, even if no endpoint is set.",
  noneFit: "No deliveries match these filters",
  badState: (state) => `“${state}” is not a delivery state. Choose one above.`,
  badTime: (time) => `“${time}” is not a time. Use a form such as 2026-11-01T09:00.`,
  older: "Older",
  newest: "Newest",
  noUrl: "No endpoint was set",
  backToLog: "Deliveries",
  unknown: "Delivery not found",
  eventNames: {
    "task.finished": "A task finishes",
    "panel.run.finished": "A panel’s run ends",
    "panel.change.detected": "A panel’s figure changes",
    "panel.instrument.changed": "A panel’s instrument changes",
    "cap.reached": "A cap is nearly used up",
  },
  events: "Events",
  eventsHint: "Finished tasks are always sent. Choose what else this endpoint is told of.",
  eventsSaved: "Events saved",
  facts: {
    event: "Event",
    question: "Question",
    task: "Task",
    notification: "Revision",
    address: "Endpoint",
    made: "Created",
    ended: "Finished",
    attempts: "Attempts",
    next: "Next attempt",
    id: "Delivery ID",
    reason: "Status",
  },
  reasons: {
    delivered: (status) => `The endpoint accepted it with HTTP ${status}.`,
    gone: "The endpoint returned HTTP 410 Gone. It is not retried.",
    exhausted: (attempts, last) => `Gave up after ${attempts} attempts. Last result: ${last}.`,
    pending: (last) => `Not delivered yet. Last result: ${last}.`,
    notTried: "Not sent yet.",
    skipped: "No endpoint was set when the task finished. Set one, then redeliver.",
    superseded: "Replaced by a newer delivery for the same task.",
    paused: "Paused: the endpoint is suspended. It is sent once the endpoint is resumed.",
  },
  attemptsTitle: "Attempts",
  requestTitle: "Request",
  signature: "Signature headers",
  signatureHint:
    "Added to each attempt when it is sent, and made from the timestamp of that moment and the secret current then:",
  rawBody: "Raw body",
  bytes: (count) => `${count} bytes`,
  bodyOrigin: {
    kept: "Exactly the bytes that are signed and sent.",
    rebuilt: "Rebuilt from the task as it is now. Sent bytes are not kept once a delivery has finished.",
  },
  copyBody: "Copy body",
  copyHeaders: "Copy headers",
  nothingSent: "Nothing was sent.",
};

const chinese: WebhooksMessages = {
  title: "Webhook",
  parts: { settings: "端点", deliveries: "投递记录", check: "验证签名" },
  refused: "此令牌不能访问 Webhook，需要 webhook:manage 权限。",
  address: "端点",
  addressHint: "任务结束时会向此 URL 发送 Webhook，除非任务指定了自己的 URL。必须使用 HTTPS 和公网主机。",
  addressLabel: "端点 URL",
  set: "保存",
  remove: "移除",
  removeSure: "在设置新端点之前不会发送 Webhook。错过的投递可以稍后补发。",
  removeYes: "移除端点",
  keep: "取消",
  wasSet: "端点已保存",
  wasRemoved: "端点已移除",
  status: { active: "正常", failing: "失败", suspended: "已暂停", unset: "未设置" },
  statusText: {
    active: "正在正常投递。",
    suspended: "投递已暂停并保留，端点恢复后会继续发送。",
    unset: "未设置端点。只有指定了自己 URL 的任务会发送 Webhook。",
  },
  failingText: (last, ago) =>
    `最近一次投递失败（${ago}：${last}）。不会丢失：每次投递会在大约三天内重试，并保留在下方日志中。`,
  resume: "恢复投递",
  resumed: "投递已恢复",
  lastSuccess: "最近一次成功投递",
  never: "从未",
  test: "发送测试 Webhook",
  testHint: "立即发送一个带签名的 Webhook，其中的任务并不存在。测试成功后，已暂停的端点会恢复。",
  testing: "正在发送…",
  passed: "测试已送达。",
  notPassed: "测试失败。",
  lifted: "端点已恢复，正在发送暂停的投递。",
  answered: (status, took) => `端点在 ${took}后返回 HTTP ${status}。`,
  noAnswer: (fault, took) => `${took}后没有响应：${fault}。`,
  receiverSaid: "响应正文",
  secret: "签名密钥",
  secretHint: "每个 Webhook 都用此密钥签名。请在端点中用它验证签名。",
  version: (version) => `第 ${version} 版`,
  copySecret: "复制密钥",
  rotate: "轮换",
  rotateText:
    "新密钥将立即用于所有 Webhook，包括重试。只知道旧密钥的端点会拒绝这些请求，除非在一段时间内同时用两个密钥签名。",
  rotateType: (word) => `输入 ${word} 以确认`,
  rotateWord: "rotate",
  overlap: "同时用旧密钥签名",
  overlaps: { none: "不需要", hour: "1 小时", day: "1 天", week: "7 天" },
  rotateYes: "轮换密钥",
  cancel: "取消",
  newSecret: "新密钥",
  newSecretText: "请立即复制，之后不会再显示。",
  copyNewSecret: "复制新密钥",
  done: "完成",
  recover: "补发错过的投递",
  recoverText: "重新投递所选时间之后失败的、或没有端点的全部内容。",
  since: "起始时间",
  recoverRun: "重新投递",
  recovering: (done, left) => `已重新投递 ${done}，剩余 ${left}`,
  recovered: (count) => `已将 ${count} 个重新投递加入队列。`,
  unaddressed: (count) => `${count} 个没有端点，请先设置端点。`,
  stop: "停止",
  check: "验证签名",
  checkText: "粘贴端点收到的内容以验证签名。全部在浏览器中验证，不会发送任何内容。",
  body: "正文",
  bodyHint: "未经解析的原始请求正文。",
  headers: "请求头",
  headersHint: "每行一个，格式为 名称: 值。必须包含 X-Service-Signature。",
  checkSecret: "签名密钥",
  useCurrent: "使用账户密钥",
  checkRun: "验证",
  right: "签名有效。",
  rightPrevious: "此签名使用的是上一个密钥。密钥正在轮换，您使用的是旧密钥。",
  rightTest: "这是测试 Webhook。",
  rightDelivery: (id) => `投递 ${id}。`,
  wrong: {
    body_not_raw: "正文不是原始字节",
    secret_malformed: "密钥格式错误",
    signature_missing: "缺少签名请求头",
    signature_malformed: "签名请求头格式错误",
    signature_mismatch: "签名不匹配",
    body_malformed: "正文不是 Webhook 内容",
  },
  state: "状态",
  allStates: "全部",
  task: "任务 ID",
  destination: "端点",
  destinationHint: "完整 URL，或源：https://hooks.example.com",
  from: "开始时间",
  until: "结束时间",
  clear: "清除筛选",
  none: "还没有投递",
  noneText: "任务结束时会创建投递，即使没有设置端点。",
  noneFit: "没有符合条件的投递",
  badState: (state) => `“${state}”不是投递状态，请在上方选择。`,
  badTime: (time) => `“${time}”不是时间，格式如 2026-11-01T09:00。`,
  older: "更早",
  newest: "最新",
  noUrl: "未设置端点",
  backToLog: "投递记录",
  unknown: "找不到该投递",
  eventNames: {
    "task.finished": "任务结束",
    "panel.run.finished": "面板的一次运行结束",
    "panel.change.detected": "面板的指标发生变化",
    "panel.instrument.changed": "面板的测量条件发生变化",
    "cap.reached": "限额即将用尽",
  },
  events: "事件",
  eventsHint: "任务结束时总会发送。请选择还要向此端点发送哪些事件。",
  eventsSaved: "事件已保存",
  facts: {
    event: "事件",
    question: "问题",
    task: "任务",
    notification: "版本",
    address: "端点",
    made: "创建时间",
    ended: "结束时间",
    attempts: "尝试次数",
    next: "下次尝试",
    id: "投递 ID",
    reason: "状态",
  },
  reasons: {
    delivered: (status) => `端点已接收，返回 HTTP ${status}。`,
    gone: "端点返回 HTTP 410 Gone，不再重试。",
    exhausted: (attempts, last) => `尝试 ${attempts} 次后放弃。最后结果：${last}。`,
    pending: (last) => `尚未送达。最后结果：${last}。`,
    notTried: "尚未发送。",
    skipped: "任务结束时没有设置端点。请先设置端点，再重新投递。",
    superseded: "已被同一任务的更新投递取代。",
    paused: "已暂停：端点已暂停。恢复端点后会继续发送。",
  },
  attemptsTitle: "尝试记录",
  requestTitle: "请求",
  signature: "签名请求头",
  signatureHint: "每次尝试发送时添加，由当时的时间戳和当时的密钥生成：",
  rawBody: "原始正文",
  bytes: (count) => `${count} 字节`,
  bodyOrigin: {
    kept: "与签名和发送的字节完全一致。",
    rebuilt: "由任务的当前内容重新生成。投递结束后不保留已发送的字节。",
  },
  copyBody: "复制正文",
  copyHeaders: "复制请求头",
  nothingSent: "没有发送任何内容。",
};

export const webhooksMessages = spoken({ english, chinese });
