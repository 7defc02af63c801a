/** The audit log. */
import type { AuditEntry } from "@querent/client";
import { spoken } from "./spoken.ts";

type KindWords = Record<AuditEntry["kind"], string>;
type ActorWords = Record<AuditEntry["actor"]["kind"], string>;

const english = {
  title: "Audit log",
  lead: "Who changed what, and who read secrets and exports. Entries cannot be changed unnoticed.",
  forbidden: "Your role or token can’t read the audit log. Owners and admins can.",
  all: "All",
  kind: "Kind",
  kinds: { change: "Changes", secret: "Secrets", export: "Exports", spend: "Others’ spending" } satisfies KindWords,
  of: "Log",
  ofs: { account: "Account", installation: "Installation" },
  operation: "Operation",
  from: "From",
  until: "Until",
  filter: "Filter",
  columns: { when: "When", who: "Who", what: "Operation", target: "Target" },
  actors: { person: "Person", token: "Token", operator: "Operator", system: "The service" } satisfies ActorWords,
  onlyBy: (name: string) => `Only what ${name} did`,
  onlyTarget: (name: string) => `Only ${name}`,
  everyone: "Show everything again",
  details: (operation: string) => `Details of ${operation}`,
  before: "Before",
  after: "After",
  address: "Address",
  request: "Request",
  place: "Place in the chain",
  unsealed: "Not sealed yet",
  kindIs: "Kind",
  none: "No entries match.",
  newest: "Newest",
  older: "Older",
  save: (format: string) => `Save as ${format}`,
  saved: "Saved",
};

const chinese: typeof english = {
  title: "审计日志",
  lead: "谁更改了什么，谁读取了密钥和导出。条目无法被悄悄更改。",
  forbidden: "您的角色或令牌不能读取审计日志。所有者和管理员可以。",
  all: "全部",
  kind: "类型",
  kinds: { change: "更改", secret: "密钥", export: "导出", spend: "他人的用量" },
  of: "日志",
  ofs: { account: "账户", installation: "整个服务" },
  operation: "操作",
  from: "从",
  until: "至",
  filter: "筛选",
  columns: { when: "时间", who: "谁", what: "操作", target: "对象" },
  actors: { person: "成员", token: "令牌", operator: "运维人员", system: "服务本身" },
  onlyBy: (name) => `仅显示 ${name} 的操作`,
  onlyTarget: (name) => `仅显示 ${name}`,
  everyone: "重新显示全部",
  details: (operation) => `${operation} 的详情`,
  before: "之前",
  after: "之后",
  address: "地址",
  request: "请求",
  place: "链中的位置",
  unsealed: "尚未封存",
  kindIs: "类型",
  none: "没有符合条件的条目。",
  newest: "最新",
  older: "更早",
  save: (format) => `保存为 ${format}`,
  saved: "已保存",
};

export const auditMessages = spoken({ english, chinese });
