import { spoken } from "./spoken.ts";

interface SessionMessages {
  title: string;
  about: string;
  none: string;
  noPlatforms: string;
  columns: Record<"platform" | "account" | "state" | "limits" | "signedIn" | "success" | "used", string>;
  states: Record<"ready" | "signed_out" | "throttled" | "needs_person", string>;
  pausedUntil: (when: string) => string;
  running: (count: string) => string;
  limits: Record<"runningMax" | "perMinute" | "perHour", (count: string) => string>;
  noLimits: string;
  never: string;
  signIn: string;
  again: string;
  pass: string;
  passAbout: string;
  resume: string;
  resumed: string;
  remove: string;
  reallyRemove: string;
  removed: string;
  importFile: string;
  file: string;
  store: string;
  stored: (name: string) => string;
  notSession: string;
  platform: string;
  name: string;
  nameHint: string;
  country: string;
  anyCountry: string;
  countryHint: string;
  start: string;
  signingIn: (platform: string) => string;
  opening: string;
  picture: string;
  pictureHint: string;
  address: string;
  pages: string;
  page: (number: string) => string;
  ends: (when: string) => string;
  text: string;
  textHint: string;
  insert: string;
  save: string;
  ended: string;
  yours: string;
}

const english: SessionMessages = {
  title: "Sessions of web platforms",
  about: "Accounts with which the pages of assistants are asked. Their contents are encrypted and never shown.",
  none: "No session is stored. If a platform's page requires an account, sign in to it here, or import a session that you signed in on another machine.",
  noPlatforms: "No web platform is configured.",
  columns: {
    platform: "Platform",
    account: "Account",
    state: "Status",
    limits: "Own limits",
    signedIn: "Signed in",
    success: "Last answer",
    used: "Last used",
  },
  states: { ready: "Ready", signed_out: "Signed out", throttled: "Paused", needs_person: "Needs a person" },
  pausedUntil: (when) => `Paused, continues ${when}`,
  running: (count) => `${count} running`,
  limits: {
    runningMax: (count) => `${count} at once`,
    perMinute: (count) => `${count} a minute`,
    perHour: (count) => `${count} an hour`,
  },
  noLimits: "None",
  never: "Never",
  signIn: "Sign in",
  again: "Sign in again",
  pass: "Pass the check",
  passAbout: "The page asks for a human. Open it, pass the check yourself, and save the session.",
  resume: "Use again",
  resumed: "The session is used again",
  remove: "Remove",
  reallyRemove: "Remove session",
  removed: "Session removed",
  importFile: "Import",
  file: "Session file",
  store: "Store session",
  stored: (name) => `Session ${name} stored. Tasks use it from now on.`,
  notSession: "The file is not a session.",
  platform: "Platform",
  name: "Account name",
  nameHint: "Your name for the account: lowercase letters, digits and . _ -",
  country: "Country",
  anyCountry: "Where the service is",
  countryHint: "Sign in from the country from which this account is used: pages ask who suddenly comes from elsewhere.",
  start: "Open the page",
  signingIn: (platform) => `Sign in to ${platform}`,
  opening: "Opening the page…",
  picture: "Page of the platform",
  pictureHint: "Click into the picture to operate the page. Your keys go to the page; F6 leaves it.",
  address: "Address",
  pages: "Open windows",
  page: (number) => `Window ${number}`,
  ends: (when) => `Ends ${when} if not saved.`,
  text: "Text for the page",
  textHint: "Is inserted where the page's cursor is. It is not stored.",
  insert: "Insert",
  save: "Save session",
  ended: "The sign-in has ended. Nothing was saved; start again.",
  yours:
    "Comply with the platform's terms. Querent passes no human check for you: if the page shows one, pass it yourself.",
};

const chinese: SessionMessages = {
  title: "网页平台的会话",
  about: "用于访问助手网页的账户。内容已加密，不会显示。",
  none: "尚未保存会话。如果平台网页需要账户，请在此登录，或导入在其他机器上登录的会话。",
  noPlatforms: "没有配置网页平台。",
  columns: {
    platform: "平台",
    account: "账户",
    state: "状态",
    limits: "自身限额",
    signedIn: "登录时间",
    success: "上次回答",
    used: "上次使用",
  },
  states: { ready: "可用", signed_out: "已退出登录", throttled: "已暂停", needs_person: "需要人工验证" },
  pausedUntil: (when) => `已暂停，${when}继续`,
  running: (count) => `正在运行 ${count} 个`,
  limits: {
    runningMax: (count) => `同时 ${count} 个`,
    perMinute: (count) => `每分钟 ${count} 个`,
    perHour: (count) => `每小时 ${count} 个`,
  },
  noLimits: "无",
  never: "从未",
  signIn: "登录",
  again: "重新登录",
  pass: "通过验证",
  passAbout: "网页要求人机验证。请打开网页，自行通过验证，然后保存会话。",
  resume: "恢复使用",
  resumed: "会话已恢复使用",
  remove: "删除",
  reallyRemove: "删除会话",
  removed: "会话已删除",
  importFile: "导入",
  file: "会话文件",
  store: "保存会话",
  stored: (name) => `会话 ${name} 已保存，任务从现在起使用它。`,
  notSession: "该文件不是会话。",
  platform: "平台",
  name: "账户名称",
  nameHint: "您为该账户取的名称：小写字母、数字和 . _ -",
  country: "国家/地区",
  anyCountry: "服务所在地",
  countryHint: "请从使用该账户的国家/地区登录：如果突然来自其他地方，网页可能会要求验证。",
  start: "打开网页",
  signingIn: (platform) => `登录 ${platform}`,
  opening: "正在打开网页…",
  picture: "平台的网页",
  pictureHint: "点击画面即可操作网页。按键会发送到网页；按 F6 离开。",
  address: "地址",
  pages: "打开的窗口",
  page: (number) => `窗口 ${number}`,
  ends: (when) => `如不保存，${when}结束。`,
  text: "要输入的文本",
  textHint: "插入到网页光标处，不会被保存。",
  insert: "插入",
  save: "保存会话",
  ended: "登录已结束，未保存任何内容，请重新开始。",
  yours: "请遵守平台条款。Querent 不会代您通过人机验证：如果网页要求验证，请自行完成。",
};

export const sessionMessages = spoken({ english, chinese });
