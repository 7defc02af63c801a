import type { Overview } from "@querent/client";
import { spoken } from "./spoken.ts";

interface OverviewWords {
  title: string;
  period: string;
  periods: Record<Overview["period"], string>;
  before: Record<Overview["period"], string>;
  completed: string;
  failed: string;
  canceled: string;
  successRate: string;
  answerTime: string;
  half: string;
  nearlyAll: string;
  points: string;
  now: string;
  pending: string;
  running: (count: string) => string;
  waiting: (count: string) => string;
  oldest: string;
  nonePending: string;
  webhook: string;
  webhookStates: Record<Overview["webhook"]["status"], string>;
  lastSuccess: (when: string) => string;
  noSuccess: string;
  failures: (count: string) => string;
  deliveries: (pending: string, failed: string) => string;
  ended: string;
  unchanged: string;
  nothingBefore: string;
  more: (share: string) => string;
  less: (share: string) => string;
  emptyTitle: string;
  emptyText: string;
  runSample: string;
  copyCurl: string;
  readOnly: string;
  forbidden: string;
}

const english: OverviewWords = {
  title: "Overview",
  period: "Period",
  periods: { "24h": "24 hours", "7d": "7 days", "30d": "30 days" },
  before: { "24h": "24 hours before", "7d": "7 days before", "30d": "30 days before" },
  completed: "Completed",
  failed: "Failed",
  canceled: "Canceled",
  successRate: "Success rate",
  answerTime: "Time to answer",
  half: "half within",
  nearlyAll: "95 % within",
  points: "Points spent",
  now: "Now",
  pending: "Pending",
  running: (count) => `${count} running`,
  waiting: (count) => `${count} waiting`,
  oldest: "Oldest pending",
  nonePending: "nothing waits for its turn",
  webhook: "Notifications",
  webhookStates: { active: "Active", suspended: "Suspended", unset: "No address" },
  lastSuccess: (when) => `last received ${when}`,
  noSuccess: "none received yet",
  failures: (count) => `${count} failed since`,
  deliveries: (pending, failed) => `${pending} on their way, ${failed} given up`,
  ended: "Tasks ended",
  unchanged: "as before",
  nothingBefore: "nothing to compare with",
  more: (share) => `${share} more than before`,
  less: (share) => `${share} less than before`,
  emptyTitle: "Nothing has been asked in this period",
  emptyText: "Ask from a terminal, or have four questions asked of the sample documents. They cost 8 points.",
  runSample: "Run a sample batch",
  copyCurl: "Copy the command",
  readOnly: "This token may not ask: it lacks the scope tasks:write.",
  forbidden: "This token may not read the overview: it lacks the scope usage:read.",
};

const chinese: OverviewWords = {
  title: "概览",
  period: "时间段",
  periods: { "24h": "24 小时", "7d": "7 天", "30d": "30 天" },
  before: { "24h": "前 24 小时", "7d": "前 7 天", "30d": "前 30 天" },
  completed: "已完成",
  failed: "失败",
  canceled: "已取消",
  successRate: "成功率",
  answerTime: "回答用时",
  half: "半数不超过",
  nearlyAll: "95% 不超过",
  points: "消耗点数",
  now: "当前",
  pending: "进行中",
  running: (count) => `运行中 ${count}`,
  waiting: (count) => `等待中 ${count}`,
  oldest: "最早的未完成任务",
  nonePending: "没有任务在等待",
  webhook: "通知",
  webhookStates: { active: "正常", suspended: "已暂停", unset: "没有地址" },
  lastSuccess: (when) => `最近一次送达：${when}`,
  noSuccess: "尚未送达过",
  failures: (count) => `此后失败 ${count} 次`,
  deliveries: (pending, failed) => `投递中 ${pending}，已放弃 ${failed}`,
  ended: "结束的任务",
  unchanged: "与之前相同",
  nothingBefore: "没有可比较的数据",
  more: (share) => `比之前多 ${share}`,
  less: (share) => `比之前少 ${share}`,
  emptyTitle: "这段时间内没有提问",
  emptyText: "可以在终端里提问，或向示例文档提四个问题，共需 8 点。",
  runSample: "运行示例批次",
  copyCurl: "复制命令",
  readOnly: "此令牌不能提问：缺少 tasks:write 权限。",
  forbidden: "此令牌不能读取概览：缺少 usage:read 权限。",
};

export const overviewWords = spoken({ english, chinese });
