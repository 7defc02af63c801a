import { searchInfoPages } from "../read/pages.ts";
import { responsesRequest, webSearch } from "./responses-request.ts";
import type { Vendor } from "./vendor.ts";

/** Alibaba's Responses API: its chat completions also search, but do not return what they found. */
export const qwen: Vendor = {
  code: "qwen",
  name: "Alibaba Qwen",
  defaults: {
    url: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    keyVariable: "DASHSCOPE_API_KEY",
    model: "qwen3.8-max",
    thinking: { normal: "none", deep: "high" },
  },
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  request: (question) =>
    responsesRequest(
      question,
      question.upstream.search ? [webSearch] : [],
      question.effort === "default" ? {} : { enable_thinking: question.effort !== "none" },
    ),
  extras: { pages: searchInfoPages },
};
