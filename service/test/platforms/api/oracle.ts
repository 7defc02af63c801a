/**
 * What a body holds, found without knowing any vendor: every address with whatever stands beside it, every query, every
 * thought, the model. Written apart from the adapter, and without its code, to be held against what the adapter found.
 */

export interface Holds {
  /** Address -> the titles that stand beside it anywhere in the body. */
  readonly sources: Map<string, Set<string>>;
  readonly queries: Set<string>;
  readonly thoughts: string;
  readonly model: string | null;
  /** The body says that it failed, or is not at its end. */
  readonly failed: boolean;
}

/** Addresses under these names are pictures, logos, redirects of pictures and the like, never what an answer rests on. */
const notSources =
  /^(favicon|icon|logo_url|cover_image|image_url|origin_url|thumbnail_url|images|videos|renderedContent|searchEntryPoint|instructions|tools|output|raw)$/;

export function holdings(body: string): Holds {
  const holds = {
    sources: new Map<string, Set<string>>(),
    queries: new Set<string>(),
    model: null as string | null,
    failed: false,
  };
  const thoughts: string[] = [];
  /** Pieces of JSON that a stream sends bit by bit, by block. */
  const pieces = new Map<string, string>();
  const walk = (value: unknown, name: string, parent: Record<string, unknown>): void => {
    if (Array.isArray(value)) {
      // A thought in pieces.
      if (name === "thinking" || (name === "summary" && parent["type"] === "thought"))
        for (const one of value)
          thoughts.push(JSON.stringify((one as Record<string, unknown>)["text"] ?? "").slice(1, -1));
      for (const one of value) walk(one, name, parent);
    } else if (typeof value === "object" && value !== null) {
      const record = value as Record<string, unknown>;
      if (record["type"] === "thought_summary") thoughts.push((record["content"] as { text: string }).text);
      if (typeof record["thought"] === "boolean" && typeof record["text"] === "string") thoughts.push(record["text"]);
      for (const [member, below] of Object.entries(record)) {
        if (!notSources.test(member)) walk(below, member, record);
        else if (member === "output" && typeof below === "object") walk(below, member, record);
      }
    } else if (typeof value === "string") string(value, name, parent);
  };
  const string = (value: string, name: string, parent: Record<string, unknown>): void => {
    if (/^(url|uri|link|citations|retrievedUrl)$/.test(name) && /^https?:/.test(value)) {
      const titles = holds.sources.get(value) ?? new Set();
      if (
        typeof parent["title"] === "string" && parent["url"] !== undefined
          ? parent["url"] === value
          : typeof parent["title"] === "string"
      ) {
        const title = (parent["title"] as string).trim();
        // Some number their citations in the place of a title.
        if (title !== "" && !/^\d+$/.test(title)) titles.add(title.replace(/\s+/g, " "));
      }
      holds.sources.set(value, titles);
    } else if (/^(query|queries|search_queries|webSearchQueries|search_keywords|pattern)$/.test(name))
      holds.queries.add(value.trim());
    else if (/^(arguments|input)$/.test(name) && value.startsWith("{")) inJson(value);
    else if (name === "partial_json")
      pieces.set(String(parent["__index"]), (pieces.get(String(parent["__index"])) ?? "") + value);
    else if (/^(thinking|reasoning_content|reasoning|thought)$/.test(name)) thoughts.push(value);
    else if (name === "text" && /^(summary_text|reasoning_text)$/.test(String(parent["type"])))
      thoughts.push(`\n${value}\n`);
    else if ((name === "model" || name === "modelVersion") && value !== "") holds.model ??= value;
  };
  const inJson = (text: string): void => {
    try {
      const { query, url } = JSON.parse(text) as Record<string, unknown>;
      if (typeof query === "string" && query !== "") holds.queries.add(query.trim());
      else if (typeof url === "string" && /^https?:/.test(url))
        holds.sources.set(url, holds.sources.get(url) ?? new Set());
    } catch {
      // The first bits of a stream.
    }
  };
  for (const document of documents(body)) {
    const record = document as Record<string, unknown>;
    // So that bits of JSON can be put together by block.
    if (typeof record["delta"] === "object" && record["delta"] !== null)
      (record["delta"] as Record<string, unknown>)["__index"] = record["index"];
    if (record["error"] !== undefined && record["error"] !== null) holds.failed = true;
    if (/^(queued|in_progress|failed)$/.test(String(record["status"])) && record["output"] !== undefined)
      holds.failed = true;
    walk(document, "", {});
  }
  for (const text of pieces.values()) inJson(text);
  return { ...holds, thoughts: thoughts.join("") };
}

/** JSON, a JSON list, events, or one document a line. */
export function documents(body: string): unknown[] {
  try {
    const whole: unknown = JSON.parse(body);
    return Array.isArray(whole) ? whole : [whole];
  } catch {
    return body
      .split("\n")
      .map((line) => line.replace(/^data: ?/, "").trim())
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as unknown);
  }
}

/** Two addresses of one page, as the contract sees it. */
export function samePage(address: string): string {
  const url = new URL(address);
  for (const name of [...url.searchParams.keys()]) if (name.startsWith("utm_")) url.searchParams.delete(name);
  url.searchParams.sort();
  return `${url.host.replace(/^www\./, "")}${url.pathname.replace(/\/+$/, "")}?${url.searchParams.toString()}`;
}
