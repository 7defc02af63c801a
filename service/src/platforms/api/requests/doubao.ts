import { referencePages } from "../read/pages.ts";
import { responsesRequest, webSearch } from "./responses-request.ts";
import { thinkingSwitch } from "./thinking-switch.ts";
import type { Vendor } from "./vendor.ts";

/** Volcengine Ark's Responses API, with web search. */
export const doubao: Vendor = {
  code: "doubao",
  name: "ByteDance Doubao",
  defaults: {
    url: "https://ark.cn-beijing.volces.com/api/v3",
    keyVariable: "ARK_API_KEY",
    model: "doubao-seed-evolving",
    thinking: { normal: "none", deep: "high" },
  },
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  request: (question) =>
    responsesRequest(question, question.upstream.search ? [webSearch] : [], {
      store: false,
      ...thinkingSwitch(question.effort),
    }),
  extras: { pages: referencePages },
};
