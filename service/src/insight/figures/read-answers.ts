import type { Answer } from "@querent/figures";
import type { Queryable } from "../../db/index.ts";
import { answerPages, type AnswerParts, type AnswerSelection } from "./answer-pages.ts";
import { answerDecoder } from "./decode-answers.ts";

/** The answers of a panel, oldest first. */
export async function readAnswers(
  db: Queryable,
  accountId: string,
  selection: AnswerSelection,
  parts?: AnswerParts,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const decode = answerDecoder();
  for await (const page of answerPages(db, accountId, selection, parts))
    for (const answer of decode(page)) answers.push(answer);
  return answers;
}
