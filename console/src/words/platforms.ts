import type { PlatformRecord } from "@querent/client";
import { spoken } from "./spoken.ts";

interface PlatformsWords {
  title: string;
  kinds: Record<PlatformRecord["kind"], string>;
  ready: string;
  notConfigured: string;
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
}

const english: PlatformsWords = {
  title: "Platforms",
  kinds: { api: "Model API", web: "Web page", sample: "Built in" },
  ready: "Ready",
  notConfigured: "Not configured",
  others: "Not configured by the operator",
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
};

const chinese: PlatformsWords = {
  title: "平台",
  kinds: { api: "模型 API", web: "网页", sample: "内置" },
  ready: "可用",
  notConfigured: "未配置",
  others: "运维人员尚未配置",
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
};

export const platformsWords = spoken({ english, chinese });
