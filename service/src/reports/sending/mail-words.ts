/** The words of mails, and of the page on which recipients unsubscribe. */
import type { ReportReady } from "@querent/contract";

type Figure = ReportReady["figures"][number];
type Change = NonNullable<ReportReady["changes"]>[number];

/** Names of the measures whose changes are looked for. The others have none. */
const measures = {
  en: {
    presence: "mention rate",
    mention_share: "share of voice",
    listed: "rate of being listed",
    own_citation_rate: "citation rate of own sites",
    citation_rate: "citation rate",
  },
  "zh-CN": {
    presence: "提及率",
    mention_share: "声量份额",
    listed: "列入率",
    own_citation_rate: "自有网站引用率",
    citation_rate: "引用率",
  },
} as const satisfies Record<string, Partial<Record<Change["measure"], string>>>;

/** The names of these measures in a language. */
export type MeasureNames = Readonly<Record<keyof (typeof measures)["en"], string>>;

export const measureNameOf = (measure: Change["measure"], language: keyof typeof measures): string =>
  (measures[language] as Partial<Record<Change["measure"], string>>)[measure] ?? measure;

export const shareOf = (value: number | null): string => (value === null ? "–" : percent(value));

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** Which answers are meant: no two figures of a brand have the same. */
export function surfaceOf(
  { platformCode, kind, locale, persona }: Figure,
  kinds: Readonly<Record<Figure["kind"], string>>,
) {
  const parts = [kinds[kind], locale, persona].filter((part) => part !== "");
  return `${platformCode} (${parts.join(", ")})`;
}

/** A figure is of one instrument, whose answers may be of a part of the report's time. */
export function basisOf(
  { window: { from, to }, models }: Figure,
  locale: string,
  of: (range: string) => string,
): string {
  const range =
    from === null || to === null ? "" : of(dates(locale).range(new Date(from), new Date(Date.parse(to) - 1)));
  return `${range}${models.length === 0 ? "" : `, ${models.join(", ")}`}`;
}

export function dates(locale: string) {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  return {
    day: (at: Date) => format.format(at),
    range: (from: Date, to: Date) => format.formatRange(from, to),
  };
}

export const english = {
  ...dates("en-GB"),
  subject: (panel: string, range: string) => `${panel}: report of ${range}`,
  what: (panel: string, client: string | null, range: string) =>
    `This is the report “${panel}”${client === null ? "" : ` for ${client}`}, of ${range} (UTC).`,
  basis: (answers: number, grade: string) =>
    `It is made from ${answers.toLocaleString("en")} ${answers === 1 ? "answer" : "answers"} of AI platforms. ${grade}`,
  grades: {
    exploratory: "Its grade is exploratory: good for a first look, and not for comparisons.",
    directional: "Its grade is directional: good for tendencies, and not for small differences.",
    "decision-grade": "Its grade is decision-grade: good for decisions.",
  },
  figure: (figure: Figure) => {
    const { name, presence, interval, answers } = figure;
    const surface = surfaceOf(figure, { api: "API", web: "web page", sample: "sample", imported: "imported" });
    if (presence === null) return `${name}, ${surface}: too few answers for a figure`;
    const bounds =
      interval === null
        ? "too few runs for an interval"
        : `95 % interval: ${percent(interval.low)} to ${percent(interval.high)}`;
    const basis = basisOf(figure, "en-GB", (range) => ` of ${range}`);
    return `${name} is named in ${percent(presence)} of the answers of ${surface} (${bounds}; ${answers.toLocaleString("en")} ${answers === 1 ? "answer" : "answers"}${basis})`;
  },
  more: (count: number) => `${count} more ${count === 1 ? "figure is" : "figures are"} in the report`,
  changed: "What has changed by more than chance explains:",
  unchanged: "Nothing has changed by more than chance explains.",
  change: ({ name, measure, platformCode, before, after, since }: Change) =>
    `${name}, ${measureNameOf(measure, "en")} on ${platformCode}: from ${shareOf(before)} to ${shareOf(after)} since ${since}`,
  moreChanges: (count: number) => `${count} more ${count === 1 ? "change is" : "changes are"} in the report`,
  moreLines: (count: number) => `${count} more ${count === 1 ? "line" : "lines"}`,
  open: "Open the report",
  works: (day: string) => `The link works until ${day}, without signing in. Whoever has it can read the report.`,
  attached: "The report is attached as a PDF.",
  why: (email: string, account: string) =>
    `You get this mail because ${account} has entered ${email} as a recipient of its reports.`,
  unsubscribe: "Unsubscribe from these reports",
  addedAgain: (by: string) =>
    `You had unsubscribed from these reports. ${by} has added you again, and says that you have asked for it. If you have not, unsubscribe with the link below.`,
  page: {
    ask: "Unsubscribe?",
    asked: (email: string) => `No more reports of this sender will be mailed to ${email}.`,
    button: "Unsubscribe",
    done: "You are unsubscribed",
    doneText: (email: string) =>
      `No more reports of this sender are mailed to ${email}. A mail that is on its way at this moment may still arrive. To get reports again, ask whoever sent them to you.`,
    unknown: "There is nothing at this address",
    unknownText: "Check that the address is whole: all of it is needed.",
  },
};

