import type { Scope } from "@querent/client";
import { spoken } from "./spoken.ts";

interface TokensWords {
  title: string;
  lead: string;
  columns: Record<"name" | "scopes" | "created" | "expires" | "lastUsed", string>;
  unnamed: string;
  never: string;
  unused: string;
  thisOne: string;
  revoked: (when: string) => string;
  expired: string;
  revoke: string;
  reallyRevoke: string;
  wasRevoked: string;
  create: string;
  name: string;
  namePlaceholder: string;
  scopes: string;
  scopeAbout: Record<Scope, string>;
  expires: string;
  lifetimes: Record<"never" | "d30" | "d90" | "d365", string>;
  submit: string;
  made: (name: string) => string;
  shownOnce: string;
  copy: string;
  done: string;
  adminOnly: string;
  forbidden: string;
}

const english: TokensWords = {
  title: "Tokens",
  lead: "Whoever has a token asks, reads and spends in the account's name, as far as its scopes go.",
  columns: { name: "Token", scopes: "Scopes", created: "Created", expires: "Expires", lastUsed: "Last used" },
  unnamed: "without a name",
  never: "never",
  unused: "never",
  thisOne: "you are using it",
  revoked: (when) => `revoked ${when}`,
  expired: "expired",
  revoke: "Revoke",
  reallyRevoke: "Revoke it for good",
  wasRevoked: "Revoked",
  create: "New token",
  name: "Name",
  namePlaceholder: "nightly survey",
  scopes: "It may",
  scopeAbout: {
    "tasks:write": "ask and cancel",
    "tasks:read": "read tasks and answers",
    "webhook:manage": "see and change notifications",
    "usage:read": "read points and usage",
    admin: "do everything that the operator does, over all accounts",
  },
  expires: "It lives",
  lifetimes: { never: "until it is revoked", d30: "30 days", d90: "90 days", d365: "a year" },
  submit: "Create the token",
  made: (name) => `Token “${name}” is ready`,
  shownOnce: "This is the only time that it is shown. Keep it where secrets belong.",
  copy: "Copy the token",
  done: "I have kept it",
  adminOnly: "Only a token with the scope admin creates and revokes tokens. The operator has one.",
  forbidden: "This token may not list tokens: it lacks the scope usage:read.",
};

const chinese: TokensWords = {
  title: "令牌",
  lead: "持有令牌的人可以在其权限范围内以本账户的名义提问、读取和消耗点数。",
  columns: { name: "令牌", scopes: "权限", created: "创建时间", expires: "过期时间", lastUsed: "最近使用" },
  unnamed: "未命名",
  never: "永不",
  unused: "从未",
  thisOne: "正在使用",
  revoked: (when) => `已吊销（${when}）`,
  expired: "已过期",
  revoke: "吊销",
  reallyRevoke: "确认永久吊销",
  wasRevoked: "已吊销",
  create: "新建令牌",
  name: "名称",
  namePlaceholder: "每晚调查",
  scopes: "允许",
  scopeAbout: {
    "tasks:write": "提问和取消",
    "tasks:read": "读取任务和答案",
    "webhook:manage": "查看和修改通知",
    "usage:read": "读取点数和用量",
    admin: "对所有账户执行运维人员的全部操作",
  },
  expires: "有效期",
  lifetimes: { never: "直到被吊销", d30: "30 天", d90: "90 天", d365: "一年" },
  submit: "创建令牌",
  made: (name) => `令牌“${name}”已创建`,
  shownOnce: "令牌只显示这一次，请妥善保存。",
  copy: "复制令牌",
  done: "我已保存",
  adminOnly: "只有带 admin 权限的令牌才能创建和吊销令牌，运维人员持有这样的令牌。",
  forbidden: "此令牌不能列出令牌：缺少 usage:read 权限。",
};

export const tokensWords = spoken({ english, chinese });
