import { spoken } from "./spoken.ts";

interface OperatorMessages {
  title: string;
  parts: Record<"engine" | "accounts" | "sessions", string>;
  partsLabel: string;
  forbidden: string;
  queues: string;
  queueColumns: Record<"platform" | "queued" | "waiting" | "running" | "oldest" | "rate" | "gate", string>;
  noRate: string;
  rate: (perSecond: string, burst: string) => string;
  open: string;
  held: (when: string) => string;
  breakerOpen: (when: string) => string;
  failing: (count: string) => string;
  stopped: string;
  setLive: (when: string) => string;
  change: string;
  limitsOf: (name: string) => string;
  runningMax: string;
  runningMaxHint: string;
  perSecond: string;
  perSecondHint: string;
  burst: string;
  apply: string;
  close: string;
  restore: (limit: string) => string;
  changed: string;
  restored: string;
  uses: string;
  useColumns: Record<"running" | "deliveries" | "eventStreams" | "waits" | "lists" | "exports" | "largeBodies", string>;
  usesHint: string;
  noUses: string;
  nodes: string;
  nodeColumns: Record<"node" | "version" | "running" | "platforms" | "started" | "lease", string>;
  asks: (count: string) => string;
  lacks: (count: string) => string;
  notReported: string;
  lease: (when: string) => string;
  dead: string;
  noNodes: string;
  accounts: string;
  search: string;
  order: string;
  orders: Record<"created" | "size", string>;
  accountColumns: Record<
    "name" | "available" | "held" | "spent" | "unfinished" | "stored" | "free" | "freeRows" | "artifacts" | "created",
    string
  >;
  limits: string;
  storageRowsMax: string;
  storageMibMax: string;
  artifactMibMax: string;
  quotaHint: string;
  noAccounts: string;
  newAccount: string;
  accountName: string;
  accountNameHint: string;
  points: string;
  create: string;
  created: (name: string) => string;
  back: string;
  grant: string;
  note: string;
  granted: string;
  unfinishedMax: string;
  unfinishedMaxHint: string;
  save: string;
  saved: string;
  older: string;
  newest: string;
}

const english: OperatorMessages = {
  title: "Operator",
  parts: { engine: "Queues and nodes", accounts: "Accounts", sessions: "Sessions" },
  partsLabel: "Operator pages",
  forbidden: "This page requires a token with the admin scope.",
  queues: "Queues",
  queueColumns: {
    platform: "Platform",
    queued: "Queued",
    waiting: "Waiting",
    running: "Running",
    oldest: "Oldest",
    rate: "Rate limit",
    gate: "Status",
  },
  noRate: "None",
  rate: (perSecond, burst) => `${perSecond}/s, burst ${burst}`,
  open: "Running",
  held: (when) => `Rate limited by the platform, next try ${when}`,
  breakerOpen: (when) => `Breaker open, next try ${when}`,
  failing: (count) => `${count} failures in a row`,
  stopped: "Paused (limit is 0)",
  setLive: (when) => `overridden ${when}`,
  change: "Change limits",
  limitsOf: (name) => `Limits of ${name}`,
  runningMax: "Concurrent tasks",
  runningMaxHint: "Across all nodes. 0 pauses the platform. Running tasks finish.",
  perSecond: "Starts per second",
  perSecondHint: "Leave empty for no rate limit.",
  burst: "Burst",
  apply: "Save",
  close: "Cancel",
  restore: (limit) => `Reset to configuration (${limit})`,
  changed: "Limits saved",
  restored: "Limits reset to the configuration",
  uses: "Busiest accounts",
  useColumns: {
    running: "Running tasks",
    deliveries: "Deliveries",
    eventStreams: "Event streams",
    waits: "Waiting requests",
    lists: "Lists",
    exports: "Exports",
    largeBodies: "Large requests",
  },
  usesHint:
    "Running tasks and deliveries in all processes; the rest in the process that served this page. The 20 accounts with the most.",
  noUses: "No account uses anything at the moment.",
  nodes: "Nodes",
  nodeColumns: {
    node: "Node",
    version: "Version",
    running: "Running",
    platforms: "Platforms",
    started: "Started",
    lease: "Lease",
  },
  asks: (count) => `Can ask ${count}`,
  lacks: (count) => `cannot ask ${count}`,
  notReported: "Not reported",
  lease: (when) => `Expires ${when}`,
  dead: "Expired",
  noNodes: "No worker nodes. Tasks stay queued until the service is started with the worker role.",
  accounts: "Accounts",
  search: "Search by name",
  accountColumns: {
    name: "Account",
    available: "Available",
    held: "Held",
    spent: "Spent",
    unfinished: "Unfinished",
    stored: "Stored",
    free: "Without points",
    freeRows: "Rows without points",
    artifacts: "Files of results",
    created: "Created",
  },
  order: "Order",
  orders: { created: "Newest", size: "Largest" },
  limits: "Limits",
  storageRowsMax: "Rows stored without points",
  storageMibMax: "Their size in MiB",
  artifactMibMax: "Files of results in MiB",
  quotaHint: "Leave empty for the service’s setting.",
  noAccounts: "No accounts match.",
  newAccount: "New account",
  accountName: "Name",
  accountNameHint: "Letters, digits, spaces and . _ @ -. Must start with a letter or digit.",
  points: "Points",
  create: "Create account",
  created: (name) => `Account ${name} created. Create a token for it below.`,
  back: "Accounts",
  grant: "Grant points",
  note: "Note",
  granted: "Points granted",
  unfinishedMax: "Unfinished task limit",
  unfinishedMaxHint: "Batches over the limit are rejected until tasks finish.",
  save: "Save",
  saved: "Saved",
  older: "Older",
  newest: "Newest",
};

