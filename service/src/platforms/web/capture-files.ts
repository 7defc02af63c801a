import type { Capture } from "../platform.ts";
import type { Captures } from "./captures.ts";

/**
 * Captures as files of their own, for people and for evidence. They are as bounded as what was captured: parts of 4 MiB at the most,
 * and no more of them than the recipe unfolds.
 */
export function captureFiles({ turn, page, expanded, response }: Captures): Capture[] {
  const html = (name: string, content: string | null) =>
    content === null || content === "" ? [] : [{ name, mediaType: "text/html", bytes: Buffer.from(content) }];
  return [
    ...html("page.html", page),
    ...html("turn.html", turn),
    ...Object.entries(expanded).flatMap(([name, content]) => html(`expanded-${name}.html`, content)),
    ...(response === null || response.body === "" ? [] : [responseFile(response.mediaType, response.body)]),
  ];
}

/** What a page's server says of its own bytes is anybody's text: of three types one, or text. */
function responseFile(told: string, body: string): Capture {
  const type = (told.split(";", 1)[0] ?? "").trim().toLowerCase();
  const [mediaType, ending] = /^application\/([a-z0-9.-]+\+)?json$/.test(type)
    ? ["application/json", "json"]
    : type === "text/html"
      ? ["text/html", "html"]
      : ["text/plain", "txt"];
  return { name: `response.${ending}`, mediaType, bytes: Buffer.from(body) };
}
