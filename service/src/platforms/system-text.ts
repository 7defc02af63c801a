import type { AskedAs, AskedAsMember, PlatformOptions } from "@querent/contract";
import { countryName, languageName } from "../kernel/countries.ts";

type Sentences = { readonly [Member in AskedAsMember]?: (value: NonNullable<AskedAs[Member]>) => string };

/** The sentence for each option that a system text can state. docs/how-to/ask-from-another-country.md documents them. */
const sentences: Sentences = {
  country: (country) => `The user is in ${countryName(country)} (${country}). Answer for a user in that country.`,
  location: ({ city, region, latitude, longitude }) => {
    const coordinates = latitude === undefined ? undefined : `latitude ${latitude}, longitude ${longitude}`;
    return `The user's location is ${[city, region, coordinates].filter((part) => part !== undefined).join(", ")}.`;
  },
  language: (language) => `Answer in this language: ${languageName(language)} (${language}).`,
};

/**
 * The system text of a question: the persona as it was submitted, and one sentence for each option that the platform has no
 * place for. Null if there is nothing to say.
 */
export function systemText(how: PlatformOptions, options: AskedAs): string | null {
  const stated = (Object.keys(sentences) as AskedAsMember[]).map((member) =>
    how[member] === "prompted" ? sentenceOf(member, options) : undefined,
  );
  const persona = how.persona === "unsupported" ? undefined : options.persona;
  const parts = [persona, ...stated].filter((part) => part !== undefined);
  return parts.length === 0 ? null : parts.join("\n\n");
}

/** Whether a system text can state an option. */
export const hasSentence = (member: AskedAsMember): boolean => member in sentences;

function sentenceOf(member: AskedAsMember, options: AskedAs): string | undefined {
  const { [member]: value } = options;
  // The sentence of a member takes that member's value, which the compiler cannot relate.
  return value === undefined ? undefined : sentences[member]?.(value as never);
}
