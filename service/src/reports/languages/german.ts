/** German. */
import { shareOf, basisOf, dates, surfaceOf, type MeasureNames } from "../sending/mail-words.ts";
import { numbersIn } from "./numbers.ts";
import type { Translation } from "./translation.ts";

const numbers = numbersIn("de");
const { count, list } = numbers;
const counted = (value: number, one: string, many: string) => `${count(value)} ${value === 1 ? one : many}`;

const measures: MeasureNames & Readonly<Record<string, string>> = {
  presence: "Nennungsrate",
  mention_share: "Share of Voice",
  listed: "Anteil der Antworten mit Listenplatz",
  own_citation_rate: "Zitierrate der eigenen Websites",
  citation_rate: "Zitierrate",
};
const measureName = (id: string) => measures[id] ?? id;
const percent = (share: number | null) => shareOf(share);

const searched =
  "Prompts, deren Text die Entität nennt; Antworten ohne Text; Antworten, die nicht nach der Entität durchsucht wurden oder vor ihrer Anlage entstanden.";
const hidden =
  "Antworten ohne Text; Antworten, deren Quellen nicht offengelegt oder nicht lesbar sind oder ihr Ziel verbergen.";
const pairs = "Antworten ohne Gegenstück zum Vergleich und Tage ohne zweite Antwort auf denselben Prompt. ";
const orders = `${pairs}Paare, in denen eine Antwort keine Marke nennt. Prompts, deren Text die Marken nennt; Antworten ohne Text oder ohne Suche nach diesen Marken.`;
const tasks = "Abgebrochene Aufgaben; importierte Antworten; Antworten aus der Zeit, bevor Fehlschläge erfasst wurden.";

