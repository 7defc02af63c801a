/** Words of who is named first, and how often that changes. */
import { spoken } from "./spoken.ts";

const english = {
  title: "How often is another brand first?",
  text: "Who is first, and in how many answers, stands in the table of brands. Here: how often the same prompt is answered with another brand first, and by which pairs of answers.",
  changes: {
    first_place_changes_between_runs: "From one run to the next",
    first_place_changes: "From one day to the next",
  },
  differing: (differing: string, all: string) =>
    `${differing} of ${all} pairs of answers from neighbouring runs have another brand first`,
  columns: { prompt: "Prompt", one: "First in one answer", other: "First in the next run" },
  none: "No pair differs.",
  computing: "Reading the pairs …",
  asked: (question: string) => `Answers to: ${question}`,
};

const chinese: typeof english = {
  title: "首位品牌多久变化一次？",
  text: "谁排在首位、出现在多少答案中，见品牌表。此处说明：同一问题的答案有多少次首位品牌不同，以及是哪些答案对。",
  changes: {
    first_place_changes_between_runs: "相邻两次运行之间",
    first_place_changes: "相邻两天之间",
  },
  differing: (differing, all) => `相邻运行的 ${all} 对答案中有 ${differing} 对首位品牌不同`,
  columns: { prompt: "问题", one: "一个答案的首位", other: "下一次运行的首位" },
  none: "没有不同的答案对。",
  computing: "正在读取答案对 …",
  asked: (question) => `答案：${question}`,
};

export const firstPlaceMessages = spoken({ english, chinese });
