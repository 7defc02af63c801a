import type { PlatformRecord } from "@querent/client";
import { spoken } from "./spoken.ts";

interface PlatformsWords {
  title: string;
  kinds: Record<PlatformRecord["kind"], string>;
  ready: string;
  notConfigured: string;
  /** A web page, while no worker has a browser that works. */
  noBrowser: string;
  others: string;
  returns: string;
  returned: Record<keyof PlatformRecord["returns"], string>;
  answer: string;
  screenshot: string;
  shareLink: string;
  price: string;
  prices: Record<keyof PlatformRecord["price"], string>;
  lastHour: string;
  success: string;
  half: string;
  nearlyAll: string;
  nothingAsked: string;
  yours: string;
  queued: (count: string) => string;
  running: (count: string) => string;
  timeout: (time: string) => string;
  /** What stands before the places where a page is not as its recipe says. */
  drift: string;
  asRecipe: string;
  signs: Record<NonNullable<PlatformRecord["health"]["drift"]>[number]["sign"], string>;
  /** Of the asks of a day. */
  share: (percent: string) => string;
}

const english: PlatformsWords = {
  title: "Platforms",
  kinds: { api: "Model API", web: "Web page", sample: "Built in" },
  ready: "Ready",
  notConfigured: "Not configured",
  noBrowser: "No working browser",
  others: "Not available",
  returns: "Returns",
  returned: {
    sources: "Sources",
    products: "Products",
    videos: "Videos",
    media: "Other cards",
    reasoningProcess: "Reasoning",
    searchProcess: "Searches",
    pageHtml: "Page",
  },
  answer: "Answer",
  screenshot: "Screenshot",
  shareLink: "Share link",
  price: "Points a question",
  prices: {
    base: "Answer",
    deepAnalysis: "Deep analysis",
    screenshot: "Screenshot",
    shareLink: "Share link",
    pageHtml: "Page",
  },
  lastHour: "Last hour, all accounts",
  success: "answered",
  half: "half within",
  nearlyAll: "95 % within",
  nothingAsked: "Nobody asked it.",
  yours: "Your tasks",
  queued: (count) => `${count} waiting`,
  running: (count) => `${count} running`,
  timeout: (time) => `gives up after ${time}`,
  drift: "The page is not as its recipe says",
  asRecipe: "The page is as its recipe says",
  signs: {
    fallback: "found by a later selector",
    unmatched: "not found",
    check: "fewer read than the page told of",
    unread: "nothing is read any more",
  },
  share: (percent) => `${percent} of a day's asks`,
};

const chinese: PlatformsWords = {
  title: "平台",
  kinds: { api: "模型 API", web: "网页", sample: "内置" },
  ready: "可用",
  notConfigured: "未配置",
  noBrowser: "没有可用的浏览器",
  others: "不可用",
  returns: "返回内容",
  returned: {
    sources: "来源",
    products: "商品",
    videos: "视频",
    media: "其他卡片",
    reasoningProcess: "推理过程",
    searchProcess: "搜索过程",
    pageHtml: "网页",
  },
  answer: "答案",
  screenshot: "截图",
  shareLink: "分享链接",
  price: "每个问题的点数",
  prices: { base: "答案", deepAnalysis: "深度分析", screenshot: "截图", shareLink: "分享链接", pageHtml: "网页" },
  lastHour: "最近一小时（所有账户）",
  success: "成功率",
  half: "半数不超过",
  nearlyAll: "95% 不超过",
  nothingAsked: "没有人提问。",
  yours: "您的任务",
  queued: (count) => `等待中 ${count}`,
  running: (count) => `运行中 ${count}`,
  timeout: (time) => `${time}后放弃`,
  drift: "页面与配方不符",
  asRecipe: "页面与配方相符",
  signs: {
    fallback: "由后备选择器找到",
    unmatched: "未找到",
    check: "读到的少于页面所示",
    unread: "不再读到任何内容",
  },
  share: (percent) => `占一天提问的 ${percent}`,
};

export const platformsWords = spoken({ english, chinese });
