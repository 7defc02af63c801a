/** What the list of batches and one batch say. */
import { spoken } from "./spoken.ts";

interface BatchesWords {
  title: string;
  emptyTitle: string;
  emptyText: string;
  ask: string;
  older: string;
  newest: string;
  columns: Record<"batch" | "progress" | "platforms" | "asked" | "ends" | "points", string>;
  more: (count: string) => string;
  parts: (count: number) => string;
  ended: (ended: string, all: string) => string;
  counts: Record<"completed" | "failed" | "canceled" | "pending" | "running", (count: string) => string>;
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

const english: BatchesWords = {
  title: "Batches",
  emptyTitle: "Nothing has been submitted yet",
  emptyText: "A batch is what one submission asks: questions, each of one platform or of several.",
  ask: "Ask something",
  older: "Older",
  newest: "Newest",
  columns: {
    batch: "Batch",
    progress: "Progress",
    platforms: "Platforms",
    asked: "Asked",
    ends: "Ends",
    points: "Points",
  },
  more: (count) => `and ${count} more`,
  parts: (count) => `${count} batches together`,
  ended: (ended, all) => `${ended} of ${all} ended`,
  counts: {
    completed: (count) => `${count} completed`,
    failed: (count) => `${count} failed`,
    canceled: (count) => `${count} canceled`,
    pending: (count) => `${count} pending`,
    running: (count) => `${count} running`,
  },
  finished: "Finished",
  endsAt: (when) => `about ${when}`,
  noPace: "not known yet",
  charged: (charged, estimated) => `${charged} of ${estimated}`,
  unknown: "There is no such batch",
  unknownText: "The address may be mistyped, or the batch belongs to another account.",
  all: "All batches",
  cancel: "Cancel the rest",
  cancelSure: (count) => `${count} tasks have not ended. Cancel them? Nothing is charged for them.`,
  cancelYes: "Cancel them",
  cancelNo: "Let them go on",
  canceled: (count) => `${count} canceled`,
  inTasks: "In the list of tasks",
  exports: "Export",
  exporting: (count) => `${count} written`,
  stop: "Stop",
  grid: "Questions and platforms",
  question: "Question",
  loading: (count, all) => `Reading answers: ${count} of ${all}`,
  sources: (count) => (count === 1 ? "1 source" : `${count} sources`),
  cards: (count) => (count === 1 ? "1 card" : `${count} cards`),
  again: (count) => `asked ${count} times`,
  noText: "no text",
  expired: "expired",
  notAsked: "not asked",
  compare: "Compare",
  compareTitle: "Answers side by side",
  compareHint: "Open a question to see its answers side by side.",
  backToGrid: "Back to the grid",
  previous: "Previous question",
  next: "Next question",
  place: (at, all) => `Question ${at} of ${all}`,
  shown: "Platforms shown",
  openTask: "Open the task",
  sourcesTitle: "Sources in common and apart",
  byDomain: "By site",
  byAddress: "By address",
  inCommon: (count) => `${count} cited by more than one`,
  apart: (count) => `${count} by one alone`,
  noSources: "None of these answers cites a source.",
  cited: (times) => (times === 1 ? "cited once" : `cited ${times} times`),
  citedBy: "Cited by",
  brands: "Brands",
  brandsHint: "Names to look for in the answers, with commas between. They stand in the address.",
  brandsLabel: "Brands to look for",
  brand: "Brand",
  brandsNote:
    "The share is of all mentions of these names. “First” counts the answers that name this one before all the others.",
  mentions: (count, shown) => (count === 1 ? "1 mention" : `${shown} mentions`),
  inAnswers: (answers, all) => `in ${answers} of ${all}`,
  namedFirst: (answers) => `first in ${answers}`,
  everywhere: "All platforms",
  none: "none",
};

const chinese: BatchesWords = {
  title: "批次",
  emptyTitle: "还没有提交过批次",
  emptyText: "一次提交就是一个批次：一组问题，各自向一个或多个平台提问。",
  ask: "去提问",
  older: "更早",
  newest: "最新",
  columns: {
    batch: "批次",
    progress: "进度",
    platforms: "平台",
    asked: "提问时间",
    ends: "预计结束",
    points: "点数",
  },
  more: (count) => `及另外 ${count} 个`,
  parts: (count) => `共 ${count} 个批次`,
  ended: (ended, all) => `已结束 ${ended} / ${all}`,
  counts: {
    completed: (count) => `${count} 个已完成`,
    failed: (count) => `${count} 个失败`,
    canceled: (count) => `${count} 个已取消`,
    pending: (count) => `${count} 个进行中`,
    running: (count) => `${count} 个运行中`,
  },
  finished: "已结束",
  endsAt: (when) => `约${when}`,
  noPace: "尚不可知",
  charged: (charged, estimated) => `${charged} / ${estimated}`,
  unknown: "没有这个批次",
  unknownText: "网址可能有误，或批次属于另一个账户。",
  all: "全部批次",
  cancel: "取消其余任务",
  cancelSure: (count) => `还有 ${count} 个任务没有结束。要取消吗？不会为它们扣点。`,
  cancelYes: "取消它们",
  cancelNo: "继续进行",
  canceled: (count) => `已取消 ${count} 个`,
  inTasks: "在任务列表中查看",
  exports: "导出",
  exporting: (count) => `已写入 ${count} 条`,
  stop: "停止",
  grid: "问题与平台",
  question: "问题",
  loading: (count, all) => `正在读取答案：${count} / ${all}`,
  sources: (count) => `${count} 个来源`,
  cards: (count) => `${count} 张卡片`,
  again: (count) => `提问了 ${count} 次`,
  noText: "没有文本",
  expired: "已过期",
  notAsked: "未提问",
  compare: "对比",
  compareTitle: "并排对比答案",
  compareHint: "打开一个问题，即可并排查看各平台的答案。",
  backToGrid: "返回表格",
  previous: "上一个问题",
  next: "下一个问题",
  place: (at, all) => `第 ${at} / ${all} 个问题`,
  shown: "显示的平台",
  openTask: "打开任务",
  sourcesTitle: "共同与独有的来源",
  byDomain: "按网站",
  byAddress: "按网址",
  inCommon: (count) => `${count} 个被多个平台引用`,
  apart: (count) => `${count} 个只被一个平台引用`,
  noSources: "这些答案都没有引用来源。",
  cited: (times) => `引用 ${times} 次`,
  citedBy: "引用平台",
  brands: "品牌",
  brandsHint: "要在答案中查找的名称，以逗号分隔，会保留在网址中。",
  brandsLabel: "要查找的品牌",
  brand: "品牌",
  brandsNote: "占比指占这些名称全部提及次数的比例。“最先”指有多少个答案最先提到这个名称。",
  mentions: (_count, shown) => `提及 ${shown} 次`,
  inAnswers: (answers, all) => `${answers} / ${all} 个答案`,
  namedFirst: (answers) => `最先 ${answers}`,
  everywhere: "全部平台",
  none: "无",
};

export const batchesWords = spoken({ english, chinese });
