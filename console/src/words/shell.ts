/** What stands around every view: navigation and keys. */
import type { Theme } from "../app/theme.ts";
import { spoken } from "./spoken.ts";

interface ShellWords {
  navigation: {
    label: string;
    overview: string;
    platforms: string;
    usage: string;
    tokens: string;
    operator: string;
    tasks: string;
    batches: string;
    webhooks: string;
    ask: string;
    reference: string;
    theme: string;
    themes: Record<Theme, string>;
    language: string;
    signOut: string;
    keys: string;
    points: (count: string) => string;
    account: string;
  };
  keys: {
    title: string;
    close: string;
    list: Record<
      "next" | "previous" | "open" | "search" | "pause" | "overview" | "tasks" | "ask" | "back" | "help",
      string
    >;
  };
}

const english: ShellWords = {
  navigation: {
    label: "Console",
    overview: "Overview",
    platforms: "Platforms",
    usage: "Usage",
    tokens: "Tokens",
    operator: "Operator",
    tasks: "Tasks",
    batches: "Batches",
    webhooks: "Webhooks",
    ask: "Ask",
    reference: "API reference",
    theme: "Appearance",
    themes: { system: "Like the device", light: "Light", dark: "Dark" },
    language: "Language",
    signOut: "Sign out",
    keys: "Keyboard",
    points: (count) => `${count} points available`,
    account: "Account",
  },
  keys: {
    title: "Keyboard",
    close: "Close",
    list: {
      next: "Next task, in a list or in detail",
      previous: "Previous task",
      open: "Open what is selected",
      search: "Go to the filter",
      pause: "Pause live updates, or go on",
      overview: "Go to the overview",
      tasks: "Go to the tasks",
      ask: "Ask something",
      back: "Back to the list",
      help: "Show these keys",
    },
  },
};

const chinese: ShellWords = {
  navigation: {
    label: "控制台",
    overview: "概览",
    platforms: "平台",
    usage: "用量",
    tokens: "令牌",
    operator: "运维",
    tasks: "任务",
    batches: "批次",
    webhooks: "通知",
    ask: "提问",
    reference: "API 文档",
    theme: "外观",
    themes: { system: "跟随设备", light: "浅色", dark: "深色" },
    language: "语言",
    signOut: "退出登录",
    keys: "快捷键",
    points: (count) => `可用点数 ${count}`,
    account: "账户",
  },
  keys: {
    title: "快捷键",
    close: "关闭",
    list: {
      next: "下一个任务（列表或详情）",
      previous: "上一个任务",
      open: "打开所选任务",
      search: "转到筛选框",
      pause: "暂停或继续实时更新",
      overview: "转到概览",
      tasks: "转到任务列表",
      ask: "提问",
      back: "返回列表",
      help: "显示快捷键",
    },
  },
};

export const shellWords = spoken({ english, chinese });
