import type { Upstream, Vendor } from "../vendor.ts";
import { vendors } from "../vendors/index.ts";

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
