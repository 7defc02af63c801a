import type { Overview } from "@querent/client";
import { spoken } from "./spoken.ts";

interface OverviewMessages {
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
  platforms: string;
  platformsValue: (healthy: string, all: string) => string;
  noPlatforms: string;
  webhook: string;
  webhookStates: Record<Overview["webhook"]["status"], string>;
  lastSuccess: (when: string) => string;
  noSuccess: string;
  failures: (count: string) => string;
  deliveries: (pending: string, failed: string) => string;
  paused: (pending: string, failed: string) => string;
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

const english: OverviewMessages = {
  title: "Overview",
  period: "Period",
  periods: { "24h": "24 hours", "7d": "7 days", "30d": "30 days" },
  before: { "24h": "Previous 24 hours", "7d": "Previous 7 days", "30d": "Previous 30 days" },
  completed: "Completed",
  failed: "Failed",
  canceled: "Canceled",
  successRate: "Success rate",
  answerTime: "Time to answer",
  half: "median",
  nearlyAll: "p95",
  points: "Points spent",
  now: "Now",
  pending: "Pending tasks",
  running: (count) => `${count} running`,
  waiting: (count) => `${count} queued or waiting`,
  oldest: "Oldest pending task",
  nonePending: "No tasks in the queue",
  platforms: "Platforms",
  platformsValue: (healthy, all) => `${healthy} of ${all} healthy`,
  noPlatforms: "None configured",
  webhook: "Webhook deliveries",
  webhookStates: { active: "Active", suspended: "Suspended", unset: "No endpoint" },
  lastSuccess: (when) => `Last delivered ${when}`,
  noSuccess: "None delivered yet",
  failures: (count) => `${count} failed attempts since`,
  deliveries: (pending, failed) => `${pending} pending, ${failed} failed`,
  paused: (pending, failed) => `${pending} paused, ${failed} failed`,
  ended: "Finished tasks",
  unchanged: "No change",
  nothingBefore: "No previous data",
  more: (share) => `${share} vs. previous period`,
  less: (share) => `${share} vs. previous period`,
  emptyTitle: "No tasks in this period",
  emptyText: "Submit a question with the API, or run a sample batch of four questions. It costs 8 points.",
  runSample: "Run sample batch",
  copyCurl: "Copy command",
  readOnly: "This token can’t submit tasks. It needs the tasks:write scope.",
  forbidden: "This token can’t read the overview. It needs the usage:read scope.",
};

const chinese: OverviewMessages = {
  title: "概览",
  period: "时间段",
  periods: { "24h": "24 小时", "7d": "7 天", "30d": "30 天" },
  before: { "24h": "前 24 小时", "7d": "前 7 天", "30d": "前 30 天" },
  completed: "已完成",
  failed: "失败",
  canceled: "已取消",
  successRate: "成功率",
  answerTime: "回答用时",
  half: "中位数",
  nearlyAll: "p95",
  points: "消耗点数",
  now: "当前",
  pending: "未完成的任务",
  running: (count) => `运行中 ${count}`,
  waiting: (count) => `排队或等待 ${count}`,
  oldest: "最早的未完成任务",
  nonePending: "队列中没有任务",
  platforms: "平台",
  platformsValue: (healthy, all) => `${healthy} / ${all} 正常`,
  noPlatforms: "尚未配置",
  webhook: "Webhook 投递",
  webhookStates: { active: "正常", suspended: "已暂停", unset: "未设置端点" },
  lastSuccess: (when) => `最近一次送达：${when}`,
  noSuccess: "尚未送达过",
  failures: (count) => `此后尝试失败 ${count} 次`,
  deliveries: (pending, failed) => `待投递 ${pending}，失败 ${failed}`,
  paused: (pending, failed) => `已暂停 ${pending}，失败 ${failed}`,
  ended: "已结束的任务",
  unchanged: "无变化",
  nothingBefore: "没有可比较的数据",
  more: (share) => `较上一时段 ${share}`,
  less: (share) => `较上一时段 ${share}`,
  emptyTitle: "这段时间内没有任务",
  emptyText: "可通过 API 提交问题，或运行包含四个问题的示例批次，需要 8 点。",
  runSample: "运行示例批次",
  copyCurl: "复制命令",
  readOnly: "此令牌不能提交任务，需要 tasks:write 权限。",
  forbidden: "此令牌不能查看概览，需要 usage:read 权限。",
};

export const overviewMessages = spoken({ english, chinese });
