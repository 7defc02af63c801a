/** What the list of panels, one panel and its editor say. */
import type { PanelRun } from "@querent/client";
import { counted } from "./counted.ts";
import { spoken } from "./spoken.ts";

interface PanelsMessages {
  title: string;
  create: string;
  emptyTitle: string;
  emptyText: string;
  forbidden: string;
  columns: Record<"name" | "revision" | "cells" | "tasks" | "next", string>;
  onRequest: string;
  all: string;
  partsLabel: string;
  parts: Record<"figures" | "runs", string>;
  edit: string;
  run: string;
  runSure: (tasks: string, points: string) => string;
  price: (cells: string, tasks: string, points: string) => string;
  priceOfWaves: (cells: string, least: string, most: string) => string;
  expected: (points: string) => string;
  waves: (asked: string, max: string) => string;
  saved: (points: string) => string;
  widthOf: (platform: string, width: string) => string;
  stops: Record<NonNullable<NonNullable<PanelRun["waves"]>["stopped"]>, string>;
  available: (points: string) => string;
  firstInterval: (day: string) => string;
  firstVerdict: (day: string) => string;
  moreRepeats: string;
  short: string;
  caps: string;
  prompts: string;
  runs: string;
  noRunsTitle: string;
  noRunsText: string;
  runColumns: Record<"time" | "state" | "tasks" | "points" | "batches", string>;
  states: Record<"started" | "ended" | "refused" | "missed", string>;
  requested: string;
  calendar: string;
  noCalendar: string;
  /** In place of the price, of a panel without platforms. */
  neverAsked: string;
  form: Record<
    | "name"
    | "prompts"
    | "platforms"
    | "locales"
    | "personas"
    | "own"
    | "competitors"
    | "repeats"
    | "untilWidth"
    | "repeatsMax"
    | "cron"
    | "timeZone"
    | "paused",
    string
  >;
  hints: Record<"prompts" | "platforms" | "locales" | "personas" | "own" | "untilWidth" | "cron", string>;
  file: {
    choose: string;
    hint: string;
    taken: (name: string) => string;
    refused: string;
    tooLarge: string;
    notText: (line: number) => string;
    more: (count: number) => string;
    save: Record<"yaml" | "csv", string>;
  };
  preview: string;
  notReady: string;
  save: string;
  cancel: string;
}

