/** What the list of batches and one batch say. */
import { counted } from "./counted.ts";
import { spoken } from "./spoken.ts";

interface BatchesMessages {
  title: string;
  emptyTitle: string;
  emptyText: string;
  ask: string;
  older: string;
  newest: string;
  search: string;
  stateLabel: string;
  allStates: string;
  states: Record<"pending" | "finished" | "failed", string>;
  noneTitle: string;
  noneText: string;
  noneYet: (looked: string) => string;
  clear: string;
  nextRetry: (when: string) => string;
  blocked: Record<"throttled" | "breaker_open" | "paused" | "no_worker", string>;
  columns: Record<"asked" | "ends" | "points", string>;
  more: (count: string) => string;
  parts: (count: number) => string;
  ended: (ended: string, all: string) => string;
  counts: Record<"completed" | "failed" | "canceled" | "pending" | "running" | "retrying", (count: string) => string>;
  finished: string;
  endsAt: (when: string) => string;
  noPace: string;
  charged: (charged: string, estimated: string) => string;
  unknown: string;
  unknownText: string;
  all: string;
  cancel: string;
  cancelSure: (count: string) => string;
  cancelYes: string;
  cancelNo: string;
  canceled: (count: string) => string;
  inTasks: string;
  exports: string;
  exporting: (count: string) => string;
  stop: string;
  grid: string;
  question: string;
  loading: (count: string, all: string) => string;
  sources: (count: number) => string;
  cards: (count: number) => string;
  again: (count: number) => string;
  noText: string;
  expired: string;
  notAsked: string;
  compare: string;
  compareTitle: string;
  compareHint: string;
  backToGrid: string;
  previous: string;
  next: string;
  place: (at: string, all: string) => string;
  shown: string;
  openTask: string;
  sourcesTitle: string;
  byDomain: string;
  byAddress: string;
  inCommon: (count: string) => string;
  apart: (count: string) => string;
  noSources: string;
  cited: (times: number) => string;
  citedBy: string;
  brands: string;
  brandsHint: string;
  brandsLabel: string;
  brand: string;
  brandsNote: string;
  mentions: (count: number, shown: string) => string;
  inAnswers: (answers: string, all: string) => string;
  namedFirst: (answers: string) => string;
  everywhere: string;
  none: string;
}

const english: BatchesMessages = {
  title: "Batches",
  emptyTitle: "No batches yet",
  emptyText: "A batch is a set of questions submitted together, to one or more platforms.",
  ask: "New batch",
  search: "Search by first question, platform or batch ID",
  stateLabel: "State",
  allStates: "All",
  states: { pending: "In progress", finished: "Finished", failed: "With failures" },
  noneTitle: "No batches match",
  noneText: "Try another search or state. To search every question, use the task list.",
  noneYet: (looked) => `None of the ${looked} most recent batches match. Older batches may.`,
  clear: "Clear filters",
  nextRetry: (when) => `next ${when}`,
  blocked: {
    throttled: "rate limited",
    breaker_open: "platform unavailable",
    paused: "platform paused",
    no_worker: "no worker can ask it",
  },
  older: "Older",
  newest: "Newest",
  columns: { asked: "Submitted", ends: "Status", points: "Points" },
  more: (count) => `and ${count} more`,
  parts: (count) => `${counted(count, "batch", "batches")} combined`,
  ended: (ended, all) => `${ended} of ${all} finished`,
  counts: {
    completed: (count) => `${count} completed`,
    failed: (count) => `${count} failed`,
    canceled: (count) => `${count} canceled`,
    pending: (count) => `${count} queued`,
    running: (count) => `${count} running`,
    retrying: (count) => `${count} waiting for retry`,
  },
  finished: "Finished",
  endsAt: (when) => `est. ${when}`,
  noPace: "No estimate yet",
  charged: (charged, estimated) => `${charged} of ${counted(estimated, "point")}`,
  unknown: "Batch not found",
  unknownText: "Check the URL. The batch may belong to another account.",
  all: "All batches",
  cancel: "Cancel remaining",
  cancelSure: (count) => `Cancel ${count} unfinished tasks? Canceled tasks cost no points.`,
  cancelYes: "Cancel tasks",
  cancelNo: "Keep running",
  canceled: (count) => `${count} canceled`,
  inTasks: "View tasks",
  exports: "Export",
  exporting: (count) => `${count} exported`,
  stop: "Stop",
  grid: "Questions and platforms",
  question: "Question",
  loading: (count, all) => `Loading answers: ${count} of ${all}`,
  sources: (count) => (count === 1 ? "1 source" : `${count} sources`),
  cards: (count) => (count === 1 ? "1 card" : `${count} cards`),
  again: (count) => `asked ${count} times`,
  noText: "No text",
  expired: "Expired",
  notAsked: "Not asked",
  compare: "Compare",
  compareTitle: "Compare answers",
  compareHint: "Open a question to compare its answers.",
  backToGrid: "Back to grid",
  previous: "Previous question",
  next: "Next question",
  place: (at, all) => `Question ${at} of ${all}`,
  shown: "Platforms shown",
  openTask: "Open task",
  sourcesTitle: "Shared and unique sources",
  byDomain: "By domain",
  byAddress: "By URL",
  inCommon: (count) => `${count} cited by more than one answer`,
  apart: (count) => `${count} cited by one answer`,
  noSources: "These answers cite no sources.",
  cited: (times) => (times === 1 ? "cited once" : `cited ${times} times`),
  citedBy: "Cited by",
  brands: "Brands",
  brandsHint: "Brand names to count in the answers, separated by commas. They are part of the page URL.",
  brandsLabel: "Brands to count",
  brand: "Brand",
  brandsNote:
    "Share of all mentions of these brands. “First” counts the answers that mention the brand before any other.",
  mentions: (count, shown) => (count === 1 ? "1 mention" : `${shown} mentions`),
  inAnswers: (answers, all) => `in ${answers} of ${all}`,
  namedFirst: (answers) => `first in ${answers}`,
  everywhere: "All platforms",
  none: "none",
};

