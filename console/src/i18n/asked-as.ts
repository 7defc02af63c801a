import type { OptionColumn, PlatformRecord } from "@querent/client";
import { spoken } from "./spoken.ts";

export type Member = keyof PlatformRecord["options"];

/** A field of the form is a column of question files, except for these two, which take several values or forms. */
type OwnField = "countries" | "location";
export type ColumnOf<Column = OptionColumn> = Column extends { member: Exclude<Member, "country" | "location"> }
  ? Column
  : never;
export type FieldName = OwnField | NonNullable<ColumnOf["part"]> | Extract<ColumnOf, { part: null }>["name"];

/** A value of a member that is one of a few, or that none is chosen. */
export type OptionChoice = Extract<ColumnOf, { kind: "choice" }>["choices"][number] | "unset";

const english = {
  title: "Where, as whom, with what",
  none: "The chosen platforms support none of these options.",
  notByAll: (members: string) => `Not supported by all chosen platforms: ${members}.`,
  labels: {
    country: "Country",
    countries: "Countries",
    language: "Language",
    location: "Place",
    persona: "Persona",
    model: "Model",
    searchDepth: "Search depth",
    domains: "Domains",
    allow: "Only these domains",
    deny: "Without these domains",
    since: "Published since",
  } satisfies Record<Member | "countries" | "allow" | "deny", string>,
  hints: {
    countries: "Codes such as DE, FR, US. Each question is asked once from each country.",
    language: "Of the answer, such as de or pt-BR.",
    persona: "Whom the assistant talks to or plays.",
    location: "City, or latitude and longitude such as 48.14, 11.58.",
    allow: "Separated by commas.",
    deny: "Separated by commas.",
  } as Partial<Record<FieldName, string>>,
  choices: { unset: "Default", low: "Low", medium: "Medium", high: "High" } satisfies Record<OptionChoice, string>,
  anyModel: "The platform’s model",
  requested: "Requested",
  effective: "In force",
  how: { native: "native", prompted: "as a sentence in the prompt", unsupported: "not applied" },
  notYet: "–",
};

const chinese: typeof english = {
  title: "地点、身份与方式",
  none: "所选平台不支持这些选项。",
  notByAll: (members) => `并非所有所选平台都支持：${members}。`,
  labels: {
    country: "国家/地区",
    countries: "国家/地区",
    language: "语言",
    location: "地点",
    persona: "角色",
    model: "模型",
    searchDepth: "搜索深度",
    domains: "域名",
    allow: "仅限这些域名",
    deny: "排除这些域名",
    since: "发布时间不早于",
  },
  hints: {
    countries: "代码，例如 DE、FR、US，以英文逗号分隔。每个问题会从每个国家/地区各提问一次。",
    language: "答案的语言，例如 de 或 pt-BR。",
    persona: "助手的对话对象，或其扮演的角色。",
    location: "城市，或纬度和经度，例如 48.14, 11.58。",
    allow: "以英文逗号分隔。",
    deny: "以英文逗号分隔。",
  },
  choices: { unset: "默认", low: "低", medium: "中", high: "高" },
  anyModel: "平台的默认模型",
  requested: "请求的值",
  effective: "实际生效",
  how: { native: "原生支持", prompted: "写入提示词", unsupported: "未生效" },
  notYet: "–",
};

export const askedAsMessages = spoken({ english, chinese });
