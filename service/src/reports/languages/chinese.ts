/** Chinese. */
import { chinese as alerts } from "../alerts/alert-phrases.ts";
import { chinese as page } from "../report/page/words.ts";
import { chinese as password } from "../report/password-words.ts";
import { chinese as mail } from "../sending/mail-words.ts";
import type { Translation } from "./translation.ts";

const searched = "提示文本本身提到该实体的提示;没有文本的答案;未查找过实体或早于该实体创建的答案。";
const hidden = "没有文本的答案;来源未公开、无法读取或隐藏目标的答案。";
const pairs = "没有可比较对象的答案,以及同一提示没有第二个答案的日期。";
const orders = `${pairs}其中一个答案未提到任何品牌的配对。提示文本本身提到这些品牌的提示;没有文本或未查找过任何这些品牌的答案。`;
const tasks = "已取消的任务;导入的答案;开始记录失败任务之前的答案。";

const products = "没有文本的答案；平台不返回商品或商品无法读取的答案。";
const searchedProducts = `${products}提示文本提到该实体的提示；未查找过实体或早于该实体创建的答案；由较早版本记录或导入的带商品的答案。`;
const seen = "无法得知旁边是否有广告的答案；平台在该国家或地区、或对该类访客不展示广告的答案。";
const whose = "指向该实体域名或其子域名，或以其名称为广告主的广告，视为该实体的广告。";