const chinese: BatchesMessages = {
  title: "批次",
  emptyTitle: "还没有批次",
  emptyText: "批次是一次提交的一组问题，可发送到一个或多个平台。",
  ask: "新建批次",
  search: "按首个问题、平台或批次 ID 搜索",
  stateLabel: "状态",
  allStates: "全部",
  states: { pending: "进行中", finished: "已完成", failed: "有失败" },
  noneTitle: "没有符合条件的批次",
  noneText: "请尝试其他搜索词或状态。如需搜索全部问题，请使用任务列表。",
  noneYet: (looked) => `最近 ${looked} 个批次中没有符合条件的，更早的批次中可能有。`,
  clear: "清除筛选",
  nextRetry: (when) => `下次重试：${when}`,
  blocked: { throttled: "平台限速", breaker_open: "平台不可用", paused: "平台已暂停", no_worker: "没有可用的工作进程" },
  older: "更早",
  newest: "最新",
  columns: { asked: "提交时间", ends: "状态", points: "点数" },
  more: (count) => `及另外 ${count} 个`,
  parts: (count) => `共 ${count} 个批次`,
  ended: (ended, all) => `已完成 ${ended} / ${all}`,
  counts: {
    completed: (count) => `${count} 个已完成`,
    failed: (count) => `${count} 个失败`,
    canceled: (count) => `${count} 个已取消`,
    pending: (count) => `${count} 个排队中`,
    running: (count) => `${count} 个运行中`,
    retrying: (count) => `${count} 个等待重试`,
  },
  finished: "已完成",
  endsAt: (when) => `预计${when}`,
  noPace: "暂无预估",
  charged: (charged, estimated) => `${charged} / ${estimated} 点`,
  unknown: "找不到该批次",
  unknownText: "请检查网址。该批次可能属于其他账户。",
  all: "全部批次",
  cancel: "取消其余任务",
  cancelSure: (count) => `要取消 ${count} 个未完成的任务吗？取消的任务不扣点。`,
  cancelYes: "取消任务",
  cancelNo: "继续运行",
  canceled: (count) => `已取消 ${count} 个`,
  inTasks: "查看任务",
  exports: "导出",
  exporting: (count) => `已导出 ${count} 条`,
  stop: "停止",
  grid: "问题与平台",
  question: "问题",
  loading: (count, all) => `正在加载答案：${count} / ${all}`,
  sources: (count) => `${count} 个来源`,
  cards: (count) => `${count} 张卡片`,
  again: (count) => `提问了 ${count} 次`,
  noText: "没有文本",
  expired: "已过期",
  notAsked: "未提问",
  compare: "对比",
  compareTitle: "对比答案",
  compareHint: "打开一个问题，即可对比各平台的答案。",
  backToGrid: "返回表格",
  previous: "上一个问题",
  next: "下一个问题",
  place: (at, all) => `第 ${at} / ${all} 个问题`,
  shown: "显示的平台",
  openTask: "打开任务",
  sourcesTitle: "共同来源与独有来源",
  byDomain: "按域名",
  byAddress: "按网址",
  inCommon: (count) => `${count} 个被多个答案引用`,
  apart: (count) => `${count} 个只被一个答案引用`,
  noSources: "这些答案都没有引用来源。",
  cited: (times) => `引用 ${times} 次`,
  citedBy: "引用平台",
  brands: "品牌",
  brandsHint: "要在答案中统计的品牌名称，以逗号分隔，会包含在页面网址中。",
  brandsLabel: "要统计的品牌",
  brand: "品牌",
  brandsNote: "占比：占这些品牌全部提及次数的比例。“最先”：最先提到该品牌的答案数。",
  mentions: (_count, shown) => `提及 ${shown} 次`,
  inAnswers: (answers, all) => `${answers} / ${all} 个答案`,
  namedFirst: (answers) => `最先 ${answers}`,
  everywhere: "全部平台",
  none: "无",
};

export const batchesMessages = spoken({ english, chinese });
