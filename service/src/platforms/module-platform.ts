/** A platform with an operator's adapter: a module that exports `createPlatform`. */
import { pathToFileURL } from "node:url";
import type { PlatformOptions, PlatformOptionValues, PlatformKind } from "@querent/contract";
import { effectiveOptions, optionSupport } from "./option-support.ts";
import type { Outcome, Platform, ReturnedField } from "./platform.ts";
import { setUps } from "./set-up.ts";

/** The arguments of an adapter's `createPlatform`. */
interface AdapterOptions {
  readonly code: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What it returns. The rest of a platform is filled in. */
interface Adapter {
  readonly name?: string;
  readonly returns?: readonly ReturnedField[];
  /** How it supports options such as `country`. What it leaves out is unsupported. */
  readonly options?: Partial<PlatformOptions>;
  readonly optionValues?: Partial<PlatformOptionValues>;
  readonly missing?: string | null;
  readonly ask: Platform["ask"];
  readonly reread?: Platform["reread"];
}

const kinds: readonly string[] = [
  "answered",
  "throttled",
  "retryable",
  "permanent",
  "canceled",
] satisfies Outcome["kind"][];

/** Loads the module. An exception or a missing export becomes a sentence for the operator. */
export async function modulePlatform(path: string, options: AdapterOptions): Promise<Platform> {
  const { code } = options;
  const adapter = await load(path, options);
  const { reread } = adapter;
  const fields = ["sources", "products", "videos", "media", "reasoningProcess", "searchProcess", "pageHtml"] as const;
  const returns = Object.fromEntries(fields.map((field) => [field, adapter.returns?.includes(field) ?? false]));
  const support = optionSupport(adapter.options, adapter.optionValues);
  return {
    code,
    name: adapter.name ?? code,
    kind: "api",
    returns: returns as Platform["returns"],
    outputs: ["answer"],
    resultFormats: ["json"],
    options: support,
    get missing() {
      return adapter.missing ?? null;
    },
    async ask(question, context) {
      const outcome: Outcome = await adapter.ask(question, context);
      if (!kinds.includes((outcome as { kind?: string } | undefined)?.kind ?? "")) {
        throw new Error(`The adapter ${path} returned no outcome.`);
      }
      if (outcome.kind !== "answered" || outcome.answer.effective !== undefined) return outcome;
      return { ...outcome, answer: { ...outcome.answer, effective: effectiveOptions(support, question.options) } };
    },
    ...(reread === undefined
      ? {}
      : { reread: (raw, question, observedAt) => reread.call(adapter, raw, question, observedAt) }),
  };
}

async function load(path: string, options: AdapterOptions): Promise<Adapter> {
  let module: { createPlatform?: unknown };
  try {
    module = (await import(pathToFileURL(path).href)) as typeof module;
  } catch (error) {
    throw new Error(
      `${options.code}: the adapter ${path} can't be loaded: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  if (typeof module.createPlatform !== "function") {
    throw new Error(`${options.code}: the adapter ${path} exports no function \`createPlatform\`.`);
  }
  const adapter = (await module.createPlatform(options)) as Partial<Adapter> | undefined;
  if (typeof adapter?.ask !== "function") {
    throw new Error(`${options.code}: \`createPlatform\` of ${path} gave nothing that can be asked.`);
  }
  return adapter as Adapter;
}

/**
 * A platform whose recipe or module this process could not load: it is listed, and what is missing is told. Other processes may
 * have it.
 */
export function unloadedPlatform(code: string, kind: PlatformKind, missing: string): Platform {
  return {
    code,
    name: code,
    kind,
    returns: {
      sources: false,
      products: false,
      videos: false,
      media: false,
      reasoningProcess: false,
      searchProcess: false,
      pageHtml: false,
    },
    outputs: ["answer"],
    resultFormats: kind === "web" ? ["json", "html", "all"] : ["json"],
    options: optionSupport(),
    missing,
    ask: async () => ({
      kind: "permanent",
      code: "platform_not_configured",
      stage: "platform",
      message: setUps.other.reason,
      platformStatus: null,
    }),
  };
}
