import type { TaskOptions } from "@querent/client";

const personaCharsMax = 40;

/** From where, as whom and by which model a question was asked, in a few words; `""` if the options do not say. */
export function localeLabel({ country, language, location, persona, model }: TaskOptions): string {
  const parts = [
    country,
    language,
    location === undefined ? undefined : placeLabel(location),
    model,
    persona === undefined ? undefined : `“${cut(persona)}”`,
  ];
  return parts.filter((part) => part !== undefined).join(" · ");
}

export function placeLabel({ city, region, latitude, longitude }: NonNullable<TaskOptions["location"]>): string {
  const coordinates = latitude === undefined ? undefined : `${latitude}; ${longitude}`;
  return [city, region, coordinates].filter((part) => part !== undefined).join(", ");
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= personaCharsMax ? line : `${line.slice(0, personaCharsMax).toWellFormed()}…`;
}
