/** Words of the comparison of two platforms, locales or panels. */
import { counted } from "./counted.ts";
import { spoken } from "./spoken.ts";

const english = {
  title: "Is the difference real?",
  text: "Compares what is shown here with other answers to the same prompts: each prompt with itself.",
  choose: "Compare with",
  none: "Nothing",
  surfaces: "Of this panel",
  panels: "Other panels",
  columns: { what: "What", one: "Here", other: "There", difference: "Difference, 95 % interval", p: "p, adjusted" },
  points: (points: string) => `${points} points`,
  interval: (low: string, high: string) => `${low} to ${high}`,
  below: "below",
  prompts: (prompts: number) => `${counted(prompts, "prompt")} in both.`,
  adjusted:
    "There minus here. p-values are adjusted for all differences of the table (Benjamini and Hochberg): of those up to 0.05, at most 5 % are expected to be none.",
  computing: "Comparing …",
  refused: "This cannot be compared",
};

const chinese: typeof english = {
  title: "差异是真实的吗？",
  text: "将此处显示的答案与同一批问题的其他答案比较：每个问题与自身比较。",
  choose: "比较对象",
  none: "无",
  surfaces: "本面板",
  panels: "其他面板",
  columns: { what: "内容", one: "此处", other: "对方", difference: "差异，95% 区间", p: "p 值（已校正）" },
  points: (points) => `${points} 个百分点`,
  interval: (low, high) => `${low} 至 ${high}`,
  below: "低于",
  prompts: (prompts) => `双方共有 ${prompts} 个问题。`,
  adjusted:
    "对方减去此处。p 值已针对表中全部差异校正（Benjamini–Hochberg）：不超过 0.05 的差异中，预期最多 5% 并不存在。",
  computing: "正在比较 …",
  refused: "无法比较",
};

export const comparisonMessages = spoken({ english, chinese });