const english: PanelsMessages = {
  title: "Panels",
  create: "New panel",
  emptyTitle: "No panels yet",
  emptyText:
    "A panel asks the same prompts again and again, so that answers can be compared over weeks. Create one here, or with `querent panel create`.",
  forbidden: "This token can’t read panels. It needs the panels:read scope.",
  columns: { name: "Panel", revision: "Revision", cells: "Cells", tasks: "Tasks per run", next: "Next run" },
  onRequest: "On request",
  all: "All panels",
  partsLabel: "Parts of the panel",
  parts: { figures: "Figures", runs: "Runs and prompts" },
  edit: "Edit",
  run: "Run now",
  runSure: (tasks, points) => `Ask ${counted(tasks, "question")} for ${counted(points, "point")}`,
  price: (cells, tasks, points) =>
    `${counted(cells, "cell")}, ${counted(tasks, "task")}: ${counted(points, "point")} per run`,
  priceOfWaves: (cells, least, most) =>
    `${counted(cells, "cell")} in waves: ${least} to ${counted(most, "point")} per run`,
  expected: (points) => `${counted(points, "point")} in the mean of the last runs`,
  waves: (asked, max) => `${asked} of at most ${max} waves`,
  saved: (points) => `${counted(points, "point")} saved`,
  widthOf: (platform, width) => `${platform}: width ${width}`,
  stops: {
    width_reached: "Width reached",
    repeats_max: "Most repeats reached",
    points_max: "Most points reached",
    refused: "Next wave refused",
    canceled: "Canceled",
    no_answers: "The last wave brought no answers",
    nothing_to_measure: "Nothing to measure",
  },
  available: (points) => `${counted(points, "point")} available`,
  firstInterval: (day) => `First interval: with the run of ${day}.`,
  firstVerdict: (day) => `First verdict on a change: with the run of ${day}.`,
  moreRepeats: "Ask each prompt twice as often in a run: not earlier, but narrower",
  short: "The available points are not enough for a run. Ask your operator for points, or make the panel smaller.",
  caps: "Show the caps",
  prompts: "Prompts",
  runs: "Runs",
  noRunsTitle: "It has not run yet",
  noRunsText: "Run it now, or set a schedule.",
  runColumns: { time: "Time", state: "State", tasks: "Completed", points: "Points", batches: "Answers" },
  states: { started: "Started", ended: "Ended", refused: "Refused", missed: "Missed" },
  requested: "on request",
  calendar: "Next runs",
  noCalendar: "No schedule, or paused. Edit the panel to set when it runs.",
  neverAsked: "This panel is never asked: its answers are imported.",
  form: {
    name: "Name",
    prompts: "Prompts, one per line",
    platforms: "Platforms",
    locales: "Locales, one per line",
    personas: "Personas, one per line",
    own: "Your brands, one per line",
    competitors: "Brands of competitors, one per line",
    repeats: "Repeats per cell",
    untilWidth: "Ask in waves until the interval is so wide (percentage points)",
    repeatsMax: "At most so many repeats per cell",
    cron: "Schedule",
    timeZone: "Time zone",
    paused: "Paused",
  },
  hints: {
    prompts:
      "Write them as your customers ask. Most should not name your brand. A topic can follow “ | ”: figures about prompts like these need at least 20 topics.",
    platforms:
      "Codes, separated by commas. chatgpt-web:10% asks a random tenth of its cells in each run, which saves points on an expensive platform.",
    locales: "Country, language and city, separated by slashes: DE/de, /fr or US/en/Boston. Empty: the platform’s own.",
    personas: "A name and who asks: “Student: I study in Berlin and have little money.” Empty: nobody in particular.",
    own: "Names of brands that you have defined. Shares and places are counted among these and those of competitors; other brands of the account are in no figure of this panel. Empty: those of the account, fixed when the panel is saved or first runs.",
    untilWidth:
      "8 is 4 points on each side of your brand’s presence. Needs at least 15 waves. Empty: a run asks everything at once.",
    cron: "Minute, hour, day of month, month, day of week. 0 6 * * MON is every Monday at 6:00. Empty: on request only.",
  },
  file: {
    choose: "Import a file",
    hint: "YAML or JSON of a panel, or CSV of its prompts with the columns text, topic, intent and promptId. Nothing is saved until you save it.",
    taken: (name) => `The form shows ${name}. Check it and the price, then save.`,
    refused: "The file has mistakes. The form is unchanged.",
    tooLarge: "It is larger than 16 MiB.",
    notText: (line) =>
      `Line ${line} is neither UTF-8 nor UTF-16, but perhaps Windows-1252 or GBK, which Excel writes as plain “CSV”. Save the file as “CSV UTF-8”.`,
    more: (count) => `and ${count} more`,
    save: { yaml: "Export as YAML", csv: "Export prompts as CSV" },
  },
  preview: "A run of this panel",
  notReady: "Enter a name, prompts and platforms to see the price.",
  save: "Save",
  cancel: "Cancel",
};

