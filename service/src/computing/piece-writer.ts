/** The most bytes of a result: it is in memory until the client has it. */
export const resultBytesMax = 32 * 1024 * 1024;
/** Short pieces are combined up to this length. */
const pieceLength = 256 * 1024;

export class ResultTooLarge extends Error {
  override readonly name = "ResultTooLarge";
}

/** Turns texts into buffers of bounded length. Throws `ResultTooLarge` when there is more than a result may have. */
export class PieceWriter {
  readonly #send: (piece: Buffer) => void;
  readonly #bytesMax: number;
  #texts: string[] = [];
  #length = 0;
  #bytes = 0;

  constructor(send: (piece: Buffer) => void, bytesMax = resultBytesMax) {
    this.#send = send;
    this.#bytesMax = bytesMax;
  }

  write(text: string): void {
    for (let from = 0; from < text.length;) {
      let to = Math.min(from + pieceLength, text.length);
      // Never in the middle of a surrogate pair, whose halves are no characters.
      if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to--;
      this.#texts.push(text.slice(from, to));
      this.#length += to - from;
      from = to;
      if (this.#length >= pieceLength - 1) this.#flush();
    }
  }

  end(): void {
    if (this.#length > 0) this.#flush();
  }

  #flush(): void {
    const piece = Buffer.from(this.#texts.join(""));
    this.#texts = [];
    this.#length = 0;
    this.#bytes += piece.length;
    if (this.#bytes > this.#bytesMax) throw new ResultTooLarge();
    this.#send(piece);
  }
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;
