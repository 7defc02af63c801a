import { spoken } from "./spoken.ts";

type FilterKey = "state" | "platform" | "batch" | "tag" | "ref" | "country" | "language" | "created";

interface TasksMessages {
  title: string;
  filter: string;
  filterHint: string;
  clear: string;
  all: string;
  live: string;
  stale: string;
  paused: string;
  pause: string;
  resume: string;
  selectPage: string;
  select: (question: string) => string;
  looking: (found: number) => string;
  reference: string;
  columns: Record<"question" | "state" | "platform" | "created" | "took" | "points", string>;
  older: string;
  newest: string;
  emptyTitle: string;
  emptyText: string;
  noneTitle: string;
  noneText: string;
  copyCurl: string;
  unknownKey: (key: string) => string;
  badValue: Record<FilterKey, (value: string) => string>;
  noValue: (key: string) => string;
  repeated: (key: string) => string;
  textTooLong: (most: number) => string;
  didYouMean: string;
  faultyTitle: string;
  faultyText: string;
  onPage: (count: number) => string;
  suggestions: string;
  about: Record<FilterKey, string>;
}

const english: TasksMessages = {
  title: "Tasks",
  filter: "Filter tasks",
  filterHint: "Search questions, or filter by state: platform: batch: tag: ref: country: language: created:",
  clear: "Clear filter",
  all: "All",
  live: "Live",
  stale: "Not updating",
  paused: "Paused",
  pause: "Pause live updates",
  resume: "Resume live updates",
  selectPage: "Select all tasks on this page",
  select: (question) => `Select: ${question}`,
  looking: (found) => `Searching older tasks. ${found} found so far.`,
  reference: "Reference",
  columns: {
    question: "Question",
    state: "State",
    platform: "Platform",
    created: "Submitted",
    took: "Duration",
    points: "Points",
  },
  older: "Older",
  newest: "Newest",
  emptyTitle: "No tasks yet",
  emptyText: "Submit a question with the API. It appears here as soon as it is accepted.",
  noneTitle: "No tasks match this filter",
  noneText: "Remove part of the filter, or try another one.",
  copyCurl: "Copy command",
  unknownKey: (key) => `Unknown filter “${key}:”. To search for this text, put it in quotes.`,
  badValue: {
    state: (value) => `“${value}” is not a state. Use pending, completed, failed or canceled.`,
    platform: () => "A platform code has at most 64 characters.",
    batch: (value) => `“${value}” is not a batch ID. Batch IDs look like 01a1fe2b-2faa-7230-b56a-51692740303c.`,
    tag: () => "A tag has at most 64 characters.",
    ref: () => "A reference has at most 255 characters.",
    country: (value) => `${value} is not a country code, such as DE.`,
    language: (value) => `${value} is not a language, such as de or de-AT.`,
    created: (value) => `“${value}” is not a date. Use 2026-11-01, >2026-11-01 or <2026-11-01.`,
  },
  noValue: (key) => `“${key}:” needs a value.`,
  repeated: (key) => `“${key}:” can be used only once.`,
  textTooLong: (most) => `Search text can have at most ${most} characters.`,
  didYouMean: "Did you mean",
  faultyTitle: "The filter has an error",
  faultyText: "No tasks are listed, and no actions are available, until the marked part is corrected.",
  onPage: (count) => (count === 1 ? "1 task on this page" : `${count} tasks on this page`),
  suggestions: "Filter suggestions",
  about: {
    state: "pending, completed, failed, canceled",
    platform: "platform code",
    batch: "batch ID",
    tag: "tag",
    ref: "your client reference, exact match",
    country: "the country it was asked from, such as DE",
    language: "the language it was asked in, such as de",
    created: "2026-11-01, >2026-11-01 or <2026-11-01",
  },
};

const chinese: TasksMessages = {
  title: "任务",
  filter: "筛选任务",
  filterHint: "搜索问题，或使用 state: platform: batch: tag: ref: country: language: created:",
  clear: "清除筛选",
  all: "全部",
  live: "实时",
  stale: "未更新",
  paused: "已暂停",
  pause: "暂停实时更新",
  resume: "恢复实时更新",
  selectPage: "选择本页全部任务",
  select: (question) => `选择：${question}`,
  looking: (found) => `正在搜索更早的任务，已找到 ${found} 个。`,
  reference: "自定义编号",
  columns: { question: "问题", state: "状态", platform: "平台", created: "提交时间", took: "用时", points: "点数" },
  older: "更早",
  newest: "最新",
  emptyTitle: "还没有任务",
  emptyText: "通过 API 提交问题，接受后会立即显示在这里。",
  noneTitle: "没有符合筛选条件的任务",
  noneText: "请去掉部分筛选条件，或尝试其他条件。",
  copyCurl: "复制命令",
  unknownKey: (key) => `未知的筛选条件“${key}:”。如需搜索这段文字，请加英文引号。`,
  badValue: {
    state: (value) => `“${value}”不是任务状态。可用 pending、completed、failed、canceled。`,
    platform: () => "平台代码最多 64 个字符。",
    batch: (value) => `“${value}”不是批次 ID。批次 ID 的格式如 01a1fe2b-2faa-7230-b56a-51692740303c。`,
    tag: () => "标签最多 64 个字符。",
    ref: () => "自定义编号最多 255 个字符。",
    country: (value) => `${value} 不是国家代码，例如 DE。`,
    language: (value) => `${value} 不是语言标签，例如 de 或 de-AT。`,
    created: (value) => `“${value}”不是日期。可用 2026-11-01、>2026-11-01 或 <2026-11-01。`,
  },
  noValue: (key) => `“${key}:”后需要填写值。`,
  repeated: (key) => `“${key}:”只能使用一次。`,
  textTooLong: (most) => `搜索文字最多 ${most} 个字符。`,
  didYouMean: "您是不是要找",
  faultyTitle: "筛选条件有误",
  faultyText: "在更正标出的部分之前，不会列出任务，也不能执行任何操作。",
  onPage: (count) => `本页 ${count} 个任务`,
  suggestions: "筛选建议",
  about: {
    state: "pending、completed、failed、canceled",
    platform: "平台代码",
    batch: "批次 ID",
    tag: "标签",
    ref: "您的自定义编号（完全匹配）",
    country: "提问所用的国家，例如 DE",
    language: "提问所用的语言，例如 de",
    created: "2026-11-01、>2026-11-01 或 <2026-11-01",
  },
};

export const tasksMessages = spoken({ english, chinese });
