/** The administrators' API of keys, models and prices. `querentd platform key` uses the same functions. */
import {
  api,
  type PlatformKeyTest,
  type PlatformSettingsRequest,
  type PlatformSetup,
  type settingOrigins,
} from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Route } from "../api/route.ts";
import type { Database } from "../db/index.ts";
import { noteAudit } from "../runtime/audited.ts";
import { changedBy, type OnChange } from "../kernel/change-event.ts";
import type { MasterKey } from "../vault/index.ts";
import { deleteKey, putKey } from "./stored-keys.ts";
import { putSettings, type StoredSetups, type StoredSettings } from "./stored-setups.ts";

type Origin = (typeof settingOrigins)[number];
type Price = PlatformSetup["price"];

/** A platform as this process has it, without what is stored of its key. */
export interface SetupView extends Pick<PlatformSetup, "platformCode" | "name" | "kind" | "missing"> {
  /** The variable of its key, whether the environment of this process has it, and the vendor's page; null: it needs none. */
  readonly key: { readonly variable: string; readonly inEnvironment: boolean; readonly page: string | null } | null;
  /** Null: it is no model API. */
  readonly model: string | null;
  readonly deepModel: string | null;
  readonly price: { readonly [Part in keyof Price]: number };
  /** What the file sets, which takes precedence. */
  readonly file: {
    readonly model: boolean;
    readonly deepModel: boolean;
    readonly price: ReadonlySet<string>;
  };
}

export interface SetupRouteDeps {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly setups: StoredSetups;
  readonly views: () => readonly SetupView[];
  /** Asks one question with the key that is in force. */
  readonly test: (platformCode: string) => Promise<Omit<PlatformKeyTest, "platformCode">>;
  readonly onChange: OnChange;
}

export function setupRoutes(deps: SetupRouteDeps): Route[] {
  const { database, masterKey, setups, onChange } = deps;
  let isTesting = false;

  const viewOf = (platformCode: string): SetupView => {
    const view = deps.views().find((one) => one.platformCode === platformCode);
    if (view === undefined) throw new ProblemError("not_found", "There is no such platform.");
    return view;
  };
  const withKey = (platformCode: string) => {
    const { key } = viewOf(platformCode);
    if (key === null) throw new ProblemError("not_found", "This platform needs no key.");
    return key;
  };
  /** After a change: this process uses it at once. */
  const changed = async (platformCode: string) => {
    await setups.refresh();
    return { status: 200 as const, body: setupOf(viewOf(platformCode), setups) };
  };

  return [
    route(api.listPlatformSetups, async () => {
      await setups.refresh();
      return { status: 200, body: { platforms: deps.views().map((view) => setupOf(view, setups)) } };
    }),

    route(api.putPlatformKey, async ({ caller, params, body }) => {
      const { platform_code: platform } = params;
      const { variable, inEnvironment } = withKey(platform);
      if (inEnvironment)
        throw new ProblemError(
          "state_conflict",
          `The environment of the service sets ${variable}, which takes precedence. Replace the key there, or remove it there and restart the service.`,
        );
      noteAudit({ after: { variable } });
      await putKey(database, masterKey, { variable, key: body.key });
      onChange({ event: "platform.key_stored", platform, variable, by: changedBy(caller) });
      return changed(platform);
    }),

    route(api.deletePlatformKey, async ({ caller, params }) => {
      const { platform_code: platform } = params;
      const { variable } = withKey(platform);
      noteAudit({ before: { variable } });
      if (!(await deleteKey(database, variable))) throw new ProblemError("not_found", "No key is stored for it.");
      onChange({ event: "platform.key_removed", platform, variable, by: changedBy(caller) });
      return changed(platform);
    }),

    route(api.testPlatformKey, async ({ params }) => {
      const { platform_code: platformCode } = params;
      await setups.refresh();
      const view = viewOf(platformCode);
      if (view.model === null) throw new ProblemError("not_found", "This platform is not a model API.");
      if (view.missing !== null) throw new ProblemError("state_conflict", view.missing);
      if (isTesting) throw new ProblemError("state_conflict", "Another test is running. Try again in a minute.");
      isTesting = true;
      try {
        return { status: 200, body: { platformCode, ...(await deps.test(platformCode)) } };
      } finally {
        isTesting = false;
      }
    }),

    route(api.putPlatformSettings, async ({ caller, params, body }) => {
      const { platform_code: platform } = params;
      const settings = settingsIn(body, viewOf(platform));
      noteAudit({ before: setups.settingsOf(platform), after: settings });
      await putSettings(database, platform, settings);
      onChange({ event: "platform.settings_changed", platform, settings, by: changedBy(caller) });
      return changed(platform);
    }),
  ];
}

/** The request without what it leaves as built in. Refuses what the file decides, and models of platforms that have none. */
function settingsIn({ model, deepModel, price }: PlatformSettingsRequest, view: SetupView): StoredSettings {
  const models = given({ model, deepModel });
  const points = given(price ?? {});
  const refuse = (why: string) => new ProblemError("state_conflict", why);
  if (view.model === null && Object.keys(models).length > 0)
    throw refuse("This platform is not a model API, so it has no model to set.");
  const inFile = [
    ...(["model", "deepModel"] as const).filter((name) => name in models && view.file[name]),
    ...Object.keys(points).flatMap((name) => (view.file.price.has(name) ? [`price.${name}`] : [])),
  ];
  if (inFile.length > 0)
    throw refuse(
      `The file of QUERENT_CONFIG sets ${inFile.map((name) => `\`${name}\``).join(", ")}, and takes precedence. Change it there.`,
    );
  return { ...models, ...(Object.keys(points).length === 0 ? {} : { price: points }) };
}

const given = <Value>(members: Readonly<Record<string, Value | null | undefined>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value]])),
  );

function setupOf(view: SetupView, setups: StoredSetups): PlatformSetup {
  const { platformCode, name, kind, missing, key, model, deepModel, file } = view;
  const stored = setups.settingsOf(platformCode);
  const from = (inFile: boolean, isStored: boolean): Origin => (inFile ? "file" : isStored ? "stored" : "built_in");
  const part = (name: keyof Price) => ({
    value: view.price[name],
    from: from(file.price.has(name), stored.price?.[name] !== undefined),
  });
  return {
    ...{ platformCode, name, kind, missing },
    key: key === null ? null : keyOf(key, setups),
    model: model === null ? null : { value: model, from: from(file.model, stored.model !== undefined) },
    deepModel:
      deepModel === null ? null : { value: deepModel, from: from(file.deepModel, stored.deepModel !== undefined) },
    price: {
      base: part("base"),
      deepAnalysis: part("deepAnalysis"),
      screenshot: part("screenshot"),
      shareLink: part("shareLink"),
      pageHtml: part("pageHtml"),
    },
  };
}

function keyOf({ variable, inEnvironment, page }: NonNullable<SetupView["key"]>, setups: StoredSetups) {
  const about = setups.about(variable);
  return {
    variable,
    from: inEnvironment ? ("environment" as const) : about !== null ? ("stored" as const) : null,
    ending: about?.ending ?? null,
    storedAt: about?.storedAt.toISOString() ?? null,
    readable: about?.readable ?? true,
    page,
  };
}
