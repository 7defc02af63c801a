import type { LedgerEntry, StorageUse } from "@querent/client";
import { counted } from "./counted.ts";
import { spoken } from "./spoken.ts";

interface UsageMessages {
  title: string;
  period: string;
  days: (count: number) => string;
  by: string;
  groups: Record<"day" | "platform" | "token", string>;
  points: string;
  completed: string;
  failed: string;
  canceled: string;
  sum: string;
  noToken: string;
  utc: string;
  csv: string;
  nothing: string;
  balance: Record<"available" | "held" | "captured" | "granted", string>;
  storage: string;
  storageHint: string;
  storageColumns: Record<"kind" | "rows" | "size", string>;
  storageKinds: Record<StorageUse["kinds"][number]["kind"], string>;
  storageLimits: Record<"rows" | "bytes" | "artifactBytes", string>;
  of: (held: string, quota: string) => string;
  ledger: string;
  kinds: Record<LedgerEntry["kind"], string>;
  all: string;
  columns: Record<"when" | "kind" | "points" | "about", string>;
  task: string;
  batch: string;
  older: string;
  newest: string;
  forbidden: string;
}

const english: UsageMessages = {
  title: "Usage",
  period: "Period",
  days: (count) => counted(count, "day"),
  by: "Group by",
  groups: { day: "Day", platform: "Platform", token: "Token" },
  points: "Points",
  completed: "Completed",
  failed: "Failed",
  canceled: "Canceled",
  sum: "Total",
  noToken: "Unknown",
  utc: "Days in UTC",
  csv: "Download CSV",
  nothing: "No tasks finished in this period.",
  balance: { available: "Available", held: "Held", captured: "Spent", granted: "Granted" },
  storage: "Storage",
  storageHint: "Kinds with * cost no points and count towards the quota of rows and size.",
  storageColumns: { kind: "Kind", rows: "Rows", size: "Size" },
  storageKinds: {
    imports: "Imported answers",
    panels: "Panels",
    entities: "Entities",
    reports: "Shared reports",
    uncharged_tasks: "Failed and canceled tasks",
    artifacts: "Files of results",
    tasks: "All tasks",
    results: "Results",
    observations: "Observations",
    deliveries: "Deliveries",
  },
  storageLimits: { rows: "Rows without points", bytes: "Size without points", artifactBytes: "Files of results" },
  of: (held, quota) => `${held} of ${quota}`,
  ledger: "Ledger",
  kinds: { grant: "Grant", hold: "Hold", capture: "Spend", release: "Release" },
  all: "All",
  columns: { when: "Time", kind: "Type", points: "Points", about: "Reference" },
  task: "Task",
  batch: "Batch",
  older: "Older",
  newest: "Newest",
  forbidden: "This token can’t read usage. It needs the usage:read scope.",
};

const chinese: UsageMessages = {
  title: "用量",
  period: "时间段",
  days: (count) => `${count} 天`,
  by: "分组方式",
  groups: { day: "日期", platform: "平台", token: "令牌" },
  points: "点数",
  completed: "已完成",
  failed: "失败",
  canceled: "已取消",
  sum: "合计",
  noToken: "未知",
  utc: "日期为 UTC",
  csv: "下载 CSV",
  nothing: "这段时间内没有任务完成。",
  balance: { available: "可用", held: "冻结", captured: "已消耗", granted: "已发放" },
  storage: "存储",
  storageHint: "带 * 的类型不消耗点数，计入行数和大小的配额。",
  storageColumns: { kind: "类型", rows: "行数", size: "大小" },
  storageKinds: {
    imports: "导入的回答",
    panels: "面板",
    entities: "实体",
    reports: "共享的报告",
    uncharged_tasks: "失败和取消的任务",
    artifacts: "结果文件",
    tasks: "全部任务",
    results: "结果",
    observations: "观测",
    deliveries: "投递",
  },
  storageLimits: { rows: "不计点数的行", bytes: "不计点数的大小", artifactBytes: "结果文件" },
  of: (held, quota) => `${held} / ${quota}`,
  ledger: "点数流水",
  kinds: { grant: "发放", hold: "冻结", capture: "消耗", release: "退回" },
  all: "全部",
  columns: { when: "时间", kind: "类型", points: "点数", about: "关联" },
  task: "任务",
  batch: "批次",
  older: "更早",
  newest: "最新",
  forbidden: "此令牌不能查看用量，需要 usage:read 权限。",
};

export const usageMessages = spoken({ english, chinese });