export type MailWords = typeof english;

export const chinese: MailWords = {
  ...dates("zh-CN"),
  subject: (panel, range) => `${panel}：${range} 的报告`,
  what: (panel, client, range) =>
    `这是${client === null ? "" : `为 ${client} 制作的`}报告“${panel}”，时间为 ${range}（UTC）。`,
  basis: (answers, grade) => `报告基于 AI 平台的 ${answers.toLocaleString("en")} 个回答。${grade}`,
  grades: {
    exploratory: "等级为探索级：适合初步了解，不适合比较。",
    directional: "等级为方向级：适合看趋势，不适合看小的差异。",
    "decision-grade": "等级为决策级：适合做决定。",
  },
  figure: (figure) => {
    const { name, presence, interval, answers } = figure;
    const surface = surfaceOf(figure, { api: "API", web: "网页", sample: "样本", imported: "导入" });
    if (presence === null) return `${name}，${surface}：回答太少，无法给出数字`;
    const bounds =
      interval === null ? "运行次数太少，没有区间" : `95 % 区间：${percent(interval.low)} 至 ${percent(interval.high)}`;
    const basis = basisOf(figure, "zh-CN", (range) => `，${range}`);
    return `${surface} 有 ${percent(presence)} 的回答提到 ${name}（${bounds}；${answers.toLocaleString("en")} 个回答${basis}）`;
  },
  more: (count) => `报告中还有 ${count} 个数字`,
  changed: "超出偶然的变化：",
  unchanged: "没有超出偶然的变化。",
  change: ({ name, measure, platformCode, before, after, since }) =>
    `${name}，${platformCode} 上的${measureNameOf(measure, "zh-CN")}：自 ${since} 起从 ${shareOf(before)} 变为 ${shareOf(after)}`,
  moreChanges: (count) => `报告中还有 ${count} 处变化`,
  moreLines: (count) => `还有 ${count} 行`,
  open: "打开报告",
  works: (day) => `链接有效至 ${day}，无需登录。持有链接的人都可以阅读报告。`,
  attached: "报告以 PDF 附件发送。",
  why: (email, account) => `您收到此邮件，是因为 ${account} 将 ${email} 设为其报告的收件人。`,
  unsubscribe: "退订这些报告",
  addedAgain: (by) => `您曾退订这些报告。${by} 重新添加了您，并表示这是您的要求。如果不是，请使用下面的链接退订。`,
  page: {
    ask: "要退订吗？",
    asked: (email) => `此发件人的报告将不再发送至 ${email}。`,
    button: "退订",
    done: "已退订",
    doneText: (email) =>
      `此发件人的报告不再发送至 ${email}。此刻正在发送的邮件可能仍会到达。如需再次接收，请联系发件人。`,
    unknown: "此地址没有内容",
    unknownText: "请检查地址是否完整。",
  },
};
