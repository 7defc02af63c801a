import type { CellAnswer } from "./estimate.ts";

/**
 * The answers of a cell as values whose mean counts each answer by the reciprocal of the probability with which it was asked. A run
 * that stops in waves asks a cell again that seems uncertain, so a plain mean would be too near to what its first answers happened to
 * be. The values are the weighted mean and the weighted differences from it, so that their variance is that of the weighted mean, too.
 */
export function weightAnswers(answers: readonly CellAnswer[], probabilities: readonly number[]): readonly CellAnswer[] {
  if (probabilities.every((probability) => probability === 1)) return answers;
  const weights = probabilities.map((probability) => 1 / probability);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const meanOf = (valueOf: (answer: CellAnswer) => number) =>
    answers.reduce((sum, answer, index) => sum + (weights[index] ?? 1) * valueOf(answer), 0) / total;
  const value = meanOf((answer) => answer.value);
  const of = meanOf((answer) => answer.of ?? 1);
  return answers.map((answer, index) => {
    const times = ((weights[index] ?? 1) * answers.length) / total;
    return { run: answer.run, value: value + times * (answer.value - value), of: of + times * ((answer.of ?? 1) - of) };
  });
}
