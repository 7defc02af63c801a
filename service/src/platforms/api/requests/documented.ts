/** What each vendor's request rests on: the facts as documented, the page, and the day on which they were looked up. */
export const documented: Readonly<Record<string, Documented>> = {
  openai: {
    path: "/responses",
    model: "gpt-6-astra",
    search: "web_search",
    page: "https://developers.openai.com/api/docs/guides/tools-web-search",
    checked: "2026-11-29",
    unconfirmed: [],
  },
  anthropic: {
    path: "/messages",
    model: "claude-sonnet-5-5",
    search: "web_search_20260318",
    page: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-reference",
    checked: "2026-11-29",
    unconfirmed: [],
  },
  gemini: {
    path: "/models/gemini-pro-latest:generateContent",
    model: "gemini-pro-latest",
    search: "googleSearch",
    page: "https://ai.google.dev/gemini-api/docs/generate-content",
    checked: "2026-11-29",
    unconfirmed: ["model", "search"],
  },
  perplexity: {
    path: "/v1/responses",
    model: "low",
    search: null,
    page: "https://docs.perplexity.ai/docs/agent-api/openai-compatibility",
    checked: "2026-11-22",
    unconfirmed: [],
  },
  xai: {
    path: "/responses",
    model: "grok-latest",
    search: "web_search",
    page: "https://docs.x.ai/developers/pricing.md",
    checked: "2026-11-29",
    unconfirmed: ["path", "model"],
  },
  mistral: {
    path: "/conversations",
    model: "mistral-medium-latest",
    search: "web_search",
    page: "https://docs.mistral.ai/agents/tools/built-in/websearch",
    checked: "2026-11-22",
    unconfirmed: ["model"],
  },
  groq: {
    path: "/chat/completions",
    model: "groq/compound",
    search: null,
    page: "https://console.groq.com/docs/browser-automation",
    checked: "2026-11-22",
    unconfirmed: [],
  },
  deepseek: {
    path: "/anthropic/v1/messages",
    model: "deepseek-flash",
    search: "deepseek_web_search",
    page: "https://api-docs.deepseek.com/guides/web_tools",
    checked: "2026-11-22",
    unconfirmed: [],
  },
  qwen: {
    path: "/responses",
    model: "qwen3.8-max",
    search: "web_search",
    page: "https://help.aliyun.com/en/model-studio/compatibility-with-openai-responses-api",
    checked: "2026-11-29",
    unconfirmed: [],
  },
  kimi: {
    path: "/chat/completions",
    model: "kimi-k3",
    search: "web_search",
    page: "https://platform.kimi.ai/docs/guide/use-official-tools",
    checked: "2026-11-22",
    unconfirmed: ["model"],
  },
  glm: {
    path: "/chat/completions",
    model: "glm-5.3",
    search: "search_pro_jina",
    page: "https://docs.z.ai/api-reference/llm/chat-completion",
    checked: "2026-11-22",
    unconfirmed: ["model", "search"],
  },
  doubao: {
    path: "/responses",
    model: "doubao-seed-evolving",
    search: "web_search",
    page: null,
    checked: "2026-11-29",
    unconfirmed: ["path", "model", "search"],
  },
  openrouter: {
    path: "/chat/completions",
    model: "openrouter/auto",
    search: "openrouter:web_search",
    page: "https://openrouter.ai/docs/guides/features/server-tools/web-search",
    checked: "2026-11-29",
    unconfirmed: ["path", "model"],
  },
};

export interface Documented {
  /** Of a question with search, below the vendor's URL. */
  readonly path: string;
  /** The default model or preset. */
  readonly model: string;
  /** The name of the search tool; null if the model or preset brings its own. */
  readonly search: string | null;
  /** Null if no current page of the vendor was found. */
  readonly page: string | null;
  readonly checked: string;
  /** The facts that the vendor's documentation could not be found to state on that day. */
  readonly unconfirmed: readonly ("path" | "model" | "search")[];
}
