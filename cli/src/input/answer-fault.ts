/** A line that cannot be sent. In a document, what follows it cannot be read either. */
export class AnswerFault extends Error {
  override readonly name = "AnswerFault";
  /** Zero: the whole file. */
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** The largest body that the service takes. */
export const answerBytesMax = 16 * 1024 ** 2;
export const tooLong = `The answer is larger than ${answerBytesMax / 1024 ** 2} MiB.`;