const chinese: PanelsMessages = {
  title: "面板",
  create: "新建面板",
  emptyTitle: "还没有面板",
  emptyText: "面板会反复提出相同的问题，以便比较数周内的答案。可在此新建，或使用 `querent panel create`。",
  forbidden: "此令牌不能读取面板，需要 panels:read 权限。",
  columns: { name: "面板", revision: "版本", cells: "单元", tasks: "每次任务数", next: "下次运行" },
  onRequest: "按需运行",
  all: "所有面板",
  partsLabel: "面板的各部分",
  parts: { figures: "数据", runs: "运行与问题" },
  edit: "编辑",
  run: "立即运行",
  runSure: (tasks, points) => `提出 ${tasks} 个问题，花费 ${points} 点`,
  price: (cells, tasks, points) => `${cells} 个单元，${tasks} 个任务：每次运行 ${points} 点`,
  priceOfWaves: (cells, least, most) => `${cells} 个单元，分批提问：每次运行 ${least} 至 ${most} 点`,
  expected: (points) => `最近几次运行平均 ${points} 点`,
  waves: (asked, max) => `${asked} 批，最多 ${max} 批`,
  saved: (points) => `节省 ${points} 点`,
  widthOf: (platform, width) => `${platform}：宽度 ${width}`,
  stops: {
    width_reached: "已达到宽度",
    repeats_max: "已达到最多重复次数",
    points_max: "已达到最多点数",
    refused: "下一批被拒绝",
    canceled: "已取消",
    no_answers: "最后一批没有答案",
    nothing_to_measure: "没有可测量的内容",
  },
  available: (points) => `可用 ${points} 点`,
  firstInterval: (day) => `首个区间：${day} 的运行之后。`,
  firstVerdict: (day) => `首次变化判断：${day} 的运行之后。`,
  moreRepeats: "每次运行将每个提问的次数加倍：不会更早，但区间更窄",
  short: "可用点数不足以运行一次。请向运维人员申请点数，或缩小面板。",
  caps: "查看限额",
  prompts: "问题",
  runs: "运行记录",
  noRunsTitle: "尚未运行",
  noRunsText: "立即运行，或设置计划。",
  runColumns: { time: "时间", state: "状态", tasks: "已完成", points: "点数", batches: "答案" },
  states: { started: "已开始", ended: "已结束", refused: "已拒绝", missed: "已错过" },
  requested: "按需",
  calendar: "接下来的运行",
  noCalendar: "没有计划或已暂停。编辑面板以设置运行时间。",
  neverAsked: "此面板从不提问：其回答来自导入。",
  form: {
    name: "名称",
    prompts: "问题，每行一个",
    platforms: "平台",
    locales: "地区，每行一个",
    personas: "角色，每行一个",
    own: "您的品牌，每行一个",
    competitors: "竞争品牌，每行一个",
    repeats: "每个单元的重复次数",
    untilWidth: "分批提问，直到置信区间达到此宽度（百分点）",
    repeatsMax: "每个单元最多重复次数",
    cron: "计划",
    timeZone: "时区",
    paused: "已暂停",
  },
  hints: {
    prompts:
      "按客户的提问方式书写，大多数问题不应包含您的品牌。主题可写在“ | ”之后：关于类似问题的数据至少需要 20 个主题。",
    platforms: "平台代码，以逗号分隔。chatgpt-web:10% 表示每次运行只随机提问其十分之一，以节省昂贵平台的点数。",
    locales: "国家、语言和城市，以斜杠分隔：DE/de、/fr 或 US/en/Boston。留空：平台默认。",
    personas: "名称和提问者：“Student: I study in Berlin.” 留空：不指定。",
    own: "已定义品牌的名称。份额和名次只在这些品牌与竞争品牌之间计算；账户的其他品牌不进入此面板的任何数据。留空：账户当时的品牌，在保存面板或首次运行时确定。",
    untilWidth: "8 表示您的品牌出现率两侧各 4 个百分点，至少需要 15 批。留空：一次运行提出全部问题。",
    cron: "分、时、日、月、星期。0 6 * * MON 表示每周一 6:00。留空：仅按需运行。",
  },
  file: {
    choose: "导入文件",
    hint: "面板的 YAML 或 JSON，或包含 text、topic、intent、promptId 列的提示词 CSV。点击保存之前不会保存任何内容。",
    taken: (name) => `表单已显示 ${name} 的内容。请检查内容和价格，然后保存。`,
    refused: "文件有错误。表单未更改。",
    tooLarge: "文件超过 16 MiB。",
    notText: (line) =>
      `第 ${line} 行既不是 UTF-8 也不是 UTF-16 编码，可能是 Excel 保存普通“CSV”时使用的 GBK 或 Windows-1252。请另存为“CSV UTF-8”。`,
    more: (count) => `另有 ${count} 处`,
    save: { yaml: "导出为 YAML", csv: "将提示词导出为 CSV" },
  },
  preview: "此面板的一次运行",
  notReady: "输入名称、问题和平台后显示价格。",
  save: "保存",
  cancel: "取消",
};

export const panelsMessages = spoken({ english, chinese });
