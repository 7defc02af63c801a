/** The words of alerts. */
import type { ConditionCode } from "@querent/contract";
import { measureNameOf, shareOf } from "../sending/mail-words.ts";
import type { FindingData } from "./findings.ts";

export type ChangeData = Extract<FindingData, { of: "change" }>;
export type InstrumentData = Extract<FindingData, { of: "instrument" }>;

export const english = {
  one: (alert: string, text: string) => `${alert}: ${text}`,
  many: (alert: string, count: number) => `${alert}: ${count} findings`,
  over: (text: string) => `Over: ${text}`,
  overSince: (text: string, since: string) => `${text} It is over since ${since} (UTC).`,
  change: ({ name, measure, platformCode, before, after, since }: ChangeData, panel: string) =>
    `${panel}: ${measureNameOf(measure, "en")} of ${name} on ${platformCode} from ${shareOf(before)} to ${shareOf(after)} since ${since}, which chance does not explain.`,
  sourceGone: ({ name, platformCode, before, since }: ChangeData, panel: string) =>
    `${panel}: answers of ${platformCode} cite ${name} no more since ${since}; before, ${shareOf(before)} did.`,
  instrument: ({ platformCode, before, after, since }: InstrumentData, panel: string) =>
    `${panel}: ${platformCode} is measured with another instrument since ${since} (${before} → ${after}). Figures from before and since are not compared.`,
  deletedPanel: "A deleted panel",
  models: (names: readonly string[]) => (names.length === 0 ? "version not stated" : names.join(", ")),
  conditions: {
    endpoint_suspended: "The webhook endpoint is suspended: nothing is sent to it.",
    endpoint_failing: "The webhook endpoint is failing.",
    channel_gone: "A channel is gone: nothing is sent to it.",
    platform_failing: "A platform is failing.",
    platform_throttled: "A platform limits the requests for now.",
    platform_paused: "A platform is paused by the operator.",
    no_browser: "No worker has a browser that works.",
    no_worker: "No running worker can ask a platform.",
    points_exhausted: "No points are left.",
    points_low: "The points last for less than a day.",
    session_signed_out: "A session of a web platform is signed out.",
    session_needs_person: "A session of a web platform asks for a human.",
  } satisfies Record<ConditionCode | "session_signed_out" | "session_needs_person", string>,
  condition: (sentence: string, about: string, detail: string) =>
    [about === "" ? sentence : `${about}: ${sentence}`, detail].filter((part) => part !== "").join(" "),
  open: "Open in Querent",
  more: (count: number) => `${count} more ${count === 1 ? "finding" : "findings"}`,
  moreLines: (count: number) => `${count} more ${count === 1 ? "line" : "lines"}`,
  from: (account: string) => `Account: ${account}`,
  why: (email: string, account: string, alert: string) =>
    `You get this mail because ${account} has entered ${email} as a recipient of its alert “${alert}”.`,
};

export type AlertPhrases = typeof english;

export const chinese: AlertPhrases = {
  one: (alert, text) => `${alert}：${text}`,
  many: (alert, count) => `${alert}：${count} 条发现`,
  over: (text) => `已结束：${text}`,
  overSince: (text, since) => `${text} 已于 ${since}（UTC）结束。`,
  change: ({ name, measure, platformCode, before, after, since }, panel) =>
    `${panel}：${name} 在 ${platformCode} 上的${measureNameOf(measure, "zh-CN")}自 ${since} 起从 ${shareOf(before)} 变为 ${shareOf(after)}，超出偶然。`,
  sourceGone: ({ name, platformCode, before, since }, panel) =>
    `${panel}：自 ${since} 起，${platformCode} 的回答不再引用 ${name}；此前有 ${shareOf(before)} 的回答引用。`,
  instrument: ({ platformCode, before, after, since }, panel) =>
    `${panel}：自 ${since} 起，${platformCode} 的测量工具已改变（${before} → ${after}）。前后的数字不作比较。`,
  deletedPanel: "已删除的面板",
  models: (names) => (names.length === 0 ? "未说明版本" : names.join("、")),
  conditions: {
    endpoint_suspended: "Webhook 端点已暂停：不再向其发送。",
    endpoint_failing: "Webhook 端点出现故障。",
    channel_gone: "一个渠道已失效：不再向其发送。",
    platform_failing: "一个平台出现故障。",
    platform_throttled: "一个平台目前限制请求。",
    platform_paused: "一个平台已被运营方暂停。",
    no_browser: "没有工作进程有可用的浏览器。",
    no_worker: "没有运行中的工作进程可以询问一个平台。",
    points_exhausted: "点数已用完。",
    points_low: "点数不足一天之用。",
    session_signed_out: "一个网页平台的会话已退出登录。",
    session_needs_person: "一个网页平台的会话需要人工验证。",
  },
  condition: (sentence, about, detail) =>
    [about === "" ? sentence : `${about}：${sentence}`, detail].filter((part) => part !== "").join(" "),
  open: "在 Querent 中打开",
  more: (count) => `还有 ${count} 条发现`,
  moreLines: (count) => `还有 ${count} 行`,
  from: (account) => `账户：${account}`,
  why: (email, account, alert) => `您收到此邮件，是因为 ${account} 将 ${email} 设为其提醒“${alert}”的收件人。`,
};
