import type { NameProposal } from "@querent/client";
import { counted } from "./counted.ts";
import { spoken } from "./spoken.ts";

const english = {
  title: (brand: string) => `Proposals for ${brand}`,
  lead: "Other forms of the name, and places at which it means something else, as the newest answers have them. Nothing changes until you approve.",
  brands: "Brands",
  neighbours: "Also words that stand mostly beside the name, most of which show no other sense",
  searching: "Searching the answers …",
  searched: (answers: number, mentions: number, notSearched: number) =>
    `${counted(answers, "answer")} with ${counted(mentions, "mention")}${notSearched === 0 ? "" : `, ${notSearched} not searched`}`,
  none: "No proposals",
  noneText: "The answers whose texts are still there suggest no other names, and no other senses.",
  afterwards:
    "What you approve applies to answers from then on. `querent entity recount` searches the earlier ones again.",
  kinds: { alias: "Alias", negative_context: "Negative context", own_case: "Only in this case" } satisfies Record<
    NameProposal["kind"],
    string
  >,
  reasons: {
    script: "The name in the other Chinese script.",
    inflected: "The name with an ending of a language that inflects names.",
    own_case: "The name is written in lower case, as a word is.",
    sense: "The word beside the name shows another sense.",
    quantity: "The name counts something.",
    lower_case: "The name is in lower case each time.",
    neighbour: "The word stands mostly beside the name.",
  } satisfies Record<NameProposal["reason"], string>,
  adds: (mentions: number, answers: number) => `Adds ${counted(mentions, "mention")} in ${counted(answers, "answer")}.`,
  takes: (mentions: number, answers: number) =>
    `Takes away ${counted(mentions, "mention")} in ${counted(answers, "answer")}.`,
  approve: "Approve",
  approved: (text: string) => `Approved: ${text}`,
  decline: "Decline",
  declined: (text: string) => `Declined: ${text}`,
  readOnly: "Approving and declining require a token with the panels:write scope.",
  forbidden: "This token can’t read answers. It needs the scopes tasks:read and panels:read.",
  unknownBrand: "There is no such brand.",
};

const chinese: typeof english = {
  title: (brand) => `${brand} 的名称建议`,
  lead: "根据最新答案，列出名称的其他写法，以及名称另有所指之处。在您批准之前不会有任何更改。",
  brands: "品牌",
  neighbours: "同时列出多半与名称相邻的词（其中大多并不表示其他含义）",
  searching: "正在查找答案 …",
  searched: (answers, mentions, notSearched) =>
    `${answers} 个答案，${mentions} 处提及${notSearched === 0 ? "" : `，${notSearched} 个未查找`}`,
  none: "没有建议",
  noneText: "文本尚在的答案中没有其他名称，也没有其他含义。",
  afterwards: "批准的内容适用于此后的答案；较早的答案需运行 `querent entity recount`。",
  kinds: { alias: "别名", negative_context: "排除语境", own_case: "仅此大小写" },
  reasons: {
    script: "名称的另一种中文字形。",
    inflected: "名称带有词尾变化。",
    own_case: "名称以小写出现，如同普通词语。",
    sense: "相邻的词表明另有含义。",
    quantity: "名称在此表示数量。",
    lower_case: "名称每次都以小写出现。",
    neighbour: "此词多半与名称相邻。",
  },
  adds: (mentions, answers) => `将在 ${answers} 个答案中增加 ${mentions} 处提及。`,
  takes: (mentions, answers) => `将在 ${answers} 个答案中去掉 ${mentions} 处提及。`,
  approve: "批准",
  approved: (text) => `已批准：${text}`,
  decline: "不采纳",
  declined: (text) => `未采纳：${text}`,
  readOnly: "批准或不采纳需要带 panels:write 权限的令牌。",
  forbidden: "此令牌不能读取答案，需要 tasks:read 和 panels:read 权限。",
  unknownBrand: "没有这个品牌。",
};

export const proposalsMessages = spoken({ english, chinese });
