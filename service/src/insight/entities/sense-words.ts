import { foldWord } from "./fold-character.ts";

/**
 * Words that stand beside a name where it is a word of the language: food, plants, animals, water and land, buildings, the time of day.
 * They only lead to proposals, so a word may be here although a brand can stand beside it, too: `Apple Store` is no fruit, and `store`
 * is not here, but `apple juice` is a drink in nearly every answer.
 */
const afterName = `
  juice cider pie tree trees sauce vinegar orchard orchards crumble strudel jam jelly jams puree peel core slices slice seed seeds cake cakes tart
  muffin muffins smoothie smoothies salad blossom blossoms wood bark leaf leaves root roots fruit fruits bush bushes picking fritters fritter compote syrup
  river rivers basin rainforest jungle delta creek lake bay beach island islands mountain mountains valley forest desert peninsula county strait canyon falls
  station stations platform tunnel line tracks larva larvae larve cub cubs habitat species den bite skin milk shell shells
  pool pools level levels turns wave waves current currents pattern patterns
  morning mornings afternoon afternoons evening evenings night nights noon
  saft baum bäume kuchen mus essig schorle blüte fluss tal insel wald regenwald strand gebirge becken
  jus tarte compote arbre fleuve forêt vallée île plage bassin
  zumo jugo tarta árbol río selva valle isla playa cuenca
  succo torta albero fiume foresta valle isola spiaggia
  suco torta árvore floresta vale ilha praia bacia
  sap taart boom rivier regenwoud eiland strand
  sok drzewo rzeka las wyspa plaża dorzecze
  сок дерево река лес остров пляж бассейн пирог утром вечером`;

const beforeName = `
  río rio fiume fleuve rivière river rivier fluss rzeka řeka reka река річка lake lac lago mount mont monte low high solar ripe raw wild fresh baked
  green crisp rotten sliced peeled candied caramel red-striped toffee spring neap ebb flood
  sok zumo jugo suco succo jus сок saft klejąca клейкая изоляционная неодимовый`;

/** Beside a name of a script without spaces: also as the first or last characters of what stands beside it. */
const afterUnspaced = `
  汁 果汁 树 樹 派 粥 饭 飯 醋 酱 醬 皮 核 园 園 泥 籽 糕 汤 湯 茶 酒 辣 油 花 叶 葉 木 林 肉 片 干 乾 粉 浴池 浴室 澡堂 食堂 路 街 村 镇 鎮 河 江 湖 山 岛 島 雨林 盆地 流域
  早上 晚上 化 们 們 到 起 审美 審美 文化 心理 媒体 媒體 舆论 輿論 脚下 遗址 遺址 砖 磚 风景 風景 景色
  ジュース の木 の首 の実 パイ 畑 狩り 園 川 山 島 湖 の花 酢 の皮 の種 の群れ の赤ちゃん
  น้ำ ป่า`;

const beforeUnspaced = `吃 喝 摘 削 啃 榨 种 種 红 紅 青 烂 爛 斤 爬 登 游 万里 萬里 熬 煮 很 多么 炒 动物园 動物園 動物園の 野生の`;

const folded = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/u).map(foldWord));

const spaced = { before: folded(beforeName), after: folded(afterName) };
const unspaced = {
  before: beforeUnspaced.trim().split(/\s+/u),
  after: afterUnspaced.trim().split(/\s+/u),
};

/** True if a word beside a name says that a word of the language is meant. */
export const isSenseWord = (word: string, side: "before" | "after"): boolean => spaced[side].has(foldWord(word));

/** The same in scripts without spaces: the characters that say so, next to the name. */
export function senseCharacters(beside: string, side: "before" | "after"): string | null {
  let longest: string | null = null;
  for (const word of unspaced[side]) {
    const isBeside = side === "after" ? beside.startsWith(word) : beside.endsWith(word);
    if (isBeside && word.length > (longest?.length ?? 0)) longest = word;
  }
  return longest;
}
