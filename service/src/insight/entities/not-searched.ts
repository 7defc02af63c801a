import { ProblemError } from "../../api/problem-error.ts";

/** Why a text was not searched: see the flags of observations. */
export type NotSearched = "limit" | "busy";

/** For a request that needs the search. */
export class NotSearchedError extends ProblemError {
  readonly why: NotSearched;

  constructor(why: NotSearched) {
    super("unavailable", notSearchedDetails[why], { headers: { "retry-after": why === "limit" ? "60" : "10" } });
    this.why = why;
  }
}

const notSearchedDetails: Readonly<Record<NotSearched, string>> = {
  limit:
    "The account's entities take more memory or time than a search may. Nothing was searched. Delete aliases or negative contexts, above all those that contain each other or differ only in their separators, and try again after a minute.",
  busy: "The account or the service has as many texts to search as it takes at once. Nothing was searched. Try again in a moment.",
};
