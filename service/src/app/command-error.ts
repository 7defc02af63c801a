/** An error in a command's arguments or in what it found: reported to the operator in one sentence, without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
