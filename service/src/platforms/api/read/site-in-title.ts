import { siteNamed } from "../../../kernel/addresses/canonical-address.ts";

/** The host name that Gemini puts into a page's title, since the URL is a redirect of Google's; `""` if it is another title. */
export function siteInTitle(title: string): string {
  return siteNamed(title) === null ? "" : title.trim();
}
