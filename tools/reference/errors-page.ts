import { failures, itemProblems, problemCodes, problems } from "@querent/contract";
import { problemExample } from "./examples.ts";
import { generated, table } from "./schema-text.ts";

/** docs/reference/errors.md: what is refused, and what a task can fail for. */
export function errorsPage(): string {
  return [
    generated,
    "# Errors",
    "There are two kinds. A **problem** is a request that was refused: it has an HTTP status of 400 or more, and nothing was accepted. A **failure** is a task that was accepted and could not be completed: the record says so in `failure`, and it cost no points.",
    "## Problems",
    "Every refusal is `application/problem+json` (RFC 9457). Programs go by `code`, which stays the same; `detail` is for people. `type` is an address of the service that explains the code. `requestId` finds the request in the operator's log.",
    `\`\`\`json\n${JSON.stringify(problemExample, null, 2)}\n\`\`\``,
    table(
      ["Status", "Code", "Title"],
      problemCodes.map((code) => [String(problems[code].status), `[\`${code}\`](#${code})`, problems[code].title]),
    ),
    "Which may be sent again: 429 and 503 after the time in `Retry-After`; 409 `idempotency_key_in_use` after `Retry-After`; 500 at once. A submission that is sent again keeps its `Idempotency-Key`. All others stay refused until the request, or the account, changes.",
    ...problemCodes.map(
      (code) => `### ${code}\n\n${problems[code].status}, ${problems[code].title}. ${problems[code].explanation}`,
    ),
    "## Codes in `errors`",
    "`validation_failed` lists every place that is wrong, each with a JSON Pointer into the body, or the name of a parameter as `?name`, and one of these codes.",
    table(
      ["Code", ""],
      Object.entries(itemProblems).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
    "## Failures of tasks",
    "`failure.retryable` tells whether the same question may succeed when it is submitted again. The service has by then tried as often as the platform's settings allow: `failure.attempts`.",
    table(
      ["Code", "What happened", "What to do"],
      Object.entries(failures).map(([code, { meaning, advice }]) => [`\`${code}\``, meaning, advice]),
    ),
    "`failure.stage` tells where: `queue` before the platform was asked, `platform` while it was, `parse` when its answer was read, `artifact` when a screenshot or a page was made.",
    "",
  ].join("\n\n");
}
