/** What stands around every view: navigation, keyboard shortcuts, the command palette. */
import { counted } from "./counted.ts";
import { spoken } from "./spoken.ts";

type ViewName =
  | "overview"
  | "panels"
  | "brands"
  | "platforms"
  | "usage"
  | "caps"
  | "tokens"
  | "operator"
  | "tasks"
  | "batches"
  | "webhooks"
  | "deliveries"
  | "ask";

interface ShellMessages {
  navigation: Record<ViewName, string> & {
    label: string;
    menu: string;
    reference: string;
    theme: string;
    themes: Record<"system" | "light" | "dark", string>;
    language: string;
    signOut: string;
    keys: string;
    points: (count: string) => string;
    account: string;
  };
  notFound: { title: string; text: string; back: string };
  palette: {
    title: string;
    open: string;
    placeholder: string;
    groups: Record<"found" | "search" | "views" | "actions", string>;
    task: (question: string) => string;
    batch: (question: string) => string;
    delivery: (id: string) => string;
    unknownId: string;
    looking: string;
    searchTasks: (text: string) => string;
    searchBatches: (text: string) => string;
    noCommands: string;
    theme: (name: string) => string;
    language: (name: string) => string;
    failedTasks: string;
    failedBatches: string;
    failedDeliveries: string;
  };
  keys: {
    title: string;
    close: string;
    list: Record<
      | "palette"
      | "next"
      | "previous"
      | "open"
      | "select"
      | "clear"
      | "search"
      | "pause"
      | "overview"
      | "tasks"
      | "ask"
      | "back"
      | "help",
      string
    >;
  };
}

const english: ShellMessages = {
  navigation: {
    label: "Console",
    menu: "Menu",
    overview: "Overview",
    panels: "Panels",
    brands: "Brands",
    platforms: "Platforms",
    usage: "Usage",
    caps: "Caps",
    tokens: "Tokens",
    operator: "Operator",
    tasks: "Tasks",
    batches: "Batches",
    webhooks: "Webhooks",
    deliveries: "Deliveries",
    ask: "Ask",
    reference: "API reference",
    theme: "Appearance",
    themes: { system: "System", light: "Light", dark: "Dark" },
    language: "Language",
    signOut: "Sign out",
    keys: "Shortcuts",
    points: (count) => `${counted(count, "point")} available`,
    account: "Account",
  },
  notFound: {
    title: "Page not found",
    text: "The console has no page at this address:",
    back: "Go to overview",
  },
  palette: {
    title: "Command palette",
    open: "Search…",
    placeholder: "Search, paste an ID, or run a command",
    groups: { found: "Found", search: "Search", views: "Go to", actions: "Actions" },
    task: (question) => `Task: ${question}`,
    batch: (question) => `Batch: ${question}`,
    delivery: (id) => `Delivery: ${id}`,
    unknownId: "No task, batch or delivery has this ID.",
    looking: "Looking up the ID…",
    searchTasks: (text) => `Search tasks for “${text}”`,
    searchBatches: (text) => `Search batches for “${text}”`,
    noCommands: "No matching commands.",
    theme: (name) => `Appearance: ${name}`,
    language: (name) => `Language: ${name}`,
    failedTasks: "Show failed tasks",
    failedBatches: "Show batches with failures",
    failedDeliveries: "Show failed deliveries",
  },
  keys: {
    title: "Keyboard shortcuts",
    close: "Close",
    list: {
      palette: "Open the command palette",
      next: "Next item",
      previous: "Previous item",
      open: "Open the focused item",
      select: "Select the focused task",
      clear: "Clear the selection",
      search: "Go to search or filter",
      pause: "Pause or resume live updates",
      overview: "Go to overview",
      tasks: "Go to tasks",
      ask: "New batch",
      back: "Back to the list",
      help: "Show keyboard shortcuts",
    },
  },
};

const chinese: ShellMessages = {
  navigation: {
    label: "控制台",
    menu: "菜单",
    overview: "概览",
    panels: "面板",
    brands: "品牌",
    platforms: "平台",
    usage: "用量",
    caps: "限额",
    tokens: "令牌",
    operator: "运维",
    tasks: "任务",
    batches: "批次",
    webhooks: "Webhook",
    deliveries: "投递记录",
    ask: "提问",
    reference: "API 文档",
    theme: "外观",
    themes: { system: "跟随系统", light: "浅色", dark: "深色" },
    language: "语言",
    signOut: "退出登录",
    keys: "快捷键",
    points: (count) => `可用点数 ${count}`,
    account: "账户",
  },
  notFound: { title: "找不到页面", text: "控制台中没有此地址的页面：", back: "前往概览" },
  palette: {
    title: "命令面板",
    open: "搜索…",
    placeholder: "搜索、粘贴 ID 或执行命令",
    groups: { found: "查找结果", search: "搜索", views: "前往", actions: "操作" },
    task: (question) => `任务：${question}`,
    batch: (question) => `批次：${question}`,
    delivery: (id) => `投递：${id}`,
    unknownId: "没有任务、批次或投递使用此 ID。",
    looking: "正在查找 ID…",
    searchTasks: (text) => `在任务中搜索“${text}”`,
    searchBatches: (text) => `在批次中搜索“${text}”`,
    noCommands: "没有匹配的命令。",
    theme: (name) => `外观：${name}`,
    language: (name) => `语言：${name}`,
    failedTasks: "查看失败的任务",
    failedBatches: "查看有失败的批次",
    failedDeliveries: "查看失败的投递",
  },
  keys: {
    title: "快捷键",
    close: "关闭",
    list: {
      palette: "打开命令面板",
      next: "下一项",
      previous: "上一项",
      open: "打开当前项",
      select: "选择当前任务",
      clear: "取消选择",
      search: "转到搜索或筛选",
      pause: "暂停或恢复实时更新",
      overview: "前往概览",
      tasks: "前往任务",
      ask: "新建批次",
      back: "返回列表",
      help: "显示快捷键",
    },
  },
};

export const shellMessages = spoken({ english, chinese });
