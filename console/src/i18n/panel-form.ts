/** What the form of a panel says beside the names of its fields. */
import { counted } from "./counted.ts";
import { spoken } from "./spoken.ts";

const english = {
  schedule: "When it is asked",
  scheduleKinds: { request: "On request only", days: "On days of the week", cron: "Cron expression" },
  weekdays: "Days of the week",
  time: "Time",
  cron: "Schedule",
  onRequestText: "It is asked when somebody presses “Run now”. Figures of changes need runs on at least five days.",
  yourZone: (zone: string) => `${zone} (your time zone)`,
  everyDay: (time: string, zone: string) => `Every day at ${time} (${zone})`,
  everyWeek: (days: string, time: string, zone: string) => `Every ${days} at ${time} (${zone})`,
  nextRun: (when: string, zone: string | null) => `Next: ${when}${zone === null ? "" : ` in ${zone}`}.`,
  locales: "Country and language",
  localesHint: "Where and in which language it is asked. None: the platform’s own choice.",
  country: "Country",
  noCountry: "Any country",
  language: "Language",
  noLanguage: "Any language",
  city: "City",
  addLocale: "Add a country or language",
  remove: "Remove",
  createBrands: (names: string) => `Create ${names}`,
  competitorsHint: "Those whom your customers would consider instead.",
  platformsHint: "Answers of each platform are counted by themselves.",
  notListed: "not available here",
  parts: "Ask only a part of an expensive platform",
  partOf: (platform: string) => `${platform}: percent of its prompts in each run`,
  promptsHint:
    "One a line, as your customers ask. Most should not name your brand. Add a topic after “ | ”, or paste two columns from a spreadsheet: figures about prompts like these need at least 20 topics.",
  promptCount: (prompts: string, topics: string) => `${counted(prompts, "prompt")}, ${counted(topics, "topic")}`,
  branded: (prompts: number) =>
    `${counted(prompts, "prompt")} ${prompts === 1 ? "names" : "name"} a brand of yours, and ${prompts === 1 ? "is" : "are"} left out of its figures.`,
  more: "Personas, repeats and waves",
  missing: {
    name: "Enter a name.",
    prompts: "Enter at least one prompt.",
    platforms: "Choose at least one platform.",
  },
  hasErrors: "Some fields have errors: the price is shown once they are put right.",
  whenUnknown:
    "An interval needs five runs, and a verdict on a change five days with a run: set a schedule to see when.",
};

const chinese: typeof english = {
  schedule: "提问时间",
  scheduleKinds: { request: "仅按需", days: "按星期", cron: "Cron 表达式" },
  weekdays: "星期",
  time: "时间",
  cron: "计划",
  onRequestText: "按下“立即运行”时提问。变化的数据需要至少五天的运行。",
  yourZone: (zone) => `${zone}（您的时区）`,
  everyDay: (time, zone) => `每天 ${time}（${zone}）`,
  everyWeek: (days, time, zone) => `每${days} ${time}（${zone}）`,
  nextRun: (when, zone) => `下次：${when}${zone === null ? "" : `（${zone}）`}。`,
  locales: "国家和语言",
  localesHint: "从哪里、以何种语言提问。留空：由平台决定。",
  country: "国家",
  noCountry: "任意国家",
  language: "语言",
  noLanguage: "任意语言",
  city: "城市",
  addLocale: "添加国家或语言",
  remove: "移除",
  createBrands: (names) => `创建 ${names}`,
  competitorsHint: "客户可能选择的其他品牌。",
  platformsHint: "每个平台的答案分别统计。",
  notListed: "此处不可用",
  parts: "对昂贵的平台只提问一部分",
  partOf: (platform) => `${platform}：每次运行提问的百分比`,
  promptsHint:
    "每行一个，按客户的提问方式书写，大多数不应包含您的品牌。在“ | ”后添加主题，或从表格粘贴两列：关于类似问题的数据至少需要 20 个主题。",
  promptCount: (prompts, topics) => `${prompts} 个问题，${topics} 个主题`,
  branded: (prompts) => `${prompts} 个问题含有您的品牌名称，不计入其数据。`,
  more: "角色、重复次数和分批",
  missing: { name: "请输入名称。", prompts: "请输入至少一个问题。", platforms: "请选择至少一个平台。" },
  hasErrors: "有字段存在错误：修正后显示价格。",
  whenUnknown: "区间需要五次运行，变化判断需要五天的运行：设置计划即可看到时间。",
};

export const panelFormMessages = spoken({ english, chinese });
