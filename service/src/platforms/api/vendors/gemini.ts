import { changeTools, isBody } from "../requests/forms.ts";
import type { Effort, JsonBody, Vendor } from "../vendor.ts";

/** generateContent, grounded in Google Search. */
export const gemini: Vendor = {
  code: "gemini",
  order: 3,
  name: "Google Gemini",
  tracedAs: "gcp.gemini",
  defaults: {
    url: "https://generativelanguage.googleapis.com/v1beta",
    keyVariable: "GEMINI_API_KEY",
    model: "gemini-pro-latest",
    thinking: { normal: "default", deep: "high" },
  },
  keyPage: "https://aistudio.google.com/apikey",
  returns: ["sources", "media", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "media", "searchProcess"],
  searches: true,
  modelsPath: "/models?pageSize=1000",
  keyHeader: "x-goog-api-key",
  request({ upstream, model, text, deep, effort }) {
    const thinkingConfig = { ...thinkingOf(model, effort), ...(deep ? { includeThoughts: true } : {}) };
    return {
      path: `/${model.includes("/") ? model : `models/${model}`}:generateContent`,
      body: {
        generationConfig: Object.keys(thinkingConfig).length === 0 ? {} : { thinkingConfig },
        contents: [{ role: "user", parts: [{ text }] }],
        ...(upstream.search ? { tools: [{ googleSearch: {} }] } : {}),
      },
    };
  },
  extras: {},
  documentation: {
    path: "/models/gemini-pro-latest:generateContent",
    model: "gemini-pro-latest",
    search: "googleSearch",
    page: "https://ai.google.dev/gemini-api/docs/generate-content",
    checked: "2026-11-29",
    unconfirmed: ["model", "search"],
  },
  options: {
    system: (body, text) => ({ ...body, systemInstruction: { parts: [{ text }] } }),
    native: {
      // A start requires an end.
      since: (body, since, now) =>
        changeTools(body, (tool) => {
          const endTime = now.toISOString();
          const search = tool["googleSearch"];
          if (!isBody(search)) return tool;
          const timeRangeFilter = { startTime: `${since}T00:00:00Z`, endTime };
          return { ...tool, googleSearch: { ...search, timeRangeFilter } };
        }),
    },
    page: "https://docs.cloud.google.com/nodejs/docs/reference/generativelanguage/latest/generativelanguage/protos.google.ai.generativelanguage.v1beta.tool.igooglesearch",
    checked: "2026-11-22",
  },
};

/** Gemini 2 takes a budget of tokens, later models a level. */
function thinkingOf(model: string, effort: Effort): JsonBody {
  if (effort === "default") return {};
  if (/(?:^|\/)gemini-[12][.-]/u.test(model)) {
    const high = model.includes("2.5-pro") ? 32_768 : 24_576;
    return { thinkingBudget: { none: 0, low: 6_554, medium: 19_661, high }[effort] };
  }
  if (effort !== "none") return { thinkingLevel: effort };
  // Thinking can't be switched off. Only the Flash models up to 3.6 and Flash-Lite have a level below `low`.
  const hasMinimal = /flash-lite|(?:^|\/)gemini-3(?:\.[0-6])?-flash/u.test(model);
  return { thinkingLevel: hasMinimal ? "minimal" : "low" };
}
