/** Words of what answers were made from and show: searches, and prices of products. */
import { spoken } from "./spoken.ts";

const english = {
  title: "Searches and prices",
  text: "The searches behind the answers and those shown beside them: in how many answers, for which brands, and which are new or gone. Prices as the platform showed them, by product, shop and currency.",
  searches: {
    kinds: {
      search: "Searches that it made",
      related_question: "Related questions that it showed",
      related_search: "Related searches that it showed",
    },
    counted: (different: string, answers: string) => `${different} different in ${answers} answers`,
    unknown: (count: string) => `Of ${count} more answers they are not known.`,
    named: (brand: string, answers: string, of: string) => `${brand}: named in searches of ${answers} of ${of} answers`,
    columns: { query: "Search", answers: "Answers", brands: "Names", trend: "In this period", seen: "Last seen" },
    trends: { new: "new", gone: "gone", in_both: "throughout", not_distinguishable: "cannot tell" },
    none: "There are none in these answers.",
    more: (count: string) => `and ${count} more: \`querent panel searches\` and the API list them.`,
  },
  prices: {
    summary: "Prices over time",
    counted: (series: string, offers: string) => `${series} series from ${offers} product cards`,
    leftOut: (reasons: string) => `Left out: ${reasons}.`,
    reasons: {
      no_price: (count: string) => `${count} without a price`,
      not_one_price: (count: string) => `${count} with a range or several prices`,
      recurring: (count: string) => `${count} for each month or the like`,
      no_currency: (count: string) => `${count} without a currency`,
      not_understood: (count: string) => `${count} not understood`,
    },
    columns: {
      product: "Product",
      shop: "Shop",
      median: "Median",
      range: "Lowest to highest",
      count: "Prices",
      days: "By day",
    },
    tooFew: "too few",
    noShop: "not named",
    day: (day: string, lowest: string, median: string, highest: string) =>
      `${day}: ${lowest} to ${highest}, median ${median}`,
    none: "No product of these answers has a price.",
    more: (count: string) => `and ${count} more: \`querent panel prices\` and the API list them.`,
  },
  computing: "Reading the answers …",
};

const chinese: typeof english = {
  title: "搜索与价格",
  text: "答案背后的搜索以及旁边显示的搜索：出现在多少答案中、涉及哪些品牌、哪些是新出现或已消失的。价格为平台所显示，按商品、店铺和货币分列。",
  searches: {
    kinds: {
      search: "它进行的搜索",
      related_question: "它显示的相关问题",
      related_search: "它显示的相关搜索",
    },
    counted: (different, answers) => `${answers} 个答案中有 ${different} 个不同的`,
    unknown: (count) => `另有 ${count} 个答案的搜索未知。`,
    named: (brand, answers, of) => `${brand}：${of} 个答案中有 ${answers} 个的搜索提到它`,
    columns: { query: "搜索", answers: "答案", brands: "提到", trend: "在此期间", seen: "最后出现" },
    trends: { new: "新出现", gone: "已消失", in_both: "一直有", not_distinguishable: "无法判断" },
    none: "这些答案中没有。",
    more: (count) => `还有 ${count} 个：\`querent panel searches\` 和 API 可列出。`,
  },
  prices: {
    summary: "价格随时间的变化",
    counted: (series, offers) => `${offers} 张商品卡片中的 ${series} 个序列`,
    leftOut: (reasons) => `未计入：${reasons}。`,
    reasons: {
      no_price: (count) => `${count} 张没有价格`,
      not_one_price: (count) => `${count} 张是价格区间或多个价格`,
      recurring: (count) => `${count} 张是按月等周期的价格`,
      no_currency: (count) => `${count} 张没有货币`,
      not_understood: (count) => `${count} 张无法理解`,
    },
    columns: { product: "商品", shop: "店铺", median: "中位数", range: "最低至最高", count: "价格数", days: "按日" },
    tooFew: "太少",
    noShop: "未注明",
    day: (day, lowest, median, highest) => `${day}：${lowest} 至 ${highest}，中位数 ${median}`,
    none: "这些答案中的商品都没有价格。",
    more: (count) => `还有 ${count} 个：\`querent panel prices\` 和 API 可列出。`,
  },
  computing: "正在读取答案 …",
};

export const answerPartMessages = spoken({ english, chinese });
