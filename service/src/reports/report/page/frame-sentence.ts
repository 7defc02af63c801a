/** From how many proposals the prompts were chosen, in one sentence: the words of all languages of reports in one place. */
import { promptOrigins, type PromptOrigin, type ReportFrame } from "@querent/contract";

interface FrameWords {
  readonly unknown: string;
  readonly known: (prompts: string, chosen: string, proposals: string, origins: string, written: string) => string;
  readonly origin: Readonly<Record<PromptOrigin, (count: string) => string>>;
  readonly between: string;
}

const en: FrameWords = {
  unknown:
    "How the prompts were chosen: not known. They were written by hand or come from a file, and nothing says what else could have been asked.",
  known: (prompts, chosen, proposals, origins, written) =>
    `How the prompts were chosen: of ${prompts} prompts, ${chosen} were chosen from ${proposals} proposals (${origins}), and ${written} were written by hand. A proposal can have several origins.`,
  origin: {
    search: (count) => `${count} from searches of platforms`,
    search_console: (count) => `${count} from Search Console`,
    page: (count) => `${count} from pages of a site`,
    template: (count) => `${count} from templates`,
    pasted: (count) => `${count} from pasted questions`,
  },
  between: ", ",
};

const words: Readonly<Record<string, FrameWords>> = {
  en,
  "zh-CN": {
    unknown: "提示是怎样选出的：未知。它们是手写的或来自文件，没有记录本来还可以问什么。",
    known: (prompts, chosen, proposals, origins, written) =>
      `提示是怎样选出的：${prompts} 个提示中，${chosen} 个选自 ${proposals} 个建议（${origins}），${written} 个是手写的。一个建议可以有多个来源。`,
    origin: {
      search: (count) => `${count} 个来自平台的搜索`,
      search_console: (count) => `${count} 个来自 Search Console`,
      page: (count) => `${count} 个来自网站页面`,
      template: (count) => `${count} 个来自模板`,
      pasted: (count) => `${count} 个来自粘贴的问题`,
    },
    between: "，",
  },
  de: {
    unknown:
      "Wie die Prompts gewählt wurden: nicht bekannt. Sie wurden von Hand geschrieben oder stammen aus einer Datei; was sonst hätte gefragt werden können, ist nicht festgehalten.",
    known: (prompts, chosen, proposals, origins, written) =>
      `Wie die Prompts gewählt wurden: von ${prompts} Prompts wurden ${chosen} aus ${proposals} Vorschlägen gewählt (${origins}) und ${written} von Hand geschrieben. Ein Vorschlag kann mehrere Quellen haben.`,
    origin: {
      search: (count) => `${count} aus Suchen der Plattformen`,
      search_console: (count) => `${count} aus der Search Console`,
      page: (count) => `${count} aus Seiten einer Website`,
      template: (count) => `${count} aus Vorlagen`,
      pasted: (count) => `${count} aus eingefügten Fragen`,
    },
    between: ", ",
  },
  fr: {
    unknown:
      "Comment les prompts ont été choisis : on ne le sait pas. Ils ont été écrits à la main ou viennent d’un fichier, et rien ne dit ce qui aurait pu être demandé d’autre.",
    known: (prompts, chosen, proposals, origins, written) =>
      `Comment les prompts ont été choisis : sur ${prompts} prompts, ${chosen} ont été choisis parmi ${proposals} propositions (${origins}) et ${written} écrits à la main. Une proposition peut avoir plusieurs origines.`,
    origin: {
      search: (count) => `${count} des recherches des plateformes`,
      search_console: (count) => `${count} de la Search Console`,
      page: (count) => `${count} de pages d’un site`,
      template: (count) => `${count} de modèles`,
      pasted: (count) => `${count} de questions collées`,
    },
    between: ", ",
  },
  es: {
    unknown:
      "Cómo se eligieron los prompts: no se sabe. Se escribieron a mano o proceden de un archivo, y no consta qué más se podría haber preguntado.",
    known: (prompts, chosen, proposals, origins, written) =>
      `Cómo se eligieron los prompts: de ${prompts} prompts, ${chosen} se eligieron entre ${proposals} propuestas (${origins}) y ${written} se escribieron a mano. Una propuesta puede tener varios orígenes.`,
    origin: {
      search: (count) => `${count} de búsquedas de las plataformas`,
      search_console: (count) => `${count} de Search Console`,
      page: (count) => `${count} de páginas de un sitio`,
      template: (count) => `${count} de plantillas`,
      pasted: (count) => `${count} de preguntas pegadas`,
    },
    between: ", ",
  },
  ja: {
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
    between: "、",
  },
};

export function frameSentence(frame: ReportFrame | undefined, language: string): string {
  const say = words[language] ?? en;
  if (frame === undefined) return say.unknown;
  const { chosen, written, proposals, byOrigin } = frame;
  const shown = (count: number) => count.toLocaleString("en");
  const origins = promptOrigins.flatMap((origin) => (byOrigin[origin] > 0 ? [say.origin[origin](shown(byOrigin[origin]))] : [])); // prettier-ignore
  return say.known(shown(chosen + written), shown(chosen), shown(proposals), origins.join(say.between), shown(written));
}
