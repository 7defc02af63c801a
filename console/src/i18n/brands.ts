import type { EntityRecord } from "@querent/client";
import { spoken } from "./spoken.ts";

interface BrandsMessages {
  title: string;
  lead: string;
  columns: Record<"name" | "relation" | "aliases" | "contexts" | "mentions" | "changed", string>;
  readMentions: string;
  mentionsOf: (brand: string) => string;
  proposals: string;
  proposalsFor: (brand: string) => string;
  relations: Record<EntityRecord["relation"], string>;
  revision: (revision: number) => string;
  create: string;
  edit: string;
  remove: string;
  reallyRemove: string;
  removed: string;
  saved: string;
  save: string;
  name: string;
  relation: string;
  caseSensitive: string;
  aliases: string;
  aliasesHint: string;
  contexts: string;
  contextsHint: string;
  domains: string;
  domainsHint: string;
  emptyTitle: string;
  emptyText: string;
  tryTitle: string;
  tryLead: string;
  tryDraftLead: string;
  text: string;
  textPlaceholder: string;
  find: string;
  found: (count: number) => string;
  incomplete: string;
  readOnly: string;
  forbidden: string;
}

const english: BrandsMessages = {
  title: "Brands",
  lead: "Brands, products and people that answers are searched for.",
  columns: {
    name: "Name",
    relation: "Relation",
    aliases: "Aliases",
    contexts: "Negative contexts",
    mentions: "Mentions",
    changed: "Changed",
  },
  readMentions: "Read",
  mentionsOf: (brand) => `the mentions of ${brand}`,
  proposals: "Proposals",
  proposalsFor: (brand) => `for ${brand}`,
  relations: { own: "Own", competitor: "Competitor", other: "Other" },
  revision: (revision) => `Revision ${revision}`,
  create: "New brand",
  edit: "Edit",
  remove: "Delete",
  reallyRemove: "Really delete",
  removed: "Brand deleted",
  saved: "Brand saved",
  save: "Save",
  name: "Name",
  relation: "Relation",
  caseSensitive: "Find it only in this case: HP, not hp",
  aliases: "Aliases",
  aliasesHint: "One per line. Case, accents, spaces and hyphens need no alias. “=” before one: only in this case.",
  contexts: "Negative contexts",
  contextsHint: "One phrase per line that shows that something else is meant: “Monday morning”, “horsepower”.",
  domains: "Own sites",
  domainsHint: "One host per line, such as example.com. Subdomains are included.",
  emptyTitle: "No brands yet",
  emptyText: "Create your own brand and those of your competitors. Every answer from then on is searched for them.",
  tryTitle: "Try a text",
  tryLead: "Paste an answer to see where your brands are found. Nothing is stored.",
  tryDraftLead: "Finds the brand as it is in the form, before you save it. Nothing is stored.",
  text: "Text",
  textPlaceholder: "Paste an answer here",
  find: "Find mentions",
  found: (count) => (count === 0 ? "No mentions" : count === 1 ? "1 mention" : `${count} mentions`),
  incomplete: "The text has more mentions than are shown.",
  readOnly: "Changing brands requires a token with the panels:write scope.",
  forbidden: "This token can’t read brands. It needs the panels:read scope.",
};

const chinese: BrandsMessages = {
  title: "品牌",
  lead: "要在答案中查找的品牌、产品和人物。",
  columns: {
    name: "名称",
    relation: "关系",
    aliases: "别名",
    contexts: "排除语境",
    mentions: "提及",
    changed: "修改时间",
  },
  readMentions: "阅读",
  mentionsOf: (brand) => `${brand} 的提及`,
  proposals: "名称建议",
  proposalsFor: (brand) => `（${brand}）`,
  relations: { own: "自有", competitor: "竞争对手", other: "其他" },
  revision: (revision) => `第 ${revision} 版`,
  create: "新建品牌",
  edit: "编辑",
  remove: "删除",
  reallyRemove: "确认删除",
  removed: "品牌已删除",
  saved: "品牌已保存",
  save: "保存",
  name: "名称",
  relation: "关系",
  caseSensitive: "仅匹配此大小写：HP，而非 hp",
  aliases: "别名",
  aliasesHint: "每行一个。大小写、重音、空格和连字符无需别名。以“=”开头则仅匹配此大小写。",
  contexts: "排除语境",
  contextsHint: "每行一个短语，表示名称另有所指，例如“Monday morning”“horsepower”。",
  domains: "自有网站",
  domainsHint: "每行一个主机名，例如 example.com，包含其子域名。",
  emptyTitle: "还没有品牌",
  emptyText: "创建自有品牌和竞争对手的品牌。此后的每个答案都会查找这些品牌。",
  tryTitle: "试用文本",
  tryLead: "粘贴一个答案，查看会在何处找到品牌。不会保存任何内容。",
  tryDraftLead: "按表单中的内容查找，无需先保存。不会保存任何内容。",
  text: "文本",
  textPlaceholder: "在此粘贴答案",
  find: "查找提及",
  found: (count) => (count === 0 ? "没有提及" : `${count} 处提及`),
  incomplete: "文本中的提及多于所显示的数量。",
  readOnly: "修改品牌需要带 panels:write 权限的令牌。",
  forbidden: "此令牌不能读取品牌，需要 panels:read 权限。",
};

export const brandsMessages = spoken({ english, chinese });
