import type { PlatformRecord } from "@querent/client";
import { spoken } from "./spoken.ts";

const english = {
  title: "Platforms",
  kinds: { api: "Model API", web: "Web page", sample: "Built in" } satisfies Record<PlatformRecord["kind"], string>,
  nextTry: (when: string) => `next try ${when}`,
  lastFailure: "Your last failure",
  configured: "Configured",
  notConfigured: "Not configured",
  others: "Not available",
  /** What a platform needs before it, and not a stand-in, can be asked. */
  lacks: ({ setUp }: Pick<PlatformRecord, "kind" | "standIn" | "setUp">) => setUp?.reason ?? "",
  setUp: "The operator sets it up with",
  returns: "Returns",
  returned: {
    sources: "Sources",
    products: "Products",
    videos: "Videos",
    media: "Other cards",
    reasoningProcess: "Reasoning",
    searchProcess: "Searches",
    pageHtml: "Page HTML",
  } satisfies Record<keyof PlatformRecord["returns"], string>,
  answer: "Answer",
  screenshot: "Screenshot",
  shareLink: "Share link",
  price: "Points per question",
  prices: {
    base: "Answer",
    deepAnalysis: "Deep analysis",
    screenshot: "Screenshot",
    shareLink: "Share link",
    pageHtml: "Page HTML",
  } satisfies Record<keyof PlatformRecord["price"], string>,
  lastHour: (finished: string) => `Last hour, all accounts · ${finished} finished`,
  success: "success rate",
  half: "median",
  nearlyAll: "p95",
  nothingAsked: "No tasks finished.",
  yours: "Your tasks",
  queued: (count: string) => `${count} queued`,
  running: (count: string) => `${count} running`,
  timeout: (time: string) => `${time} timeout`,
  /** What stands before the places where a page is not as its recipe says. */
  drift: "The page no longer matches its recipe",
  asRecipe: "The page matches its recipe",
  signs: {
    fallback: "matched by a fallback selector",
    unmatched: "not found",
    check: "fewer items read than the page shows",
    unread: "nothing is read any more",
  } satisfies Record<NonNullable<PlatformRecord["health"]["drift"]>[number]["sign"], string>,
  share: (percent: string) => `${percent} of tasks in the last 24 hours`,
};

const chinese: typeof english = {
  title: "平台",
  kinds: { api: "模型 API", web: "网页", sample: "内置" },
  nextTry: (when) => `${when}再试`,
  lastFailure: "您最近一次失败",
  configured: "已配置",
  notConfigured: "未配置",
  others: "不可用",
  lacks: ({ kind, standIn }) => {
    if (standIn) return "运维人员登录真实页面之前，由本服务的示例页面代为回答。";
    if (kind === "api") return "缺少 API 密钥，需由运维人员设置。";
    return kind === "web" ? "运维人员登录该页面后才能使用。" : "需由运维人员配置。";
  },
  setUp: "运维人员运行以下命令进行设置",
  returns: "返回内容",
  returned: {
    sources: "来源",
    products: "商品",
    videos: "视频",
    media: "其他卡片",
    reasoningProcess: "推理过程",
    searchProcess: "搜索过程",
    pageHtml: "网页 HTML",
  },
  answer: "答案",
  screenshot: "截图",
  shareLink: "分享链接",
  price: "每个问题的点数",
  prices: { base: "答案", deepAnalysis: "深度分析", screenshot: "截图", shareLink: "分享链接", pageHtml: "网页 HTML" },
  lastHour: (finished) => `最近一小时（所有账户）· 完成 ${finished} 个`,
  success: "成功率",
  half: "中位数",
  nearlyAll: "p95",
  nothingAsked: "没有任务完成。",
  yours: "您的任务",
  queued: (count) => `排队中 ${count}`,
  running: (count) => `运行中 ${count}`,
  timeout: (time) => `超时 ${time}`,
  drift: "页面与配方不再匹配",
  asRecipe: "页面与配方匹配",
  signs: {
    fallback: "由备用选择器匹配",
    unmatched: "未找到",
    check: "读取的数量少于页面显示的数量",
    unread: "不再读取到任何内容",
  },
  share: (percent) => `占最近 24 小时任务的 ${percent}`,
};

export const platformsMessages = spoken({ english, chinese });
