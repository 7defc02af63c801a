import type { AskedAs, PlatformOptions } from "@querent/contract";
import { countryName, languageName } from "../kernel/countries.ts";

/**
 * The system text of a question: the persona as it was submitted, and one sentence for each option that the platform has no
 * place for. Null if there is nothing to say. The sentences are documented in docs/how-to/ask-from-another-country.md.
 */
export function systemText(how: PlatformOptions, options: AskedAs): string | null {
  const { persona, country, location, language } = options;
  const parts = [
    how.persona === "unsupported" ? undefined : persona,
    how.country === "prompted" && country !== undefined
      ? `The user is in ${countryName(country)} (${country}). Answer for a user in that country.`
      : undefined,
    how.location === "prompted" && location !== undefined ? `The user's location is ${placeOf(location)}.` : undefined,
    how.language === "prompted" && language !== undefined
      ? `Answer in this language: ${languageName(language)} (${language}).`
      : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? null : parts.join("\n\n");
}

function placeOf({ city, region, latitude, longitude }: NonNullable<AskedAs["location"]>): string {
  const coordinates = latitude === undefined ? undefined : `latitude ${latitude}, longitude ${longitude}`;
  return [city, region, coordinates].filter((part) => part !== undefined).join(", ");
}
