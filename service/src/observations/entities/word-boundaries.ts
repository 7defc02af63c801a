import { scriptClass, gap, type FoldedText } from "./fold-text.ts";

/** What may stand beside a name without a space, by script, where the dictionaries of ICU see one word, or none. */

const words = (list: string): string[] => list.trim().split(/\s+/u);

/** As names are folded: without marks that are a part of the character. */
const decomposed = (list: string): Set<string> => new Set(words(list).map((word) => word.normalize("NFKD")));

/** Words before a name that ICU joins with its first character: `在京` (in the capital) of `在京东买`. */
const chineseBefore = new Set(
  words("在 从 從 到 和 与 與 跟 把 被 给 給 用 买 買 去 上 比 对 對 向 由 让 讓 是 及 或"),
);

/** Words after a name that ICU joins with its last character. */
export const chineseAfter = new Set(
  words(`的 在 上 是 和 与 與 也 都 到 比 自 于 於 中 公司 集团 集團 手机 手機 汽车 汽車 电脑 電腦 电视 電視 电子 電子 科技 商城 官网 官網
    旗舰 旗艦 品牌 产品 產品 平台 平臺 专卖 專賣 门店 門店`),
);

/** Words after a name that is a word of Chinese, too, which say that the word is meant: food, plants, baths, streets. */
const commonNouns = new Set(
  words(
    `汁 果汁 树 樹 派 粥 饭 飯 醋 酱 醬 皮 核 园 園 泥 籽 糕 汤 湯 浴池 浴室 澡堂 食堂 路 街 村 镇 鎮 河 雨林 化 们 們`,
  ),
);

/** Nouns in katakana that follow the name of a company: its shops, its groups, its products. */
export const katakanaNouns = decomposed(
  `ストア ストアー ショップ ショールーム センター ジャパン グループ ホールディングス コーポレーション カンパニー ブランド ファン ユーザー
    サービス オンライン アプリ モバイル スマホ スマートフォン フォン パソコン タブレット テレビ カメラ レンズ ゲーム ウォッチ カード ペイ
    ポイント ミュージック イヤホン ヘッドホン スニーカー シューズ バッグ ロゴ ファミリー シリーズ モデル マーケット モール プライム アカウント マップ プレイ ドライブ クラウド ニュース トラベル
    ロボット エアコン ドライヤー プリンター マウス キーボード スピーカー モニター ディスプレイ プロジェクター ソフト`,
);

/** Nouns that follow the name of a company in Korean. A particle may follow them. */
export const koreanNouns = decomposed(
  `폰 전자 전자제품 그룹 코리아 재팬 스토어 매장 제품 브랜드 앱 페이 워치 자동차 차 노트북 카메라 티비 스마트폰 휴대폰 핸드폰 측 본사 닷컴 맵 지도 뮤직 게임즈 플레이 클라우드 뉴스 쇼핑 배송
   톡 뱅크 은행 카페 메일 이츠 택시 마트 백화점 홈쇼핑 증권 생명 화재 보험 카드 물산 건설 화학 중공업 디스플레이 웹툰 티켓 청소기 냉장고 세탁기 에어컨 모니터 이어폰 태블릿 컴퓨터 반도체 로봇 운동화 신발`,
);

/** Korean writes particles with the word before. */
const koreanParticles = decomposed(
  `은 는 이 가 을 를 의 에 에서 에게 에는 에도 와 과 도 만 로 으로 로는 으로는 로서 으로서 부터 까지 보다 처럼 같은 이나 나 이라는 라는 이란 이다
   입니다 이며 이고 측은 의도 하고 이랑 랑 에서는 에서도 마다 조차 뿐 한테 께서 에게서 한테서 이라고 라고 밖에 만의 만이 만은 와의 과의 와는 과는
   와도 과도 보다는 보다도 까지도 부터는 로부터 으로부터 에서의 로의 으로의 이나마 이라도 라도 이든 든지 인데 이지만 지만 였다 이었다 이에요 예요
   이죠 이라면 야말로 이야말로 처럼은 에만 에서만 로만 으로만 하고는 이라서 라서 인지 이자 네`,
);

/** Whether a name stands as a word of its own, by the rules of its script. */
export class WordBoundaries {
  readonly #folded: FoldedText;
  readonly #unspaced: UnspacedWords;
  /** Where a name may start after a proclitic, and where one may end before a particle or another word. */
  #proclitics: Remembered | null = null;
  #clearProclitics: Remembered | null = null;
  #particles: Remembered | null = null;
  #compounds: Remembered | null = null;

