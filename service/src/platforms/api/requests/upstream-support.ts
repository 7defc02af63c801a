/** Which options an upstream supports: found by making the requests, so that statement and request cannot differ. */
import { forEachAskedAs, questionOptions, type AskedAsMember, type Support } from "@querent/contract";
import { commonSupport, optionSupport, type OptionSupport } from "../../option-support.ts";
import { hasSentence } from "../../system-text.ts";
import { completeRequest, type CompleteRequest } from "./complete-request.ts";
import type { ModelQuestion, Upstream, Vendor } from "../vendor.ts";
import { vendors } from "../vendors/index.ts";

/** For every model that can be requested, the least of what they support. */
export function upstreamSupport(upstream: Upstream): OptionSupport {
  const models = upstream.models.length === 0 ? [upstream.model] : upstream.models;
  const common = commonSupport(
    models.flatMap((model) => [false, true].map((deep) => supportOf(upstream, model, deep))),
  );
  return { ...common, values: { ...common.values, model: [...upstream.models] } };
}

/** What an upstream supports for one model. */
export function supportOf(upstream: Upstream, model: string, deep: boolean): OptionSupport {
  const { native = {}, location, domains } = vendorOf(upstream.api).options;
  const plain = requestText(upstream, model, deep, {});
  const changes = (asked: Partial<ModelQuestion>) => requestText(upstream, model, deep, asked) !== plain;
  const inWords: Support = requestText(upstream, model, deep, { system: probe }).includes(probe)
    ? "prompted"
    : "unsupported";
  const how = forEachAskedAs(howOf);
  return optionSupport(how, {
    ...(how.location === "native" && location !== undefined ? { location: [...location] } : {}),
    domains: how.domains === "native" ? limitsOf(domains) : null,
    model: [...upstream.models],
  });

  function limitsOf(stated: typeof domains) {
    return typeof stated === "function" ? stated(requestFor(upstream, model, deep, {}).body) : (stated ?? null);
  }

  function howOf(member: AskedAsMember): Support {
    if (member === "model") return requestText(upstream, probe, deep, {}) === plain ? "unsupported" : "native";
    if (member === "persona") return inWords === "prompted" ? "native" : "unsupported";
    if (native[member] !== undefined && changes({ asked: { [member]: questionOptions[member].example } }))
      return "native";
    return hasSentence(member) ? inWords : "unsupported";
  }
}

const probe = "b1946ac92492d2347c6235b4d2611184";

function requestText(...given: Parameters<typeof requestFor>): string {
  const { url, body } = requestFor(...given);
  return JSON.stringify([url, body]);
}

function requestFor(upstream: Upstream, model: string, deep: boolean, asked: Partial<ModelQuestion>): CompleteRequest {
  const question: ModelQuestion = {
    upstream,
    text: "",
    deep,
    model,
    effort: deep ? upstream.thinking.deep : upstream.thinking.normal,
    system: null,
    asked: {},
    now: new Date(0),
    ...asked,
  };
  return completeRequest(vendorOf(upstream.api), question, "");
}

const byCode = new Map(vendors.map((vendor) => [vendor.code, vendor]));

export function vendorOf(code: string): Vendor {
  const vendor = byCode.get(code);
  if (vendor === undefined) throw new Error(`There is no vendor ${code}.`);
  return vendor;
}

/** The parts of an upstream that settings may omit, in favor of the vendor's defaults. */
export type UpstreamChange = { readonly [Key in keyof Upstream]?: Upstream[Key] | undefined };

const timeoutSecondsDefault = 300;
const pollSecondsDefault = 3;

/** An upstream of a vendor with all defaults filled in. Deep questions use the same model unless another was configured. */
export function completeUpstream(api: string, change: UpstreamChange = {}): Upstream {
  const { defaults, searches, searchesOnlyItself = false } = vendorOf(api);
  const url = (change.url ?? defaults.url).replace(/\/+$/u, "");
  const searchesThere = searches && (!searchesOnlyItself || URL.parse(url)?.host === URL.parse(defaults.url)?.host);
  const model = change.model ?? defaults.model;
  const deepModel = change.deepModel ?? change.model ?? defaults.deepModel ?? defaults.model;
  return {
    api,
    url,
    model,
    deepModel,
    models: [...new Set([model, deepModel, ...(change.models ?? [])])],
    keyVariable: change.keyVariable === undefined ? defaults.keyVariable : change.keyVariable,
    keyHeader: change.keyHeader ?? null,
    search: change.search ?? (searchesThere || change.searchBody !== undefined),
    thinking: change.thinking ?? defaults.thinking ?? { normal: "default", deep: "default" },
    background: change.background ?? defaults.background ?? false,
    pollSeconds: change.pollSeconds ?? pollSecondsDefault,
    timeoutSeconds: change.timeoutSeconds ?? timeoutSecondsDefault,
    body: change.body ?? {},
    searchBody: change.searchBody ?? {},
    deepBody: change.deepBody ?? {},
  };
}
