import type { ConnectionRecord } from "@querent/client";
import { spoken } from "./spoken.ts";

type AssistantScope = ConnectionRecord["scopes"][number];

const english = {
  title: "Connect an assistant",
  asks: (name: string) => `Connect “${name}”?`,
  lead: (account: string) =>
    `It asks for access to the account ${account}, and acts as you, within what you allow here and your role allows.`,
  publishedBy: "Published by",
  sentTo: "You are sent back to",
  unverified:
    "Nobody has verified this name: any program can call itself that. Allow it only if you have just begun this yourself.",
  device: "This address is on your own device. Any program that runs there can be behind it, whatever it calls itself.",
  app: "An app of your device opens this address. Any app that has claimed it can be behind it, whatever it calls itself.",
  account: "Account",
  signedInAs: (email: string) => `Signed in as ${email}`,
  may: "It may",
  scopes: {
    "tasks:read": "Read the account’s questions and answers",
    "reports:read": "Read panels, their figures and reports, and brands",
    "tasks:write": "Ask questions, which costs the account points",
  } satisfies Record<AssistantScope, string>,
  notAllowed: (what: string) => `Your role doesn’t allow: ${what}.`,
  nothingAllowed:
    "Your role in this account allows nothing of what the assistant asks for. Refuse, or choose another account.",
  allow: "Allow",
  refuse: "Refuse",
  endsIn: "You can end the connection at any time, in your profile.",
  decided: "Done. You can close this page if the assistant hasn’t taken over.",
  noneTitle: "Nothing to decide",
  none: "No assistant asks to be connected in this browser, or its request has expired. Begin again in the assistant.",
  toConsole: "Go to the console",
  needsPerson: "You use an access token. Assistants are connected by people: sign in as a person.",
  signInAsPerson: "Sign in as a person",
  connections: "Connected assistants",
  ofAccountLead:
    "Assistants that members have connected by signing in. Each can do what its member’s role allows, and no more.",
  noConnections: "No assistant is connected.",
  connectHow: "Give an assistant this address, and it asks you to sign in:",
  copyAddress: "Copy address",
  columns: {
    client: "Assistant",
    person: "Member",
    account: "Account",
    scopes: "May",
    since: "Since",
    lastUsed: "Last used",
  },
  short: { "tasks:read": "read answers", "reports:read": "read reports", "tasks:write": "ask" } satisfies Record<
    AssistantScope,
    string
  >,
  by: (host: string) => `by ${host}`,
  notVerified: (host: string) => `name not verified, at ${host}`,
  never: "Never",
  end: "End",
  endOf: (name: string) => `End the connection of ${name}`,
  ended: "Connection ended",
};

const chinese: typeof english = {
  title: "连接助手",
  asks: (name) => `连接“${name}”？`,
  lead: (account) => `它请求访问账户 ${account}，并以您的身份操作，不超出您在此授予的权限和您的角色。`,
  publishedBy: "发布者",
  sentTo: "您将返回到",
  unverified: "此名称未经验证：任何程序都可以这样自称。只有在您刚刚亲自发起连接时才应允许。",
  device: "此地址在您自己的设备上。无论自称什么，设备上运行的任何程序都可能在使用它。",
  app: "此地址由您设备上的应用打开。无论自称什么，任何声明了它的应用都可能在使用它。",
  account: "账户",
  signedInAs: (email) => `已以 ${email} 登录`,
  may: "它可以",
  scopes: {
    "tasks:read": "读取账户的问题和答案",
    "reports:read": "读取面板及其数据和报告，以及品牌",
    "tasks:write": "提问，这会消耗账户的点数",
  },
  notAllowed: (what) => `您的角色不允许：${what}。`,
  nothingAllowed: "您在此账户中的角色不允许助手请求的任何权限。请拒绝，或选择其他账户。",
  allow: "允许",
  refuse: "拒绝",
  endsIn: "您可以随时在个人资料中结束连接。",
  decided: "已完成。如果助手没有继续，您可以关闭此页面。",
  noneTitle: "没有待决定的请求",
  none: "此浏览器中没有助手请求连接，或请求已过期。请在助手中重新开始。",
  toConsole: "前往控制台",
  needsPerson: "您正在使用访问令牌。助手由个人连接：请以个人身份登录。",
  signInAsPerson: "以个人身份登录",
  connections: "已连接的助手",
  ofAccountLead: "成员通过登录连接的助手。每个助手只能做其成员的角色所允许的事。",
  noConnections: "没有已连接的助手。",
  connectHow: "将此地址提供给助手，它会请您登录：",
  copyAddress: "复制地址",
  columns: {
    client: "助手",
    person: "成员",
    account: "账户",
    scopes: "权限",
    since: "开始时间",
    lastUsed: "最近使用",
  },
  short: { "tasks:read": "读取答案", "reports:read": "读取报告", "tasks:write": "提问" },
  by: (host) => `由 ${host} 发布`,
  notVerified: (host) => `名称未经验证，位于 ${host}`,
  never: "从未",
  end: "结束",
  endOf: (name) => `结束 ${name} 的连接`,
  ended: "连接已结束",
};

export const connectionMessages = spoken({ english, chinese });
