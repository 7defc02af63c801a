/** Japanese. */
import { basisOf, dates, surfaceOf, type MeasureNames } from "../sending/mail-words.ts";
import { numbersIn } from "./numbers.ts";
import type { Translation } from "./translation.ts";

const numbers = numbersIn("ja");
const { count, list } = numbers;

const measures: MeasureNames & Readonly<Record<string, string>> = {
  presence: "言及率",
  mention_share: "シェア・オブ・ボイス",
  listed: "リスト掲載率",
  own_citation_rate: "自社サイトの引用率",
  citation_rate: "引用率",
};
const measureName = (id: string) => measures[id] ?? id;
const percent = (share: number | null) => (share === null ? "–" : numbers.percent(share, 0));

const searched =
  "本文にそのエンティティの名前を含むプロンプト、本文のない回答、そのエンティティを検索していない回答、およびその登録前の回答。";
const hidden = "本文のない回答、および情報源が開示されない、読み取れない、またはリンク先が隠されている回答。";
const pairs = "比較相手のない回答、および同じプロンプトに2つ目の回答がない日。";
const orders = `${pairs}一方の回答がどのブランドにも言及しないペア。本文にそれらのブランド名を含むプロンプト、本文のない回答、またはそれらを検索していない回答。`;
const tasks = "取り消されたタスク、取り込まれた回答、および失敗の記録が始まる前の回答。";