export const german: Translation = {
  page: {
    numbers,
    colon: ": ",
    kicker: "Panelbericht zur KI-Sichtbarkeit, erhoben mit Querent",
    window: "Zeitraum",
    until: (from, to) => `${from} bis vor ${to} UTC`,
    answers: "Antworten",
    runs: "Durchläufe",
    days: "Tage",
    prompts: "Prompts",
    revision: "Version",
    grade: "Güte",
    grades: { exploratory: "Explorativ", directional: "Richtungsweisend", "decision-grade": "Entscheidungsreif" },
    gradeMeaning: {
      exploratory: "Gut für Fragen, nicht für Antworten: Treffen Sie mit diesen Zahlen keine Entscheidungen.",
      directional: "Gut für die Richtung: Große Unterschiede sind echt, die genauen Werte sind unsicher.",
      "decision-grade":
        "Gut für Entscheidungen: genug Antworten über genug Zeit, reproduzierbar und vor der ersten Antwort festgelegt.",
    },
    seals: {
      before_first_run: "vor dem ersten Durchlauf versiegelt",
      after_first_run: "nach dem ersten Durchlauf versiegelt",
      never: "nicht versiegelt",
    },
    rule: "Regel",
    there: "Vorhanden",
    directional: "Nötig für richtungsweisend",
    decision: "Nötig für entscheidungsreif",
    remedy: "Was die Güte erhöht",
    met: "erfüllt",
    yes: "ja",
    no: "nein",
    none: "–",
    figures: "Werden wir genannt, und wie stehen wir zum Wettbewerb?",
    figuresNote:
      "Mit zwei 95-%-Intervallen: „diese“ für genau diese Prompts, „ähnliche“ für Prompts wie diese. „Grenzen“ zeigt, was ein Wert sein könnte, was auch immer die fehlenden Antworten gesagt hätten. Kursive Werte beruhen auf zu wenigen Antworten für ein Intervall. Plattformen, Regionen und Personas werden nie zusammengezählt, Messinstrumente ebenso wenig: Die Werte gelten für das neueste Instrument mit genügend Durchläufen, die der anderen stehen darunter. Jeder Kennzahlname führt zu seiner Definition.",
    entity: "Entität",
    presence: "In Antworten genannt",
    mention_share: "Share of Voice",
    first_place: "Zuerst genannt, wenn genannt",
    first_place_of_all: "Zuerst genannt, von allen Antworten",
    position: "Position in Listen",
    listed: "In einer Liste",
    own_citation_rate: "Eigene Websites zitiert",
    citation_rate: "Website zitiert",
    own: "eigene",
    competitor: "Wettbewerb",
    other: "andere",
    tooFew: "zu wenige",
    noInterval: "kein Intervall",
    theseShort: "diese",
    likeShort: "ähnliche",
    worstShort: "Grenzen",
    blend: "Mischung abwechselnder Instrumente",
    with: (model) => `mit ${model}`,
    otherReading: "mit anderem Rezept, Leser, Abgleich oder anderen Quellenregeln",
    asked: (revision) => `gefragt wie in Version ${revision}`,
    brandsAsOf: (day) => `Marken vom ${day}`,
    leftOutPrompts: (compared, leftOut) =>
      `${counted(compared, "Prompt", "Prompts")} verglichen, ${count(leftOut)} neu oder umformuliert und nicht verglichen`,
    definitions: "Was die Kennzahlen bedeuten",
    scopesNote:
      "Jeder Wert hat zwei Intervalle, weil an dieselben Antworten zwei Fragen gestellt werden. Diese Prompts: was dieselben Prompts in einem weiteren Durchlauf ergäben. Ähnliche Prompts: zusätzlich, welche Prompts gewählt wurden; dafür braucht es Prompts zu 20 Themen.",
    formula: "Formel",
    leavesOut: "Nicht berücksichtigt",
    overTime: "In Antworten genannt, nach Durchlauf",
    overTimeNote:
      "Punkte sind Durchläufe; die Linie und ihr Band sind der Wert und das 95-%-Intervall von bis zu sieben Durchläufen. Eine gestrichelte Linie ist eine Nahtstelle: Ab dort stammen die Antworten von einem anderen Modell, Rezept oder Leser und sind mit den früheren nicht vergleichbar.",
    seam: "Nahtstelle",
    changes: "Was sich verändert hat",
    changesNote:
      "Veränderungen, die der Zufall nicht erklärt, wie sie in diesem Zeitraum gemeldet wurden: Höchstens 5 % solcher Funde sind falsch. Eine Veränderung des Messinstruments ist keine der Marke. „Nachgerechnet“ sagt, ob die Antworten dieses Berichts dasselbe ergeben.",
    instrumentChanges: "Veränderungen der Messinstrumente",
    since: "Seit",
    gradual: "allmählich",
    before: "Vorher",
    after: "Nachher",
    evidence: "Evidenz",
    needed: "nötig",
    computedAgain: "Nachgerechnet",
    recomputed: {
      same: "dasselbe",
      other: "nicht dasselbe: Antworten, Prompts oder Marken wurden seither geändert",
      not_in_window: "teils vor dem Zeitraum",
      not_recorded: "nicht möglich: von einer früheren Version gefunden",
    },
    heatMap: "Prompts und Plattformen",
    heatMapNote: "Wie oft Antworten diese Marke nennen:",
    prompt: "Prompt",
    branded: "nennt sie",
    sources: "Quellen",
    sourcesNote: (answers, leftOut) =>
      `Grundlage: ${counted(answers, "Antwort", "Antworten")} mit bekannten Quellen; bei ${count(leftOut)} ${leftOut === 1 ? "weiteren ist sie" : "weiteren sind sie"} unbekannt.`,
    domain: "Domain",
    type: "Art",
    whose: "Wessen",
    citedBy: "Antworten, die sie zitieren",
    shareOfCitations: "Anteil an den Zitaten",
    core: "Kern: in mindestens 80 % der Durchläufe zitiert",
    stability: "Wie stabil die Antworten sind",
    stabilityNote: "Was zwei Antworten auf denselben Prompt gemeinsam haben: 100 %, wenn sie gleich sind.",
    measure: "Kennzahl",
    source_agreement_within_days: "Quellen, innerhalb eines Tages",
    source_agreement_between_days: "Quellen, von einem Tag zum nächsten",
    order_agreement_within_days: "Reihenfolge der Marken, innerhalb eines Tages",
    order_agreement_between_days: "Reihenfolge der Marken, von einem Tag zum nächsten",
    first_place_changes: "Andere Marke zuerst, von einem Tag zum nächsten",
    first_place_changes_between_runs: "Andere Marke zuerst, von einem Durchlauf zum nächsten",
    core_citation_share: "Anteil der Kernquellen",
    empty_rate: "Leere Antworten",
    failure_rate: "Fehlgeschlagene Aufgaben",
    refusal_rate: "Abgelehnte Fragen",
    manyFailures: (surface, points, all) =>
      `${surface}: ${points} % aller Aufgaben (${all}) sind fehlgeschlagen. Alle anderen Werte beruhen nur auf den Antworten: Mit den fehlenden könnte ein Anteil um bis zu ${points} Prozentpunkte niedriger oder höher sein.`,
    surface: "Plattform",
    instruments: "Womit die Antworten erhoben wurden",
    model: "Modell",
    notReported: "nicht angegeben",
    first: "Erste",
    last: "Letzte",
    noAnswers: "In diesem Zeitraum gibt es keine Antworten.",
    noEntities:
      "Das Konto hat keine eigene Entität und keinen Wettbewerber. Legen Sie sie an, dann stehen ihre Werte hier.",
    verify: (version) =>
      `Jeder Wert lässt sich offline aus den Antworten nachrechnen: Laden Sie den Bericht als Zip herunter und führen Sie „querent verify report.zip“ aus. Erstellt von Querent ${version}.`,
    links:
      " Zahlen führen zu den Antworten, aus denen sie berechnet sind; um sie zu öffnen, braucht man ein Zugriffstoken des Kontos.",
    digest: "Prüfsumme der gestellten Fragen",
    why: {
      title: "Warum Sie etwas anderes sehen können, wenn Sie selbst fragen",
      intro:
        "Sie können eine dieser Fragen stellen und eine Antwort bekommen, die nicht nennt, was dieser Bericht nennt, oder es zuerst nennt. Das ist kein Widerspruch:",
      chance: (answers, runs) =>
        `Antworten schwanken. Zweimal gestellt, wird dieselbe Frage verschieden beantwortet; eine einzelne Antwort ist also eine Stichprobe. Ein Wert hier ist ein Anteil an vielen: Dieser Bericht umfasst ${counted(answers, "Antwort", "Antworten")} aus ${counted(runs, "Durchlauf", "Durchläufen")}.`,
      varied: (surface, points) =>
        `Auf ${surface} stand von einem Durchlauf zum nächsten in ${points} % der Fälle eine andere Marke an erster Stelle.`,
      you: (personas) =>
        `Assistenten kennen Sie. Ihr Konto, dessen Gedächtnis und Ihre früheren Fragen verändern die Antwort. Hier beginnt jede Frage ein neues Gespräch${personas.length === 0 ? "" : `, und manche werden im Namen einer beschriebenen Person gestellt: ${list(personas)}`}.`,
      place: (locales) =>
        locales.length === 0
          ? "Antworten hängen von Land und Sprache ab. Diese Fragen wurden ohne Angabe gestellt, also vom Standort des Dienstes oder des Anbieters aus."
          : `Antworten hängen von Land und Sprache ab. Diese Fragen wurden gestellt wie aus: ${list(locales)}.`,
      kinds: {
        api: "Manche Antworten stammen aus der Programmierschnittstelle eines Anbieters. Die App desselben Anbieters kann ein anderes Modell, andere Anweisungen und eine andere Suche verwenden.",
        web: "Manche Antworten wurden auf der Webseite einer Plattform gelesen, so wie das verwendete Konto und die damalige Version der Seite sie zeigten. Plattformen zeigen mehrere Versionen gleichzeitig.",
        sample:
          "Manche Antworten stammen aus einer Simulation oder einer festen Sammlung von Dokumenten. Kein Assistent gibt sie.",
        imported: "Manche Antworten wurden aus einem anderen Werkzeug importiert, das auf seine Weise gefragt hat.",
      },
      time: (from, to) =>
        `Antworten ändern sich mit dem Modell, seiner Suche und dem Web. Diese stammen aus der Zeit vom ${from} bis zum ${to} (UTC).`,
      wordsMatter: (prompts) =>
        prompts === 1
          ? "Andere Worte sind eine andere Frage. Die Werte gelten für genau den einen Prompt dieses Panels."
          : `Andere Worte sind eine andere Frage. Die Werte gelten für genau die ${count(prompts)} Prompts dieses Panels.`,
      check:
        "Um einen Wert zu prüfen, fragen Sie nicht einmal: Stellen Sie dieselbe Frage viele Male in neuen Gesprächen und zählen Sie. Oder rechnen Sie ihn aus den Antworten dieses Berichts nach, wie die letzten Zeilen erklären.",
    },
    method: {
      frame: {
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
      },
      title: "Wie die Werte entstanden sind",
      asked: (prompts, surfaces, runs, days) =>
        `Was gefragt wurde: ${counted(prompts, "Prompt", "Prompts")} auf ${counted(surfaces, "Plattform", "Plattformen")} (jede Region und Persona zählt für sich), in ${counted(runs, "Durchlauf", "Durchläufen")} an ${counted(days, "Tag", "Tagen")}. Die Prüfsumme unten bestimmt den genauen Wortlaut.`,
      read: (answers) =>
        `Was gelesen wurde: ${counted(answers, "Antwort", "Antworten")}, nach den Namen der Marken durchsucht und mit den Quellen, die die Plattform dazu anzeigt. Fehlgeschlagene Aufgaben und Antworten ohne Text werden nicht berücksichtigt, aber gezählt. Prompts, die selbst eine Marke nennen, bleiben bei den Werten dieser Marke außer Betracht.`,
      computed:
        "Was berechnet wurde: Anteile an diesen Antworten, für jede Plattform, Region und Persona einzeln und mit jeweils einem Messinstrument (Modell, Rezept und Leser). Ein 95-%-Intervall sagt, wie weit allein der Zufall einen Wert verschoben haben kann; unter fünf Durchläufen gibt es keines. Wo Antworten fehlen, steht daneben das Schlimmste, was sie hätten sagen können.",
      changes:
        "Was als Veränderung gilt: nur, was der Zufall nicht erklärt, nach jedem Durchlauf so beurteilt, dass höchstens 5 % solcher Funde falsch sind. Ein neues Modell oder ein geändertes Panel wird von einer Veränderung der Marke unterschieden.",
      limits:
        "Was die Werte nicht sagen: wie viele Menschen diese Fragen stellen, was Menschen mit anderen Worten fragen und was nicht befragte Plattformen sagen. Sie sind Anteile an Antworten, nicht an Menschen.",
    },
  },
  rules: {
    own_entity: {
      title: "Eine eigene Entität",
      remedy: "Fügen Sie dem Panel eine eigene Marke hinzu: Ohne sie handelt kein Wert von Ihnen.",
    },
    prompts: { title: "Prompts", remedy: "Fügen Sie Prompts hinzu, die Ihre eigenen Marken nicht nennen." },
    topics: {
      title: "Themen",
      remedy: "Fügen Sie Prompts zu anderen Themen hinzu, und geben Sie bei jedem Prompt sein Thema an.",
    },
    runs: { title: "Durchläufe", remedy: "Warten Sie weitere Durchläufe ab, oder wählen Sie einen längeren Zeitraum." },
    days: {
      title: "Tage",
      remedy:
        "Verteilen Sie die Durchläufe auf mehr Tage: Antworten eines Tages ähneln einander mehr als die mehrerer Tage.",
    },
    complete: {
      title: "Vollständige Zellen",
      remedy: "Suchen Sie nach fehlgeschlagenen Aufgaben der Durchläufe, und starten Sie das Panel erneut.",
    },
    answered: {
      title: "Beantwortet",
      remedy:
        "Klären Sie, warum Aufgaben fehlgeschlagen oder leer geblieben sind, und wählen Sie einen Zeitraum ohne diese Durchläufe.",
    },
    reproducibility: {
      title: "Split-Half-Reproduzierbarkeit",
      remedy: "Stellen Sie jeden Prompt öfter: mehr Durchläufe oder mehr Wiederholungen je Durchlauf.",
    },
    sealed: {
      title: "Vor dem ersten Durchlauf versiegelt",
      remedy:
        "Versiegeln Sie ein Panel, bevor es läuft. Bei einem, das schon gelaufen ist: ändern Sie es, und versiegeln Sie die neue Version.",
    },
    one_instrument: {
      title: "Ein Messinstrument",
      remedy: "Wählen Sie einen Zeitraum nach der letzten Nahtstelle der Reihe.",
    },
  },
  definitions: {
    presence: {
      counts: "Antworten, die die Entität mindestens einmal nennen.",
      leavesOut: searched,
      formula: "Antworten, die sie nennen / Antworten",
    },
    mention_share: {
      counts: "Von allen Nennungen eigener Entitäten und Wettbewerber die der Entität.",
      leavesOut:
        "Prompts, deren Text eine dieser Entitäten nennt; Antworten ohne Text oder ohne Suche nach der Entität. Andere Entitäten zählen nur, wenn die Antwort nach ihnen durchsucht wurde. Entitäten, die nicht zu den Marken des Panels gehören.",
      formula: "ihre Nennungen / Nennungen eigener Entitäten und Wettbewerber",
    },
    first_place: {
      counts: "Antworten, die die Entität vor allen anderen eigenen Entitäten und Wettbewerbern nennen.",
      leavesOut: `Antworten, die sie nicht nennen: Nicht genannt zu sein ist ein Fehlen, kein letzter Platz. ${searched}`,
      formula: "Antworten, die sie zuerst nennen / Antworten, die sie nennen",
    },
    first_place_of_all: {
      counts: "Von allen Antworten die, die die Entität vor allen anderen eigenen Entitäten und Wettbewerbern nennen.",
      leavesOut: searched,
      formula: "Antworten, die sie zuerst nennen / Antworten",
    },
    listed: {
      counts:
        "Antworten mit einer Liste, in der ein Eintrag mit der Entität beginnt. Listen unter warnenden Überschriften oder Sätzen und Quellenlisten zählen nicht. Was die Antwort von der Entität hält, sagt dies nicht.",
      leavesOut: `Antworten, die ein Abgleich vor Version 3 durchsucht hat. ${searched}`,
      formula: "Antworten, die sie auflisten / Antworten",
    },
    position: {
      counts: "Platz des ersten Listeneintrags, der mit der Entität beginnt; 1 ist der oberste.",
      leavesOut: `Antworten, die sie nicht auflisten: Nicht aufgelistet zu sein ist ein Fehlen, kein letzter Platz. Antworten, die nicht nach Listen durchsucht wurden. ${searched}`,
      formula: "Mittel der Plätze in Antworten, die sie auflisten",
    },
    own_citation_rate: {
      counts: "Antworten, die eine Seite einer Domain der Entität oder einer Subdomain davon zitieren.",
      leavesOut: `Prompts, deren Text die Entität nennt. ${hidden}`,
      formula: "Antworten, die ihre Seiten zitieren / Antworten",
    },
    source_agreement_within_days: {
      counts:
        "Was zwei Antworten auf denselben Prompt am selben Tag (UTC) gemeinsam haben: der Jaccard-Index ihrer Domains.",
      leavesOut: `${pairs}${hidden}`,
      formula: "Domains in beiden / Domains in mindestens einer, gemittelt über Paare, Tage und Zellen",
    },
    source_agreement_between_days: {
      counts:
        "Derselbe Index für Antworten zweier aufeinanderfolgender Tage; jeder Tag wird nur in einem Paar verwendet.",
      leavesOut: `${pairs}${hidden}`,
      formula: "Domains in beiden / Domains in mindestens einer, gemittelt über Paare",
    },
    order_agreement_within_days: {
      counts:
        "Rangverzerrte Überlappung (RBO, Persistenz 0,9) der Reihenfolgen, in denen zwei Antworten desselben Tages eigene Entitäten und Wettbewerber erstmals nennen.",
      leavesOut: orders,
      formula: "Rangverzerrte Überlappung, gemittelt über Paare, Tage und Zellen",
    },
    order_agreement_between_days: {
      counts: "Derselbe Index für Antworten zweier aufeinanderfolgender Tage.",
      leavesOut: orders,
      formula: "Rangverzerrte Überlappung, gemittelt über Paare",
    },
    first_place_changes: {
      counts: "Paare von Antworten aufeinanderfolgender Tage, die verschiedene Marken zuerst nennen.",
      leavesOut: orders,
      formula: "Paare mit verschiedenen ersten Marken / Paare",
    },
    first_place_changes_between_runs: {
      counts:
        "Paare von Antworten aufeinanderfolgender Durchläufe, die verschiedene Marken zuerst nennen, gleich wann sie liefen. Von jedem Durchlauf zählen die ersten 20 Antworten.",
      leavesOut: orders,
      formula: "Paare mit verschiedenen ersten Marken / Paare",
    },
    core_citation_share: {
      counts:
        "Zitate des Kerns: der Domains, die mindestens 80 % der Durchläufe zitieren. Ohne Intervall, weil von allen Antworten abhängt, welche Domains dazugehören.",
      leavesOut: `Alle Antworten, wenn es weniger als fünf Durchläufe gibt. ${hidden}`,
      formula: "Zitate des Kerns / Zitate",
    },
    empty_rate: {
      counts: "Abgeschlossene Antworten ohne Text.",
      leavesOut: "Nichts.",
      formula: "Antworten ohne Text / Antworten",
    },
    failure_rate: {
      counts: "Aufgaben der Durchläufe, die fehlgeschlagen sind, gleich weshalb, auch abgelehnte Fragen.",
      leavesOut: tasks,
      formula: "fehlgeschlagene Aufgaben / fehlgeschlagene oder beantwortete Aufgaben",
    },
    refusal_rate: {
      counts: "Aufgaben, die fehlgeschlagen sind, weil die Plattform die Frage ablehnte.",
      leavesOut: tasks,
      formula: "von der Plattform abgelehnte Aufgaben / fehlgeschlagene oder beantwortete Aufgaben",
    },
  },
  mail: {
    ...dates("de"),
    subject: (panel, range) => `${panel}: Bericht ${range}`,
    what: (panel, client, range) =>
      `Dies ist der Bericht „${panel}“${client === null ? "" : ` für ${client}`}, Zeitraum ${range} (UTC).`,
    basis: (answers, grade) =>
      `Er beruht auf ${answers === 1 ? "einer Antwort" : `${count(answers)} Antworten`} von KI-Plattformen. ${grade}`,
    grades: {
      exploratory: "Seine Güte ist explorativ: gut für einen ersten Blick, nicht für Vergleiche.",
      directional: "Seine Güte ist richtungsweisend: gut für Tendenzen, nicht für kleine Unterschiede.",
      "decision-grade": "Seine Güte ist entscheidungsreif: gut für Entscheidungen.",
    },
    figure: (figure) => {
      const { name, presence, interval, answers } = figure;
      const surface = surfaceOf(figure, { api: "API", web: "Webseite", sample: "Simulation", imported: "importiert" });
      if (presence === null) return `${name}, ${surface}: zu wenige Antworten für einen Wert`;
      const bounds =
        interval === null
          ? "zu wenige Durchläufe für ein Intervall"
          : `95-%-Intervall: ${percent(interval.low)} bis ${percent(interval.high)}`;
      const basis = basisOf(figure, "de", (range) => `, ${range}`);
      return `${name} wird in ${percent(presence)} der Antworten von ${surface} genannt (${bounds}; ${counted(answers, "Antwort", "Antworten")}${basis})`;
    },
    more: (more) =>
      more === 1 ? "Ein weiterer Wert steht im Bericht" : `${count(more)} weitere Werte stehen im Bericht`,
    changed: "Was sich stärker verändert hat, als der Zufall erklärt:",
    unchanged: "Nichts hat sich stärker verändert, als der Zufall erklärt.",
    change: ({ name, measure, platformCode, before, after, since }) =>
      `${name}, ${measureName(measure)} auf ${platformCode}: von ${percent(before)} auf ${percent(after)} seit ${numbers.day(since)}`,
    moreChanges: (more) =>
      more === 1
        ? "Eine weitere Veränderung steht im Bericht"
        : `${count(more)} weitere Veränderungen stehen im Bericht`,
    moreLines: (more) => (more === 1 ? "eine weitere Zeile" : `${count(more)} weitere Zeilen`),
    open: "Bericht öffnen",
    works: (day) => `Der Link funktioniert bis zum ${day}, ohne Anmeldung. Wer ihn hat, kann den Bericht lesen.`,
    attached: "Der Bericht ist als PDF angehängt.",
    why: (email, account) =>
      `Sie erhalten diese E-Mail, weil ${account} die Adresse ${email} als Empfänger seiner Berichte eingetragen hat.`,
    unsubscribe: "Diese Berichte abbestellen",
    addedAgain: (by) =>
      `Sie hatten diese Berichte abbestellt. ${by} hat Sie wieder eingetragen und gibt an, dass Sie darum gebeten haben. Falls nicht, bestellen Sie sie mit dem Link unten ab.`,
    page: {
      ask: "Abbestellen?",
      asked: (email) => `An ${email} werden dann keine Berichte dieses Absenders mehr gesendet.`,
      button: "Abbestellen",
      done: "Die Berichte sind abbestellt",
      doneText: (email) =>
        `An ${email} werden keine Berichte dieses Absenders mehr gesendet. Eine E-Mail, die gerade unterwegs ist, kann noch ankommen. Wenn Sie wieder Berichte erhalten möchten, wenden Sie sich an den Absender.`,
      unknown: "Unter dieser Adresse gibt es nichts",
      unknownText: "Prüfen Sie, ob die Adresse vollständig ist: Jedes Zeichen wird gebraucht.",
    },
  },
  alerts: {
    one: (alert, text) => `${alert}: ${text}`,
    many: (alert, found) => `${alert}: ${found} Funde`,
    over: (text) => `Beendet: ${text}`,
    overSince: (text, since) => `${text} Beendet seit ${since} (UTC).`,
    change: ({ name, measure, platformCode, before, after, since }, panel) =>
      `${panel}: ${measureName(measure)} von ${name} auf ${platformCode} seit ${numbers.day(since)} von ${percent(before)} auf ${percent(after)}, was der Zufall nicht erklärt.`,
    sourceGone: ({ name, platformCode, before, since }, panel) =>
      `${panel}: Antworten von ${platformCode} zitieren ${name} seit ${numbers.day(since)} nicht mehr; zuvor taten es ${percent(before)}.`,
    instrument: ({ platformCode, before, after, since }, panel) =>
      `${panel}: ${platformCode} wird seit ${numbers.day(since)} mit einem anderen Instrument gemessen (${before} → ${after}). Werte davor und danach werden nicht verglichen.`,
    deletedPanel: "Ein gelöschtes Panel",
    models: (names) => (names.length === 0 ? "Version nicht angegeben" : list(names)),
    conditions: {
      endpoint_suspended: "Der Webhook-Endpunkt ist ausgesetzt: Es wird nichts an ihn gesendet.",
      endpoint_failing: "Der Webhook-Endpunkt schlägt fehl.",
      channel_gone: "Ein Kanal besteht nicht mehr: Es wird nichts an ihn gesendet.",
      platform_failing: "Eine Plattform schlägt fehl.",
      platform_throttled: "Eine Plattform begrenzt derzeit die Anfragen.",
      platform_paused: "Eine Plattform wurde vom Betreiber angehalten.",
      no_browser: "Kein Worker hat einen funktionierenden Browser.",
      no_worker: "Kein laufender Worker kann eine Plattform befragen.",
      points_exhausted: "Die Punkte sind aufgebraucht.",
      points_low: "Die Punkte reichen für weniger als einen Tag.",
      session_signed_out: "Eine Sitzung einer Webplattform ist abgemeldet.",
      session_needs_person: "Eine Sitzung einer Webplattform verlangt einen Menschen.",
    },
    condition: (sentence, about, detail) =>
      [about === "" ? sentence : `${about}: ${sentence}`, detail].filter((part) => part !== "").join(" "),
    open: "In Querent öffnen",
    more: (more) => (more === 1 ? "ein weiterer Fund" : `${count(more)} weitere Funde`),
    moreLines: (more) => (more === 1 ? "eine weitere Zeile" : `${count(more)} weitere Zeilen`),
    from: (account) => `Konto: ${account}`,
    why: (email, account, alert) =>
      `Sie erhalten diese E-Mail, weil ${account} die Adresse ${email} als Empfänger der Benachrichtigung „${alert}“ eingetragen hat.`,
  },
  password: {
    title: "Dieser Link hat ein Passwort",
    about: "Wer Ihnen den Link gesendet hat, kennt es.",
    password: "Passwort",
    open: "Öffnen",
    wrong: "Das ist nicht das Passwort. Prüfen Sie Groß- und Kleinschreibung, und versuchen Sie es erneut.",
    tooOften: (minutes) =>
      `Das Passwort wurde zu oft versucht. Versuchen Sie es in ${minutes === 1 ? "einer Minute" : `${minutes} Minuten`} erneut, oder fragen Sie, wer Ihnen den Link gesendet hat.`,
  },
};
