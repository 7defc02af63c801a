import type { ImportedAnswer } from "@querent/contract";
import { elements, members, NotAnAnswer, sourcesOf, textOf, timeOf, type Members } from "./foreign.ts";

const contentCharsMax = 1_000_000;

/** Engines whose responses are the answer. In those of others, the answer is the member `ai_overview`. */
const answerEngines: ReadonlySet<string> = new Set(["google_ai_mode", "bing_copilot", "brave_ai_mode"]);
/** Engines whose responses have an overview if the page had one. */
const overviewEngines: ReadonlySet<string> = new Set(["google", "google_ai_overview"]);

/**
 * The answer in a response of SerpApi. A search without an overview is an answer without text. The forms are documented at
 * https://serpapi.com/google-ai-mode-api, /google-ai-overview-api, /ai-overview and /bing-copilot-api (read in November 2026).
 */
export function answersOfSerpApi(line: unknown): ImportedAnswer[] {
  const response = members(line);
  const parameters = members(response["search_parameters"]);
  const metadata = members(response["search_metadata"]);
  refuseUnfinished(response, metadata);
  const engine = textOf(parameters["engine"], 40) ?? "google";
  const question = textOf(parameters["q"], 100_000);
  if (question === null)
    throw new NotAnAnswer(
      "/search_parameters/q",
      engine === "google_ai_overview"
        ? "The response has no query, as this engine is asked with a token. Add the query of the search as `search_parameters.q`."
        : "The response has no query.",
    );
  const observedAt = timeOf(metadata["processed_at"]) ?? timeOf(metadata["created_at"]);
  if (observedAt === null) throw new NotAnAnswer("/search_metadata/created_at", "The response has no time.");
  const answer = answerEngines.has(engine) ? response : overviewOf(response, engine);
  const isUnread = answer !== response && isOnlyAnnounced(answer);
  const locale = [parameters["gl"], parameters["hl"], parameters["location"] ?? parameters["location_used"]]
    .map((part) => textOf(part, 80) ?? "")
    .join("/");
  return [
    {
      id: textOf(metadata["id"], 255),
      question,
      platformCode: platformOf(engine),
      observedAt,
      content: contentOf(answer),
      locale: locale === "//" ? null : locale,
      sources: sourcesOf(answer["references"], "link").slice(0, 1000),
      ...(answer === response ? { ...productsOf(response), ...relatedOf(response) } : {}),
      ...(isUnread ? { unread: true } : {}),
    },
  ];
}

/** What the assistant showed to buy, in the order of the answer. */
function productsOf(response: Members): Pick<ImportedAnswer, "products"> {
  const products = elements(response["shopping_results"]).flatMap((each) => {
    const { title, link, product_link: page, price, source, store } = members(each);
    const name = textOf(title, 2000);
    if (name === null) return [];
    const [shown, shop] = [textOf(price, 255), textOf(store ?? source, 255)];
    return [
      {
        title: name,
        url: textOf(link ?? page, 8192),
        ...(shown === null ? {} : { price: shown }),
        ...(shop === null ? {} : { shop }),
      },
    ];
  });
  return products.length === 0 ? {} : { products: products.slice(0, 1000) };
}

function relatedOf(response: Members): Pick<ImportedAnswer, "relatedQuestions"> {
  const questions = elements(response["related_questions"]).flatMap(
    (each) => textOf(members(each)["question"], 2000) ?? [],
  );
  return questions.length === 0 ? {} : { relatedQuestions: questions.slice(0, 1000) };
}

/** A search that failed or has not ended says nothing about what the platform answers. */
function refuseUnfinished(response: Members, metadata: Members): void {
  const status = textOf(metadata["status"], 40);
  if (status === null || status === "Success" || status === "Cached") return;
  const why = textOf(response["error"], 200);
  throw new NotAnAnswer(
    "/search_metadata/status",
    `The search has the status "${status}"${why === null ? "" : ` (${why})`}. Leave it out.`,
  );
}

/** Google often sends the overview of a search separately: the search has only a token then. */
function overviewOf(response: Members, engine: string): Members {
  if (response["ai_overview"] === undefined && !overviewEngines.has(engine))
    throw new NotAnAnswer("/search_parameters/engine", `Responses of the engine "${engine}" have no answers.`);
  const overview = members(response["ai_overview"]);
  if (hasText(overview) || isOnlyAnnounced(overview)) return overview;
  const error = textOf(overview["error"], 200);
  if (error !== null) throw new NotAnAnswer("/ai_overview/error", `The overview could not be fetched: ${error}`);
  return overview;
}

const hasText = (overview: Members) =>
  overview["text_blocks"] !== undefined || overview["reconstructed_markdown"] !== undefined;

/** Whether a search has only the token with which its overview can be fetched: the page had one, and nobody read it. */
const isOnlyAnnounced = (overview: Members) => !hasText(overview) && overview["page_token"] !== undefined;

function platformOf(engine: string): string {
  const code = engine.replaceAll("_", "-");
  return answerEngines.has(engine) || code.endsWith("-ai-overview") ? code : `${code}-ai-overview`;
}

function contentOf(answer: Members): string | null {
  const written = textOf(answer["reconstructed_markdown"], contentCharsMax);
  if (written !== null) return written;
  const header = textOf(answer["header"], 10_000);
  const blocks = elements(answer["text_blocks"]).map((block) => textOfBlock(block, 0));
  return textOf([header ?? "", ...blocks].filter(Boolean).join("\n\n"), contentCharsMax);
}

const depthMax = 8;

function textOfBlock(value: unknown, depth: number): string {
  if (depth > depthMax) return "";
  const block = members(value);
  const own = [textOf(block["title"], 10_000), textOf(block["snippet"] ?? block["code"], contentCharsMax)];
  const items = elements(block["list"]).map((item) => `- ${textOfBlock(item, depth + 1).replaceAll("\n", "\n  ")}`);
  const rows = elements(block["table"]).map((row) => rowOf(elements(row)));
  const compared = elements(block["comparison"]).map(members);
  if (compared.length > 0) rows.push(rowOf(["", ...elements(block["product_labels"])]));
  rows.push(...compared.map(({ feature, values }) => rowOf([feature, ...elements(values)])));
  const inner = elements(block["text_blocks"]).map((each) => textOfBlock(each, depth + 1));
  return [own.filter((part) => part !== null).join(": "), ...items, ...rows, ...inner]
    .filter((part) => part !== "")
    .join("\n");
}

const rowOf = (cells: readonly unknown[]): string =>
  `| ${cells.map((cell) => (typeof cell === "string" || typeof cell === "number" ? String(cell) : "")).join(" | ")} |`;