  constructor(text: string, folded: FoldedText) {
    this.#folded = folded;
    this.#unspaced = new UnspacedWords(text, folded);
  }

  /** A quick check before a search: true if no name starts at this atom. */
  isInsideWord(first: number): boolean {
    const { gaps, classes, codes } = this.#folded;
    if (first === 0 || (gaps[first] ?? 0) !== 0) return false;
    const [before, own] = [classes[first - 1] ?? 0, classes[first] ?? 0];
    if (before !== own || own !== scriptClass.spaced) return false;
    const code = codes[first] ?? 0;
    const codeBefore = codes[first - 1] ?? 0;
    return (code | codeBefore) < abjadFrom || !(isAbjad(code) || isAbjad(codeBefore));
  }

  /** A quick check before a search: true if no name ends at this atom. */
  isBeforeLetter(last: number): boolean {
    const { length, gaps, classes, codes } = this.#folded;
    const next = last + 1;
    return (
      next < length &&
      (gaps[next] ?? 0) === 0 &&
      classes[last] === scriptClass.spaced &&
      classes[next] === scriptClass.spaced &&
      isAbjad(codes[last] ?? 0) === isAbjad(codes[next] ?? 0)
    );
  }

  isStart(first: number, last: number): boolean {
    const { gaps, classes, codes, starts } = this.#folded;
    if (first === 0) return true;
    // `2-3M` is a range of numbers.
    if ((gaps[first] ?? 0) !== 0)
      return gaps[first] !== gap.hyphen || !isDigit(codes[first] ?? 0) || !isDigit(codes[first - 1] ?? 0);
    if (starts[first] === starts[first - 1]) return false;
    const [before, own] = [classes[first - 1] ?? 0, classes[first] ?? 0];
    if (before === scriptClass.none) return !this.#isJoinedBefore(first);
    if (own === scriptClass.none || before !== own) return codes[first] !== joiner && !isModifier(codes[first] ?? 0);
    if (own === scriptClass.unspaced) return this.#startsWord(first, last);
    if (own !== scriptClass.spaced) return false;
    if (isAbjad(codes[first - 1] ?? 0) !== isAbjad(codes[first] ?? 0)) return true;
    return last - first >= 2 && this.#isAfterPrefix(first, last - first >= 3);
  }

  isEnd(first: number, last: number): boolean {
    const { length, gaps, classes, starts, codes } = this.#folded;
    const next = last + 1;
    if (next >= length || (gaps[next] ?? 0) !== 0) return true;
    if (starts[next] === starts[last]) return false;
    const [own, after] = [classes[last] ?? 0, classes[next] ?? 0];
    if (after === scriptClass.none) return !this.#isJoinedAfter(last);
    if (own === scriptClass.none || after !== own) return true;
    if (own === scriptClass.unspaced) return this.#endsWord(first, last);
    if (own === scriptClass.spaced) return isAbjad(codes[last] ?? 0) !== isAbjad(codes[next] ?? 0);
    return own === scriptClass.hangul && last - first >= 1 && this.#isBeforeSuffix(next);
  }

  /** In scripts without spaces, the dictionary must see a boundary on one side at least. */
  #startsWord(first: number, last: number): boolean {
    const { starts, ends, codes } = this.#folded;
    if (this.#unspaced.isBoundary(starts[first] ?? 0)) return true;
    return chineseBefore.has(String.fromCodePoint(codes[first - 1] ?? 0)) && this.#unspaced.isBoundary(ends[last] ?? 0);
  }

  #endsWord(first: number, last: number): boolean {
    const { starts, ends } = this.#folded;
    if (this.#unspaced.isBoundary(ends[last] ?? 0)) return !this.#isCommonNoun(first, last);
    this.#compounds ??= this.#remembered((next) => this.#isBeforeCompoundWord(next));
    return this.#compounds.at(last + 1) && this.#unspaced.isBoundary(starts[first] ?? 0);
  }

  /** `苹果汁` is juice: the name is a word of the language, and the word after it says that this is meant. */
  #isCommonNoun(first: number, last: number): boolean {
    const { starts, ends } = this.#folded;
    const end = ends[last] ?? 0;
    return commonNouns.has(this.#unspaced.wordAt(end)) && this.#unspaced.isWord(starts[first] ?? 0, end);
  }

