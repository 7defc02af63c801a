import type { Scope } from "@querent/client";
import { spoken } from "./spoken.ts";

interface TokensMessages {
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

const english: TokensMessages = {
  title: "Tokens",
  lead: "Anyone with a token can use the API on behalf of this account, within the token’s scopes.",
  columns: { name: "Token", scopes: "Scopes", created: "Created", expires: "Expires", lastUsed: "Last used" },
  unnamed: "Unnamed",
  never: "Never",
  unused: "Never",
  thisOne: "In use",
  revoked: (when) => `Revoked ${when}`,
  expired: "Expired",
  revoke: "Revoke",
  reallyRevoke: "Revoke token",
  wasRevoked: "Token revoked",
  create: "New token",
  name: "Name",
  namePlaceholder: "Nightly survey",
  scopes: "Scopes",
  scopeAbout: {
    "tasks:write": "Submit and cancel tasks",
    "tasks:read": "Read tasks and answers",
    "panels:write": "Create, edit, run and delete panels, brands and caps",
    "panels:read": "Read panels, their runs, brands and caps",
    "webhook:manage": "Manage webhooks and deliveries",
    "usage:read": "Read points and usage",
    admin: "Full operator access to all accounts",
  },
  expires: "Expiration",
  lifetimes: { never: "Never", d30: "30 days", d90: "90 days", d365: "1 year" },
  submit: "Create token",
  made: (name) => `Token “${name}” created`,
  shownOnce: "Copy it now. It won’t be shown again.",
  copy: "Copy token",
  done: "Done",
  adminOnly: "Creating and revoking tokens requires a token with the admin scope. Ask your operator.",
  forbidden: "This token can’t list tokens. It needs the usage:read scope.",
};

const chinese: TokensMessages = {
  title: "令牌",
  lead: "持有令牌的任何人都可以在令牌权限范围内代表此账户使用 API。",
  columns: { name: "令牌", scopes: "权限", created: "创建时间", expires: "过期时间", lastUsed: "最近使用" },
  unnamed: "未命名",
  never: "永不",
  unused: "从未",
  thisOne: "当前使用",
  revoked: (when) => `已吊销（${when}）`,
  expired: "已过期",
  revoke: "吊销",
  reallyRevoke: "吊销令牌",
  wasRevoked: "令牌已吊销",
  create: "新建令牌",
  name: "名称",
  namePlaceholder: "每晚调查",
  scopes: "权限",
  scopeAbout: {
    "tasks:write": "提交和取消任务",
    "tasks:read": "读取任务和答案",
    "panels:write": "创建、编辑、运行和删除面板、品牌和上限",
    "panels:read": "读取面板、运行记录、品牌和上限",
    "webhook:manage": "管理 Webhook 和投递",
    "usage:read": "读取点数和用量",
    admin: "运维权限，可访问所有账户",
  },
  expires: "有效期",
  lifetimes: { never: "永不过期", d30: "30 天", d90: "90 天", d365: "1 年" },
  submit: "创建令牌",
  made: (name) => `令牌“${name}”已创建`,
  shownOnce: "请立即复制，之后不会再显示。",
  copy: "复制令牌",
  done: "完成",
  adminOnly: "创建和吊销令牌需要带 admin 权限的令牌，请联系运维人员。",
  forbidden: "此令牌不能列出令牌，需要 usage:read 权限。",
};

export const tokensMessages = spoken({ english, chinese });
