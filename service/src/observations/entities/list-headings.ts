/**
 * Words of headings, and of lines above lists, that say: what follows is to be avoided, or no longer exists; or it is where the answer
 * comes from. A change of them is a new version of the matcher.
 */

/** The part of a heading or line that is looked at. */
const headingCharsMax = 300;

/** Conditions and purposes: `If you want to avoid plastic, choose:` warns of nothing. */
const conditions = [
  /^\W*(?:if|when|unless|for (?:those|people|anyone|everyone) who|in case|want(?:ing)? to|looking to|trying to|to avoid|wenn|falls|um|für alle,? die|si|pour|para|se|per|als|om|если|чтобы)(?![\p{L}])[^,:]{0,200}[,:]/iu,
  /^\W*(?:如果|若|想|要想|为了|為了|もし)[^,:]{0,80}[,:]/u,
  /(?<![\p{L}])(?:if|unless|without|instead of|rather than|better than|alternatives? (?:to|for)|replacements? for|who (?:wants?|needs?) to|that (?:help|let)s?|wenn|ohne|statt|alternativen? (?:zu|für)|um (?=[^:]*\bzu\b)|si|sans|pour éviter|au lieu|para evitar|sin|alternativas? (?:a|al)|senza|sem|zonder|если|без|чтобы)(?![\p{L}]).*$/iu,
  /(?:代替|替代|替代品|の代わり|대신).*$/u,
  /\b(?:not|never|n['’]t|nothing|without|far from|anything but|hardly)\s+(?:[\p{L}]+\s+){0,2}(?:overrated|overpriced|overhyped|disappoint\p{L}*|unsafe|worst)\b/giu,
  /\b(?:scams?|fraud|bankruptcy|recalls?|caution|warnings?)[ -]+(?:protection|detection|prevention|law\p{L}*|attorneys?|software|tools?|alerts?|tape|apps?|check\p{L}*|blockers?|insurance|services?|signs?|lights?|free)\b/giu,
  /\bhow\s+to\s+(?:avoid|spot)\s+\p{L}+/giu,
  /\bbest\s*(?:to|and|&|vs\.?|or)\s*(?:the\s+)?worst\b|\bworst\s*(?:to|and|&|vs\.?|or)\s*(?:the\s+)?best\b|\bworst[- ]case\b|\bat worst\b|\bvon (?:gut|besten) bis\b/giu,
  /\b(?:can(?:no|['’])t|cannot|can not|couldn['’]t|could not)\s+(?:\p{L}+\s+){0,2}recommend\b.*\benough\b/giu,
  /(?:不会?|绝不|絕不|从不|從不|零|避免|防|拒绝)踩(?:雷|坑)|失敗しない/gu,
] as const;

const warnings = new RegExp(
  [
    // English
    String.raw`\b(?:worst|weakest|overrated|overhyped|overpriced|disappoint(?:ing|ments?|ed)|underwhelming|unsafe|blacklist(?:ed)?|boycott(?:s|ed)?)\b`,
    String.raw`\b(?:to|should|should['’]d|would|i['’]?d|must|can|probably|definitely|better|best|please)\s+(?:you\s+|i\s+|we\s+)?(?:avoid|skip|ditch)(?:ed)?\b(?=[^\p{L}\p{N}]*$|\s+(?:in|for|at|when|this|these|those|because|due|buying|right|now|altogether|entirely|completely|and|or|like)\b|\s*[(:,–—-])`,
    String.raw`^[^\p{L}\p{N}]*(?:what\s+to\s+|things\s+to\s+)?(?:avoid|skip|ditch|pass)(?=[^\p{L}\p{N}]*$|\s*[:(,–—-])`,
    String.raw`\b(?:avoid|skip|ditch)(?:ing)?\s+(?:these|those|this|them|the\s+following|brands?|models?|products?|at\s+all\s+costs)\b`,
    String.raw`\b(?:steer|stay|keep)\s+(?:well\s+)?(?:clear|away)\b|\bpass\s+on\s+(?:these|those|the\s+following)\b|\bwatch\s+out\s+for\b|\bbeware\b|\bbe\s+(?:careful|cautious|wary)\b|\bcaution\b|\bthink\s+twice\b`,
    String.raw`\b(?:don['’]?t|do\s+not|never|wouldn['’]?t|would\s+not|shouldn['’]?t|should\s+not)\s+(?:\p{L}+\s+){0,2}(?:buy|bother|purchase|choose|pick|trust|waste|touch|use)\b`,
    String.raw`(?:\bnot|\bnever|n['’]t|\bcannot|\bno\s+longer|\bhardly|\bleast)\s+(?:\p{L}+\s+){0,2}recommend(?:ed|ing)?\b|\b(?:hard|difficult|tough|impossible)\s+to\s+recommend\b`,
    String.raw`\b(?:recommend(?:ed|s|ing)?|advis(?:e|ed|es|ing)|warn(?:ed|s|ing)?|caution(?:ed|s)?|decided|argue|voted)\s+(?:\p{L}+\s+){0,2}against\b|\b(?:warned|warnings?)\s+(?:about|of)\b`,
    String.raw`\bbankrupt(?:cy|cies)?\b|\binsolven(?:t|cy)\b|\bdiscontinu(?:ed|ations?)\b|\brecall(?:ed|s)\b|\bdefunct\b|\bout\s+of\s+(?:business|production)\b|\bwent\s+(?:under|bust)\b|\bliquidat(?:ed|ion)\b|\b(?:has|have|had)\s+(?:closed|shut|folded|failed|collapsed)\b|\bthat\s+(?:closed|failed|folded|collapsed)\b|\bno\s+longer\s+(?:available|made|sold|produced|in\s+business|exist|operat|support)`,
    String.raw`\bnot\s+(?:a\s+|as\s+|so\s+|really\s+|very\s+)?(?:good|great|ideal|suitable|worth|advisable|suited)\b(?!\s+(?:enough|only))|(?:isn|aren|weren|wasn)['’]t\s+(?:\p{L}+\s+){0,2}worth\b|\b(?:lowest|worst|poorly|badly|low)[- ](?:rated|ranked|performing|scoring|reviewed|quality)\b|\bleast\s+(?:reliable|favou?rites?|popular|trustworthy|effective|durable)\b|\bbottom\s+(?:of|tier|picks?|performers?)\b|\b(?:wouldn['’]?t|would\s+not|isn['’]?t|not)\s+be\s+my\b|\bscams?\b|\bfraud(?:s|ulent)?\b|\bcounterfeits?\b|\bred\s+flags?\b|\blosers\b|\bfalls?\s+short\b|\bfell\s+short\b`,
    String.raw`\b(?:what|which|ones|brands?|products?|models?)\s+not\s+to\s+\p{L}+|\b(?:poor|bad|weak|unreliable|inferior|subpar)\s+(?:choices?|options?|picks?|brands?|products?|models?|reviews?|ratings?|quality|performers?|value)\b`,
    "^[^\\p{L}\\p{N}]*[❌🚫⛔👎🛑]",
    // German
    String.raw`nicht\s+(?:mehr\s+|zu\s+|so\s+|unbedingt\s+)?(?:empf(?:ehl|ohl)|kaufen|geeignet|erhältlich|lieferbar|zu\s+gebrauchen|gut\b)|nicht\s+(?:\p{L}+\s+){1,3}empfehlen|ungeeignet|abgeraten|abzuraten|(?<![\p{L}])ab(?:zu)?rat(?:e|en)(?![\p{L}])|\brate\p{L}*\b.*\bab\b|finger\s+weg|schlechtest\p{L}*|überbewertet|überschätzt|überteuert|insolven\p{L}*|\bpleite|konkurs|zurückgerufen|rückruf|enttäusch\p{L}*|\bflops?\b|lieber\s+nicht|eingestellte?\p{L}{0,2}(?=[^\p{L}\p{N}]*$|\s+(?:marken|produkte|modelle))|(?:^|[^\p{L}])(?:zu\s+(?:ver)?meiden|(?:ver)?meiden(?:\s+(?:sollten?|sollte\s+man|würde))?)(?=[^\p{L}\p{N}]*$)|(?:ver)?meiden\s+sie\s+(?:diese|die\s+folgenden|folgende)|vorsicht\s+(?:bei|vor)`,
    // French
    String.raw`à\s+(?:éviter|fuir|proscrire)|(?:^|[^\p{L}])évite[rz]?(?:\s+(?:ces|les\s+(?:marques|produits|modèles)|absolument)(?![\p{L}])|(?=[^\p{L}\p{N}]*$))|(?:^|[^\p{L}])(?:non|pas|peu|jamais)\s+(?:\p{L}+\s+){0,2}(?:recommand|conseill|acheter)|ne\s+(?:\p{L}+\s+){0,2}(?:recommand|conseill)|déconseill|(?:^|[^\p{L}])pires?(?![\p{L}])|surcoté|surestimé|surévalué|faillite|liquidation\s+judiciaire|rappelé|rappels?\s+de\s+produits?|décevant|arnaque|méfie[rz]|plus\s+(?:fabriqué|commercialisé|disponible|produit)|moins\s+bon`,
    // Spanish and Portuguese
    String.raw`(?:^|[^\p{L}])(?:a|que|debes|deber[ií]as|conviene|mejor|para|es)\s+evitar(?=[^\p{L}\p{N}]*$)|(?:^|[^\p{L}])evit[ae]r?\s+(?:est[aeo]s|las\s+siguientes|los\s+siguientes|as\s+seguintes|os\s+seguintes)|(?:^|[^\p{L}])(?:no|não|nunca)\s+(?:\p{L}+\s+){0,2}(?:recom[ie]\p{L}*|aconsej|compr[ae]|vale)|(?:desaconsej|desaconselh)\p{L}*|(?:^|[^\p{L}])(?:peor(?:es)?|pior(?:es)?)(?![\p{L}])|sobrevalorad|sobrestimad|superestimad|superfaturad|quiebra|bancarrota|falência|(?<![\p{L}])(?:faliram|faliu|quebraron)(?![\p{L}])|recuperação\s+judicial|descontinuad|decepcion|retirad[oa]s\s+d|huye\s+de|fuja\s+d|estafas?(?![\p{L}])`,
    // Italian
    String.raw`da\s+evitare|(?:^|[^\p{L}])evita(?:re|te)?\s+(?:quest[ei]|i\s+seguenti|le\s+seguenti)|sconsigliat|sconsiglio|non\s+(?:\p{L}+\s+){0,2}(?:consigli|raccomand|acquist|compr)|(?:^|[^\p{L}])peggior[ei]?(?![\p{L}])|sopravvalutat|fallit[aioe](?![\p{L}])|fallimento|bancarotta|fuori\s+produzione|richiamat|deludent`,
    // Dutch
    String.raw`te\s+(?:ver)?mijden|(?:ver)?mijd(?:en)?\s+(?:deze|de\s+volgende)|(?:^|[^\p{L}])(?:ver)?mijden(?=[^\p{L}\p{N}]*$)|niet\s+(?:aan\s+te\s+raden|aanbevolen|aan\s+te\s+bevelen|kopen|geschikt)|afgeraden|af\s+te\s+raden|afraden|slechtste?|overschat|overgewaardeerd|failliet|faillissement|teruggeroepen|stopgezet|teleurstell|pas\s+op\s+voor`,
    // Chinese
    String.raw`避雷|避坑|踩雷|踩坑|拔草|劝退|勸退|黑榜|黑名单|黑名單|红黑榜之黑|智商税|智商稅|翻车|翻車|最差|最烂|最爛|最糟|最不(?:推荐|推薦|值得|靠谱)|不(?:太|是很|是特别|怎么|再|会|被|宜|能)?(?:推荐|推薦|建议|建議|值得|適合购买|适合购买)|不要(?:买|買|选|選|购买|購買)|慎(?:选|選|买|買|入|购|購)|千万别|千萬別|别(?:买|选|碰|入)|別(?:買|選|碰)|远离|遠離|避免(?:购买|購買|选择|選擇|使用|入手|的|以下)|[应应需要該该](?:当|该)?(?:避免|避开|避開)|避开(?:的|以下|这些)|破产|破產|倒闭|倒閉|停产|停產|停售|召回|下架|评价过高|被高估|过誉|過譽|差评|差評`,
    // Japanese
    String.raw`避け(?:る|た|て)?(?:べき|たい|ましょう|ください|方|ほう)|避けるべき|(?:おすすめ|オススメ|お勧め|推奨)(?:し|でき|は(?:し|でき)|され)(?:ない|ません|かね)|買(?:って|わ)(?:は|ない)(?:いけない|ほうが|方が)|最悪|ワースト|倒産|生産終了|製造中止|販売終了|リコール|過大評価|要注意|やめ(?:たほう|た方|とけ)`,
    // Korean
    String.raw`피해야|피할\s|피하세요|추천하지\s*(?:않|못)|비추|최악|워스트|파산|단종|리콜|과대\s*평가|사지\s*(?:마|말)|주의해야|주의할`,
    // Russian
    String.raw`(?:стоит|следует|лучше|надо|нужно)\s+(?:\p{L}+\s+)?(?:избегать|обходить)|избегайте\s+(?:эт|след)|(?:^|[^\p{L}])не\s+(?:\p{L}+\s+){0,2}(?:рекоменд|совету|стоит|покупа|бер)|худши|наихудш|переоцен[её]н|банкрот|обанкрот|снят\p{L}*\s+с\s+производства|отозван|антирейтинг|разочаров`,
  ].join("|"),
  "iu",
);

const sources = new RegExp(
  `^(?:${[
    "(?:sources?|references?|citations?|footnotes?|notes|bibliography|works cited|further reading)(?: (?:and )?(?:sources?|references?|citations?|notes|links|further reading|used|cited|consulted|consultées?|citées?|checked))?|(?:useful |related |external |reference |source )?links",
    "quellen(?:angaben|verzeichnis|nachweise?)?|literatur(?:verzeichnis)?|einzelnachweise|referenzen|weiterführende links|weitere informationen",
    "références?|bibliographie|fuentes?(?: consultadas)?|referencias?|bibliografía|fontes?(?: consultadas)?|referências?|bibliografia|fonti|riferimenti|bronnen|referenties|bronvermelding",
    "参考(?:资料|文献|来源|链接|信息|内容)?|參考(?:資料|文獻|來源|連結)?|(?:资料|信息|数据|引用|内容)?来源|(?:資料|資訊|引用)?來源|引用(?:文献)?|出典|参照(?:元)?|情報源|参考サイト|참고(?:\\s*(?:자료|문헌))?|출처|источники|ссылки|литература",
  ].join("|")})$`,
  "iu",
);

/** True if the text of a heading, or the line above a list, says that the list is no list of choices. */
export function disqualifies(text: string): boolean {
  const heading = lastSentence(text.slice(-headingCharsMax));
  const plain = heading
    .replaceAll(/\([^()]*\)/gu, "")
    .replaceAll(/[^\p{L}\p{N}\s]/gu, " ")
    .replaceAll(/^\s*[0-9]+\s|\s+/gu, " ")
    .trim();
  return sources.test(plain) || warns(heading);
}

/** True if a text announces what is to be avoided, or no longer exists. */
export function warns(text: string): boolean {
  if (!/[\p{L}\p{Extended_Pictographic}]/u.test(text)) return false;
  let rest = text;
  for (const condition of conditions) rest = rest.replace(condition, " ");
  return warnings.test(rest.trim());
}

/** The text after its last full stop but one. */
function lastSentence(text: string): string {
  const trimmed = text.trimEnd().replace(/[.。]+$/u, "");
  const parts = trimmed.split(/(?<=[.!?][*_"”’)]{0,3})\s+(?=[^\s])|(?<=[。!?])|(?:^|\s)#{1,6}\s/u);
  return parts.findLast((part) => /[\p{L}\p{N}]/u.test(part)) ?? trimmed;
}

/** What a list of properties says of one thing: `Where to buy: Acme` makes no choice. */
const attributes =
  /^[^\p{L}\p{N}]*(?:where\s+to\s+(?:buy|find|get|shop)|available|availability|buy|buy\s+(?:it\s+)?(?:at|from|on|now)|purchase|retailers?|sold|shops?|stores?|order|sellers?|prices?|costs?|pros?|cons?|drawbacks?|downsides?|features?|specs?|specifications|processor|made\s+by|manufacturer|maker|owner|owned\s+by|parent\s+company|compatib\p{L}*|works\s+with|compared?|comparable|similar|alternatives?|competitors?|not|versus|vs|sources?|references?|read\s+more|learn\s+more|link|via|review(?:s|ed)?|kaufen|erhältlich|preis|hersteller|quelle|alternativen?|nachteile|vorteile|où\s+acheter|disponible|prix|fabricant|dónde\s+comprar|precio|购买|价格|品牌方|厂商|来源|优点|缺点)(?:\s+(?:it|them|here|now|at|from|on|in|with|to|by|range|online|stores?|bei|auf|chez|en|à)){0,3}[^\p{L}\p{N}:]*:/iu;

export const isAttribute = (prefix: string): boolean => attributes.test(prefix);
