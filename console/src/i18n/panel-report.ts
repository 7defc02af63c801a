import { spoken } from "./spoken.ts";

const english = {
  title: "Report",
  about:
    "The figures of the last 28 days, or of seven runs, with their grade, as a page; or signed, to be computed again by anyone.",
  page: "Download the page",
  signed: "Download the signed zip",
  share: "Share a link",
  mayNotShare: "This token can’t share links. It needs the panels:write scope.",
  days: "Works for",
  dayChoices: { "7": "7 days", "30": "30 days", "90": "90 days" },
  shares: "Links that work",
  sharesText: "Whoever has a link reads the report as it was when the link was made, without a token.",
  until: (day: string) => `until ${day}`,
  window: (from: string, to: string) => `Report of ${from} – ${to}`,
  noUrl: "The service does not know its public URL: the operator sets QUERENT_PUBLIC_URL.",
  copy: "Copy link",
  open: "Open",
  revoke: "Revoke",
  revoked: "The link was revoked.",
};

const chinese: typeof english = {
  title: "报告",
  about: "最近 28 天(或七次运行)的数字及其等级:网页;或签名的文件,任何人都可以重新计算。",
  page: "下载网页",
  signed: "下载签名的 zip",
  share: "分享链接",
  mayNotShare: "此令牌不能分享链接，需要 panels:write 权限。",
  days: "有效期",
  dayChoices: { "7": "7 天", "30": "30 天", "90": "90 天" },
  shares: "有效的链接",
  sharesText: "持有链接的人无需令牌即可阅读创建链接时的报告。",
  until: (day) => `有效至 ${day}`,
  window: (from, to) => `${from} – ${to} 的报告`,
  noUrl: "服务不知道自己的公开地址：请运维人员设置 QUERENT_PUBLIC_URL。",
  copy: "复制链接",
  open: "打开",
  revoke: "撤销",
  revoked: "链接已撤销。",
};

export const panelReportMessages = spoken({ english, chinese });
