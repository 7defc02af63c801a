import { failures, itemProblems, problemCodes, problems } from "@querent/contract";
import { problemExample } from "./examples.ts";
import { generated, table } from "./schema-text.ts";

/** docs/reference/errors.md: problems of requests, and failures of tasks. */
export function errorsPage(): string {
  return [
    generated,
    "# Errors",
    "There are two kinds of errors. A **problem** is the response to a rejected request, with an HTTP status of 400 or higher. A **failure** is the reason in `failure` why an accepted task could not be completed. Failed tasks are not charged.",
    "## Problems",
    "A problem has the type `application/problem+json` (RFC 9457). `code` is stable and for programs. `detail` is for people. `type` is the URL of a page that explains the code. `requestId` identifies the request in the operator's log.",
    `\`\`\`json\n${JSON.stringify(problemExample, null, 2)}\n\`\`\``,
    table(
      ["Status", "Code", "Title"],
      problemCodes.map((code) => [String(problems[code].status), `[\`${code}\`](#${code})`, problems[code].title]),
    ),
    "Retry 429, 503 and 409 `idempotency_key_in_use` after the time in `Retry-After`, and 500 immediately. Retry a submission with the same `Idempotency-Key`. For all other problems, change the request or the account first.",
    ...problemCodes.map(
      (code) => `### ${code}\n\n${problems[code].status}, ${problems[code].title}. ${problems[code].explanation}`,
    ),
    "## Codes in `errors`",
    "`validation_failed` lists each error with a JSON Pointer into the body, or the name of a parameter as `?name`, and one of these codes.",
    table(
      ["Code", ""],
      Object.entries(itemProblems).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
    "## Failures of tasks",
    "`failure.retryable` shows whether the same question may succeed if it is submitted again. `failure.attempts` is the number of attempts that the service has made.",
    table(
      ["Code", "What happened", "What to do"],
      Object.entries(failures).map(([code, { meaning, advice }]) => [`\`${code}\``, meaning, advice]),
    ),
    "`failure.stage` shows when the task failed: `queue` before the platform was called, `platform` during the call, `parse` while parsing its response, `artifact` while creating a screenshot or a page.",
    "",
  ].join("\n\n");
}
