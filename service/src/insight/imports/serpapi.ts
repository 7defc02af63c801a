import type { ImportedAnswer } from "@querent/contract";
import { elements, members, NotAnAnswer, sourcesOf, textOf, timeOf, type Members } from "./foreign.ts";

const contentCharsMax = 1_000_000;

/**
 * The answer in a response of SerpApi: of its engine `google_ai_mode`, or the `ai_overview` of a search. A search without an
 * overview is an answer without text.
 */
export function answersOfSerpApi(line: unknown): ImportedAnswer[] {
  const response = members(line);
  const parameters = members(response["search_parameters"]);
  const metadata = members(response["search_metadata"]);
  const question = textOf(parameters["q"], 100_000);
  if (question === null) throw new NotAnAnswer("/search_parameters/q", "The response has no query.");
  const observedAt = timeOf(metadata["processed_at"]) ?? timeOf(metadata["created_at"]);
  if (observedAt === null) throw new NotAnAnswer("/search_metadata/created_at", "The response has no time.");
  const engine = textOf(parameters["engine"], 40) ?? "google";
  const isAiMode = engine === "google_ai_mode";
  const answer = isAiMode ? response : members(response["ai_overview"]);
  const locale = [parameters["gl"], parameters["hl"], parameters["location"] ?? parameters["location_used"]]
    .map((part) => textOf(part, 80) ?? "")
    .join("/");
  return [
    {
      id: textOf(metadata["id"], 255),
      question,
      platformCode: isAiMode ? "google-ai-mode" : `${engine.replaceAll("_", "-")}-ai-overview`,
      observedAt,
      content: contentOf(answer),
      locale: locale === "//" ? null : locale,
      sources: sourcesOf(answer["references"], "link").slice(0, 1000),
    },
  ];
}

function contentOf(answer: Members): string | null {
  const written = textOf(answer["reconstructed_markdown"], contentCharsMax);
  if (written !== null) return written;
  return textOf(
    elements(answer["text_blocks"])
      .map((block) => textOfBlock(block, 0))
      .filter(Boolean)
      .join("\n\n"),
    contentCharsMax,
  );
}

const depthMax = 8;

function textOfBlock(value: unknown, depth: number): string {
  if (depth > depthMax) return "";
  const block = members(value);
  const own = [textOf(block["title"], 10_000), textOf(block["snippet"] ?? block["code"], contentCharsMax)];
  const items = elements(block["list"]).map((item) => `- ${textOfBlock(item, depth + 1).replaceAll("\n", "\n  ")}`);
  const rows = elements(block["table"]).map(
    (row) =>
      `| ${elements(row)
        .map((cell) => (typeof cell === "string" ? cell : ""))
        .join(" | ")} |`,
  );
  const inner = elements(block["text_blocks"]).map((each) => textOfBlock(each, depth + 1));
  return [own.filter((part) => part !== null).join(": "), ...items, ...rows, ...inner]
    .filter((part) => part !== "")
    .join("\n");
}