  #remembered(find: (at: number) => boolean): Remembered {
    return new Remembered(this.#folded.length, find);
  }

  #isAfterPrefix(first: number, isLong: boolean): boolean {
    if (isLong) {
      this.#proclitics ??= this.#remembered((at) => this.#isAfterProclitic(at, proclitics));
      return this.#proclitics.at(first);
    }
    this.#clearProclitics ??= this.#remembered((at) => this.#isAfterProclitic(at, clearProclitics));
    return this.#clearProclitics.at(first);
  }

  #isBeforeSuffix(next: number): boolean {
    this.#particles ??= this.#remembered((at) => this.#isBeforeParticle(at));
    return this.#particles.at(next);
  }

  #isBeforeCompoundWord(next: number): boolean {
    const { length, codes, gaps } = this.#folded;
    const one = String.fromCodePoint(codes[next] ?? 0);
    if (chineseAfter.has(one)) return true;
    let run = "";
    for (let at = next; at < length && run.length <= katakanaMax; at++) {
      const code = codes[at] ?? 0;
      if ((at > next && (gaps[at] ?? 0) !== 0) || !isKatakana(code)) break;
      run += String.fromCodePoint(code);
    }
    if (run !== "") return katakanaNouns.has(run);
    const two = next + 1 < length && gaps[next + 1] === 0 ? String.fromCodePoint(codes[next + 1] ?? 0) : "";
    return chineseAfter.has(one + two);
  }

  /** A sign before the name that makes it a part of something else: `$3M`, `2.3M`, `my_apple`, `AT&T`. */
  #isJoinedBefore(first: number): boolean {
    const { codes, gaps, classes } = this.#folded;
    const sign = String.fromCodePoint(codes[first - 1] ?? 0);
    const isAfterWord = first >= 2 && (gaps[first - 1] ?? 0) === 0 && (classes[first - 2] ?? 0) === scriptClass.spaced;
    if (codes[first - 1] === joiner) return true;
    if (isDigit(codes[first] ?? 0)) {
      if (/\p{Sc}/u.test(sign)) return true;
      if ((sign === "." || sign === ",") && isAfterWord && isDigit(codes[first - 2] ?? 0)) return true;
    }
    return (sign === "_" || sign === "&") && isAfterWord && (classes[first] ?? 0) === scriptClass.spaced;
  }

  #isJoinedAfter(last: number): boolean {
    const { length, codes, gaps, classes } = this.#folded;
    const code = codes[last + 1] ?? 0;
    if (code === joiner || isModifier(code)) return true;
    if ((classes[last] ?? 0) !== scriptClass.spaced) return false;
    const sign = String.fromCodePoint(code);
    const isBeforeWord =
      last + 2 < length && (gaps[last + 2] ?? 0) === 0 && (classes[last + 2] ?? 0) === scriptClass.spaced;
    if (sign === "." || sign === ",") return isBeforeWord && isDigit(codes[last] ?? 0) && isDigit(codes[last + 2] ?? 0);
    if (sign === "_" || sign === "&") return isBeforeWord;
    // `Disney+` and `C#` are other names than `Disney` and `C`; `Nike+Adidas` are two.
    return (sign === "+" || sign === "#") && !isBeforeWord;
  }

  /** Arabic and Hebrew write conjunctions, prepositions and the article with the word that follows. */
  #isAfterProclitic(first: number, allowed: RegExp): boolean {
    const { codes, gaps, classes } = this.#folded;
    let prefix = "";
    let at = first;
    while (at > 0 && (gaps[at] ?? 0) === 0 && (classes[at - 1] ?? 0) === scriptClass.spaced) {
      if (prefix.length > 5) return false;
      prefix = String.fromCodePoint(codes[--at] ?? 0) + prefix;
    }
    return allowed.test(prefix);
  }

  /** Korean writes particles with the word before, and common nouns with the name of a company. */
  #isBeforeParticle(next: number): boolean {
    const { length, codes, gaps, classes } = this.#folded;
    let suffix = "";
    for (let at = next; at < length; at++) {
      if ((gaps[at] ?? 0) !== 0 || (classes[at] ?? 0) !== scriptClass.hangul) break;
      if (suffix.length > suffixAtomsMax) return false;
      suffix += String.fromCodePoint(codes[at] ?? 0);
    }
    if (koreanParticles.has(suffix)) return true;
    for (let end = 1; end <= suffix.length; end++) {
      if (!koreanNouns.has(suffix.slice(0, end))) continue;
      if (end === suffix.length || koreanParticles.has(suffix.slice(end))) return true;
    }
    return false;
  }
}

