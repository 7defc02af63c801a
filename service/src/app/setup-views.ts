/** The platforms as administrators see and test them: what the environment, the file and the database say of each. */
import type { PlatformKeyTest } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import { systemClock } from "../kernel/clock.ts";
import { keyedUpstream, testKey, vendorOf, type Upstream } from "../platforms/index.ts";
import type { SetupView } from "../setups/index.ts";
import type { Parts } from "./parts.ts";
import { platformKeys } from "./platforms.ts";

type Deps = Pick<Parts, "givenKeys" | "settings" | "liveSettings" | "platforms" | "setups">;

export function setupViews({ givenKeys, settings, liveSettings, platforms }: Deps): SetupView[] {
  return [...platforms.values()].flatMap((platform): SetupView[] => {
    const { code, name, kind, missing } = platform;
    const own = settings.get(code);
    if (own === undefined) return [];
    const entry = liveSettings.file[code] ?? {};
    const upstream = keyedUpstream(own.api?.upstreams ?? []);
    const variable = upstream?.keyVariable ?? null;
    return [
      {
        ...{ platformCode: code, name, kind, missing },
        key:
          upstream === undefined || variable === null
            ? null
            : {
                variable,
                inEnvironment: (givenKeys[variable]?.trim() ?? "") !== "",
                page: keyPageOf(upstream),
              },
        model: own.api?.upstreams[0]?.model ?? null,
        deepModel: own.api?.upstreams[0]?.deepModel ?? null,
        price: own.price,
        file: {
          model: entry.model !== undefined,
          deepModel: entry.deepModel !== undefined,
          price: new Set(Object.keys(entry.price ?? {})),
        },
      },
    ];
  });
}

/** A gateway that speaks a vendor's API has keys of its own. */
function keyPageOf({ api, url }: Upstream): string | null {
  const { defaults, keyPage } = vendorOf(api);
  return URL.parse(url)?.host === URL.parse(defaults.url)?.host ? keyPage : null;
}

export async function testPlatformKey(
  { givenKeys, settings, setups }: Deps,
  code: string,
): Promise<Omit<PlatformKeyTest, "platformCode">> {
  const api = settings.get(code)?.api ?? null;
  if (api === null) throw new ProblemError("not_found", "This platform is not a model API.");
  return testKey({ ...api, code, environment: platformKeys(givenKeys, { settings, setups }), clock: systemClock });
}
