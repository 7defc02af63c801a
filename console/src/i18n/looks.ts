/** How the reports of a project look. */
import { spoken } from "./spoken.ts";

const english = {
  looks: "Looks",
  looksOf: (name: string) => `Reports’ looks of ${name}`,
  about:
    "At the top of the pages, PDFs and mails of this project’s reports from now on. Links that were shared before stay as they are, and the signed zip has no looks.",
  name: "Name of your client, or yours",
  logo: "Logo",
  logoHint: "PNG, JPEG or WebP, at most 256 KiB and 2,000 × 2,000 pixels.",
  tooLarge: "The file is larger than 256 KiB. Choose a smaller one.",
  noLogo: "Remove the logo",
  color: "Colour",
  ownColor: "Querent’s",
  noColor: "Use Querent’s colour",
  preview: "Preview",
  kicker: "Report of a panel, recorded by Querent",
  panel: "Name of the panel",
  adjusted: "Text in this colour is made darker or lighter, so that it can be read.",
  save: "Save",
  saved: "The looks were saved.",
};

const chinese: typeof english = {
  looks: "外观",
  looksOf: (name) => `${name} 的报告外观`,
  about: "从现在起显示在此项目报告的网页、PDF 和邮件顶部。之前分享的链接不变，签名的 zip 没有外观。",
  name: "客户或您的名称",
  logo: "徽标",
  logoHint: "PNG、JPEG 或 WebP，最大 256 KiB，2,000 × 2,000 像素。",
  tooLarge: "文件超过 256 KiB。请选择较小的文件。",
  noLogo: "移除徽标",
  color: "颜色",
  ownColor: "Querent 的颜色",
  noColor: "使用 Querent 的颜色",
  preview: "预览",
  kicker: "Querent 记录的面板报告",
  panel: "面板名称",
  adjusted: "此颜色的文字会加深或变浅，以便阅读。",
  save: "保存",
  saved: "外观已保存。",
};

export const looksMessages = spoken({ english, chinese });