/** Every measure that a page of a report or the console shows has one. */
const definitions = {
  presence: { counts: "至少提到该实体一次的答案。", leavesOut: searched, formula: "提到它的答案 / 答案" },
  mention_share: {
    counts: "在全部自有实体和竞争者的提及中,该实体的提及。",
    leavesOut: `提示文本提到其中任一实体的提示;没有文本的答案;未查找过该实体的答案。其他实体只计该答案查找过的。不在该提示集品牌中的实体。`,
    formula: "它的提及 / 自有实体和竞争者的提及",
  },
  first_place: {
    counts: "先于其他所有自有实体和竞争者提到该实体的答案。",
    leavesOut: `未提到它的答案:未提到是缺失,不是最后一名。${searched}`,
    formula: "首先提到它的答案 / 提到它的答案",
  },
  first_place_of_all: {
    counts: "在全部答案中,先于其他所有自有实体和竞争者提到该实体的答案。",
    leavesOut: searched,
    formula: "首先提到它的答案 / 答案",
  },
  listed: {
    counts:
      "列表中有一项以该实体开头的答案。位于警示性标题或语句之下的列表以及来源列表不计入。它不说明答案对该实体的评价。",
    leavesOut: `由第 3 版之前的匹配器查找的答案。${searched}`,
    formula: "列出它的答案 / 答案",
  },
  position: {
    counts: "列表中以该实体开头的第一项的位置;1 为最前。",
    leavesOut: `未把它列入列表的答案:未列入是缺失,不是最后一名。未查找过列表的答案。${searched}`,
    formula: "列出它的答案中位置的平均值",
  },
  own_citation_rate: {
    counts: "引用该实体域名或其子域名页面的答案。",
    leavesOut: `提示文本提到该实体的提示。${hidden}`,
    formula: "引用其页面的答案 / 答案",
  },
  citation_rate: {
    counts: "至少引用该域名一个页面的答案。",
    leavesOut: hidden,
    formula: "引用它的答案 / 答案",
  },
  citation_share: {
    counts: "在全部引用中,对该域名的引用。同一页面在每个答案中只计一次。",
    leavesOut: hidden,
    formula: "对其页面的引用 / 引用",
  },
  source_agreement_within_days: {
    counts: "同一天(UTC)对同一提示的两个答案有多少相同:其域名的 Jaccard 指数。",
    leavesOut: `${pairs}${hidden}`,
    formula: "两个答案都有的域名 / 任一答案有的域名,对配对、日期和单元取平均",
  },
  source_agreement_between_days: {
    counts: "相邻两天的答案的同一指数;日期两两配对,每天只用一次。",
    leavesOut: `${pairs}${hidden}`,
    formula: "两个答案都有的域名 / 任一答案有的域名,对配对取平均",
  },
  order_agreement_within_days: {
    counts: "同一天两个答案首次提到自有实体和竞争者的顺序的排名偏重叠度(RBO,持续度 0.9)。",
    leavesOut: orders,
    formula: "排名偏重叠度,对配对、日期和单元取平均",
  },
  order_agreement_between_days: {
    counts: "相邻两天的答案的同一指数。",
    leavesOut: orders,
    formula: "排名偏重叠度,对配对取平均",
  },
  first_place_changes: {
    counts: "相邻两天的答案中首先提到的品牌不同的配对。",
    leavesOut: orders,
    formula: "首位不同的配对 / 配对",
  },
  first_place_changes_between_runs: {
    counts: "相邻两次运行的答案中首先提到的品牌不同的配对，不论运行的时间。每次运行取前 20 个答案。",
    leavesOut: orders,
    formula: "首位不同的配对 / 配对",
  },
  core_citation_share: {
    counts: "对核心的引用:至少 80 % 的运行引用的域名。没有区间:哪些域名是核心取决于全部答案。",
    leavesOut: `少于五次运行时的全部答案。${hidden}`,
    formula: "对核心的引用 / 引用",
  },
  empty_rate: { counts: "已完成但没有文本的答案。", leavesOut: "无。", formula: "没有文本的答案 / 答案" },
  failure_rate: {
    counts: "面板运行中失败的任务,无论原因,包括被拒绝的问题。",
    leavesOut: tasks,
    formula: "失败的任务 / 失败或已回答的任务",
  },
  product_rate: {
    counts: "至少有一张商品卡片的标题提到该实体的答案。",
    leavesOut: searchedProducts,
    formula: "展示其商品的答案 / 答案",
  },
  product_position: {
    counts: "该实体的第一件商品在答案的商品卡片中的位置；1 为第一。",
    leavesOut: `未展示其商品的答案：未展示是缺失，不是最后一名。${searchedProducts}`,
    formula: "展示其商品的答案中位置的平均值",
  },
  product_share: {
    counts: "在全部商品卡片中，标题提到该实体的卡片。",
    leavesOut: searchedProducts,
    formula: "它的商品卡片 / 商品卡片",
  },
  shop_share: {
    counts: "在全部商品卡片中，指向该域名的卡片。",
    leavesOut: `含有只能由应用打开、或页面被重定向隐藏的商品的答案。${products}`,
    formula: "指向它的商品卡片 / 商品卡片",
  },
  ad_rate: { counts: "旁边至少有一条广告的答案。", leavesOut: seen, formula: "带广告的答案 / 可见到广告的答案" },
  ad_share: {
    counts: "在全部广告中，指向该域名或以其为显示地址的广告。同一答案旁的两条计两次。",
    leavesOut: `带有未说明指向何处的广告的答案。${seen}`,
    formula: "该域名的广告 / 广告",
  },
  own_ad_rate: {
    counts: `旁边至少有该实体一条广告的答案。${whose}`,
    leavesOut: `提示文本提到该实体的提示。${seen}`,
    formula: "带有其广告的答案 / 可见到广告的答案",
  },
  own_ad_share: {
    counts: `在全部广告中，该实体的广告。${whose}`,
    leavesOut: `提示文本提到该实体的提示。${seen}`,
    formula: "它的广告 / 广告",
  },
  rival_ad_rate: {
    counts: `对提示文本提到该实体的提示的答案中，旁边至少有一条对手广告的答案：自有实体的对手是竞争者，竞争者的对手是其他任何自有实体或竞争者。${whose}`,
    leavesOut: `提示文本未提到该实体的提示。${seen}`,
    formula: "带有对手广告的答案 / 可见到广告的答案",
  },
  refusal_rate: {
    counts: "因平台拒绝回答问题而失败的任务。",
    leavesOut: tasks,
    formula: "平台拒绝的任务 / 失败或已回答的任务",
  },
};

export const chinese: Translation = {
  ...{ page, mail, alerts, password, definitions },
  rules: {
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
  },
};
