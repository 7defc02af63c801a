import { pageEvidenceKinds, type PageEvidenceKind } from "@querent/contract";
import type { CapturedEvidence, Snapshot } from "../../platform.ts";
import { waczMediaType } from "../archive/index.ts";
import type { PageSnapshots, Taken } from "../page/snapshots.ts";

/**
 * Snapshots as separate files, for people and for evidence. They are bounded as the snapshots are: at most 4 MiB each, and no more
 * of them than the recipe expands.
 */
export function snapshotFiles({ turn, page, expanded, response, others = {} }: PageSnapshots): Snapshot[] {
  const html = (name: string, content: string | null) =>
    content === null || content === "" ? [] : [{ name, mediaType: "text/html", bytes: Buffer.from(content) }];
  return [
    ...html("page.html", page),
    ...html("turn.html", turn),
    ...Object.entries(expanded).flatMap(([name, content]) => html(`expanded-${name}.html`, content)),
    ...(response === null || response.body === "" ? [] : [responseFile("response", response.mediaType, response.body)]),
    ...Object.entries(others).flatMap(([name, { mediaType, body }]) =>
      body === "" ? [] : [responseFile(`response-${name}`, mediaType, body)],
    ),
  ];
}

const fileOf = {
  picture: { name: "page.png", mediaType: "image/png" },
  archive: { name: "page.wacz", mediaType: waczMediaType },
} as const satisfies Record<PageEvidenceKind, Omit<Snapshot, "bytes">>;

/** The files of what was taken of the page, and for each kind its file or why there is none. */
export function evidenceFiles(taken: Readonly<Partial<Record<PageEvidenceKind, Taken<Buffer>>>>): {
  files: Snapshot[];
  evidence: CapturedEvidence[];
} {
  const files: Snapshot[] = [];
  const evidence = pageEvidenceKinds.flatMap((kind): CapturedEvidence[] => {
    const one = taken[kind];
    if (one === undefined) return [];
    if ("missing" in one) return [{ kind, missing: one.missing }];
    files.push({ ...fileOf[kind], bytes: one.taken });
    const { incomplete } = one;
    return [{ kind, capture: fileOf[kind].name, ...(incomplete === undefined ? {} : { incomplete }) }];
  });
  return { files, evidence };
}

/** The server's content type can be any text: one of three types is used, or plain text. */
function responseFile(name: string, contentType: string, body: string): Snapshot {
  const type = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  const [mediaType, ending] = /^application\/([a-z0-9.-]+\+)?json$/.test(type)
    ? ["application/json", "json"]
    : type === "text/html"
      ? ["text/html", "html"]
      : ["text/plain", "txt"];
  return { name: `${name}.${ending}`, mediaType, bytes: Buffer.from(body) };
}
