/** Spanish. */
import { shareOf, basisOf, dates, surfaceOf, type MeasureNames } from "../sending/mail-words.ts";
import { numbersIn } from "./numbers.ts";
import type { Translation } from "./translation.ts";

const numbers = numbersIn("es");
const { count, list } = numbers;
const counted = (value: number, one: string, many: string) => `${count(value)} ${value === 1 ? one : many}`;

const measures: MeasureNames & Readonly<Record<string, string>> = {
  presence: "tasa de mención",
  mention_share: "share of voice",
  listed: "tasa de aparición en listas",
  own_citation_rate: "tasa de citas de los sitios propios",
  citation_rate: "tasa de citas",
};
const measureName = (id: string) => measures[id] ?? id;
const percent = (share: number | null) => shareOf(share);

const searched =
  "Los prompts cuyo texto nombra la entidad; las respuestas sin texto; las respuestas en las que no se buscó la entidad o anteriores a su creación.";
const hidden =
  "Las respuestas sin texto; aquellas cuyas fuentes no se revelan, no se pueden leer u ocultan su destino.";
const pairs = "Las respuestas sin otra con que compararlas y los días sin una segunda respuesta al mismo prompt. ";
const orders = `${pairs}Los pares en los que una respuesta no nombra ninguna marca. Los prompts cuyo texto nombra esas marcas; las respuestas sin texto o en las que no se buscaron.`;
const tasks = "Las tareas canceladas; las respuestas importadas; las respuestas anteriores al registro de los fallos.";

