import { spoken } from "./spoken.ts";

const english = {
  title: "Report",
  about:
    "The figures of the last 28 days, or of seven runs, with their grade, as a page; or signed, to be computed again by anyone.",
  page: "Download the page",
  signed: "Download the signed zip",
};

const chinese: typeof english = {
  title: "报告",
  about: "最近 28 天(或七次运行)的数字及其等级:网页;或签名的文件,任何人都可以重新计算。",
  page: "下载网页",
  signed: "下载签名的 zip",
};

export const panelReportMessages = spoken({ english, chinese });
