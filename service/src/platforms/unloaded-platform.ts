import type { PlatformKind } from "@querent/contract";
import { optionSupport } from "./option-support.ts";
import type { Platform } from "./platform.ts";
import { setUps } from "./set-up.ts";

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
