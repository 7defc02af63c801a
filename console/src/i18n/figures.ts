/** What the figures of a panel say. */
import type { FigureReason } from "@querent/client";
import { counted } from "./counted.ts";
import { spoken } from "./spoken.ts";

interface FiguresMessages {
  window: string;
  days: (days: number) => string;
  lastRuns: string;
  dates: string;
  from: string;
  to: string;
  apply: string;
  surface: string;
  surfaceHint: string;
  kinds: Record<"api" | "web" | "sample" | "imported", string>;
  ownLocale: string;
  noPersona: string;
  facts: Record<"window" | "runs" | "answers" | "prompts" | "instrument", string>;
  simulated: string;
  imported: string;
  manyFailures: (surface: string, share: string, tasks: string, refused: string | null) => string;
  failuresMean: string;
  scope: string;
  scopes: Record<"these_prompts" | "prompts_like_these", string>;
  scopeText: Record<"these_prompts" | "prompts_like_these", string>;
  brands: string;
  columns: Record<
    "brand" | "presence" | "change" | "mention_share" | "first_place" | "first_place_of_all" | "listed",
    string
  >;
  definition: string;
  definitionParts: Record<"counts" | "formula" | "leavesOut", string>;
  scopesMean: string;
  close: string;
  withModel: (model: string) => string;
  notAdded: string;
  oneInstrument: (shown: string, others: string) => string;
  /** Of an instrument: what the panel asked, and the brands that answers were searched for. */
  asked: (revision: number) => string;
  brandsAsOf: (day: string) => string;
  withMissing: (range: string, missing: number) => string;
  change: {
    text: string;
    notJudged: string;
    siteNotJudged: string;
    ownSite: string;
    paused: string;
    changed: string;
    up: (points: string) => string;
    down: (points: string) => string;
    since: (day: string) => string;
    between: (earliest: string, latest: string) => string;
    rising: (earliest: string, latest: string) => string;
    falling: (earliest: string, latest: string) => string;
    continues: string;
    dependentRuns: string;
    before: string;
    after: string;
    instrument: string;
    tooFew: (days: number) => string;
    same: string;
    smallest: (points: string, day: string) => string;
    /** How many prompts stand on both sides, and on one only. */
    leftOut: (compared: number, leftOut: number) => string;
  };
  found: {
    title: string;
    columns: Record<"since" | "where" | "what" | "change", string>;
    none: string;
    notYet: string;
    goneBrand: string;
    ownPages: string;
    siteCited: string;
    models: (before: string, after: string) => string;
    otherReading: string;
    notComparable: string;
  };
  relations: Record<"own" | "competitor", string>;
  mentions: string;
  answersOf: (what: string) => string;
  interval: (low: string, high: string) => string;
  noAnswers: string;
  tooFew: string;
  needed: Record<FigureReason["code"], (missing: number) => string>;
  branded: (prompts: number) => string;
  series: string;
  by: Record<"day" | "run", string>;
  bandText: string;
  around: (range: string) => string;
  noBand: string;
  seam: string;
  seamAt: (at: string, before: string, after: string) => string;
  unknownModel: string;
  asTable: string;
  point: string;
  noPoint: string;
  heatMap: string;
  heatMapText: (brand: string) => string;
  brand: string;
  prompt: string;
  allPrompts: (count: string) => string;
  voice: string;
  voiceText: string;
  sources: string;
  sourcesText: string;
  sourceColumns: Record<"domain" | "type" | "whose" | "rate" | "change" | "cited" | "share", string>;
  whose: Record<"own" | "competitor" | "other", string>;
  noSources: string;
  emptyTitle: string;
  emptyRun: string;
  emptyWindow: string;
  widen: string;
  toRuns: string;
  noBrandsTitle: string;
  noBrandsText: string;
  toBrands: string;
  computing: string;
}

const plural = (count: number, one: string, many: string) => (count === 1 ? `1 more ${one}` : `${count} more ${many}`);