export const spanish: Translation = {
  page: {
    numbers,
    colon: ": ",
    kicker: "Informe de visibilidad en IA de un panel, elaborado con Querent",
    window: "Periodo",
    until: (from, to) => `del ${from} hasta antes del ${to} UTC`,
    answers: "Respuestas",
    runs: "Oleadas",
    days: "Días",
    prompts: "Prompts",
    revision: "Versión",
    grade: "Nivel de fiabilidad",
    grades: { exploratory: "Exploratorio", directional: "Orientativo", "decision-grade": "Decisorio" },
    gradeMeaning: {
      exploratory: "Sirve para plantear preguntas, no para responderlas: no decida nada con estas cifras.",
      directional:
        "Sirve para ver la tendencia: las diferencias grandes son reales, los valores exactos no son seguros.",
      "decision-grade":
        "Sirve para decidir: suficientes respuestas durante suficiente tiempo, reproducible y fijado antes de la primera respuesta.",
    },
    seals: {
      before_first_run: "sellada antes de su primera oleada",
      after_first_run: "sellada después de su primera oleada",
      never: "sin sellar",
    },
    rule: "Regla",
    there: "Hay",
    directional: "Necesario para orientativo",
    decision: "Necesario para decisorio",
    remedy: "Cómo mejorarlo",
    met: "cumplida",
    yes: "sí",
    no: "no",
    none: "–",
    figures: "¿Nos mencionan, y frente a quién?",
    figuresNote:
      "Con dos intervalos del 95 %: «estos» para exactamente estos prompts y «similares» para prompts como estos. «En el peor caso» es lo que podría valer una cifra, dijeran lo que dijeran las respuestas que faltan. Las cifras en cursiva tienen demasiado pocas respuestas para un intervalo. Las plataformas, regiones y personas nunca se suman, y los instrumentos tampoco: las cifras son del instrumento más reciente con suficientes oleadas, y las de los demás figuran debajo. Cada nombre de un indicador lleva a su definición.",
    entity: "Entidad",
    presence: "Mencionada en respuestas",
    mention_share: "Share of voice",
    first_place: "Mencionada primero, cuando se la menciona",
    first_place_of_all: "Mencionada primero, de todas las respuestas",
    position: "Posición en listas",
    listed: "En una lista",
    own_citation_rate: "Sitios propios citados",
    citation_rate: "Sitio citado",
    own: "propia",
    competitor: "competencia",
    other: "otra",
    tooFew: "muy pocas",
    noInterval: "sin intervalo",
    theseShort: "estos",
    likeShort: "similares",
    worstShort: "peor caso",
    blend: "una mezcla de instrumentos que se alternan",
    with: (model) => `con ${model}`,
    otherReading: "con otra receta, otro lector, otra búsqueda de nombres u otras reglas de fuentes",
    asked: (revision) => `preguntado como en la versión ${revision}`,
    brandsAsOf: (day) => `marcas a ${day}`,
    leftOutPrompts: (compared, leftOut) =>
      `${counted(compared, "prompt comparado", "prompts comparados")}, ${counted(leftOut, "nuevo o reformulado sin comparar", "nuevos o reformulados sin comparar")}`,
    definitions: "Qué miden los indicadores",
    scopesNote:
      "Cada cifra tiene dos intervalos, porque a las mismas respuestas se les hacen dos preguntas. Estos prompts: qué darían los mismos prompts en otra oleada. Prompts similares: también qué prompts se eligieron; hacen falta prompts de 20 temas.",
    formula: "Fórmula",
    leavesOut: "No cuenta",
    overTime: "Mencionada en respuestas, por oleada",
    overTimeNote:
      "Los puntos son oleadas; la línea y su banda son el valor y el intervalo del 95 % de hasta siete oleadas. Una línea discontinua es una ruptura: desde ahí las respuestas proceden de otro modelo, otra receta u otro lector, y no son comparables con las anteriores.",
    seam: "ruptura",
    changes: "Qué ha cambiado",
    changesNote:
      "Cambios que el azar no explica, tal como se anunciaron en este periodo: como máximo el 5 % de estos hallazgos son falsos. Un cambio del instrumento no es un cambio de la marca. «Recalculado» indica si las respuestas de este informe dan lo mismo.",
    instrumentChanges: "Cambios de los instrumentos de medición",
    since: "Desde",
    gradual: "gradual",
    before: "Antes",
    after: "Después",
    evidence: "Evidencia",
    needed: "necesaria",
    computedAgain: "Recalculado",
    recomputed: {
      same: "lo mismo",
      other: "no lo mismo: respuestas, prompts o marcas han cambiado desde entonces",
      not_in_window: "en parte antes del periodo",
      not_recorded: "no es posible: lo halló una versión anterior",
    },
    heatMap: "Prompts y plataformas",
    heatMapNote: "Con qué frecuencia las respuestas mencionan:",
    prompt: "Prompt",
    branded: "la nombra",
    sources: "Fuentes",
    sourcesNote: (answers, leftOut) =>
      `Base: ${counted(answers, "respuesta cuyas fuentes se conocen", "respuestas cuyas fuentes se conocen")}; no se conocen las de ${counted(leftOut, "otra", "otras")}.`,
    domain: "Dominio",
    type: "Tipo",
    whose: "De quién",
    citedBy: "Respuestas que lo citan",
    shareOfCitations: "Cuota de citas",
    core: "núcleo: citado en al menos el 80 % de las oleadas",
    stability: "Estabilidad de las respuestas",
    stabilityNote: "Lo que tienen en común dos respuestas al mismo prompt: 100 % si son iguales.",
    measure: "Indicador",
    source_agreement_within_days: "Fuentes, dentro del mismo día",
    source_agreement_between_days: "Fuentes, de un día al siguiente",
    order_agreement_within_days: "Orden de las marcas, dentro del mismo día",
    order_agreement_between_days: "Orden de las marcas, de un día al siguiente",
    first_place_changes: "Otra marca primero, de un día al siguiente",
    first_place_changes_between_runs: "Otra marca primero, de una oleada a la siguiente",
    core_citation_share: "Cuota de las fuentes del núcleo",
    empty_rate: "Respuestas vacías",
    failure_rate: "Tareas fallidas",
    refusal_rate: "Preguntas rechazadas",
    manyFailures: (surface, points, all) =>
      `${surface}: falló el ${points} % de todas las tareas (${all}). Las demás cifras son solo de las respuestas: con las que faltan, una cuota podría ser hasta ${points} puntos porcentuales menor o mayor.`,
    surface: "Plataforma",
    instruments: "Con qué se obtuvieron las respuestas",
    model: "Modelo",
    notReported: "no indicado",
    first: "Primera",
    last: "Última",
    noAnswers: "No hay respuestas en este periodo.",
    noEntities: "La cuenta no tiene ninguna entidad propia ni competidor. Créelos y sus cifras aparecerán aquí.",
    verify: (version) =>
      `Cada cifra puede recalcularse sin conexión a partir de las respuestas: descargue el informe como zip y ejecute «querent verify report.zip». Elaborado con Querent ${version}.`,
    links:
      " Los números llevan a las respuestas de las que proceden; abrirlas requiere un token de acceso de la cuenta.",
    digest: "Huella de lo que se preguntó",
    why: {
      title: "Por qué puede ver algo distinto cuando pregunta usted",
      intro:
        "Puede hacer una de estas preguntas y recibir una respuesta que no menciona lo que menciona este informe, o que lo menciona primero. No es una contradicción:",
      chance: (answers, runs) =>
        `Las respuestas varían. La misma pregunta, hecha dos veces, recibe respuestas distintas: una respuesta es solo una muestra. Aquí una cifra es una proporción de muchas: este informe tiene ${counted(answers, "respuesta", "respuestas")} de ${counted(runs, "oleada", "oleadas")}.`,
      varied: (surface, points) =>
        `En ${surface}, de una oleada a la siguiente, otra marca apareció primero en el ${points} % de los casos.`,
      you: (personas) =>
        `Los asistentes le conocen. Su cuenta, su memoria y lo que ha preguntado antes cambian la respuesta. Aquí cada pregunta empieza una conversación nueva${personas.length === 0 ? "" : `, y algunas se hacen en nombre de una persona descrita: ${list(personas)}`}.`,
      place: (locales) =>
        locales.length === 0
          ? "Las respuestas dependen del país y del idioma. Estas preguntas se hicieron sin indicarlos, desde donde está el servicio o el proveedor."
          : `Las respuestas dependen del país y del idioma. Estas preguntas se hicieron como desde: ${list(locales)}.`,
      kinds: {
        api: "Algunas respuestas son de la interfaz de programación de un proveedor. La aplicación del mismo proveedor puede usar otro modelo, otras instrucciones y otra búsqueda.",
        web: "Algunas respuestas se leyeron en la página web de una plataforma, tal como la mostraban la cuenta usada y la versión de entonces. Las plataformas muestran varias versiones a la vez.",
        sample:
          "Algunas respuestas son de una simulación o de una colección fija de documentos. Ningún asistente las da.",
        imported: "Algunas respuestas se importaron de otra herramienta, que preguntó a su manera.",
      },
      time: (from, to) =>
        `Las respuestas cambian con el modelo, su búsqueda y la web. Estas son del ${from} al ${to} (UTC).`,
      wordsMatter: (prompts) =>
        `Otras palabras son otra pregunta. Las cifras son exactamente ${prompts === 1 ? "del único prompt" : `de los ${count(prompts)} prompts`} de este panel.`,
      check:
        "Para comprobar una cifra, no pregunte una sola vez: haga la misma pregunta muchas veces en conversaciones nuevas y cuente. O recalcúlela con las respuestas de este informe, como explican sus últimas líneas.",
    },
    method: {
      frame: {
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
      },
      title: "Cómo se obtuvieron las cifras",
      asked: (prompts, surfaces, runs, days) =>
        `Qué se preguntó: ${counted(prompts, "prompt", "prompts")} en ${counted(surfaces, "plataforma", "plataformas")} (cada región y persona cuenta por separado), en ${counted(runs, "oleada", "oleadas")} a lo largo de ${counted(days, "día", "días")}. La huella de abajo identifica las palabras exactas.`,
      read: (answers) =>
        `Qué se leyó: ${counted(answers, "respuesta", "respuestas")}, en las que se buscaron los nombres de las marcas, con las fuentes que la plataforma muestra. Las tareas fallidas y las respuestas sin texto se excluyen y se cuentan. Los prompts que ya nombran una marca se excluyen de las cifras de esa marca.`,
      computed:
        "Qué se calculó: proporciones de estas respuestas, por separado para cada plataforma, región y persona, y con un solo instrumento a la vez (modelo, receta y lector). Un intervalo del 95 % indica cuánto puede haber movido una cifra el azar por sí solo; con menos de cinco oleadas no hay ninguno. Donde faltan respuestas, se muestra al lado lo peor que podrían haber dicho.",
      changes:
        "Qué cuenta como cambio: solo lo que el azar no explica, juzgado después de cada oleada de modo que como máximo el 5 % de estos hallazgos sean falsos. Un modelo nuevo o un panel editado se distinguen de un cambio de la marca.",
      limits:
        "Qué no dicen las cifras: cuántas personas hacen estas preguntas, qué preguntan quienes usan otras palabras, ni qué dicen las plataformas a las que no se preguntó. Son proporciones de respuestas, no de personas.",
    },
  },
  rules: {
    own_entity: {
      title: "Una entidad propia",
      remedy: "Añada una marca propia al panel: sin ella, ninguna cifra habla de usted.",
    },
    prompts: { title: "Prompts", remedy: "Añada prompts que no nombren sus propias marcas." },
    topics: { title: "Temas", remedy: "Añada prompts sobre otros temas e indique el tema de cada prompt." },
    runs: { title: "Oleadas", remedy: "Espere más oleadas o elija un periodo más largo." },
    days: {
      title: "Días",
      remedy: "Reparta las oleadas en más días: las respuestas de un mismo día se parecen más que las de varios.",
    },
    complete: {
      title: "Celdas completas",
      remedy: "Busque las tareas fallidas de las oleadas y vuelva a ejecutar el panel.",
    },
    answered: {
      title: "Respondidas",
      remedy: "Averigüe por qué fallaron tareas o quedaron vacías, y elija un periodo sin esas oleadas.",
    },
    reproducibility: {
      title: "Reproducibilidad por mitades",
      remedy: "Haga cada pregunta más veces: más oleadas o más repeticiones en cada una.",
    },
    sealed: {
      title: "Sellado antes de la primera oleada",
      remedy: "Selle un panel antes de ejecutarlo. Si ya se ha ejecutado, edítelo y selle la versión nueva.",
    },
    one_instrument: {
      title: "Un solo instrumento",
      remedy: "Elija un periodo posterior a la última ruptura de la serie.",
    },
  },
  definitions: {
    presence: {
      counts: "Respuestas que nombran la entidad al menos una vez.",
      leavesOut: searched,
      formula: "respuestas que la nombran / respuestas",
    },
    mention_share: {
      counts: "De todas las menciones de entidades propias y competidores, las de la entidad.",
      leavesOut:
        "Los prompts cuyo texto nombra alguna de ellas; las respuestas sin texto o en las que no se buscó la entidad. Las demás entidades solo cuentan donde se buscaron. Las entidades que no son marcas del panel.",
      formula: "sus menciones / menciones de entidades propias y competidores",
    },
    first_place: {
      counts: "Respuestas que nombran la entidad antes que cualquier otra entidad propia o competidor.",
      leavesOut: `Las respuestas que no la nombran: no ser nombrada es una ausencia, no un último puesto. ${searched}`,
      formula: "respuestas que la nombran primero / respuestas que la nombran",
    },
    first_place_of_all: {
      counts:
        "De todas las respuestas, las que nombran la entidad antes que cualquier otra entidad propia o competidor.",
      leavesOut: searched,
      formula: "respuestas que la nombran primero / respuestas",
    },
    listed: {
      counts:
        "Respuestas con una lista en la que un elemento empieza por la entidad. Las listas bajo un título o una frase de advertencia y las listas de fuentes no cuentan. No dice qué opina la respuesta de la entidad.",
      leavesOut: `Las respuestas analizadas con una búsqueda de nombres anterior a la versión 3. ${searched}`,
      formula: "respuestas que la incluyen en una lista / respuestas",
    },
    position: {
      counts: "La posición del primer elemento de una lista que empieza por la entidad; 1 es la más alta.",
      leavesOut: `Las respuestas que no la incluyen en una lista: no estar es una ausencia, no un último puesto. Las respuestas en las que no se buscaron listas. ${searched}`,
      formula: "media de las posiciones en las respuestas que la incluyen en una lista",
    },
    own_citation_rate: {
      counts: "Respuestas que citan una página de un dominio de la entidad o de uno de sus subdominios.",
      leavesOut: `Los prompts cuyo texto nombra la entidad. ${hidden}`,
      formula: "respuestas que citan sus páginas / respuestas",
    },
    source_agreement_within_days: {
      counts:
        "Lo que tienen en común dos respuestas al mismo prompt en el mismo día (UTC): el índice de Jaccard de sus dominios.",
      leavesOut: `${pairs}${hidden}`,
      formula: "dominios en ambas / dominios en alguna, promedio de pares, días y celdas",
    },
    source_agreement_between_days: {
      counts: "El mismo índice para respuestas de dos días consecutivos; cada día se usa en un solo par.",
      leavesOut: `${pairs}${hidden}`,
      formula: "dominios en ambas / dominios en alguna, promedio de pares",
    },
    order_agreement_within_days: {
      counts:
        "El solapamiento ponderado por rango (RBO, persistencia 0,9) de los órdenes en que dos respuestas del mismo día nombran por primera vez entidades propias y competidores.",
      leavesOut: orders,
      formula: "solapamiento ponderado, promedio de pares, días y celdas",
    },
    order_agreement_between_days: {
      counts: "El mismo índice para respuestas de dos días consecutivos.",
      leavesOut: orders,
      formula: "solapamiento ponderado, promedio de pares",
    },
    first_place_changes: {
      counts: "Pares de respuestas de días consecutivos que nombran primero marcas distintas.",
      leavesOut: orders,
      formula: "pares con primeras marcas distintas / pares",
    },
    first_place_changes_between_runs: {
      counts:
        "Pares de respuestas de oleadas consecutivas que nombran primero marcas distintas, sea cual sea su momento. De cada oleada, las 20 primeras respuestas.",
      leavesOut: orders,
      formula: "pares con primeras marcas distintas / pares",
    },
    core_citation_share: {
      counts:
        "Citas del núcleo: los dominios que citan al menos el 80 % de las oleadas. Sin intervalo, porque el núcleo depende de todas las respuestas.",
      leavesOut: `Todas las respuestas si hay menos de cinco oleadas. ${hidden}`,
      formula: "citas del núcleo / citas",
    },
    empty_rate: {
      counts: "Respuestas terminadas sin texto.",
      leavesOut: "Nada.",
      formula: "respuestas sin texto / respuestas",
    },
    failure_rate: {
      counts: "Tareas de las oleadas que fallaron, por el motivo que sea, incluidas las preguntas rechazadas.",
      leavesOut: tasks,
      formula: "tareas fallidas / tareas fallidas o respondidas",
    },
    refusal_rate: {
      counts: "Tareas que fallaron porque la plataforma rechazó la pregunta.",
      leavesOut: tasks,
      formula: "tareas rechazadas por la plataforma / tareas fallidas o respondidas",
    },
  },
  mail: {
    ...dates("es"),
    subject: (panel, range) => `${panel}: informe ${range}`,
    what: (panel, client, range) =>
      `Este es el informe «${panel}»${client === null ? "" : ` para ${client}`}, periodo: ${range} (UTC).`,
    basis: (answers, grade) =>
      `Se basa en ${counted(answers, "respuesta", "respuestas")} de plataformas de IA. ${grade}`,
    grades: {
      exploratory: "Su nivel es exploratorio: sirve para una primera impresión, no para comparar.",
      directional: "Su nivel es orientativo: sirve para ver tendencias, no diferencias pequeñas.",
      "decision-grade": "Su nivel es decisorio: sirve para decidir.",
    },
    figure: (figure) => {
      const { name, presence, interval, answers } = figure;
      const surface = surfaceOf(figure, { api: "API", web: "página web", sample: "simulación", imported: "importado" });
      if (presence === null) return `${name}, ${surface}: demasiado pocas respuestas para una cifra`;
      const bounds =
        interval === null
          ? "demasiado pocas oleadas para un intervalo"
          : `intervalo del 95 %: ${percent(interval.low)} a ${percent(interval.high)}`;
      const basis = basisOf(figure, "es", (range) => `, ${range}`);
      return `${name} se menciona en el ${percent(presence)} de las respuestas de ${surface} (${bounds}; ${counted(answers, "respuesta", "respuestas")}${basis})`;
    },
    more: (more) => `En el informe hay ${counted(more, "cifra más", "cifras más")}`,
    changed: "Lo que ha cambiado más de lo que explica el azar:",
    unchanged: "Nada ha cambiado más de lo que explica el azar.",
    change: ({ name, measure, platformCode, before, after, since }) =>
      `${name}, ${measureName(measure)} en ${platformCode}: de ${percent(before)} a ${percent(after)} desde el ${numbers.day(since)}`,
    moreChanges: (more) => `En el informe hay ${counted(more, "cambio más", "cambios más")}`,
    moreLines: (more) => counted(more, "línea más", "líneas más"),
    open: "Abrir el informe",
    works: (day) => `El enlace funciona hasta el ${day}, sin iniciar sesión. Quien lo tenga puede leer el informe.`,
    attached: "El informe va adjunto en PDF.",
    why: (email, account) =>
      `Recibe este mensaje porque ${account} ha indicado ${email} como destinatario de sus informes.`,
    unsubscribe: "Darse de baja de estos informes",
    addedAgain: (by) =>
      `Se había dado de baja de estos informes. ${by} le ha vuelto a añadir y afirma que usted lo ha pedido. Si no es así, dese de baja con el enlace de abajo.`,
    page: {
      ask: "¿Darse de baja?",
      asked: (email) => `No se enviarán más informes de este remitente a ${email}.`,
      button: "Darse de baja",
      done: "Se ha dado de baja",
      doneText: (email) =>
        `Ya no se envían informes de este remitente a ${email}. Un mensaje que esté en camino en este momento aún puede llegar. Para volver a recibir informes, pregunte a quien se los enviaba.`,
      unknown: "No hay nada en esta dirección",
      unknownText: "Compruebe que la dirección está completa: hace falta entera.",
    },
  },
  alerts: {
    one: (alert, text) => `${alert}: ${text}`,
    many: (alert, found) => `${alert}: ${found} hallazgos`,
    over: (text) => `Terminado: ${text}`,
    overSince: (text, since) => `${text} Terminado desde ${since} (UTC).`,
    change: ({ name, measure, platformCode, before, after, since }, panel) =>
      `${panel}: ${measureName(measure)} de ${name} en ${platformCode}, de ${percent(before)} a ${percent(after)} desde el ${numbers.day(since)}, lo que el azar no explica.`,
    sourceGone: ({ name, platformCode, before, since }, panel) =>
      `${panel}: las respuestas de ${platformCode} ya no citan ${name} desde el ${numbers.day(since)}; antes lo hacía el ${percent(before)}.`,
    instrument: ({ platformCode, before, after, since }, panel) =>
      `${panel}: ${platformCode} se mide con otro instrumento desde el ${numbers.day(since)} (${before} → ${after}). Las cifras de antes y de después no se comparan.`,
    deletedPanel: "Un panel eliminado",
    models: (names) => (names.length === 0 ? "versión no indicada" : list(names)),
    conditions: {
      endpoint_suspended: "El endpoint del webhook está suspendido: no se le envía nada.",
      endpoint_failing: "El endpoint del webhook está fallando.",
      channel_gone: "Un canal ya no existe: no se le envía nada.",
      platform_failing: "Una plataforma está fallando.",
      platform_throttled: "Una plataforma limita las solicitudes por ahora.",
      platform_paused: "El operador ha pausado una plataforma.",
      no_browser: "Ningún worker tiene un navegador que funcione.",
      no_worker: "Ningún worker en marcha puede preguntar a una plataforma.",
      points_exhausted: "No quedan puntos.",
      points_low: "Los puntos alcanzan para menos de un día.",
      session_signed_out: "Una sesión de una plataforma web está cerrada.",
      session_needs_person: "Una sesión de una plataforma web pide la intervención de una persona.",
    },
    condition: (sentence, about, detail) =>
      [about === "" ? sentence : `${about}: ${sentence}`, detail].filter((part) => part !== "").join(" "),
    open: "Abrir en Querent",
    more: (more) => counted(more, "hallazgo más", "hallazgos más"),
    moreLines: (more) => counted(more, "línea más", "líneas más"),
    from: (account) => `Cuenta: ${account}`,
    why: (email, account, alert) =>
      `Recibe este mensaje porque ${account} ha indicado ${email} como destinatario de su alerta «${alert}».`,
  },
  password: {
    title: "Este enlace tiene contraseña",
    about: "Quien le envió el enlace la conoce.",
    password: "Contraseña",
    open: "Abrir",
    wrong: "Esa no es la contraseña. Compruebe las mayúsculas y minúsculas, e inténtelo de nuevo.",
    tooOften: (minutes) =>
      `Se ha probado la contraseña demasiadas veces. Inténtelo de nuevo en ${minutes === 1 ? "un minuto" : `${minutes} minutos`} o pregunte a quien le envió el enlace.`,
  },
};
