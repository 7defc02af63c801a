/** What notifications say: where they go, with which secret, and how each went. */
import type { DeliveryRecord, SignatureFault, WebhookRecord } from "@querent/client";
import { spoken } from "./spoken.ts";

interface WebhooksWords {
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
  status: Record<WebhookRecord["status"], string>;
  statusText: Record<WebhookRecord["status"], string>;
  suspendedAt: (when: string) => string;
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
  older: string;
  newest: string;
  phases: Record<NonNullable<DeliveryRecord["phase"]>, string>;
  noUrl: string;
  backToLog: string;
  unknown: string;
  facts: Record<"task" | "notification" | "address" | "made" | "ended" | "attempts" | "next", string>;
  attemptsTitle: string;
  requestTitle: string;
  bodyOrigin: Record<"kept" | "rebuilt", string>;
  copyBody: string;
  nothingSent: string;
}

const english: WebhooksWords = {
  title: "Webhooks",
  parts: { settings: "Address and secret", deliveries: "Deliveries", check: "Check a signature" },
  refused: "This token may not see notifications: it lacks the scope webhook:manage.",
  address: "Address",
  addressHint: "Every end of a task is told to this address, unless the task names its own. HTTPS, and a public host.",
  addressLabel: "Notification address",
  set: "Set",
  remove: "Remove",
  removeSure: "Ends of tasks would no longer be told to anybody. What is missed can be recovered later.",
  removeYes: "Remove the address",
  keep: "Keep it",
  wasSet: "The address is set",
  wasRemoved: "The address is removed",
  status: { active: "Active", suspended: "Suspended", unset: "Not set" },
  statusText: {
    active: "Notifications go out.",
    suspended:
      "The receiver failed for days, so nothing is sent any more; what comes up is kept. A test that passes lifts this.",
    unset: "Nobody is told when a task ends.",
  },
  suspendedAt: (when) => `Suspended ${when}.`,
  lastSuccess: "Last success",
  never: "never",
  test: "Send a test",
  testHint: "One signed notification, sent once, right now. Its task does not exist.",
  testing: "Sending …",
  passed: "The receiver took it.",
  notPassed: "The receiver did not take it.",
  lifted: "The suspension is lifted: what was held goes out now.",
  answered: (status, took) => `It answered HTTP ${status} after ${took}.`,
  noAnswer: (fault, took) => `No answer: ${fault}, after ${took}.`,
  receiverSaid: "What it said",
  secret: "Signing secret",
  secretHint:
    "Every notification is signed with it, and your receiver checks it. It is not shown here; copy it into your receiver.",
  version: (version) => `Version ${version}`,
  copySecret: "Copy the secret",
  rotate: "Rotate",
  rotateText:
    "A new secret signs everything from now on, retries too. A receiver that knows the old one alone refuses what comes, unless both are sent for a while.",
  rotateType: (word) => `Type ${word} to confirm`,
  rotateWord: "rotate",
  overlap: "Sign with the old one too",
  overlaps: { none: "Not at all", hour: "For an hour", day: "For a day", week: "For a week" },
  rotateYes: "Rotate now",
  cancel: "Cancel",
  newSecret: "The new secret",
  newSecretText: "It is shown this once. Put it into your receiver.",
  copyNewSecret: "Copy the new secret",
  done: "Done",
  recover: "Recover",
  recoverText: "Sends again, as a new delivery, whatever was given up or had no address since a time.",
  since: "Since",
  recoverRun: "Send again what failed",
  recovering: (done, left) => `${done} sent again, ${left} left`,
  recovered: (count) => `${count} are on their way again.`,
  unaddressed: (count) => `${count} have nowhere to go: set an address first.`,
  stop: "Stop",
  check: "Check a signature",
  checkText:
    "Paste what your receiver got, and see whether it is ours and, if not, why. Nothing of it leaves this page.",
  body: "Body",
  bodyHint: "The bytes as they came, before anything parsed them.",
  headers: "Headers",
  headersHint: "One a line, as name: value. X-Service-Signature is needed.",
  checkSecret: "Signing secret",
  useCurrent: "Use the account’s",
  checkRun: "Check",
  right: "The signature is right.",
  rightPrevious: "It was made with the secret before: yours is the old one, and a rotation is under way.",
  rightTest: "It is a test.",
  rightDelivery: (id) => `Delivery ${id}.`,
  wrong: {
    body_not_raw: "The body is not bytes",
    secret_malformed: "The secret can’t be one",
    signature_missing: "There is no signature",
    signature_malformed: "The signature is none",
    signature_mismatch: "The signature is wrong",
    body_malformed: "The body is no notification",
  },
  state: "State",
  allStates: "All",
  task: "Task",
  destination: "Address",
  destinationHint: "An address, exactly, or an origin: https://hooks.example.com",
  from: "From",
  until: "Until",
  clear: "Clear the filters",
  none: "Nothing has been delivered yet",
  noneText: "A delivery is made whenever a task ends, also when there is no address to send it to.",
  noneFit: "No delivery fits these filters",
  older: "Older",
  newest: "Newest",
  phases: {
    queued: "waits for its turn",
    in_flight: "being sent",
    waiting: "waits for its next attempt",
    held: "held",
  },
  noUrl: "there was no address",
  backToLog: "Deliveries",
  unknown: "There is no such delivery",
  facts: {
    task: "Task",
    notification: "Notification",
    address: "Address",
    made: "Made",
    ended: "Ended",
    attempts: "Attempts",
    next: "Next attempt",
  },
  attemptsTitle: "Attempts",
  requestTitle: "What is sent",
  bodyOrigin: {
    kept: "The very bytes that are signed.",
    rebuilt: "Made from the task as it is now: bytes that nothing will send any more are not kept.",
  },
  copyBody: "Copy the body",
  nothingSent: "Nothing was sent.",
};

