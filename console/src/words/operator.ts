import { spoken } from "./spoken.ts";

interface OperatorWords {
  title: string;
  parts: Record<"engine" | "accounts", string>;
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
  nodes: string;
  nodeColumns: Record<"node" | "version" | "running" | "started" | "lease", string>;
  lease: (when: string) => string;
  dead: string;
  noNodes: string;
  accounts: string;
  search: string;
  accountColumns: Record<"name" | "available" | "held" | "spent" | "unfinished" | "created", string>;
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

const english: OperatorWords = {
  title: "Operator",
  parts: { engine: "Queues and nodes", accounts: "Accounts" },
  partsLabel: "Parts of the operator's view",
  forbidden: "This view is for tokens with the scope admin.",
  queues: "Queues",
  queueColumns: {
    platform: "Platform",
    queued: "Queued",
    waiting: "Waiting",
    running: "Running",
    oldest: "Oldest",
    rate: "Starts",
    gate: "Gate",
  },
  noRate: "no rate limit",
  rate: (perSecond, burst) => `${perSecond} a second, ${burst} at once`,
  open: "Open",
  held: (when) => `Held: the platform asked for patience, again ${when}`,
  breakerOpen: (when) => `Breaker open, a probe goes ${when}`,
  failing: (count) => `${count} failures in a row`,
  stopped: "Stopped by its limit",
  setLive: (when) => `set live ${when}`,
  change: "Change limits",
  limitsOf: (name) => `Limits of ${name}`,
  runningMax: "Tasks at once",
  runningMaxHint: "Over all nodes. 0 stops the platform; what runs is left to end.",
  perSecond: "Starts a second",
  perSecondHint: "Empty: as fast as it goes.",
  burst: "Starts at once",
  apply: "Apply now",
  close: "Leave it",
  restore: (limit) => `Back to the configuration (${limit})`,
  changed: "Limits changed",
  restored: "The configured limits hold again",
  nodes: "Nodes",
  nodeColumns: { node: "Node", version: "Version", running: "Running", started: "Started", lease: "Lease" },
  lease: (when) => `ends ${when}`,
  dead: "run out",
  noNodes: "No node runs tasks. Start the service with the role worker.",
  accounts: "Accounts",
  search: "Search by name",
  accountColumns: {
    name: "Account",
    available: "Available",
    held: "Held",
    spent: "Spent",
    unfinished: "Unfinished",
    created: "Created",
  },
  noAccounts: "No account has such a name.",
  newAccount: "New account",
  accountName: "Name",
  accountNameHint: "Letters, digits, spaces and . _ @ -, beginning with a letter or digit.",
  points: "Points",
  create: "Create the account",
  created: (name) => `Account ${name} is there. Give it a token below.`,
  back: "Accounts",
  grant: "Grant points",
  note: "Note for the ledger",
  granted: "Points granted",
  unfinishedMax: "Unfinished tasks at most",
  unfinishedMaxHint: "A submission beyond it is refused until some have ended.",
  save: "Save",
  saved: "Saved",
  older: "Older",
  newest: "Newest",
};

const chinese: OperatorWords = {
  title: "运维",
  parts: { engine: "队列与节点", accounts: "账户" },
  partsLabel: "运维视图的各个部分",
  forbidden: "此视图仅供带 admin 权限的令牌使用。",
  queues: "队列",
  queueColumns: {
    platform: "平台",
    queued: "排队",
    waiting: "等待",
    running: "运行",
    oldest: "最早",
    rate: "启动速率",
    gate: "闸门",
  },
  noRate: "不限速率",
  rate: (perSecond, burst) => `每秒 ${perSecond}，同时 ${burst}`,
  open: "开放",
  held: (when) => `平台要求等待，${when}再试`,
  breakerOpen: (when) => `熔断中，${when}试探`,
  failing: (count) => `连续失败 ${count} 次`,
  stopped: "已被上限停止",
  setLive: (when) => `${when}在线修改`,
  change: "修改上限",
  limitsOf: (name) => `${name} 的上限`,
  runningMax: "同时运行的任务",
  runningMaxHint: "所有节点合计。0 表示停止该平台，正在运行的任务不受影响。",
  perSecond: "每秒启动数",
  perSecondHint: "留空表示不限。",
  burst: "同时启动数",
  apply: "立即生效",
  close: "不修改",
  restore: (limit) => `恢复配置（${limit}）`,
  changed: "上限已修改",
  restored: "已恢复配置的上限",
  nodes: "节点",
  nodeColumns: { node: "节点", version: "版本", running: "运行", started: "启动时间", lease: "租约" },
  lease: (when) => `${when}到期`,
  dead: "已到期",
  noNodes: "没有节点在运行任务。请以 worker 角色启动服务。",
  accounts: "账户",
  search: "按名称搜索",
  accountColumns: {
    name: "账户",
    available: "可用",
    held: "冻结",
    spent: "已消耗",
    unfinished: "未完成",
    created: "创建时间",
  },
  noAccounts: "没有这样名称的账户。",
  newAccount: "新建账户",
  accountName: "名称",
  accountNameHint: "字母、数字、空格和 . _ @ -，以字母或数字开头。",
  points: "点数",
  create: "创建账户",
  created: (name) => `账户 ${name} 已创建，请在下方为它创建令牌。`,
  back: "账户",
  grant: "发放点数",
  note: "账目备注",
  granted: "点数已发放",
  unfinishedMax: "未完成任务上限",
  unfinishedMaxHint: "超过后，新的提交会被拒绝，直到有任务结束。",
  save: "保存",
  saved: "已保存",
  older: "更早",
  newest: "最新",
};

export const operatorWords = spoken({ english, chinese });
