import { citationPages } from "../read/pages.ts";
import { responsesRequest, webSearch } from "./responses-request.ts";
import type { Vendor } from "./vendor.ts";

/** The Responses API, with search of the web and of X. */
export const xai: Vendor = {
  code: "xai",
  name: "xAI Grok",
  defaults: {
    url: "https://api.x.ai/v1",
    keyVariable: "XAI_API_KEY",
    model: "grok-latest",
    thinking: { normal: "default", deep: "high" },
  },
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  request(question) {
    const { upstream, effort, deep } = question;
    const reasoning = { ...(effort === "default" ? {} : { effort }), ...(deep ? { summary: "auto" } : {}) };
    return responsesRequest(question, upstream.search ? [webSearch, { type: "x_search" }] : [], {
      store: false,
      // Which search found which page. The same of searches of X is rejected.
      include: ["reasoning.encrypted_content", ...(upstream.search ? ["web_search_call.action.sources"] : [])],
      ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    });
  },
  // Its chat completions, which gateways still use, list addresses alone.
  extras: { pages: citationPages },
};