export const japanese: Translation = {
  page: {
    numbers,
    colon: "：",
    kicker: "Querent によるパネルの AI 可視性レポート",
    window: "対象期間",
    until: (from, to) => `${from} ～ ${to} の直前（UTC）`,
    answers: "回答数",
    runs: "実施回数",
    days: "日数",
    prompts: "プロンプト数",
    revision: "版",
    grade: "信頼度",
    grades: { exploratory: "探索レベル", directional: "傾向把握レベル", "decision-grade": "意思決定レベル" },
    gradeMeaning: {
      exploratory: "問いを立てるための数値です。この数値で判断しないでください。",
      directional: "方向性の把握に使えます。大きな差は実際の差ですが、正確な値は確かではありません。",
      "decision-grade":
        "意思決定に使えます。十分な量と期間があり、再現性があり、最初の回答の前に内容が固定されています。",
    },
    seals: {
      before_first_run: "初回実施前に封印済み",
      after_first_run: "初回実施後に封印",
      never: "封印なし",
    },
    rule: "基準",
    there: "現状",
    directional: "傾向把握レベルの条件",
    decision: "意思決定レベルの条件",
    remedy: "改善方法",
    met: "達成",
    yes: "はい",
    no: "いいえ",
    none: "–",
    figures: "自社は言及されているか、競合と比べてどうか",
    figuresNote:
      "95% 区間を2種類示します。「本組」はこのプロンプトそのもの、「類似」は同様のプロンプト全般に対する区間です。「最悪」は、欠けている回答が何を述べていたとしても取りうる値の範囲です。斜体の数値は、区間を出すには回答が少なすぎます。プラットフォーム、地域、ペルソナは合算せず、測定手段も合算しません。数値は、実施回数が十分な最新の測定手段によるもので、他の測定手段の数値はその下に示します。指標名から定義に移動できます。",
    entity: "エンティティ",
    presence: "回答での言及",
    mention_share: "シェア・オブ・ボイス",
    first_place: "最初に言及（言及した回答中）",
    first_place_of_all: "最初に言及（全回答中）",
    position: "リスト内の順位",
    listed: "リスト掲載",
    own_citation_rate: "自社サイトの引用",
    citation_rate: "サイトの引用",
    own: "自社",
    competitor: "競合",
    other: "その他",
    tooFew: "不足",
    noInterval: "区間なし",
    theseShort: "本組",
    likeShort: "類似",
    worstShort: "最悪",
    blend: "交互に使われる測定手段の混合",
    with: (model) => `${model} による`,
    otherReading: "レシピ、読み取り、名称照合、または情報源の規則が異なる",
    asked: (revision) => `第${revision}版の質問`,
    brandsAsOf: (day) => `${day} 時点のブランド`,
    leftOutPrompts: (compared, leftOut) =>
      `プロンプト ${count(compared)} 件を比較、新規または変更の ${count(leftOut)} 件は対象外`,
    definitions: "指標の定義",
    scopesNote:
      "同じ回答に対して2つの問いがあるため、各数値には2種類の区間があります。本組は、同じプロンプトをもう一度実施した場合の値に関するものです。類似は、どのプロンプトを選んだかも考慮したもので、20 のトピックにわたるプロンプトが必要です。",
    formula: "計算式",
    leavesOut: "対象外",
    overTime: "回答での言及（実施ごと）",
    overTimeNote:
      "点は各回の実施、線と帯は最大7回分の値と 95% 区間です。破線は切れ目で、それ以降の回答は別のモデル、レシピ、または読み取りで得られたため、以前の回答と比較できません。",
    seam: "切れ目",
    changes: "変化した点",
    changesNote:
      "この期間に通知された、偶然では説明できない変化です。こうした検出のうち誤りは最大 5% です。測定手段の変化はブランドの変化ではありません。「再計算」は、このレポートの回答から同じ結果が得られるかを示します。",
    instrumentChanges: "測定手段の変化",
    since: "開始日",
    gradual: "徐々に",
    before: "変化前",
    after: "変化後",
    evidence: "証拠の強さ",
    needed: "必要値",
    computedAgain: "再計算",
    recomputed: {
      same: "同じ",
      other: "異なる（その後、回答、プロンプト、またはブランドに変更あり）",
      not_in_window: "一部が対象期間より前",
      not_recorded: "不可（以前のバージョンで検出）",
    },
    heatMap: "プロンプトとプラットフォーム",
    heatMapNote: "回答が言及する頻度：",
    prompt: "プロンプト",
    branded: "名前を含む",
    sources: "情報源",
    sourcesNote: (answers, leftOut) =>
      `情報源が判明している回答 ${count(answers)} 件が対象です。${count(leftOut)} 件は不明です。`,
    domain: "ドメイン",
    type: "種類",
    whose: "区分",
    citedBy: "引用した回答",
    shareOfCitations: "引用に占める割合",
    core: "中核：実施の 80% 以上で引用",
    stability: "回答の安定性",
    stabilityNote: "同じプロンプトへの2つの回答がどれだけ一致するか。同一なら 100% です。",
    measure: "指標",
    source_agreement_within_days: "情報源の一致（同日内）",
    source_agreement_between_days: "情報源の一致（翌日との比較）",
    order_agreement_within_days: "ブランドの順序（同日内）",
    order_agreement_between_days: "ブランドの順序（翌日との比較）",
    first_place_changes: "首位ブランドの交代（翌日との比較）",
    first_place_changes_between_runs: "首位ブランドの交代（次回の実施との比較）",
    core_citation_share: "中核の情報源の割合",
    empty_rate: "空の回答",
    failure_rate: "失敗したタスク",
    refusal_rate: "拒否された質問",
    manyFailures: (surface, points, all) =>
      `${surface}：全タスク（${all} 件）の ${points}% が失敗しました。他の数値は回答のみに基づきます。欠けている回答を含めると、割合は最大 ${points} ポイント上下する可能性があります。`,
    surface: "プラットフォーム",
    instruments: "回答の取得に用いた測定手段",
    model: "モデル",
    notReported: "報告なし",
    first: "最初",
    last: "最後",
    noAnswers: "この期間には回答がありません。",
    noEntities: "アカウントに自社エンティティも競合もありません。登録すると、ここに数値が表示されます。",
    verify: (version) =>
      `すべての数値は、回答からオフラインで再計算できます。レポートを zip でダウンロードし、「querent verify report.zip」を実行してください。Querent ${version} で作成。`,
    links: "数値から、その算出に用いた回答に移動できます。開くにはアカウントのアクセストークンが必要です。",
    digest: "質問内容のダイジェスト",
    why: {
      title: "ご自身で質問すると異なる結果になる理由",
      intro:
        "ここにある質問をご自身でした場合、このレポートが挙げるブランドに言及しない回答や、それを最初に挙げる回答が返ることがあります。これは矛盾ではありません。",
      chance: (answers, runs) =>
        `回答は変動します。同じ質問でも2回尋ねれば答えは異なり、1つの回答は1回の抽出にすぎません。ここでの数値は多数の回答に占める割合です。このレポートには ${count(runs)} 回の実施による ${count(answers)} 件の回答があります。`,
      varied: (surface, points) =>
        `${surface} では、次の実施との間で ${points}% の場合に別のブランドが最初に挙げられました。`,
      you: (personas) =>
        `アシスタントはあなたのことを知っています。アカウント、その記憶、過去の質問が回答を変えます。ここでは質問ごとに新しい会話を始めています${personas.length === 0 ? "" : `。一部は、設定した人物として質問しています：${list(personas)}`}。`,
      place: (locales) =>
        locales.length === 0
          ? "回答は国と言語によって異なります。これらの質問は国や言語を指定せず、サービスまたは提供元の所在地から行いました。"
          : `回答は国と言語によって異なります。これらの質問は次の国と言語で行いました：${list(locales)}。`,
      kinds: {
        api: "一部の回答は、提供元の API によるものです。同じ提供元のアプリでは、モデル、指示、検索が異なる場合があります。",
        web: "一部の回答は、プラットフォームのウェブページから読み取ったもので、使用したアカウントと当時のページの表示に基づきます。プラットフォームは同時に複数の版を表示しています。",
        sample:
          "一部の回答は、シミュレーションまたは固定の文書集によるものです。実際のアシスタントの回答ではありません。",
        imported: "一部の回答は、独自の方法で質問する別のツールから取り込んだものです。",
      },
      time: (from, to) =>
        `回答は、モデル、その検索、ウェブとともに変わります。ここにあるのは ${from} ～ ${to}（UTC）の回答です。`,
      wordsMatter: (prompts) =>
        `言葉が違えば別の質問です。数値は、このパネルの ${count(prompts)} 件のプロンプトだけに関するものです。`,
      check:
        "数値を確かめるには、1回だけ質問するのではなく、同じ文を新しい会話で何度も質問して数えてください。または、レポートの末尾にあるとおり、このレポートの回答から再計算してください。",
    },
    method: {
      frame: {
        unknown:
          "プロンプトの選び方：不明です。手で書かれたか、ファイルから取り込まれたもので、ほかに何を尋ねられたかは記録されていません。",
        known: (prompts, chosen, proposals, origins, written) =>
          `プロンプトの選び方：${prompts}件のプロンプトのうち、${chosen}件は${proposals}件の候補（${origins}）から選ばれ、${written}件は手で書かれました。一つの候補に複数の出所があることがあります。`,
        origin: {
          search: (count) => `プラットフォームの検索から${count}件`,
          search_console: (count) => `Search Consoleから${count}件`,
          page: (count) => `サイトのページから${count}件`,
          template: (count) => `テンプレートから${count}件`,
          pasted: (count) => `貼り付けた質問から${count}件`,
        },
      },
      title: "数値の算出方法",
      asked: (prompts, surfaces, runs, days) =>
        `質問した内容：プロンプト ${count(prompts)} 件、プラットフォーム ${count(surfaces)} 件（地域とペルソナはそれぞれ別に数えます）、${count(days)} 日間に ${count(runs)} 回実施。正確な文言は、下のダイジェストで特定できます。`,
      read: (answers) =>
        `読み取った内容：回答 ${count(answers)} 件。それぞれについてブランド名を検索し、プラットフォームが回答とともに示す情報源を記録しました。失敗したタスクと本文のない回答は除外し、件数を数えています。ブランド名を含むプロンプトは、そのブランドの数値から除外しています。`,
      computed:
        "計算した内容：これらの回答に占める割合。プラットフォーム、地域、ペルソナごとに、一度に1つの測定手段（モデル、レシピ、読み取り）だけを用いて計算しています。95% 区間は、偶然だけで数値がどれだけ動きうるかを示します。実施が5回未満の場合、区間はありません。回答が欠けている場合は、それらが述べえた最悪の場合を併記しています。",
      changes:
        "変化とみなすもの：偶然では説明できないものだけです。誤検出が最大 5% になるように、実施のたびに判定しています。新しいモデルやパネルの編集は、ブランドの変化と区別しています。",
      limits:
        "数値が示さないもの：これらの質問をする人の数、別の言葉で尋ねる人の質問、質問していないプラットフォームの回答。数値は回答の割合であり、人の割合ではありません。",
    },
  },
  rules: {
    own_entity: {
      title: "自社エンティティ",
      remedy: "パネルに自社ブランドを追加してください。ないと、どの数値も自社に関するものになりません。",
    },
    prompts: { title: "プロンプト", remedy: "自社ブランドの名前を含まないプロンプトを追加してください。" },
    topics: {
      title: "トピック",
      remedy: "他のトピックのプロンプトを追加し、各プロンプトにトピックを付けてください。",
    },
    runs: { title: "実施", remedy: "さらに実施されるのを待つか、より長い期間を選んでください。" },
    days: {
      title: "日数",
      remedy: "実施をより多くの日に分けてください。同じ日の回答は、異なる日の回答よりも似ています。",
    },
    complete: {
      title: "そろったセル",
      remedy: "実施中に失敗したタスクを確認し、パネルをもう一度実施してください。",
    },
    answered: {
      title: "回答済み",
      remedy: "タスクが失敗または空だった理由を調べ、それらの実施を含まない期間を選んでください。",
    },
    reproducibility: {
      title: "折半法による再現性",
      remedy: "各プロンプトの質問回数を増やしてください（実施回数、または1回あたりの繰り返し）。",
    },
    sealed: {
      title: "初回実施前の封印",
      remedy: "パネルは実施前に封印してください。実施済みの場合は、編集して新しい版を封印してください。",
    },
    one_instrument: { title: "単一の測定手段", remedy: "最後の切れ目より後の期間を選んでください。" },
  },
  definitions: {
    presence: {
      counts: "そのエンティティに1回以上言及した回答。",
      leavesOut: searched,
      formula: "言及した回答 / 回答",
    },
    mention_share: {
      counts: "自社エンティティと競合への全言及のうち、そのエンティティへの言及。",
      leavesOut:
        "本文にいずれかの名前を含むプロンプト、本文のない回答、そのエンティティを検索していない回答。他のエンティティは、検索した回答でのみ数えます。パネルのブランドでないエンティティ。",
      formula: "その言及 / 自社エンティティと競合への言及",
    },
    first_place: {
      counts: "他のどの自社エンティティや競合よりも先に、そのエンティティに言及した回答。",
      leavesOut: `言及していない回答（言及がないことは欠落であり、最下位ではありません）。${searched}`,
      formula: "最初に言及した回答 / 言及した回答",
    },
    first_place_of_all: {
      counts: "全回答のうち、他のどの自社エンティティや競合よりも先に、そのエンティティに言及した回答。",
      leavesOut: searched,
      formula: "最初に言及した回答 / 回答",
    },
    listed: {
      counts:
        "そのエンティティで始まる項目を含むリストがある回答。注意喚起の見出しや文の下のリスト、および情報源のリストは数えません。回答の評価を示すものではありません。",
      leavesOut: `第3版より前の名称照合で検索した回答。${searched}`,
      formula: "リストに載せた回答 / 回答",
    },
    position: {
      counts: "リスト内で、そのエンティティで始まる最初の項目の順位。1 が最上位です。",
      leavesOut: `リストに載せていない回答（載っていないことは欠落であり、最下位ではありません）。リストを検索していない回答。${searched}`,
      formula: "リストに載せた回答での順位の平均",
    },
    own_citation_rate: {
      counts: "そのエンティティのドメインまたはサブドメインのページを引用した回答。",
      leavesOut: `本文にそのエンティティの名前を含むプロンプト。${hidden}`,
      formula: "そのページを引用した回答 / 回答",
    },
    source_agreement_within_days: {
      counts: "同じ日（UTC）の同じプロンプトへの2つの回答の一致度（ドメインの Jaccard 係数）。",
      leavesOut: `${pairs}${hidden}`,
      formula: "両方にあるドメイン / いずれかにあるドメイン（ペア、日、セルの平均）",
    },
    source_agreement_between_days: {
      counts: "連続する2日の回答の同じ係数。各日は1つのペアでのみ使います。",
      leavesOut: `${pairs}${hidden}`,
      formula: "両方にあるドメイン / いずれかにあるドメイン（ペアの平均）",
    },
    order_agreement_within_days: {
      counts:
        "同じ日の2つの回答が自社エンティティと競合に初めて言及する順序の、順位重み付き重複度（RBO、持続度 0.9）。",
      leavesOut: orders,
      formula: "順位重み付き重複度（ペア、日、セルの平均）",
    },
    order_agreement_between_days: {
      counts: "連続する2日の回答の同じ指標。",
      leavesOut: orders,
      formula: "順位重み付き重複度（ペアの平均）",
    },
    first_place_changes: {
      counts: "連続する2日の回答のうち、最初に言及するブランドが異なるペア。",
      leavesOut: orders,
      formula: "首位が異なるペア / ペア",
    },
    first_place_changes_between_runs: {
      counts:
        "連続する2回の実施の回答のうち、最初に言及するブランドが異なるペア（実施時期は問いません）。各実施の最初の 20 件の回答を使います。",
      leavesOut: orders,
      formula: "首位が異なるペア / ペア",
    },
    core_citation_share: {
      counts:
        "中核（実施の 80% 以上が引用するドメイン）の引用。どのドメインが中核かは全回答によって決まるため、区間はありません。",
      leavesOut: `実施が5回未満の場合はすべての回答。${hidden}`,
      formula: "中核の引用 / 引用",
    },
    empty_rate: { counts: "完了したが本文のない回答。", leavesOut: "なし。", formula: "本文のない回答 / 回答" },
    failure_rate: {
      counts: "実施中に失敗したタスク。理由は問わず、拒否された質問も含みます。",
      leavesOut: tasks,
      formula: "失敗したタスク / 失敗または回答済みのタスク",
    },
    refusal_rate: {
      counts: "プラットフォームが質問を拒否したために失敗したタスク。",
      leavesOut: tasks,
      formula: "プラットフォームが拒否したタスク / 失敗または回答済みのタスク",
    },
  },
  mail: {
    ...dates("ja"),
    subject: (panel, range) => `${panel}：${range} のレポート`,
    what: (panel, client, range) =>
      `${client === null ? "" : `${client} 向けの`}レポート「${panel}」をお届けします（対象期間：${range}、UTC）。`,
    basis: (answers, grade) => `AI プラットフォームの ${count(answers)} 件の回答に基づいています。${grade}`,
    grades: {
      exploratory: "信頼度は探索レベルです。最初の概観には使えますが、比較には使えません。",
      directional: "信頼度は傾向把握レベルです。傾向の把握には使えますが、小さな差の判断には使えません。",
      "decision-grade": "信頼度は意思決定レベルです。意思決定に使えます。",
    },
    figure: (figure) => {
      const { name, presence, interval, answers } = figure;
      const surface = surfaceOf(figure, {
        ...{ api: "API", web: "ウェブページ", sample: "シミュレーション", imported: "取り込み" },
      });
      if (presence === null) return `${name}、${surface}：回答が少なすぎるため数値なし`;
      const bounds =
        interval === null
          ? "実施回数が少なすぎるため区間なし"
          : `95% 区間：${percent(interval.low)} ～ ${percent(interval.high)}`;
      const basis = basisOf(figure, "ja", (range) => `、${range}`);
      return `${surface} の回答の ${percent(presence)} が ${name} に言及（${bounds}、回答 ${count(answers)} 件${basis}）`;
    },
    more: (more) => `レポートには他に ${count(more)} 件の数値があります`,
    changed: "偶然では説明できない変化：",
    unchanged: "偶然では説明できない変化はありません。",
    change: ({ name, measure, platformCode, before, after, since }) =>
      `${name}、${platformCode} での${measureName(measure)}：${numbers.day(since)} から ${percent(before)} → ${percent(after)}`,
    moreChanges: (more) => `レポートには他に ${count(more)} 件の変化があります`,
    moreLines: (more) => `他 ${count(more)} 行`,
    open: "レポートを開く",
    works: (day) =>
      `リンクは ${day} まで有効で、サインインは不要です。リンクを知っている人は誰でもレポートを読めます。`,
    attached: "レポートを PDF で添付しています。",
    why: (email, account) =>
      `このメールは、${account} がレポートの送信先として ${email} を登録したため送信されています。`,
    unsubscribe: "レポートの配信を停止する",
    addedAgain: (by) =>
      `あなたはこのレポートの配信を停止していました。${by} が、あなたの希望によるものとして再び登録しました。お心当たりがない場合は、下のリンクから配信を停止してください。`,
    page: {
      ask: "配信を停止しますか？",
      asked: (email) => `この送信者のレポートは ${email} に送信されなくなります。`,
      button: "配信を停止する",
      done: "配信を停止しました",
      doneText: (email) =>
        `この送信者のレポートは今後 ${email} に送信されません。送信中のメールが届く場合があります。再び受け取るには、送信者にお問い合わせください。`,
      unknown: "このアドレスには何もありません",
      unknownText: "アドレスがすべて含まれているか確認してください。",
    },
  },
  alerts: {
    one: (alert, text) => `${alert}：${text}`,
    many: (alert, found) => `${alert}：${found} 件の検出`,
    over: (text) => `解消：${text}`,
    overSince: (text, since) => `${text} ${since}（UTC）に解消しました。`,
    change: ({ name, measure, platformCode, before, after, since }, panel) =>
      `${panel}：${platformCode} での ${name} の${measureName(measure)}が ${numbers.day(since)} から ${percent(before)} → ${percent(after)} に変化しました。偶然では説明できません。`,
    sourceGone: ({ name, platformCode, before, since }, panel) =>
      `${panel}：${platformCode} の回答は ${numbers.day(since)} から ${name} を引用していません。以前は ${percent(before)} の回答が引用していました。`,
    instrument: ({ platformCode, before, after, since }, panel) =>
      `${panel}：${platformCode} は ${numbers.day(since)} から別の測定手段で測定されています（${before} → ${after}）。前後の数値は比較しません。`,
    deletedPanel: "削除されたパネル",
    models: (names) => (names.length === 0 ? "バージョン不明" : list(names)),
    conditions: {
      endpoint_suspended: "Webhook のエンドポイントが停止されています。何も送信されません。",
      endpoint_failing: "Webhook のエンドポイントでエラーが発生しています。",
      channel_gone: "チャンネルがなくなりました。何も送信されません。",
      platform_failing: "プラットフォームでエラーが発生しています。",
      platform_throttled: "プラットフォームが現在リクエストを制限しています。",
      platform_paused: "プラットフォームが運営者により一時停止されています。",
      no_browser: "使えるブラウザーを持つワーカーがありません。",
      no_worker: "プラットフォームに質問できる稼働中のワーカーがありません。",
      points_exhausted: "ポイントが残っていません。",
      points_low: "ポイントは1日分もありません。",
      session_signed_out: "ウェブプラットフォームのセッションがサインアウトされています。",
      session_needs_person: "ウェブプラットフォームのセッションが人による確認を求めています。",
    },
    condition: (sentence, about, detail) =>
      [about === "" ? sentence : `${about}：${sentence}`, detail].filter((part) => part !== "").join(" "),
    open: "Querent で開く",
    more: (more) => `他 ${count(more)} 件の検出`,
    moreLines: (more) => `他 ${count(more)} 行`,
    from: (account) => `アカウント：${account}`,
    why: (email, account, alert) =>
      `このメールは、${account} がアラート「${alert}」の送信先として ${email} を登録したため送信されています。`,
  },
  password: {
    title: "このリンクにはパスワードが設定されています",
    about: "パスワードは、リンクの送り主にご確認ください。",
    password: "パスワード",
    open: "開く",
    wrong: "パスワードが違います。大文字と小文字を確認して、もう一度お試しください。",
    tooOften: (minutes) =>
      `パスワードの試行回数が多すぎます。${minutes} 分後にもう一度試すか、リンクの送り主にお問い合わせください。`,
  },
};
