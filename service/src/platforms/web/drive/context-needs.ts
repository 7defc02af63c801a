/** The browser context that a recipe's page is opened in. */
import { existsSync } from "node:fs";
import type { BrowserContextOptions } from "playwright-core";
import type { AskedAs } from "@querent/contract";
import type { BrowserPool } from "../../../browser/index.ts";
import { timeZoneOf } from "../../../kernel/countries.ts";
import type { LoadedRecipe } from "../recipe/load-recipe.ts";

/** The context for a recipe's page: its session (by default the recipe's file), hosts and appearance, and where its visitor is. */
export function contextNeeds(
  { recipe, storageState }: LoadedRecipe,
  { country, language, location }: AskedAs = {},
  session: object | null = null,
): Parameters<BrowserPool["withContext"]>[1] {
  const { browser } = recipe;
  const locale = language ?? browser?.locale;
  const timezone = (country === undefined ? null : timeZoneOf(country)) ?? browser?.timezone;
  const { latitude, longitude } = location ?? {};
  return {
    reach: { hosts: [new URL(recipe.entry).hostname, ...(recipe.reach ?? [])] },
    ...(country === undefined ? {} : { country }),
    context: {
      ...sessionOf(session, storageState),
      ...(locale === undefined ? {} : { locale }),
      ...(timezone === undefined ? {} : { timezoneId: timezone }),
      ...(latitude === undefined || longitude === undefined ? {} : { geolocation: { latitude, longitude } }),
      ...(browser?.viewport === undefined ? {} : { viewport: browser.viewport }),
    },
  };
}

/** The context in which a person signs in, which uses other hosts than asking. */
export function signInNeeds(
  loaded: LoadedRecipe,
  session: object | null = null,
  country: string | null = null,
): ReturnType<typeof contextNeeds> {
  return { ...contextNeeds(loaded, country === null ? {} : { country }, session), reach: { hosts: ["*"] } };
}

type StorageState = NonNullable<BrowserContextOptions["storageState"]>;

function sessionOf(session: object | null, file: string | null): { storageState?: StorageState } {
  // The browser checks the members of a stored session, and refuses what it does not know.
  if (session !== null) return { storageState: session as StorageState };
  return file === null || !existsSync(file) ? {} : { storageState: file };
}
