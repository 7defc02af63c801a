/** What is said of a run from which no answer came. */
import { spoken } from "./spoken.ts";

const english = {
  all: (tasks: string) =>
    `The last run brought no answer: ${tasks === "1" ? "its task" : `all ${tasks} tasks`} failed.`,
  refused: "The last run was refused: nothing was asked.",
  tasks: "Show the failed tasks",
  platforms: "View platforms",
};

const chinese: typeof english = {
  all: (tasks) => `最近一次运行没有得到答案：全部 ${tasks} 个任务失败。`,
  refused: "最近一次运行被拒绝：没有提问。",
  tasks: "查看失败的任务",
  platforms: "查看平台",
};

export const runFailureMessages = spoken({ english, chinese });
