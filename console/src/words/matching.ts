/** What may be done with every task that a filter finds. */
import { spoken } from "./spoken.ts";

interface MatchingWords {
  title: string;
  allTasks: string;
  text: string;
  close: string;
  stop: string;
  exportTitle: string;
  exportText: string;
  cancelTitle: string;
  cancelText: string;
  cancelFind: string;
  found: (count: string) => string;
  nonePending: string;
  cancelSure: (count: string) => string;
  cancelYes: (count: string) => string;
  keep: string;
  canceling: (done: string, all: string) => string;
  canceled: (count: string) => string;
  againTitle: string;
  againText: string;
  againFind: string;
  tooMany: (most: string) => string;
  checking: (done: string, all: string) => string;
  price: (points: string, available: string) => string;
  short: (points: string) => string;
  faulty: (count: string) => string;
  againYes: (count: string) => string;
}

const english: MatchingWords = {
  title: "All that match",
  allTasks: "All tasks of the account",
  text: "Not this page alone: every task that the filter finds.",
  close: "Close",
  stop: "Stop",
  exportTitle: "Export",
  exportText: "The list as a file, without the answers. A batch’s own page exports these too.",
  cancelTitle: "Cancel",
  cancelText: "What has not ended. It costs nothing, and each is told as canceled.",
  cancelFind: "Find what is pending",
  found: (count) => `${count} found`,
  nonePending: "None of them is pending.",
  cancelSure: (count) => `${count} tasks have not ended.`,
  cancelYes: (count) => `Cancel ${count}`,
  keep: "Let them go on",
  canceling: (done, all) => `${done} of ${all} canceled`,
  canceled: (count) => `${count} canceled. Those that ended meanwhile stay as they are.`,
  againTitle: "Ask again",
  againText: "The same questions with the same options, references and tags, as new tasks. You see the price first.",
  againFind: "See the price",
  tooMany: (most) => `There are more than ${most}: narrow the filter.`,
  checking: (done, all) => `Checking: ${done} of ${all}`,
  price: (points, available) => `${points} points, of ${available} available.`,
  short: (points) => `The account is ${points} points short.`,
  faulty: (count) =>
    `${count} of them would be refused today, as of a platform that is no longer there. They are left out.`,
  againYes: (count) => `Ask ${count} again`,
};

const chinese: MatchingWords = {
  title: "全部匹配项",
  allTasks: "账户的全部任务",
  text: "不只是本页：筛选找到的每一个任务。",
  close: "关闭",
  stop: "停止",
  exportTitle: "导出",
  exportText: "将列表保存为文件，不含答案。批次页面可以连同答案一起导出。",
  cancelTitle: "取消",
  cancelText: "取消尚未结束的任务。不扣点，并分别通知为已取消。",
  cancelFind: "查找进行中的任务",
  found: (count) => `找到 ${count} 个`,
  nonePending: "其中没有进行中的任务。",
  cancelSure: (count) => `有 ${count} 个任务尚未结束。`,
  cancelYes: (count) => `取消 ${count} 个`,
  keep: "继续进行",
  canceling: (done, all) => `已取消 ${done} / ${all}`,
  canceled: (count) => `已取消 ${count} 个。期间已结束的任务保持不变。`,
  againTitle: "再问一次",
  againText: "以同样的选项、编号和标签，作为新任务再次提问。先显示所需点数。",
  againFind: "查看所需点数",
  tooMany: (most) => `超过 ${most} 个：请缩小筛选范围。`,
  checking: (done, all) => `正在检查：${done} / ${all}`,
  price: (points, available) => `需要 ${points} 点，可用 ${available} 点。`,
  short: (points) => `账户还差 ${points} 点。`,
  faulty: (count) => `其中 ${count} 个如今会被拒绝（例如平台已不存在），将被略过。`,
  againYes: (count) => `再次提问 ${count} 个`,
};

export const matchingWords = spoken({ english, chinese });
