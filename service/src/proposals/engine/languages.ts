/**
 * The rules of each language: which words say nothing about a topic, which begin a question, which tell an intent, how keywords become a
 * question, and the templates. They are lists that a person can read and correct; docs/how-to/choose-prompts.md says so.
 */
import type { PromptIntent, ProposalLanguage } from "@querent/contract";

type Tested = Exclude<PromptIntent, "informational">;

export interface LanguageRules {
  /** Words that are left out when texts are compared and grouped. They also tell the language. */
  readonly stopWords: ReadonlySet<string>;
  /** Words with which a question begins, without its mark. */
  readonly questionStart: RegExp;
  /** Of scripts without spaces: what makes a question of a text wherever it stands. */
  readonly questionAnywhere: RegExp | null;
  /** The words that tell an intent. The first intent that has one decides, in the order of `intentOrder`. */
  readonly intents: Readonly<Record<Tested, RegExp>>;
  /** Keywords as questions: the first pattern that fits. `$1` and `$2` are what it found. */
  readonly asQuestion: readonly (readonly [RegExp, string])[];
  /** How a year at the end of keywords stands in a question; null: it stays among them. */
  readonly inYear: string | null;
  readonly templates: {
    readonly best: string;
    readonly recommended: string;
    readonly alternatives: string;
    readonly versus: string;
  };
  /** Headings that sites have everywhere. */
  readonly chrome: RegExp;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
/** Whole words of a script with spaces. */
const spaced = (alternatives: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, "iu");
const starts = (alternatives: string) => new RegExp(`^[¿¡]?(?:${alternatives})(?![\\p{L}\\p{N}])`, "iu");
const unspaced = (alternatives: string) => new RegExp(alternatives, "u");
const never = /(?!)/u;

export const languageRules: Readonly<Record<ProposalLanguage, LanguageRules>> = {
  en: {
    stopWords: words(
      "a an the is are was were be been do does did can could should would will shall may might must have has had i me my we our you your he she it its they their this that these those there of in on at to for from by with without about as into than or and but if not no so what which that's what's it's i'm some any more most very just also",
    ),
    questionStart: starts(
      "what|what's|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|should|would|will|has|have|am|may|anyone|any recommendations|is there|are there",
    ),
    questionAnywhere: null,
    intents: {
      navigational: spaced(
        "log ?in|sign ?in|sign ?up|official (?:site|website|page)|website|homepage|customer service|support (?:number|phone|email)|contact|careers|app download",
      ),
      comparison: spaced(
        "vs\\.?|versus|compared? (?:to|with)|compare|comparison|difference between|differences?|better than|alternatives?|competitors?|similar to|instead of|best|top(?: \\d+)?|review|reviews|ranking|recommend|recommended|recommendations?|which|better|or",
      ),
      transactional: spaced(
        "buy|buying|purchase|order|price|prices|pricing|cost|costs|cheap|cheapest|affordable|discounts?|coupons?|deals?|sale|for sale|near me|shop|store|subscription|free trial|quote|under \\$?\\d+|how much",
      ),
    },
    asQuestion: [
      [
        /^(?:the )?best ((?:(?!(?:for|in|under|with|to|of|on|at) )\S+ ){0,5}\S*[^s\s]s(?: (?:for|in|under|with|to|of|on|at) .{1,150})?)$/iu,
        "What are the best $1?",
      ],
      [/^(?:the )?best (.{2,200})$/iu, "What is the best $1?"],
      [/^top (?:\d+ )?(.{2,200})$/iu, "What are the top $1?"],
      [/^alternatives? (?:to|for) (.{2,200})$/iu, "What are the best alternatives to $1?"],
      [/^(.{2,200}) alternatives?$/iu, "What are the best alternatives to $1?"],
      [/^(.{1,150}) (?:vs\.?|versus) (.{1,150})$/iu, "Which is better, $1 or $2?"],
      [/^difference between (.{2,200})$/iu, "What is the difference between $1?"],
      [/^(?:price|cost) of (.{2,200})$/iu, "How much does $1 cost?"],
      [/^(.{2,200}) (?:price|cost|pricing)$/iu, "How much does $1 cost?"],
      [/^(?:buy|where to buy) (.{2,200})$/iu, "Where can I buy $1?"],
      [/^how to (.{2,200})$/iu, "How do I $1?"],
      [/^(.{2,200}) reviews?$/iu, "Is $1 any good?"],
    ],
    inYear: " in $1",
    templates: {
      best: "What is the best {topic}?",
      recommended: "Which {topic} would you recommend?",
      alternatives: "What are the best alternatives to {brand}?",
      versus: "{brand} vs {other}: which is better?",
    },
    chrome: starts(
      "about(?: us)?|contact(?: us)?|privacy|terms|cookies?|imprint|legal|newsletter|subscribe|follow us|log ?in|sign ?in|sign ?up|menu|navigation|search|home|cart|my account|account|share|related|read more|learn more|copyright|careers|jobs|press|sitemap|shipping|returns|categories|tags|comments?|page not found|skip to",
    ),
  },
  de: {
    stopWords: words(
      "der die das den dem des ein eine einen einem einer eines ist sind war waren sein werden wird wurde haben hat habe kann können soll sollte muss ich mich mir mein meine wir uns unser du dein ihr sie es man sich dieser diese dieses von vom im in an am auf aus bei mit ohne zu zum zur für über unter als oder und aber wenn nicht kein keine so auch noch nur sehr mehr was welche welcher welches welchen",
    ),
    questionStart: starts(
      "was|welche[rsnm]?|wer|wen|wem|wessen|wann|wo|wohin|woher|warum|wieso|weshalb|wie|wieviel|womit|wofür|worauf|ist|sind|kann|können|soll|sollte|darf|muss|gibt es|hat|haben|lohnt",
    ),
    questionAnywhere: null,
    intents: {
      navigational: spaced(
        "anmelden|anmeldung|einloggen|login|offizielle (?:seite|website)|webseite|website|kundenservice|kundendienst|hotline|kontakt|karriere",
      ),
      comparison: spaced(
        "vs\\.?|versus|oder|vergleich|vergleichen|verglichen|im vergleich|unterschiede?|besser als|besser|alternativen?|konkurrenz|ähnlich wie|statt|beste[rsnm]?|top(?: \\d+)?|testsieger|test|tests|bewertung|bewertungen|erfahrung|erfahrungen|empfehlung|empfehlungen|empfehlen|empfehlenswert|welche[rsnm]?",
      ),
      transactional: spaced(
        "kaufen|bestellen|preis|preise|kosten|kostet|günstig|günstige[rsn]?|günstigste[rsn]?|billig|angebot|angebote|rabatt|gutschein|shop|händler|in der nähe|abo|wie viel|wieviel",
      ),
    },
    asQuestion: [
      [/^bester (.{2,200})$/iu, "Welcher ist der beste $1?"],
      [/^bestes (.{2,200})$/iu, "Welches ist das beste $1?"],
      [/^(?:die )?besten (.{2,200})$/iu, "Welche sind die besten $1?"],
      [/^(?:die )?beste (.{2,200})$/iu, "Welche ist die beste $1?"],
      [/^alternativen? (?:zu|für) (.{2,200})$/iu, "Welche Alternativen zu $1 sind die besten?"],
      [/^(.{2,200}) alternativen?$/iu, "Welche Alternativen zu $1 sind die besten?"],
      [/^(.{1,150}) (?:vs\.?|versus|oder) (.{1,150})$/iu, "Was ist besser, $1 oder $2?"],
      [/^unterschied (?:zwischen )?(.{2,200})$/iu, "Was ist der Unterschied zwischen $1?"],
      [/^(.{2,200}) (?:kosten|preis|preise)$/iu, "Was kostet $1?"],
      [/^(.{2,200}) kaufen$/iu, "Wo kann ich $1 kaufen?"],
      [/^(.{2,200}) (?:test|erfahrungen|bewertung|bewertungen)$/iu, "Wie gut ist $1?"],
    ],
    inYear: " im Jahr $1",
    templates: {
      best: "Was ist empfehlenswert, wenn man {topic} sucht?",
      recommended: "{topic}: Was würdest du empfehlen, und warum?",
      alternatives: "Welche Alternativen zu {brand} sind die besten?",
      versus: "{brand} oder {other}: Was ist besser?",
    },
    chrome: starts(
      "über uns|kontakt|impressum|datenschutz|agb|cookies?|rechtliches|newsletter|folgen sie uns|anmelden|registrieren|menü|navigation|suche|startseite|warenkorb|mein konto|konto|teilen|mehr erfahren|weiterlesen|karriere|jobs|presse|versand|rückgabe|kategorien|kommentare?|seite nicht gefunden|zum inhalt",
    ),
  },
  fr: {
    stopWords: words(
      "le la les l un une des du de d est sont était être été a ai ont avoir peut peuvent doit dois je me moi mon ma mes nous notre nos tu ton ta tes vous votre vos il elle ils elles on se ce cet cette ces ça qui que quoi quel quelle quels quelles en dans à au aux sur par pour avec sans chez ou et mais si ne pas plus très aussi y",
    ),
    questionStart: starts(
      "que|qu|quoi|quel|quelle|quels|quelles|qui|quand|où|pourquoi|comment|combien|est-ce|est-il|y a-t-il|peut-on|faut-il|lequel|laquelle|lesquels|lesquelles|dois-je|puis-je",
    ),
    questionAnywhere: null,
    intents: {
      navigational: spaced(
        "connexion|se connecter|espace client|mon compte|site officiel|site web|service client|contact|recrutement",
      ),
      comparison: spaced(
        "vs\\.?|versus|contre|comparatif|comparaison|comparer|différences?|mieux que|mieux|alternatives?|concurrents?|équivalent|meilleure?s?|top(?: \\d+)?|avis|test|tests|classement|recommander|recommandations?|recommandée?s?|quel|quelle|quels|quelles|lequel|laquelle|ou",
      ),
      transactional: spaced(
        "acheter|achat|commander|prix|tarifs?|coûte?|coûtent|coût|coûts|pas cher|pas chère|moins cher|promo|promotion|soldes|réduction|code promo|boutique|magasin|près de chez moi|abonnement|devis|combien",
      ),
    },
    asQuestion: [
      [/^(?:le )?meilleur (.{2,200})$/iu, "Quel est le meilleur $1 ?"],
      [/^(?:la )?meilleure (.{2,200})$/iu, "Quelle est la meilleure $1 ?"],
      [/^(?:les )?meilleurs (.{2,200})$/iu, "Quels sont les meilleurs $1 ?"],
      [/^(?:les )?meilleures (.{2,200})$/iu, "Quelles sont les meilleures $1 ?"],
      [/^alternatives? (?:à|a|pour) (.{2,200})$/iu, "Quelles sont les meilleures alternatives à $1 ?"],
      [/^(.{1,150}) (?:vs\.?|versus|ou) (.{1,150})$/iu, "Lequel choisir, $1 ou $2 ?"],
      [/^prix (?:d'une? |de |du )?(.{2,200})$/iu, "Quel est le prix de $1 ?"],
      [/^(.{2,200}) prix$/iu, "Quel est le prix de $1 ?"],
      [/^acheter (.{2,200})$/iu, "Où acheter $1 ?"],
      [/^avis (?:sur )?(.{2,200})$/iu, "Que vaut $1 ?"],
      [/^(.{2,200}) avis$/iu, "Que vaut $1 ?"],
    ],
    inYear: " en $1",
    templates: {
      best: "Que choisir comme {topic} ?",
      recommended: "Que recommandez-vous comme {topic}, et pourquoi ?",
      alternatives: "Quelles sont les meilleures alternatives à {brand} ?",
      versus: "{brand} ou {other} : lequel choisir ?",
    },
    chrome: starts(
      "à propos|contact|contactez|confidentialité|mentions légales|cookies?|cgv|cgu|newsletter|suivez|connexion|inscription|menu|navigation|recherche|accueil|panier|mon compte|partager|en savoir plus|lire la suite|recrutement|presse|livraison|retours|catégories|commentaires?|page introuvable|aller au contenu",
    ),
  },
  es: {
    stopWords: words(
      "el la los las un una unos unas de del al a es son era ser está están estar hay ha han haber puede pueden debe debo yo me mi mis nosotros nuestro tú tu tus usted su sus él ella ellos ellas lo se este esta estos estas eso que qué cual cuál cuales cuáles en con sin por para sobre entre como o y pero si no más muy también ya",
    ),
    questionStart: starts(
      "qué|que|cuál|cual|cuáles|cuales|quién|quien|quiénes|cuándo|cuando|dónde|donde|por qué|cómo|como|cuánto|cuanto|cuánta|cuántos|cuántas|es|son|hay|puedo|puede|debo|vale la pena",
    ),
    questionAnywhere: null,
    intents: {
      navigational: spaced(
        "iniciar sesión|login|acceso clientes|área de clientes|mi cuenta|sitio oficial|página oficial|sitio web|atención al cliente|contacto|empleo",
      ),
      comparison: spaced(
        "vs\\.?|versus|contra|comparativa|comparación|comparar|diferencias?|mejor que|alternativas?|competidores|parecido a|mejor|mejores|top(?: \\d+)?|opiniones|opinión|reseñas?|análisis|ranking|recomendar|recomiendas?|recomendaciones|recomendad[oa]s?|cuál|cual|cuáles|o",
      ),
      transactional: spaced(
        "comprar|compra|pedir|precio|precios|coste|costo|cuesta|cuestan|barat[oa]s?|oferta|ofertas|descuento|cupón|rebajas|tienda|cerca de mí|suscripción|presupuesto|cuánto",
      ),
    },
    asQuestion: [
      [/^(?:el |la )?mejor (.{2,200})$/iu, "¿Qué $1 es mejor?"],
      [/^(?:los |las )?mejores (.{2,200})$/iu, "¿Qué $1 son mejores?"],
      [/^alternativas? (?:a|para) (.{2,200})$/iu, "¿Cuáles son las mejores alternativas a $1?"],
      [/^(.{1,150}) (?:vs\.?|versus|o) (.{1,150})$/iu, "¿Qué es mejor, $1 o $2?"],
      [/^precio (?:de |del )?(.{2,200})$/iu, "¿Cuánto cuesta $1?"],
      [/^(.{2,200}) precio$/iu, "¿Cuánto cuesta $1?"],
      [/^(?:dónde |donde )?comprar (.{2,200})$/iu, "¿Dónde puedo comprar $1?"],
      [/^(.{2,200}) (?:opiniones|reseñas)$/iu, "¿Qué opinan de $1?"],
    ],
    inYear: " en $1",
    templates: {
      best: "¿Qué {topic} es mejor?",
      recommended: "¿Qué {topic} recomiendas, y por qué?",
      alternatives: "¿Cuáles son las mejores alternativas a {brand}?",
      versus: "{brand} o {other}: ¿cuál es mejor?",
    },
    chrome: starts(
      "sobre nosotros|quiénes somos|contacto|privacidad|aviso legal|términos|cookies?|boletín|síguenos|iniciar sesión|registro|menú|navegación|buscar|inicio|carrito|mi cuenta|compartir|saber más|leer más|empleo|prensa|envíos|devoluciones|categorías|comentarios?|página no encontrada|saltar al contenido",
    ),
  },
  zh: {
    stopWords: words(
      "的 了 和 与 及 或 在 是 有 也 都 就 而 我 我们 你 您 他 她 它 这 那 这个 那个 个 一个 一 种 些 吗 呢 吧 啊 请问 请 什么 哪些 哪个 哪 怎样 最 更 很 比较 可以 应该 有没有 会 能 要 想 被 把 给 对 从 到 用",
    ),
    questionStart: never,
    questionAnywhere: unspaced(
      "吗$|呢$|什么|甚麼|什麼|如何|怎么|怎麼|怎样|怎樣|哪些|哪个|哪個|哪家|哪里|哪裡|哪种|哪種|哪款|多少|几个|为什么|為什麼|是否|能不能|可不可以|好不好|有没有|有沒有|值得.{0,4}吗|谁",
    ),
    intents: {
      navigational: unspaced("官网|官網|官方网站|登录|登入|注册|客服|联系方式|聯絡|下载|招聘"),
      comparison: unspaced(
        "对比|比較|比较|区别|區別|差异|差別|替代|代替|平替|竞品|类似|最好|哪个好|哪個好|哪家好|推荐|推薦|排行|排名|十大|评测|評測|测评|怎么样|怎麼樣|好用|更好|还是|還是|哪款|哪种|哪些",
      ),
      transactional: unspaced(
        "多少钱|多少錢|价格|價格|报价|費用|费用|购买|購買|哪里买|哪裡買|便宜|优惠|優惠|折扣|促销|订购|下单|性价比|旗舰店|附近|试用",
      ),
    },
    asQuestion: [
      [/^(.{1,100}?)\s*(?:推荐|推薦)$/u, "有哪些$1值得推荐？"],
      [/^(?:最好的?)\s*(.{1,100})$/u, "最好的$1是哪些？"],
      [/^(.{1,60}?)\s*(?:vs|VS|和|与|與)\s*(.{1,60}?)\s*(?:对比|比較|比较|区别|區別)?$/u, "$1和$2哪个更好？"],
      [/^(.{1,100}?)\s*(?:替代品?|平替|代替)$/u, "$1有哪些替代品？"],
      [/^(.{1,100}?)\s*(?:价格|價格|报价)$/u, "$1多少钱？"],
      [/^(.{1,100}?)\s*(?:排行榜?|排名)$/u, "最好的$1是哪些？"],
      [/^(.{1,100}?)\s*(?:评测|評測|测评)$/u, "$1怎么样？"],
    ],
    inYear: null,
    templates: {
      best: "最好的{topic}是哪些？",
      recommended: "有哪些{topic}值得推荐？为什么？",
      alternatives: "{brand}有哪些好的替代品？",
      versus: "{brand}和{other}哪个更好？",
    },
    chrome: unspaced(
      "^(?:关于我们|關於我們|联系我们|聯絡我們|隐私|隱私|条款|首页|首頁|登录|登入|注册|菜单|搜索|购物车|我的账户|分享|更多|版权|招聘|新闻中心|网站地图|分类|标签|评论)",
    ),
  },
  ja: {
    stopWords: words(
      "の は が を に で と も や へ から まで より など です ます だ である する した して いる ある ない なる この その あの これ それ あれ ここ こと もの ため よう か ね よ 何 どの どれ どんな どう いい 良い お ください",
    ),
    questionStart: never,
    questionAnywhere: unspaced(
      "ですか|ますか|でしょうか|ませんか|だろうか|のか$|か$|何(?:が|を|の|で|です)|どの|どれ|どこ|どう(?:すれば|やって|いう)|どんな|なぜ|いくら|いつ|誰|とは$",
    ),
    intents: {
      navigational: unspaced("ログイン|公式サイト|公式|会員登録|マイページ|問い合わせ|カスタマー|採用"),
      comparison: unspaced(
        "比較|違い|どっち|どちら|おすすめ|オススメ|お勧め|ランキング|人気|口コミ|評判|レビュー|代わり|代替|類似|最高|一番|ベスト|より良い",
      ),
      transactional: unspaced(
        "価格|値段|料金|いくら|購入|買う|買い方|通販|安い|最安|格安|割引|クーポン|セール|注文|送料|近く|無料体験|見積",
      ),
    },
    asQuestion: [
      [/^(.{1,100}?)\s*(?:おすすめ|オススメ|お勧め)$/u, "おすすめの$1は何ですか？"],
      [/^(.{1,100}?)\s*(?:ランキング)$/u, "人気の$1は何ですか？"],
      [/^(.{1,60}?)\s+(.{1,60}?)\s+(?:比較|違い)$/u, "$1と$2ではどちらが良いですか？"],
      [/^(.{1,100}?)\s*(?:比較)$/u, "$1を比較すると、どれが良いですか？"],
      [/^(.{1,100}?)\s*(?:とは)$/u, "$1とは何ですか？"],
      [/^(.{1,100}?)\s*(?:価格|値段|料金)$/u, "$1はいくらですか？"],
      [/^(.{1,100}?)\s*(?:口コミ|評判|レビュー)$/u, "$1の評判はどうですか？"],
      [/^(.{1,100}?)\s*(?:代わり|代替)$/u, "$1の代わりになるものは何ですか？"],
    ],
    inYear: null,
    templates: {
      best: "一番良い{topic}は何ですか？",
      recommended: "おすすめの{topic}は何ですか？理由も教えてください。",
      alternatives: "{brand}の代わりになるものは何ですか？",
      versus: "{brand}と{other}ではどちらが良いですか？",
    },
    chrome: unspaced(
      "^(?:会社概要|会社情報|お問い合わせ|プライバシー|利用規約|特定商取引|ホーム|ログイン|会員登録|メニュー|検索|カート|マイページ|シェア|もっと見る|採用|ニュース|サイトマップ|カテゴリ|タグ|コメント)",
    ),
  },
};

/** The languages whose words are tried where the language is not known: those with spaces. */
export const latinLanguages = ["en", "de", "fr", "es"] as const;

export const intentOrder = ["navigational", "transactional", "comparison"] as const;