const english: FiguresMessages = {
  window: "Window",
  days: (days) => counted(days, "day"),
  lastRuns: "Latest runs",
  dates: "Dates",
  from: "From",
  to: "To",
  apply: "Show",
  surface: "Asked where",
  surfaceHint: "Answers of different platforms, locales and personas are never added up. Choose which you see.",
  kinds: { api: "API", web: "web page", sample: "sample", imported: "imported" },
  ownLocale: "no locale",
  noPersona: "no persona",
  facts: { window: "Window (UTC)", runs: "Runs", answers: "Answers", prompts: "Prompts", instrument: "Model" },
  simulated: "Simulated data: no answer platform was asked. It says nothing about real brands.",
  imported: "Imported answers: they were not collected by this service.",
  manyFailures: (surface, share, tasks, refused) =>
    `On ${surface}, ${share} of all tasks (${tasks}) failed${refused === null ? "" : `; the platform refused ${refused}`}.`,
  failuresMean:
    "The figures are of the answers alone. With those that are missing, a share could differ by up to as many points.",
  scope: "What the intervals are about",
  scopes: { these_prompts: "These prompts", prompts_like_these: "Prompts like these" },
  scopeText: {
    these_prompts: "How often exactly these prompts would name a brand if they were asked again and again.",
    prompts_like_these:
      "How often other prompts on the same kind of topics would name a brand: wider, because these are only a sample of them.",
  },
  brands: "Are we named, and against whom?",
  columns: {
    brand: "Brand",
    presence: "Named in",
    change: "More or less?",
    mention_share: "Share of voice",
    first_place: "First, where named",
    first_place_of_all: "First, of all answers",
    listed: "In a list",
  },
  definition: "Definition",
  definitionParts: { counts: "What it counts", formula: "Formula", leavesOut: "What it leaves out" },
  scopesMean:
    "“These prompts”: what exactly these prompts would be answered if they were asked again. “Prompts like these”: also which prompts were chosen. The interval is the one for the scope that is chosen on the page.",
  close: "Close",
  withModel: (model) => `with ${model}`,
  notAdded: "Another instrument: not comparable, never added",
  oneInstrument: (shown, others) =>
    `Figures are of answers of ${shown}, the latest instrument with enough runs. Answers of another one (${others}) are not comparable: their figures stand below, and are never added.`,
  asked: (revision) => `asked as in revision ${revision}`,
  brandsAsOf: (day) => `brands as of ${day}`,
  withMissing: (range, missing) => `${range}, with ${missing} missing`,
  change: {
    text: "Changes are judged after each run, over all answers of the same instrument, whatever window is shown.",
    notJudged: "Not judged yet",
    siteNotJudged: "Cited too rarely, or not judged yet",
    ownSite: "Judged with its brand",
    paused: "Paused: the platform’s pages have changed, so figures may be wrong",
    changed: "Changed",
    up: (points) => `${counted(points, "point")} more`,
    down: (points) => `${counted(points, "point")} less`,
    since: (day) => `since ${day}`,
    between: (earliest, latest) => `began between ${earliest} and ${latest}`,
    rising: (earliest, latest) => `rising since a day between ${earliest} and ${latest}`,
    falling: (earliest, latest) => `falling since a day between ${earliest} and ${latest}`,
    continues: "the change before it goes on",
    dependentRuns:
      "It may have changed, or something moves all prompts for a few runs: the next runs will tell (dependent_runs)",
    before: "Answers before:",
    after: "Answers after:",
    instrument: "Instrument changed: not comparable yet",
    tooFew: (days) => `Too few days: ${days} more needed`,
    same: "Not distinguishable from chance",
    smallest: (points, day) => `${points} points since ${day} would have been found`,
    leftOut: (compared, leftOut) =>
      `${plural(compared, "prompt", "prompts")} compared; ${leftOut} new or reworded ${leftOut === 1 ? "one is" : "ones are"} not`,
  },
  found: {
    title: "What has changed on any platform",
    columns: { since: "Since", where: "Platform", what: "What", change: "Before and after" },
    none: "No change was found in the last year that chance does not explain.",
    notYet: "No run has been judged yet. The first verdicts need at least five days with a run.",
    goneBrand: "a brand that was deleted",
    ownPages: "Own pages cited",
    siteCited: "Site cited",
    models: (before, after) => `${before} → ${after}`,
    otherReading: "The recipe, or how answers are read",
    notComparable: "A difference on this day is the instrument’s, not the brand’s.",
  },
  relations: { own: "Own", competitor: "Competitor" },
  mentions: "Mentions",
  answersOf: (what) => `${what}: show the answers`,
  interval: (low, high) => `95 % interval: ${low} to ${high}`,
  noAnswers: "No answers",
  tooFew: "Too few",
  needed: {
    too_few_answers: () => "no answers",
    too_few_runs: (missing) => `${plural(missing, "run", "runs")} needed`,
    too_few_days: (missing) => `${plural(missing, "day", "days")} needed`,
    too_few_pairs_of_days: (missing) => `${plural(missing, "pair of days", "pairs of days")} needed`,
    too_few_pairs_of_runs: (missing) => `${plural(missing, "pair of runs", "pairs of runs")} needed`,
    too_few_topics: (missing) => `${plural(missing, "topic", "topics")} needed`,
    dependent_runs: (missing) => `runs move together: ${plural(missing, "run", "runs")} needed`,
    no_interval: () => "no interval",
  },
  branded: (prompts) =>
    prompts === 1
      ? "1 prompt names a brand of yours, and is left out of that brand’s figures."
      : `Up to ${prompts} prompts name a brand, and are left out of that brand’s figures.`,
  series: "More or less than before?",
  by: { day: "By day", run: "By run" },
  bandText:
    "The band is the 95 % interval of the first brand, a week at a time (longer in long windows): one run has no interval. Where the line leaves the band for a day, that may be chance.",
  around: (range) => `week: ${range}`,
  noBand: "A week has too few runs or topics for an interval in this scope, so the line alone proves no change.",
  seam: "Instrument changed",
  seamAt: (at, before, after) =>
    `${at}: answered by ${after} instead of ${before}. Points before and after are not comparable.`,
  unknownModel: "an unnamed model",
  asTable: "Show as a table",
  point: "Time",
  noPoint: "Point at the plot, or use the arrow keys, to read it.",
  heatMap: "Which prompts, on which platforms?",
  heatMapText: (brand) => `Answers that name ${brand}, with their 95 % interval.`,
  brand: "Brand",
  prompt: "Prompt",
  allPrompts: (count) => `Show all ${counted(count, "prompt")}`,
  voice: "Share of voice",
  voiceText: "Of all mentions of these brands.",
  sources: "Because of which sources?",
  sourcesText: "The ten sites that most answers cite. Those that have gone are in the list of changes.",
  sourceColumns: {
    domain: "Site",
    type: "Type",
    whose: "Whose",
    rate: "Cited in",
    change: "More or less?",
    cited: "First – last cited",
    share: "Of all citations",
  },
  whose: { own: "Own", competitor: "Competitor", other: "–" },
  noSources: "No answer in this window cites a source, or the platform does not return them.",
  emptyTitle: "No answers in this window",
  emptyRun: "The panel has not been asked yet. Run it now, or set a schedule: figures need at least five runs.",
  emptyWindow: "The panel has answers from another time. Choose a longer window.",
  widen: "Show 90 days",
  toRuns: "Runs and prompts",
  noBrandsTitle: "No brands to look for",
  noBrandsText:
    "Create your own brand and those of your competitors. Mentions are counted in answers from then on, and in older ones after `querent entity recount`.",
  toBrands: "Create brands",
  computing: "Computing the figures …",
};

