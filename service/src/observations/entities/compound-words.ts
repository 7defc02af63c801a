/** What may stand beside a name without a space, by script, where the dictionaries of ICU see one word, or none. */

const words = (list: string): string[] => list.trim().split(/\s+/u);

/** As names are folded: without marks that are a part of the character. */
const decomposed = (list: string): Set<string> => new Set(words(list).map((word) => word.normalize("NFKD")));

/** Words before a name that ICU joins with its first character: `在京` (in the capital) of `在京东买`. */
export const chineseBefore = new Set(
  words("在 从 從 到 和 与 與 跟 把 被 给 給 用 买 買 去 上 比 对 對 向 由 让 讓 是 及 或"),
);

/** Words after a name that ICU joins with its last character. */
export const chineseAfter = new Set(
  words(`的 在 上 是 和 与 與 也 都 到 比 自 于 於 中 公司 集团 集團 手机 手機 汽车 汽車 电脑 電腦 电视 電視 电子 電子 科技 商城 官网 官網
    旗舰 旗艦 品牌 产品 產品 平台 平臺 专卖 專賣 门店 門店`),
);

/** Words after a name that is a word of Chinese, too, which say that the word is meant: food, plants, baths, streets. */
export const commonNouns = new Set(
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
export const koreanParticles = decomposed(
  `은 는 이 가 을 를 의 에 에서 에게 에는 에도 와 과 도 만 로 으로 로는 으로는 로서 으로서 부터 까지 보다 처럼 같은 이나 나 이라는 라는 이란 이다
   입니다 이며 이고 측은 의도 하고 이랑 랑 에서는 에서도 마다 조차 뿐 한테 께서 에게서 한테서 이라고 라고 밖에 만의 만이 만은 와의 과의 와는 과는
   와도 과도 보다는 보다도 까지도 부터는 로부터 으로부터 에서의 로의 으로의 이나마 이라도 라도 이든 든지 인데 이지만 지만 였다 이었다 이에요 예요
   이죠 이라면 야말로 이야말로 처럼은 에만 에서만 로만 으로만 하고는 이라서 라서 인지 이자 네`,
);
