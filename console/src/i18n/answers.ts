/** What the lists of observed answers and of mentions say. */
import { spoken } from "./spoken.ts";

interface AnswersMessages {
  title: string;
  lead: string;
  back: string;
  filters: Record<
    | "panelId"
    | "runId"
    | "platformCode"
    | "locale"
    | "persona"
    | "promptId"
    | "domain"
    | "entityId"
    | "observedFrom"
    | "observedBefore",
    string
  >;
  onlyNaming: (brand: string) => string;
  all: string;
  columns: Record<"time" | "prompt" | "platform" | "brands" | "sources", string>;
  open: string;
  expired: string;
  imported: string;
  /** An item of a list begins with it. */
  listed: (position: number) => string;
  none: string;
  noneText: string;
  newest: string;
  older: string;
  forbidden: string;
  mentionsTitle: (brand: string) => string;
  mentionsLead: string;
  noMentions: string;
  noMentionsText: string;
  unknownBrand: string;
  brands: string;
}

const english: AnswersMessages = {
  title: "Answers",
  lead: "The answers that were considered, newest first, with the brands that each names in their order.",
  back: "Back to the figures",
  filters: {
    panelId: "Panel",
    runId: "Run",
    platformCode: "Platform",
    locale: "Locale",
    persona: "Persona",
    promptId: "Prompt",
    domain: "Cites",
    entityId: "Names",
    observedFrom: "From",
    observedBefore: "Before",
  },
  onlyNaming: (brand) => `Only answers that name ${brand}`,
  all: "All answers that were considered",
  columns: { time: "Answered", prompt: "Prompt", platform: "Platform", brands: "Names", sources: "Cites" },
  open: "Open",
  expired: "The answer has expired.",
  imported: "imported",
  listed: (position) => `${position}. in a list`,
  none: "No answers here",
  noneText: "No answer matches these filters, or it was deleted.",
  newest: "Newest",
  older: "Older",
  forbidden: "This token can’t read answers. It needs the tasks:read scope.",
  mentionsTitle: (brand) => `Mentions of ${brand}`,
  mentionsLead: "Every place that a count is made of, newest answer first.",
  noMentions: "No mentions",
  noMentionsText: "No answer of this selection names it.",
  unknownBrand: "There is no such brand. It may have been deleted.",
  brands: "All brands",
};

const chinese: AnswersMessages = {
  title: "答案",
  lead: "计入数据的答案，最新的在前，并按顺序列出各答案提及的品牌。",
  back: "返回数据",
  filters: {
    panelId: "面板",
    runId: "运行",
    platformCode: "平台",
    locale: "地区",
    persona: "角色",
    promptId: "问题",
    domain: "引用",
    entityId: "提及",
    observedFrom: "从",
    observedBefore: "之前",
  },
  onlyNaming: (brand) => `仅提及 ${brand} 的答案`,
  all: "全部计入的答案",
  columns: { time: "回答时间", prompt: "问题", platform: "平台", brands: "提及", sources: "引用" },
  open: "打开",
  expired: "答案已过期。",
  imported: "导入",
  listed: (position) => `列表第 ${position} 位`,
  none: "没有答案",
  noneText: "没有符合这些条件的答案，或已被删除。",
  newest: "最新",
  older: "更早",
  forbidden: "此令牌不能读取答案，需要 tasks:read 权限。",
  mentionsTitle: (brand) => `${brand} 的提及`,
  mentionsLead: "构成计数的每一处，最新的答案在前。",
  noMentions: "没有提及",
  noMentionsText: "所选答案中没有提及。",
  unknownBrand: "没有此品牌，可能已被删除。",
  brands: "所有品牌",
};

export const answersMessages = spoken({ english, chinese });
