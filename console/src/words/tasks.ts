import { spoken } from "./spoken.ts";

interface TasksWords {
  title: string;
  filter: string;
  filterHint: string;
  clear: string;
  all: string;
  live: string;
  paused: string;
  pause: string;
  resume: string;
  matching: string;
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
  badValue: (key: string, value: string) => string;
  onPage: (count: number) => string;
  suggestions: string;
  about: Record<"state" | "platform" | "batch" | "tag" | "ref" | "created", string>;
}

const english: TasksWords = {
  title: "Tasks",
  filter: "Filter tasks",
  filterHint: "Search questions, or state: platform: batch: tag: ref: created:",
  clear: "Clear the filter",
  all: "All",
  live: "Live",
  paused: "Paused",
  pause: "Pause live updates",
  resume: "Go on with live updates",
  matching: "All that match …",
  looking: (found) => `Looking further back. ${found} found so far.`,
  reference: "Reference",
  columns: {
    question: "Question",
    state: "State",
    platform: "Platform",
    created: "Asked",
    took: "Took",
    points: "Points",
  },
  older: "Older",
  newest: "Newest",
  emptyTitle: "No question has been asked yet",
  emptyText: "Ask one from a terminal. The list shows it as soon as it is accepted.",
  noneTitle: "No task fits this filter",
  noneText: "Take a part of it away, or ask another way.",
  copyCurl: "Copy the command",
  unknownKey: (key) => `There is no filter called ${key}.`,
  badValue: (key, value) => `${key}: does not take ${value}.`,
  onPage: (count) => (count === 1 ? "1 task on this page" : `${count} tasks on this page`),
  suggestions: "Ways to filter",
  about: {
    state: "pending, completed, failed, canceled",
    platform: "who was asked",
    batch: "the id of a submission",
    tag: "a tag of yours",
    ref: "your own reference, exactly",
    created: ">2026-11-01, <2026-11-02, or a day",
  },
};

const chinese: TasksWords = {
  title: "任务",
  filter: "筛选任务",
  filterHint: "搜索问题，或使用 state: platform: batch: tag: ref: created:",
  clear: "清除筛选",
  all: "全部",
  live: "实时",
  paused: "已暂停",
  pause: "暂停实时更新",
  resume: "继续实时更新",
  matching: "全部匹配项…",
  looking: (found) => `正在更早的任务中查找，已找到 ${found} 个。`,
  reference: "编号",
  columns: { question: "问题", state: "状态", platform: "平台", created: "提问时间", took: "用时", points: "点数" },
  older: "更早",
  newest: "最新",
  emptyTitle: "还没有提过问题",
  emptyText: "在终端里提一个问题，被接受后会立即显示在这里。",
  noneTitle: "没有符合条件的任务",
  noneText: "去掉一部分条件，或换一种方式筛选。",
  copyCurl: "复制命令",
  unknownKey: (key) => `没有名为 ${key} 的筛选条件。`,
  badValue: (key, value) => `${key}: 不接受 ${value}。`,
  onPage: (count) => `本页 ${count} 个任务`,
  suggestions: "筛选方式",
  about: {
    state: "pending、completed、failed、canceled",
    platform: "提问的平台",
    batch: "一次提交的编号",
    tag: "您的标签",
    ref: "您自己的编号（完全一致）",
    created: ">2026-11-01、<2026-11-02，或某一天",
  },
};

export const tasksWords = spoken({ english, chinese });
