import type { Snapshot } from "../platform.ts";
import { waczMediaType } from "./archive/index.ts";
import type { PageSnapshots } from "./snapshots.ts";

/**
 * Snapshots as separate files, for people and for evidence. They are bounded as the snapshots are: at most 4 MiB each, and no more
 * of them than the recipe expands.
 */
export function snapshotFiles(
  { turn, page, expanded, response }: PageSnapshots,
  { picture = null, archive = null }: { readonly picture?: Buffer | null; readonly archive?: Buffer | null } = {},
): Snapshot[] {
  const html = (name: string, content: string | null) =>
    content === null || content === "" ? [] : [{ name, mediaType: "text/html", bytes: Buffer.from(content) }];
  return [
    ...html("page.html", page),
    ...html("turn.html", turn),
    ...Object.entries(expanded).flatMap(([name, content]) => html(`expanded-${name}.html`, content)),
    ...(response === null || response.body === "" ? [] : [responseFile(response.mediaType, response.body)]),
    ...(picture === null ? [] : [{ name: "page.png", mediaType: "image/png", bytes: picture }]),
    ...(archive === null ? [] : [{ name: "page.wacz", mediaType: waczMediaType, bytes: archive }]),
  ];
}

/** The server's content type can be any text: one of three types is used, or plain text. */
function responseFile(contentType: string, body: string): Snapshot {
  const type = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  const [mediaType, ending] = /^application\/([a-z0-9.-]+\+)?json$/.test(type)
    ? ["application/json", "json"]
    : type === "text/html"
      ? ["text/html", "html"]
      : ["text/plain", "txt"];
  return { name: `response.${ending}`, mediaType, bytes: Buffer.from(body) };
}
