/** French. */
import { shareOf, basisOf, dates, surfaceOf, type MeasureNames } from "../sending/mail-words.ts";
import { numbersIn } from "./numbers.ts";
import type { Translation } from "./translation.ts";

const numbers = numbersIn("fr");
const { count, list } = numbers;
/** In French, 0 and 1 are singular. */
const counted = (value: number, one: string, many: string) => `${count(value)} ${value < 2 ? one : many}`;

const measures: MeasureNames & Readonly<Record<string, string>> = {
  presence: "taux de mention",
  mention_share: "part de voix",
  listed: "taux de présence dans les listes",
  own_citation_rate: "taux de citation des sites propres",
  citation_rate: "taux de citation",
};
const measureName = (id: string) => measures[id] ?? id;
const percent = (share: number | null) => shareOf(share);

const searched =
  "Les prompts dont le texte nomme l’entité ; les réponses sans texte ; les réponses où l’entité n’a pas été recherchée, ou antérieures à sa création.";
const hidden =
  "Les réponses sans texte ; celles dont les sources ne sont pas divulguées, sont illisibles ou masquent leur destination.";
const pairs = "Les réponses sans autre à comparer, et les jours sans deuxième réponse au même prompt. ";
const orders = `${pairs}Les paires dont une réponse ne nomme aucune marque. Les prompts dont le texte nomme ces marques ; les réponses sans texte ou où elles n’ont pas été recherchées.`;
const tasks = "Les tâches annulées ; les réponses importées ; les réponses d’avant l’enregistrement des échecs.";

