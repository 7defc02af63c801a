/** The words of alerts, in messages to channels and in mails. */
import type { AlertFinding, ConditionCode, AlertRaised } from "@querent/contract";
import { measureNameOf, shareOf, mailWords } from "../sending/mail-words.ts";
import type { FindingData } from "./findings.ts";
import type { Notice } from "../../webhooks/index.ts";
import type { SubscribedLetter } from "../../mail/index.ts";

type ChangeData = Extract<FindingData, { of: "change" }>;
type InstrumentData = Extract<FindingData, { of: "instrument" }>;

const english = {
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

const chinese: typeof english = {
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

const alertWords = { en: english, "zh-CN": chinese };

type AlertLanguage = keyof typeof alertWords;

/** What is written of a finding. `panel`: the name of its panel; null: it has none, or the panel was deleted. */
export function findingText(data: FindingData, panel: string | null, language: AlertLanguage): string {
  const say = alertWords[language];
  const of = panel ?? say.deletedPanel;
  switch (data.of) {
    case "change":
      return data.isGone ? say.sourceGone(data, of) : say.change(data, of);
    case "instrument":
      return say.instrument(data, of);
    case "condition": {
      // Details of conditions are written in English where they are found.
      const sentence = say.conditions[data.code];
      return say.condition(sentence, data.about, language === "en" ? data.detail : "");
    }
  }
}

export const severityOf = (data: FindingData): AlertFinding["severity"] =>
  data.of === "condition" ? data.severity : "info";

/** An alert that is told: as a message to a channel, and as a mail. */
export function alertNotice(raised: AlertRaised, at: Date): Notice {
  const { alertId, findings, language, accountName, url, state } = raised;
  const say = alertWords[language];
  const [first] = findings;
  return {
    title: titleOf(raised),
    paragraphs: [...linesOf(raised), say.from(accountName)],
    links: url === null ? [] : [{ words: say.open, url }],
    more: say.moreLines,
    at: first === undefined ? at : new Date(first.foundAt),
    incident: {
      // The same for the beginning and the end of a condition.
      key: `querent ${alertId} ${first?.subject ?? ""}`,
      severity: worst(findings),
      isOver: state === "over",
      source: accountName,
    },
  };
}

export function alertMail(raised: AlertRaised, email: string): SubscribedLetter {
  const { alertName, language, accountName, url, mail } = raised;
  const say = alertWords[language];
  const words = mailWords[language];
  const unsubscribeUrl = mail?.unsubscribeUrl ?? "";
  const again = mail?.addedAgainBy ?? null;
  return {
    language,
    subject: titleOf(raised),
    unsubscribeUrl,
    paragraphs: [
      ...(again === null ? [] : [words.addedAgain(again)]),
      ...linesOf(raised),
      ...(url === null ? [] : [{ words: say.open, url }]),
      say.why(email, accountName, alertName),
      { words: words.unsubscribe, url: unsubscribeUrl },
    ],
  };
}

function titleOf({ alertName, findings, moreFindings, language, state }: AlertRaised): string {
  const say = alertWords[language];
  const [first] = findings;
  const count = findings.length + moreFindings;
  if (first === undefined || count > 1) return say.many(alertName, count);
  return say.one(alertName, state === "over" ? say.over(first.text) : first.text);
}

function linesOf({ findings, moreFindings, language }: AlertRaised) {
  const say = alertWords[language];
  const list = findings.map(({ text, overAt }) =>
    overAt === null ? text : say.overSince(text, overAt.slice(0, 16).replace("T", " ")),
  );
  return [{ list: [...list, ...(moreFindings === 0 ? [] : [say.more(moreFindings)])] }];
}

function worst(findings: readonly AlertFinding[]): AlertFinding["severity"] {
  const severities = new Set(findings.map(({ severity }) => severity));
  if (severities.has("error")) return "error";
  return severities.has("warning") ? "warning" : "info";
}