const chinese: FiguresMessages = {
  window: "时间范围",
  days: (days) => `${days} 天`,
  lastRuns: "最近的运行",
  dates: "日期",
  from: "从",
  to: "到",
  apply: "显示",
  surface: "提问渠道",
  surfaceHint: "不同平台、地区和角色的答案不会相加。请选择要查看的渠道。",
  kinds: { api: "API", web: "网页", sample: "示例", imported: "导入" },
  ownLocale: "未指定地区",
  noPersona: "未指定角色",
  facts: { window: "时间范围 (UTC)", runs: "运行次数", answers: "答案", prompts: "问题", instrument: "模型" },
  simulated: "模拟数据：没有向任何平台提问，与真实品牌无关。",
  imported: "导入的答案：并非由本服务收集。",
  manyFailures: (surface, share, tasks, refused) =>
    `${surface}：全部任务（${tasks} 个）中 ${share} 失败${refused === null ? "" : `；平台拒绝了 ${refused}`}。`,
  failuresMean: "这些数据仅来自答案。若补上缺失的答案，比例的差异最多可达同样的百分点。",
  scope: "区间针对什么",
  scopes: { these_prompts: "这些问题", prompts_like_these: "类似的问题" },
  scopeText: {
    these_prompts: "若反复提出完全相同的这些问题，品牌会被提及的频率。",
    prompts_like_these: "同类主题的其他问题提及品牌的频率：区间更宽，因为这些问题只是样本。",
  },
  brands: "我们被提及了吗？与谁竞争？",
  columns: {
    brand: "品牌",
    presence: "提及率",
    change: "变化",
    mention_share: "声量份额",
    first_place: "首位提及（提及它的答案中）",
    first_place_of_all: "首位提及（全部答案中）",
    listed: "列入列表",
  },
  definition: "定义",
  definitionParts: { counts: "统计什么", formula: "公式", leavesOut: "不计入什么" },
  scopesMean:
    "“这些问题”：再次提出完全相同的问题会得到怎样的答案。“类似的问题”：还包括选了哪些问题。区间对应页面上所选的范围。",
  close: "关闭",
  withModel: (model) => `使用 ${model}`,
  notAdded: "另一测量方式：不可比较，从不相加",
  oneInstrument: (shown, others) =>
    `数据来自 ${shown} 的答案，即运行次数足够的最新测量方式。另一测量方式（${others}）的答案不可比较：其数据列在下方，从不相加。`,
  asked: (revision) => `按版本 ${revision} 提问`,
  brandsAsOf: (day) => `${day} 的品牌`,
  withMissing: (range, missing) => `${range}，含 ${missing} 个缺失`,
  change: {
    text: "每次运行后，依据同一测量方式的全部答案判断变化，与所选时间范围无关。",
    notJudged: "尚未判断",
    siteNotJudged: "引用太少或尚未判断",
    ownSite: "随其品牌判断",
    paused: "已暂停：平台页面有变，数据可能有误",
    changed: "有变化",
    up: (points) => `增加 ${points} 个百分点`,
    down: (points) => `减少 ${points} 个百分点`,
    since: (day) => `自 ${day}`,
    between: (earliest, latest) => `开始于 ${earliest} 至 ${latest} 之间`,
    rising: (earliest, latest) => `自 ${earliest} 至 ${latest} 之间的某天起持续上升`,
    falling: (earliest, latest) => `自 ${earliest} 至 ${latest} 之间的某天起持续下降`,
    continues: "前一变化仍在继续",
    dependentRuns: "可能有变化，也可能是数次运行中所有提问一起波动：之后的运行会见分晓（dependent_runs）",
    before: "之前的答案：",
    after: "之后的答案：",
    instrument: "测量方式改变：尚不可比较",
    tooFew: (days) => `天数太少：还需 ${days} 天`,
    same: "与偶然波动无法区分",
    smallest: (points, day) => `若自 ${day} 变化 ${points} 个百分点，则可发现`,
    leftOut: (compared, leftOut) => `比较了 ${compared} 个问题；${leftOut} 个新增或改写的问题未比较`,
  },
  found: {
    title: "各平台的变化",
    columns: { since: "自", where: "平台", what: "内容", change: "前后对比" },
    none: "过去一年中没有发现偶然波动无法解释的变化。",
    notYet: "尚未判断任何运行。首次判断至少需要五天的运行。",
    goneBrand: "已删除的品牌",
    ownPages: "自有网页被引用",
    siteCited: "网站被引用",
    models: (before, after) => `${before} → ${after}`,
    otherReading: "配方或答案读取方式",
    notComparable: "这一天的差异来自测量方式，而非品牌。",
  },
  relations: { own: "自有", competitor: "竞争对手" },
  mentions: "查看提及",
  answersOf: (what) => `${what}：查看答案`,
  interval: (low, high) => `95% 区间：${low} 至 ${high}`,
  noAnswers: "没有答案",
  tooFew: "数据太少",
  needed: {
    too_few_answers: () => "没有答案",
    too_few_runs: (missing) => `还需 ${missing} 次运行`,
    too_few_days: (missing) => `还需 ${missing} 天`,
    too_few_pairs_of_days: (missing) => `还需 ${missing} 对相邻日`,
    too_few_pairs_of_runs: (missing) => `还需 ${missing} 对相邻运行`,
    too_few_topics: (missing) => `还需 ${missing} 个主题`,
    dependent_runs: (missing) => `各次运行同步波动：还需 ${missing} 次运行`,
    no_interval: () => "没有区间",
  },
  branded: (prompts) => `最多 ${prompts} 个问题含有品牌名称，不计入该品牌的数据。`,
  series: "比以前更多还是更少？",
  by: { day: "按天", run: "按运行" },
  bandText: "色带为首个品牌每周（长时间范围则更长）的 95% 区间：单次运行没有区间。曲线某日超出色带可能只是偶然。",
  around: (range) => `本周：${range}`,
  noBand: "在此范围内，每周的运行或主题太少，无法给出区间，因此仅凭曲线不能证明变化。",
  seam: "测量方式改变",
  seamAt: (at, before, after) => `${at}：由 ${after} 代替 ${before} 回答，前后不可比较。`,
  unknownModel: "未知模型",
  asTable: "以表格显示",
  point: "时间",
  noPoint: "将鼠标移到图上，或使用方向键读取。",
  heatMap: "哪些问题，哪些平台？",
  heatMapText: (brand) => `提及 ${brand} 的答案及其 95% 区间。`,
  brand: "品牌",
  prompt: "问题",
  allPrompts: (count) => `显示全部 ${count} 个问题`,
  voice: "声量份额",
  voiceText: "占这些品牌全部提及的比例。",
  sources: "来自哪些来源？",
  sourcesText: "被最多答案引用的十个网站。不再被引用的网站见变化列表。",
  sourceColumns: {
    domain: "网站",
    type: "类型",
    whose: "归属",
    rate: "引用率",
    change: "增加还是减少？",
    cited: "首次 – 最近引用",
    share: "占全部引用",
  },
  whose: { own: "自有", competitor: "竞争对手", other: "–" },
  noSources: "此时间范围内没有答案引用来源，或平台不返回来源。",
  emptyTitle: "此时间范围内没有答案",
  emptyRun: "此面板尚未提问。立即运行或设置计划：数据至少需要五次运行。",
  emptyWindow: "面板在其他时间有答案，请选择更长的时间范围。",
  widen: "显示 90 天",
  toRuns: "运行与问题",
  noBrandsTitle: "没有要查找的品牌",
  noBrandsText: "创建自有品牌和竞争对手的品牌。此后的答案会统计提及；较早的答案需运行 `querent entity recount`。",
  toBrands: "创建品牌",
  computing: "正在计算 …",
};

export const figuresMessages = spoken({ english, chinese });
