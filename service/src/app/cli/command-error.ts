/** A fault in how a command was called or in what it found: reported to the operator in one sentence, without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