/** An answer for each atom, which is found once: a thousand names may end at one place. */
class Remembered {
  readonly #length: number;
  readonly #find: (at: number) => boolean;
  /** 0: unknown; 1: true; 2: false. */
  #known: Uint8Array | null = null;

  constructor(length: number, find: (at: number) => boolean) {
    this.#length = length;
    this.#find = find;
  }

  at(place: number): boolean {
    this.#known ??= new Uint8Array(this.#length);
    if (this.#known[place] === 0) this.#known[place] = this.#find(place) ? 1 : 2;
    return this.#known[place] === 1;
  }
}

const joiner = 0x200d;
const isModifier = (code: number): boolean => code >= 0x1f3fb && code <= 0x1f3ff;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const abjadFrom = 0x0590;
const isAbjad = (code: number): boolean => code >= abjadFrom && code <= 0x08ff;

/** With the dakuten and handakuten that folding takes from it. */
const isKatakana = (code: number): boolean => (code >= 0x30a1 && code <= 0x30ff) || code === 0x3099 || code === 0x309a;

const proclitics = /^(?:[وف]?(?:ب|ل|ك|لل)?(?:ال)?|[ושכהבלמ]{1,3})$/u;
/** With these, a name of three letters is hardly another word. */
const clearProclitics = /^(?:و|[وف]?(?:ب|ك)?ال|[وف]?لل)$/u;

const lengthsOf = (words: Iterable<string>): number => Math.max(...[...words].map(({ length }) => length));
const suffixAtomsMax = lengthsOf(koreanParticles) + lengthsOf(koreanNouns);
/** Folded katakana has its dakuten as atoms of their own. */
const katakanaMax = 24;

/** The words of scripts without spaces, by ICU's dictionaries. Each run is divided once, and only if a name may be in it. */
class UnspacedWords {
  readonly #text: string;
  readonly #folded: FoldedText;
  /** For each offset: 0 unknown, 1 boundary, 2 none. */
  #known: Uint8Array | null = null;

  constructor(text: string, folded: FoldedText) {
    this.#text = text;
    this.#folded = folded;
  }

  isBoundary(offset: number): boolean {
    this.#known ??= this.#unknownRuns();
    if (this.#known[offset] === 0) this.#divideRun(offset);
    return this.#known[offset] !== 2;
  }

  /** The word from a boundary on; empty if it has more than two units. */
  wordAt(offset: number): string {
    if (this.isBoundary(offset + 1)) return this.#text.slice(offset, offset + 1);
    return this.isBoundary(offset + 2) ? this.#text.slice(offset, offset + 2) : "";
  }

  /** True if there is no boundary between two. Words of the language are short. */
  isWord(start: number, end: number): boolean {
    if (end - start > wordUnitsMax) return false;
    for (let at = start + 1; at < end; at++) if (this.isBoundary(at)) return false;
    return true;
  }

  /** Offsets in runs are unknown, all others are boundaries. */
  #unknownRuns(): Uint8Array {
    const known = new Uint8Array(this.#text.length + 1).fill(1);
    const { length, classes, starts, ends, gaps } = this.#folded;
    for (let at = 1; at < length; at++) {
      const isInside = classes[at] === scriptClass.unspaced && classes[at - 1] === scriptClass.unspaced;
      if (isInside && (gaps[at] ?? 0) === 0) known.fill(0, ends[at - 1] ?? 0, (starts[at] ?? 0) + 1);
    }
    return known;
  }

  #divideRun(offset: number): void {
    const known = this.#known ?? new Uint8Array();
    // The characters of a run may be longer than one unit.
    const isInRun = (at: number): boolean =>
      at > 0 && at < this.#text.length && (known[at] === 0 || isLowSurrogate(this.#text, at));
    let [from, to] = [offset, offset];
    while (isInRun(from)) from--;
    while (isInRun(to)) to++;
    for (let at = from + 1; at < to; at++) known[at] = 2;
    for (const { index } of segmenter.segment(this.#text.slice(from, to))) if (index > 0) known[from + index] = 1;
  }
}

const wordUnitsMax = 8;

const isLowSurrogate = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
};

const segmenter = new Intl.Segmenter("und", { granularity: "word" });