const chinese: WebhooksWords = {
  title: "通知",
  parts: { settings: "地址和密钥", deliveries: "投递记录", check: "检查签名" },
  refused: "此令牌不能查看通知：缺少 webhook:manage 权限。",
  address: "地址",
  addressHint: "每个任务结束时都会通知到此地址，除非任务有自己的地址。必须是 HTTPS 和公网主机。",
  addressLabel: "通知地址",
  set: "设置",
  remove: "移除",
  removeSure: "之后任务结束时将不再通知任何人。错过的通知可以以后补发。",
  removeYes: "移除地址",
  keep: "保留",
  wasSet: "地址已设置",
  wasRemoved: "地址已移除",
  status: { active: "正常", suspended: "已暂停", unset: "未设置" },
  statusText: {
    active: "通知正常发送。",
    suspended: "接收方连续数天失败，因此不再发送，新的通知会保留。一次测试成功即可恢复。",
    unset: "任务结束时没有人会收到通知。",
  },
  suspendedAt: (when) => `${when}暂停。`,
  lastSuccess: "上次成功",
  never: "从未",
  test: "发送测试",
  testHint: "立即发送一次带签名的通知，其中的任务并不存在。",
  testing: "正在发送…",
  passed: "接收方已接收。",
  notPassed: "接收方没有接收。",
  lifted: "暂停已解除：保留的通知正在发送。",
  answered: (status, took) => `${took}后返回 HTTP ${status}。`,
  noAnswer: (fault, took) => `${took}后没有响应：${fault}。`,
  receiverSaid: "接收方的响应",
  secret: "签名密钥",
  secretHint: "每个通知都用它签名，由接收方检查。这里不显示密钥，请复制到接收方。",
  version: (version) => `第 ${version} 版`,
  copySecret: "复制密钥",
  rotate: "轮换",
  rotateText: "从现在起所有通知（包括重试）都用新密钥签名。只知道旧密钥的接收方会拒绝，除非一段时间内同时使用两者。",
  rotateType: (word) => `输入 ${word} 以确认`,
  rotateWord: "rotate",
  overlap: "同时用旧密钥签名",
  overlaps: { none: "不需要", hour: "一小时", day: "一天", week: "一周" },
  rotateYes: "立即轮换",
  cancel: "取消",
  newSecret: "新密钥",
  newSecretText: "只显示这一次，请放入接收方。",
  copyNewSecret: "复制新密钥",
  done: "完成",
  recover: "补发",
  recoverText: "将某个时间以来放弃的、或没有地址的通知，作为新的投递再次发送。",
  since: "自",
  recoverRun: "补发失败的通知",
  recovering: (done, left) => `已补发 ${done}，剩余 ${left}`,
  recovered: (count) => `${count} 个通知已重新发送。`,
  unaddressed: (count) => `${count} 个没有地址可发送：请先设置地址。`,
  stop: "停止",
  check: "检查签名",
  checkText: "粘贴接收方收到的内容，查看签名是否正确；如果不正确，说明原因。内容不会离开本页。",
  body: "正文",
  bodyHint: "收到时的原始字节，未经任何解析。",
  headers: "请求头",
  headersHint: "每行一个，格式为 名称: 值。必须包含 X-Service-Signature。",
  checkSecret: "签名密钥",
  useCurrent: "使用账户的密钥",
  checkRun: "检查",
  right: "签名正确。",
  rightPrevious: "它是用上一个密钥签名的：您的密钥是旧的，正在轮换中。",
  rightTest: "这是一次测试。",
  rightDelivery: (id) => `投递 ${id}。`,
  wrong: {
    body_not_raw: "正文不是字节",
    secret_malformed: "这不可能是密钥",
    signature_missing: "没有签名",
    signature_malformed: "签名格式不对",
    signature_mismatch: "签名不正确",
    body_malformed: "正文不是通知",
  },
  state: "状态",
  allStates: "全部",
  task: "任务",
  destination: "地址",
  destinationHint: "完整地址，或来源：https://hooks.example.com",
  from: "从",
  until: "到",
  clear: "清除筛选",
  none: "还没有投递",
  noneText: "每个任务结束时都会产生一次投递，即使没有地址可发送。",
  noneFit: "没有符合条件的投递",
  older: "更早",
  newest: "最新",
  phases: { queued: "正在排队", in_flight: "正在发送", waiting: "等待下次尝试", held: "已保留" },
  noUrl: "当时没有地址",
  backToLog: "投递记录",
  unknown: "没有这个投递",
  facts: {
    task: "任务",
    notification: "通知",
    address: "地址",
    made: "产生时间",
    ended: "结束时间",
    attempts: "尝试次数",
    next: "下次尝试",
  },
  attemptsTitle: "各次尝试",
  requestTitle: "发送内容",
  bodyOrigin: { kept: "被签名的原始字节。", rebuilt: "由任务当前内容生成：不再发送的字节不会保留。" },
  copyBody: "复制正文",
  nothingSent: "没有发送任何内容。",
};

export const webhooksWords = spoken({ english, chinese });