export const french: Translation = {
  page: {
    numbers,
    colon: "\u00a0: ",
    kicker: "Rapport de visibilité IA d’un panel, établi par Querent",
    window: "Période",
    until: (from, to) => `du ${from} jusqu’avant le ${to} UTC`,
    answers: "Réponses",
    runs: "Vagues",
    days: "Jours",
    prompts: "Prompts",
    revision: "Version",
    grade: "Niveau de fiabilité",
    grades: { exploratory: "Exploratoire", directional: "Indicatif", "decision-grade": "Décisionnel" },
    gradeMeaning: {
      exploratory: "Utile pour se poser des questions, pas pour y répondre : ne décidez rien d’après ces chiffres.",
      directional: "Utile pour la tendance : les grands écarts sont réels, les valeurs exactes ne sont pas certaines.",
      "decision-grade":
        "Utile pour décider : assez de réponses, assez longtemps, reproductible et fixé avant la première réponse.",
    },
    seals: {
      before_first_run: "scellée avant sa première vague",
      after_first_run: "scellée après sa première vague",
      never: "non scellée",
    },
    rule: "Règle",
    there: "Constaté",
    directional: "Requis pour « indicatif »",
    decision: "Requis pour « décisionnel »",
    remedy: "Comment l’améliorer",
    met: "satisfaite",
    yes: "oui",
    no: "non",
    none: "–",
    figures: "Sommes-nous cités, et face à qui ?",
    figuresNote:
      "Avec deux intervalles à 95 % : « ceux-ci » pour exactement ces prompts, « proches » pour des prompts comme ceux-ci. « Au pire » est ce que pourrait être un chiffre, quoi qu’aient dit les réponses manquantes. Les chiffres en italique ont trop peu de réponses pour un intervalle. Plateformes, régions et personas ne sont jamais additionnées, pas plus que les instruments : les chiffres sont ceux de l’instrument le plus récent ayant assez de vagues, ceux des autres figurent au-dessous. Chaque nom d’indicateur mène à sa définition.",
    entity: "Entité",
    presence: "Citée dans les réponses",
    mention_share: "Part de voix",
    first_place: "Citée en premier, quand elle est citée",
    first_place_of_all: "Citée en premier, sur toutes les réponses",
    position: "Rang dans les listes",
    listed: "Dans une liste",
    own_citation_rate: "Sites propres en source",
    citation_rate: "Site en source",
    own: "propre",
    competitor: "concurrent",
    other: "autre",
    tooFew: "trop peu",
    noInterval: "pas d’intervalle",
    theseShort: "ceux-ci",
    likeShort: "proches",
    worstShort: "au pire",
    blend: "un mélange d’instruments qui alternent",
    with: (model) => `avec ${model}`,
    otherReading: "avec une autre recette, lecture, recherche de noms ou d’autres règles de sources",
    asked: (revision) => `demandé comme dans la version ${revision}`,
    brandsAsOf: (day) => `marques au ${day}`,
    leftOutPrompts: (compared, leftOut) =>
      `${counted(compared, "prompt comparé", "prompts comparés")}, ${counted(leftOut, "nouveau ou reformulé écarté", "nouveaux ou reformulés écartés")}`,
    definitions: "Ce que mesurent les indicateurs",
    scopesNote:
      "Chaque chiffre a deux intervalles, car on pose deux questions aux mêmes réponses. Ces prompts : ce que donneraient les mêmes prompts lors d’une autre vague. Prompts proches : tient compte aussi du choix des prompts ; il en faut sur 20 thèmes.",
    formula: "Formule",
    leavesOut: "Exclus",
    overTime: "Citée dans les réponses, par vague",
    overTimeNote:
      "Les points sont les vagues ; la ligne et sa bande sont la valeur et l’intervalle à 95 % de sept vagues au plus. Une ligne pointillée est une rupture : à partir de là, les réponses viennent d’un autre modèle, d’une autre recette ou d’une autre lecture, et ne se comparent pas aux précédentes.",
    seam: "rupture",
    changes: "Ce qui a changé",
    changesNote:
      "Les changements que le hasard n’explique pas, tels qu’annoncés pendant cette période : 5 % au plus de ces constats sont faux. Un changement d’instrument n’est pas un changement de la marque. « Recalculé » dit si les réponses de ce rapport donnent le même résultat.",
    instrumentChanges: "Changements des instruments de mesure",
    since: "Depuis",
    gradual: "progressif",
    before: "Avant",
    after: "Après",
    evidence: "Force de preuve",
    needed: "requis",
    computedAgain: "Recalculé",
    recomputed: {
      same: "identique",
      other: "différent : réponses, prompts ou marques ont changé depuis",
      not_in_window: "en partie avant la période",
      not_recorded: "impossible : constaté par une version antérieure",
    },
    heatMap: "Prompts et plateformes",
    heatMapNote: "Fréquence à laquelle les réponses citent :",
    prompt: "Prompt",
    branded: "la nomme",
    sources: "Sources",
    sourcesNote: (answers, leftOut) =>
      `Base : ${counted(answers, "réponse dont les sources sont connues", "réponses dont les sources sont connues")} ; inconnues pour ${counted(leftOut, "autre", "autres")}.`,
    domain: "Domaine",
    type: "Type",
    whose: "À qui",
    citedBy: "Réponses qui le citent",
    shareOfCitations: "Part des citations",
    core: "noyau : cité dans au moins 80 % des vagues",
    stability: "La stabilité des réponses",
    stabilityNote: "Ce que deux réponses au même prompt ont en commun : 100 % si elles sont identiques.",
    measure: "Indicateur",
    source_agreement_within_days: "Sources, dans la même journée",
    source_agreement_between_days: "Sources, d’un jour au suivant",
    order_agreement_within_days: "Ordre des marques, dans la même journée",
    order_agreement_between_days: "Ordre des marques, d’un jour au suivant",
    first_place_changes: "Autre marque en premier, d’un jour au suivant",
    first_place_changes_between_runs: "Autre marque en premier, d’une vague à la suivante",
    core_citation_share: "Part des sources du noyau",
    empty_rate: "Réponses vides",
    failure_rate: "Tâches échouées",
    refusal_rate: "Questions refusées",
    manyFailures: (surface, points, all) =>
      `${surface} : ${points} % de toutes les tâches (${all}) ont échoué. Tous les autres chiffres ne portent que sur les réponses : avec celles qui manquent, une part pourrait varier de ${points} points au plus, à la baisse ou à la hausse.`,
    surface: "Plateforme",
    instruments: "Avec quoi les réponses ont été recueillies",
    model: "Modèle",
    notReported: "non indiqué",
    first: "Première",
    last: "Dernière",
    noAnswers: "Il n’y a aucune réponse dans cette période.",
    noEntities: "Le compte n’a ni entité propre ni concurrent. Créez-les, et leurs chiffres figureront ici.",
    verify: (version) =>
      `Chaque chiffre peut être recalculé hors ligne à partir des réponses : téléchargez le rapport au format zip et lancez « querent verify report.zip ». Produit par Querent ${version}.`,
    links: " Les chiffres mènent aux réponses dont ils sont tirés ; les ouvrir demande un jeton d’accès du compte.",
    digest: "Empreinte de ce qui a été demandé",
    why: {
      title: "Pourquoi vous pouvez voir autre chose en posant la question vous-même",
      intro:
        "Vous pouvez poser l’une de ces questions et obtenir une réponse qui ne cite pas ce que cite ce rapport, ou qui le cite en premier. Ce n’est pas contradictoire :",
      chance: (answers, runs) =>
        `Les réponses varient. La même question posée deux fois reçoit deux réponses différentes : une réponse n’est qu’un tirage. Un chiffre est ici une part de beaucoup d’autres : ce rapport compte ${counted(answers, "réponse", "réponses")} de ${counted(runs, "vague", "vagues")}.`,
      varied: (surface, points) =>
        `Sur ${surface}, une autre marque est venue en premier dans ${points} % des cas d’une vague à la suivante.`,
      you: (personas) =>
        `Les assistants vous connaissent. Votre compte, sa mémoire et vos questions passées modifient la réponse. Ici, chaque question ouvre une nouvelle conversation${personas.length === 0 ? "" : `, et certaines sont posées au nom d’une personne décrite : ${list(personas)}`}.`,
      place: (locales) =>
        locales.length === 0
          ? "Les réponses dépendent du pays et de la langue. Celles-ci ont été demandées sans les préciser, depuis le lieu du service ou du fournisseur."
          : `Les réponses dépendent du pays et de la langue. Celles-ci ont été demandées comme depuis : ${list(locales)}.`,
      kinds: {
        api: "Certaines réponses viennent de l’interface de programmation d’un fournisseur. L’application du même fournisseur peut utiliser un autre modèle, d’autres consignes et une autre recherche.",
        web: "Certaines réponses ont été lues sur la page web d’une plateforme, telle que la montraient le compte utilisé et la version d’alors. Les plateformes montrent plusieurs versions à la fois.",
        sample:
          "Certaines réponses viennent d’une simulation ou d’un recueil fixe de documents. Aucun assistant ne les donne.",
        imported: "Certaines réponses ont été importées d’un autre outil, qui a posé les questions à sa façon.",
      },
      time: (from, to) =>
        `Les réponses changent avec le modèle, sa recherche et le web. Celles-ci datent du ${from} au ${to} (UTC).`,
      wordsMatter: (prompts) =>
        `D’autres mots font une autre question. Les chiffres portent exactement sur ${prompts === 1 ? "le seul prompt" : `les ${count(prompts)} prompts`} de ce panel.`,
      check:
        "Pour vérifier un chiffre, ne demandez pas une seule fois : posez la même question de nombreuses fois dans de nouvelles conversations, et comptez. Ou recalculez-le à partir des réponses de ce rapport, comme l’expliquent ses dernières lignes.",
    },
    method: {
      frame: {
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
      },
      title: "Comment les chiffres ont été établis",
      asked: (prompts, surfaces, runs, days) =>
        `Ce qui a été demandé : ${counted(prompts, "prompt", "prompts")} sur ${counted(surfaces, "plateforme", "plateformes")} (chaque région et persona compte à part), en ${counted(runs, "vague", "vagues")} sur ${counted(days, "jour", "jours")}. L’empreinte ci-dessous identifie les mots exacts.`,
      read: (answers) =>
        `Ce qui a été lu : ${counted(answers, "réponse", "réponses")}, où l’on a cherché les noms des marques, avec les sources que la plateforme affiche. Les tâches échouées et les réponses sans texte sont écartées et comptées. Les prompts qui nomment eux-mêmes une marque sont écartés des chiffres de cette marque.`,
      computed:
        "Ce qui a été calculé : des parts de ces réponses, séparément pour chaque plateforme, région et persona, avec un seul instrument à la fois (modèle, recette et lecture). Un intervalle à 95 % dit de combien le hasard seul a pu déplacer un chiffre ; au-dessous de cinq vagues, il n’y en a pas. Quand des réponses manquent, le pire qu’elles auraient pu dire est indiqué à côté.",
      changes:
        "Ce qui compte comme changement : seulement ce que le hasard n’explique pas, jugé après chaque vague de sorte que 5 % au plus de ces constats soient faux. Un nouveau modèle ou un panel modifié est distingué d’un changement de la marque.",
      limits:
        "Ce que les chiffres ne disent pas : combien de personnes posent ces questions, ce que demandent celles qui emploient d’autres mots, ni ce que disent les plateformes non interrogées. Ce sont des parts de réponses, pas de personnes.",
    },
  },
  rules: {
    own_entity: {
      title: "Une entité propre",
      remedy: "Ajoutez une marque propre au panel : sans elle, aucun chiffre ne parle de vous.",
    },
    prompts: { title: "Prompts", remedy: "Ajoutez des prompts qui ne nomment pas vos propres marques." },
    topics: {
      title: "Thèmes",
      remedy: "Ajoutez des prompts sur d’autres thèmes, et indiquez le thème de chaque prompt.",
    },
    runs: { title: "Vagues", remedy: "Attendez d’autres vagues, ou choisissez une période plus longue." },
    days: {
      title: "Jours",
      remedy:
        "Répartissez les vagues sur plus de jours : les réponses d’un même jour se ressemblent plus que celles de plusieurs.",
    },
    complete: {
      title: "Cellules complètes",
      remedy: "Cherchez les tâches échouées des vagues, et relancez le panel.",
    },
    answered: {
      title: "Répondu",
      remedy:
        "Cherchez pourquoi des tâches ont échoué ou sont restées vides, et choisissez une période sans ces vagues.",
    },
    reproducibility: {
      title: "Reproductibilité par moitiés",
      remedy: "Posez chaque prompt plus souvent : plus de vagues, ou plus de répétitions par vague.",
    },
    sealed: {
      title: "Scellé avant la première vague",
      remedy:
        "Scellez un panel avant sa première vague. S’il a déjà été lancé, modifiez-le et scellez la nouvelle version.",
    },
    one_instrument: {
      title: "Un seul instrument",
      remedy: "Choisissez une période postérieure à la dernière rupture de la série.",
    },
  },
  definitions: {
    presence: {
      counts: "Les réponses qui nomment l’entité au moins une fois.",
      leavesOut: searched,
      formula: "réponses qui la nomment / réponses",
    },
    mention_share: {
      counts: "Parmi toutes les mentions d’entités propres et de concurrents, celles de l’entité.",
      leavesOut:
        "Les prompts dont le texte nomme l’une d’elles ; les réponses sans texte ou où l’entité n’a pas été recherchée. Les autres entités ne comptent que là où elles ont été recherchées. Les entités qui ne sont pas des marques du panel.",
      formula: "ses mentions / mentions d’entités propres et de concurrents",
    },
    first_place: {
      counts: "Les réponses qui nomment l’entité avant toute autre entité propre et tout concurrent.",
      leavesOut: `Les réponses qui ne la nomment pas : ne pas être nommée est une absence, pas une dernière place. ${searched}`,
      formula: "réponses qui la nomment en premier / réponses qui la nomment",
    },
    first_place_of_all: {
      counts:
        "Parmi toutes les réponses, celles qui nomment l’entité avant toute autre entité propre et tout concurrent.",
      leavesOut: searched,
      formula: "réponses qui la nomment en premier / réponses",
    },
    listed: {
      counts:
        "Les réponses ayant une liste dont un élément commence par l’entité. Les listes sous un titre ou une phrase de mise en garde et les listes de sources ne comptent pas. Cela ne dit pas ce que la réponse pense de l’entité.",
      leavesOut: `Les réponses analysées par une recherche de noms antérieure à la version 3. ${searched}`,
      formula: "réponses qui la listent / réponses",
    },
    position: {
      counts: "Le rang du premier élément d’une liste qui commence par l’entité ; 1 est le plus haut.",
      leavesOut: `Les réponses qui ne la listent pas : ne pas être listée est une absence, pas une dernière place. Les réponses où les listes n’ont pas été recherchées. ${searched}`,
      formula: "moyenne des rangs dans les réponses qui la listent",
    },
    own_citation_rate: {
      counts: "Les réponses qui citent une page d’un domaine de l’entité ou de l’un de ses sous-domaines.",
      leavesOut: `Les prompts dont le texte nomme l’entité. ${hidden}`,
      formula: "réponses qui citent ses pages / réponses",
    },
    source_agreement_within_days: {
      counts:
        "Ce que deux réponses au même prompt le même jour (UTC) ont en commun : l’indice de Jaccard de leurs domaines.",
      leavesOut: `${pairs}${hidden}`,
      formula: "domaines des deux / domaines de l’une au moins, en moyenne sur les paires, les jours et les cellules",
    },
    source_agreement_between_days: {
      counts: "Le même indice pour les réponses de deux jours consécutifs ; chaque jour ne sert qu’à une paire.",
      leavesOut: `${pairs}${hidden}`,
      formula: "domaines des deux / domaines de l’une au moins, en moyenne sur les paires",
    },
    order_agreement_within_days: {
      counts:
        "Le recouvrement pondéré par le rang (RBO, persistance 0,9) des ordres dans lesquels deux réponses du même jour nomment pour la première fois entités propres et concurrents.",
      leavesOut: orders,
      formula: "recouvrement pondéré, en moyenne sur les paires, les jours et les cellules",
    },
    order_agreement_between_days: {
      counts: "Le même indice pour les réponses de deux jours consécutifs.",
      leavesOut: orders,
      formula: "recouvrement pondéré, en moyenne sur les paires",
    },
    first_place_changes: {
      counts: "Les paires de réponses de jours consécutifs qui nomment d’abord des marques différentes.",
      leavesOut: orders,
      formula: "paires dont la première marque diffère / paires",
    },
    first_place_changes_between_runs: {
      counts:
        "Les paires de réponses de vagues consécutives qui nomment d’abord des marques différentes, quel que soit leur moment. De chaque vague, les 20 premières réponses.",
      leavesOut: orders,
      formula: "paires dont la première marque diffère / paires",
    },
    core_citation_share: {
      counts:
        "Les citations du noyau : les domaines que citent au moins 80 % des vagues. Sans intervalle, car le noyau dépend de toutes les réponses.",
      leavesOut: `Toutes les réponses s’il y a moins de cinq vagues. ${hidden}`,
      formula: "citations du noyau / citations",
    },
    empty_rate: {
      counts: "Les réponses terminées sans texte.",
      leavesOut: "Rien.",
      formula: "réponses sans texte / réponses",
    },
    failure_rate: {
      counts: "Les tâches des vagues qui ont échoué, quelle qu’en soit la cause, questions refusées comprises.",
      leavesOut: tasks,
      formula: "tâches échouées / tâches échouées ou répondues",
    },
    refusal_rate: {
      counts: "Les tâches qui ont échoué parce que la plateforme a refusé la question.",
      leavesOut: tasks,
      formula: "tâches refusées par la plateforme / tâches échouées ou répondues",
    },
  },
  mail: {
    ...dates("fr"),
    subject: (panel, range) => `${panel} : rapport ${range}`,
    what: (panel, client, range) =>
      `Voici le rapport « ${panel} »${client === null ? "" : ` pour ${client}`}, période : ${range} (UTC).`,
    basis: (answers, grade) => `Il repose sur ${counted(answers, "réponse", "réponses")} de plateformes d’IA. ${grade}`,
    grades: {
      exploratory: "Son niveau est exploratoire : utile pour un premier aperçu, pas pour comparer.",
      directional: "Son niveau est indicatif : utile pour les tendances, pas pour les petits écarts.",
      "decision-grade": "Son niveau est décisionnel : utile pour décider.",
    },
    figure: (figure) => {
      const { name, presence, interval, answers } = figure;
      const surface = surfaceOf(figure, { api: "API", web: "page web", sample: "simulation", imported: "importé" });
      if (presence === null) return `${name}, ${surface} : trop peu de réponses pour un chiffre`;
      const bounds =
        interval === null
          ? "trop peu de vagues pour un intervalle"
          : `intervalle à 95 % : ${percent(interval.low)} à ${percent(interval.high)}`;
      const basis = basisOf(figure, "fr", (range) => `, ${range}`);
      return `${name} : présence de ${percent(presence)} dans les réponses de ${surface} (${bounds} ; ${counted(answers, "réponse", "réponses")}${basis})`;
    },
    more: (more) => `${counted(more, "autre chiffre figure", "autres chiffres figurent")} dans le rapport`,
    changed: "Ce qui a changé plus que le hasard ne l’explique :",
    unchanged: "Rien n’a changé plus que le hasard ne l’explique.",
    change: ({ name, measure, platformCode, before, after, since }) =>
      `${name}, ${measureName(measure)} sur ${platformCode} : de ${percent(before)} à ${percent(after)} depuis le ${numbers.day(since)}`,
    moreChanges: (more) => `${counted(more, "autre changement figure", "autres changements figurent")} dans le rapport`,
    moreLines: (more) => counted(more, "autre ligne", "autres lignes"),
    open: "Ouvrir le rapport",
    works: (day) => `Le lien fonctionne jusqu’au ${day}, sans connexion. Quiconque en dispose peut lire le rapport.`,
    attached: "Le rapport est joint en PDF.",
    why: (email, account) =>
      `Vous recevez ce message parce que ${account} a inscrit ${email} comme destinataire de ses rapports.`,
    unsubscribe: "Se désabonner de ces rapports",
    addedAgain: (by) =>
      `Vous vous étiez désabonné de ces rapports. ${by} vous a réinscrit et affirme que vous l’avez demandé. Sinon, désabonnez-vous avec le lien ci-dessous.`,
    page: {
      ask: "Se désabonner ?",
      asked: (email) => `Plus aucun rapport de cet expéditeur ne sera envoyé à ${email}.`,
      button: "Se désabonner",
      done: "Désabonnement effectué",
      doneText: (email) =>
        `Plus aucun rapport de cet expéditeur n’est envoyé à ${email}. Un message déjà en route peut encore arriver. Pour recevoir à nouveau des rapports, adressez-vous à l’expéditeur.`,
      unknown: "Il n’y a rien à cette adresse",
      unknownText: "Vérifiez que l’adresse est complète : tous ses caractères sont nécessaires.",
    },
  },
  alerts: {
    one: (alert, text) => `${alert} : ${text}`,
    many: (alert, found) => `${alert} : ${found} constats`,
    over: (text) => `Terminé : ${text}`,
    overSince: (text, since) => `${text} Terminé depuis le ${since} (UTC).`,
    change: ({ name, measure, platformCode, before, after, since }, panel) =>
      `${panel} : ${measureName(measure)} de ${name} sur ${platformCode}, de ${percent(before)} à ${percent(after)} depuis le ${numbers.day(since)}, ce que le hasard n’explique pas.`,
    sourceGone: ({ name, platformCode, before, since }, panel) =>
      `${panel} : les réponses de ${platformCode} ne citent plus ${name} depuis le ${numbers.day(since)} ; auparavant, ${percent(before)} le faisaient.`,
    instrument: ({ platformCode, before, after, since }, panel) =>
      `${panel} : ${platformCode} est mesuré avec un autre instrument depuis le ${numbers.day(since)} (${before} → ${after}). Les chiffres d’avant et d’après ne sont pas comparés.`,
    deletedPanel: "Un panel supprimé",
    models: (names) => (names.length === 0 ? "version non indiquée" : list(names)),
    conditions: {
      endpoint_suspended: "Le point de terminaison du webhook est suspendu : rien ne lui est envoyé.",
      endpoint_failing: "Le point de terminaison du webhook est en échec.",
      channel_gone: "Un canal n’existe plus : rien ne lui est envoyé.",
      platform_failing: "Une plateforme est en échec.",
      platform_throttled: "Une plateforme limite les requêtes pour l’instant.",
      platform_paused: "Une plateforme est suspendue par l’exploitant.",
      no_browser: "Aucun worker n’a de navigateur en état de marche.",
      no_worker: "Aucun worker en marche ne peut interroger une plateforme.",
      points_exhausted: "Il ne reste plus de points.",
      points_low: "Les points suffisent pour moins d’un jour.",
      session_signed_out: "Une session d’une plateforme web est déconnectée.",
      session_needs_person: "Une session d’une plateforme web demande une intervention humaine.",
    },
    condition: (sentence, about, detail) =>
      [about === "" ? sentence : `${about} : ${sentence}`, detail].filter((part) => part !== "").join(" "),
    open: "Ouvrir dans Querent",
    more: (more) => counted(more, "autre constat", "autres constats"),
    moreLines: (more) => counted(more, "autre ligne", "autres lignes"),
    from: (account) => `Compte : ${account}`,
    why: (email, account, alert) =>
      `Vous recevez ce message parce que ${account} a inscrit ${email} comme destinataire de son alerte « ${alert} ».`,
  },
  password: {
    title: "Ce lien est protégé par un mot de passe",
    about: "La personne qui vous a envoyé le lien le connaît.",
    password: "Mot de passe",
    open: "Ouvrir",
    wrong: "Ce n’est pas le mot de passe. Vérifiez les majuscules et les minuscules, puis réessayez.",
    tooOften: (minutes) =>
      `Trop d’essais de mot de passe. Réessayez dans ${minutes < 2 ? "une minute" : `${minutes} minutes`}, ou demandez-le à la personne qui vous a envoyé le lien.`,
  },
};