const chinese: OperatorMessages = {
  title: "运维",
  parts: { engine: "队列与节点", accounts: "账户", sessions: "会话" },
  partsLabel: "运维页面",
  forbidden: "此页面需要带 admin 权限的令牌。",
  queues: "队列",
  queueColumns: {
    platform: "平台",
    queued: "排队",
    waiting: "等待",
    running: "运行",
    oldest: "最早",
    rate: "速率限制",
    gate: "状态",
  },
  noRate: "无",
  rate: (perSecond, burst) => `每秒 ${perSecond}，突发 ${burst}`,
  open: "运行中",
  held: (when) => `被平台限流，${when}再试`,
  breakerOpen: (when) => `熔断中，${when}再试`,
  failing: (count) => `连续失败 ${count} 次`,
  stopped: "已暂停（上限为 0）",
  setLive: (when) => `${when}覆盖配置`,
  change: "修改上限",
  limitsOf: (name) => `${name} 的上限`,
  runningMax: "并发任务数",
  runningMaxHint: "所有节点合计。0 表示暂停该平台，正在运行的任务会继续完成。",
  perSecond: "每秒启动数",
  perSecondHint: "留空表示不限速。",
  burst: "突发数",
  apply: "保存",
  close: "取消",
  restore: (limit) => `重置为配置值（${limit}）`,
  changed: "上限已保存",
  restored: "上限已重置为配置值",
  uses: "占用最多的账户",
  useColumns: {
    running: "运行中的任务",
    deliveries: "投递",
    eventStreams: "事件流",
    waits: "等待中的请求",
    lists: "列表",
    exports: "导出",
    largeBodies: "大请求",
  },
  usesHint: "运行中的任务和投递统计所有进程，其余只统计提供本页面的进程。显示占用最多的 20 个账户。",
  noUses: "目前没有账户占用资源。",
  nodes: "节点",
  nodeColumns: {
    node: "节点",
    version: "版本",
    running: "运行",
    platforms: "平台",
    started: "启动时间",
    lease: "租约",
  },
  asks: (count) => `可访问 ${count} 个`,
  lacks: (count) => `${count} 个无法访问`,
  notReported: "尚未报告",
  lease: (when) => `${when}到期`,
  dead: "已到期",
  noNodes: "没有工作节点。以 worker 角色启动服务之前，任务会一直排队。",
  accounts: "账户",
  search: "按名称搜索",
  accountColumns: {
    name: "账户",
    available: "可用",
    held: "冻结",
    spent: "已消耗",
    unfinished: "未完成",
    stored: "存储",
    free: "不计点数",
    freeRows: "不计点数的行",
    artifacts: "结果文件",
    created: "创建时间",
  },
  order: "排序",
  orders: { created: "最新", size: "最大" },
  limits: "上限",
  storageRowsMax: "不计点数可存储的行数",
  storageMibMax: "其大小（MiB）",
  artifactMibMax: "结果文件（MiB）",
  quotaHint: "留空则使用服务的设置。",
  noAccounts: "没有符合条件的账户。",
  newAccount: "新建账户",
  accountName: "名称",
  accountNameHint: "字母、数字、空格和 . _ @ -，以字母或数字开头。",
  points: "点数",
  create: "创建账户",
  created: (name) => `账户 ${name} 已创建，请在下方为其创建令牌。`,
  back: "账户",
  grant: "发放点数",
  note: "备注",
  granted: "点数已发放",
  unfinishedMax: "未完成任务上限",
  unfinishedMaxHint: "超过上限的批次会被拒绝，直到有任务完成。",
  save: "保存",
  saved: "已保存",
  older: "更早",
  newest: "最新",
};

export const operatorMessages = spoken({ english, chinese });
