// An adapter of your own: the platforms' file names it (`module: ./adapters/headlines.mjs`), and the service asks it.
// It asks a news search that answers {"items": [{"title", "link", "day"}]} and makes a list of what it found.

export function createPlatform({ environment }) {
  const address = environment.HEADLINES_URL;
  return {
    name: "Headlines",
    returns: ["sources", "searchProcess"],
    // Null when it can be asked; otherwise what the operator has to do.
    missing: address === undefined ? "Set the environment variable HEADLINES_URL." : null,

    // Asks once. Never retries (the engine does), never throws for what the other side does wrong.
    async ask(question, { signal }) {
      let response;
      let body = "";
      const url = `${address}?q=${encodeURIComponent(question.text)}`;
      try {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(20_000)]);
        response = await fetch(url, { signal: limit, redirect: "error" });
        for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
          if ((body += chunk).length > 1_000_000) throw new Error("too large");
        }
      } catch {
        if (signal.aborted) return { kind: "canceled" };
        return fault("retryable", "platform_unavailable", "The news search can't be reached.", null);
      }
      const { status } = response;
      if (status === 429) return { kind: "throttled", retryAfterMs: 30_000, platformStatus: status };
      if (status !== 200) return fault("retryable", "platform_unavailable", "The news search failed.", status);
      return read(body, question, new Date());
    },

    // Reads a stored answer again, with the code of that day: a better parser makes better results.
    reread: (raw, question, observedAt) => read(raw.body, question, observedAt),
  };
}

function read(body, question, observedAt) {
  let sources;
  try {
    sources = JSON.parse(body).items.map(sourceOf);
  } catch {
    return fault("retryable", "platform_bad_response", "The news search answered nonsense.", 200);
  }
  const markdown = sources.map(({ title, url }) => `- [${title.replace(/[\\[\]]/g, "\\$&")}](<${url}>)`).join("\n");
  const search = [{ query: question.text, results: sources.map(({ title, url, site }) => ({ title, url, site })) }];
  const parts = [{ type: "markdown", markdown: markdown || "Nothing was found." }];
  const none = { reasoning: null, pageHtml: null, modelVersion: null, endpoint: null, region: null, unreadable: [] };
  const raw = { mediaType: "application/json", body };
  return { kind: "answered", answer: { parts, sources, search, observedAt, ...none }, raw, consumption: null };
}

const sourceOf = ({ title, link, day }) => {
  return { title: `${title}`, url: `${link}`, summary: null, site: "", publishedAt: day ?? null };
};

const fault = (kind, code, message, platformStatus) => ({ kind, code, stage: "platform", message, platformStatus });
