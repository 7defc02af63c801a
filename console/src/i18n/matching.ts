/** What may be done with selected tasks, or with every task that a filter finds. */
import { counted } from "./counted.ts";
import { spoken } from "./spoken.ts";

const english = {
  title: "Selected tasks",
  selected: (count: string, exact: number) => (exact === 1 ? "1 task selected" : `${count} tasks selected`),
  allMatching: "All tasks that match",
  allTasks: "All tasks in this account",
  selectMatching: "Select all that match the filter",
  clear: "Clear selection",
  stop: "Stop",
  cancelTitle: "Cancel",
  cancelText: "Only pending tasks are canceled. Canceled tasks cost no points, and a webhook is sent for each.",
  found: (count: string) => `${count} found`,
  nonePending: "None of these tasks is pending.",
  cancelSure: (count: string) => `${counted(count, "task")} ${count === "1" ? "is" : "are"} pending.`,
  cancelYes: (count: string) => `Cancel ${counted(count, "task")}`,
  keep: "Keep them",
  canceling: (done: string, all: string) => `Canceled ${done} of ${all}`,
  canceled: (count: string) => `${count} canceled. Tasks that finished in the meantime were left unchanged.`,
  againTitle: "Ask again",
  againText: "Submits the same questions with the same options, references and tags as a new batch.",
  tooMany: (most: string) => `More than ${most} tasks match. Narrow the filter first.`,
  checking: (done: string, all: string) => `Calculating the price: ${done} of ${all}`,
  price: (points: string, available: string) => `Costs ${counted(points, "point")}. ${available} available.`,
  short: (points: string) => `${counted(points, "point")} short.`,
  faulty: (count: string) =>
    `${count} can’t be submitted any more, for example because the platform was removed. They are skipped.`,
  againYes: (count: string) => `Ask ${count} again`,
  retryFailed: (count: string) => `Retry ${count} failed`,
  close: "Close",
};

const chinese: typeof english = {
  title: "已选任务",
  selected: (count) => `已选择 ${count} 个任务`,
  allMatching: "符合筛选条件的全部任务",
  allTasks: "账户的全部任务",
  selectMatching: "选择符合筛选条件的全部任务",
  clear: "取消选择",
  stop: "停止",
  cancelTitle: "取消任务",
  cancelText: "只会取消未完成的任务。取消的任务不扣点，并会为每个任务发送通知。",
  found: (count) => `已找到 ${count} 个`,
  nonePending: "其中没有未完成的任务。",
  cancelSure: (count) => `有 ${count} 个任务未完成。`,
  cancelYes: (count) => `取消 ${count} 个任务`,
  keep: "不取消",
  canceling: (done, all) => `已取消 ${done} / ${all}`,
  canceled: (count) => `已取消 ${count} 个。期间已结束的任务保持不变。`,
  againTitle: "重新提问",
  againText: "以相同的选项、自定义编号和标签，将这些问题作为新批次提交。",
  tooMany: (most) => `匹配的任务超过 ${most} 个，请先缩小筛选范围。`,
  checking: (done, all) => `正在计算价格：${done} / ${all}`,
  price: (points, available) => `需要 ${points} 点，可用 ${available} 点。`,
  short: (points) => `还差 ${points} 点。`,
  faulty: (count) => `${count} 个任务已无法提交（例如平台已移除），将被跳过。`,
  againYes: (count) => `重新提问 ${count} 个`,
  retryFailed: (count) => `重试 ${count} 个失败任务`,
  close: "关闭",
};

export const matchingMessages = spoken({ english, chinese });
