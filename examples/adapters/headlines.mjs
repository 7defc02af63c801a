// An example adapter. The configuration file refers to it with `module: ./adapters/headlines.mjs`. It calls a news search
// that returns {"items": [{"title", "link", "day"}]}, and converts the results to a list.

export function createPlatform({ environment }) {
  const address = environment.HEADLINES_URL;
  return {
    name: "Headlines",
    returns: ["sources", "searchProcess"],
    // Null if it is configured, otherwise what the operator must do.
    missing: address === undefined ? "Set the environment variable HEADLINES_URL." : null,

    // Makes one attempt. Does not retry, because the engine does, and does not throw errors of the search.
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
        return fault("retryable", "platform_unavailable", "The news search cannot be reached.", null);
      }
      const { status } = response;
      if (status === 429) return { kind: "throttled", retryAfterMs: 30_000, platformStatus: status };
      if (status !== 200) return fault("retryable", "platform_unavailable", "The news search failed.", status);
      return read(body, question, new Date());
    },

    // Parses a stored response again with the current code.
    reread: (raw, question, observedAt) => read(raw.body, question, observedAt),
  };
}

function read(body, question, observedAt) {
  let sources;
  try {
    sources = JSON.parse(body).items.map(sourceOf);
  } catch {
    return fault("retryable", "platform_bad_response", "The response of the news search could not be parsed.", 200);
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
