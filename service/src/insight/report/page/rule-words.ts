import type { GradeRule } from "@querent/figures";
import { words, type Words } from "./words.ts";

/** A rule's title and remedy: as in the table of the rules, or translated. */
export function ruleWords(say: Words, { id, title, remedy }: GradeRule): { title: string; remedy: string } {
  return (say === words["zh-CN"] ? chinese[id] : undefined) ?? { title, remedy };
}

/** Every rule has one: a test compares the ids. */
export const chinese: Readonly<Record<string, { title: string; remedy: string }>> = {
  own_entity: { title: "自有实体", remedy: "为面板添加自有品牌:没有它,任何数字都与您无关。" },
  prompts: { title: "提示", remedy: "添加不提到自有品牌的提示。" },
  topics: { title: "主题", remedy: "添加其他主题的提示,并为每个提示注明主题。" },
  runs: { title: "运行", remedy: "等待更多运行,或选择更长的时间范围。" },
  days: { title: "天数", remedy: "把运行分布到更多天:同一天的答案比不同天的更相似。" },
  complete: { title: "完整的单元", remedy: "检查运行中失败的任务,并再次运行面板。" },
  answered: { title: "已回答", remedy: "查明任务失败或答案为空的原因,并选择不含这些运行的时间范围。" },
  reproducibility: { title: "折半重复性", remedy: "更频繁地提问:更多运行,或每次运行更多重复。" },
  sealed: { title: "首次运行前封存", remedy: "在运行前封存面板。已运行的面板,请修改后封存新版本。" },
  one_instrument: { title: "同一工具", remedy: "选择最后一个接缝之后的时间范围。" },
};
