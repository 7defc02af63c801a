/** Words of the list of all sites that answers cite. */
import { counted } from "./counted.ts";
import { spoken } from "./spoken.ts";

const english = {
  all: (count: number) => `All ${counted(count, "site")}`,
  /** Stands instead if there are more than are read. */
  most: (count: number) => `The ${counted(count, "site")} that most answers cite`,
  name: "Site contains",
  type: "Type",
  whose: "Whose",
  any: "Any",
  relations: { own: "Own", competitor: "Competitor’s", other: "Others’" },
  untyped: "No type",
  columns: {
    site: "Site",
    type: "Type",
    whose: "Whose",
    answers: "Answers",
    citations: "Citations",
    share: "Of all citations",
    cited: "First – last cited",
  },
  none: "No site matches.",
  clear: "Show all",
  shown: (shown: number, of: number) => `${shown} of ${counted(of, "site")}`,
  /** The link of a number of answers. */
  answersOf: (site: string) => `Answers that cite ${site}`,
};

const chinese: typeof english = {
  all: (count) => `全部 ${count} 个网站`,
  most: (count) => `被最多答案引用的 ${count} 个网站`,
  name: "网站包含",
  type: "类型",
  whose: "归属",
  any: "不限",
  relations: { own: "自有", competitor: "竞争对手", other: "其他" },
  untyped: "无类型",
  columns: {
    site: "网站",
    type: "类型",
    whose: "归属",
    answers: "答案",
    citations: "引用",
    share: "占全部引用",
    cited: "首次 – 最近引用",
  },
  none: "没有符合条件的网站。",
  clear: "显示全部",
  shown: (shown, of) => `${shown} / ${of} 个网站`,
  answersOf: (site) => `引用 ${site} 的答案`,
};

export const sitesMessages = spoken({ english, chinese });
