/**
 * Text as spreadsheets and editors write it: UTF-8 with or without a byte order mark, or UTF-16, as Excel's "Unicode text" is.
 * Text in another encoding would be submitted, and charged, garbled, so it is refused.
 */
export class EncodingError extends Error {
  override readonly name = "EncodingError";
  /** The first line that is not in the encoding of the file. */
  readonly line: number;

  constructor(line: number) {
    super(
      'the text is neither UTF-8 nor UTF-16, but perhaps Windows-1252 or GBK, which Excel writes as plain "CSV". Save it as "CSV UTF-8", or convert it, for example with iconv.',
    );
    this.line = line;
  }
}

/** Decodes bytes in chunks. Throws an EncodingError. */
export class TextBytes {
  #encoding: string | null = null;
  #decoder: InstanceType<typeof TextDecoder> | null = null;
  #line = 1;
  /** Bytes that wait for the first four, which tell the encoding. */
  #first: Uint8Array<ArrayBuffer> = new Uint8Array();

  push(bytes: Uint8Array): string {
    if (this.#decoder !== null) return this.#decode(bytes);
    const first = new Uint8Array(this.#first.length + bytes.length);
    first.set(this.#first);
    first.set(bytes, this.#first.length);
    this.#first = first;
    return first.length < 4 ? "" : this.#start();
  }

  end(): string {
    return (this.#decoder === null ? this.#start() : "") + this.#decode(null);
  }

  #start(): string {
    this.#encoding = encodingOf(this.#first);
    if (this.#encoding === null) throw new EncodingError(1);
    this.#decoder = new TextDecoder(this.#encoding, { fatal: true });
    return this.#decode(this.#first);
  }

  #decode(bytes: Uint8Array | null): string {
    try {
      const text = (bytes === null ? this.#decoder?.decode() : this.#decoder?.decode(bytes, { stream: true })) ?? "";
      this.#line += lineEnds(text);
      return text;
    } catch {
      const text = bytes === null ? "" : new TextDecoder(this.#encoding ?? undefined).decode(bytes);
      throw new EncodingError(this.#line + lineEnds(text.slice(0, Math.max(0, text.indexOf("\uFFFD")))));
    }
  }
}

/** The text of a whole file. Throws an EncodingError. */
export function decodeText(bytes: Uint8Array): string {
  const decoder = new TextBytes();
  return decoder.push(bytes) + decoder.end();
}

/** Finds the encoding by the byte order mark or, without one, by the zero byte that UTF-16 has beside an ASCII character. Null for an encoding that is not read. */
function encodingOf([one = 1, two = 1, three = 1, four = 1]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | null {
  if ((one === 0xff && two === 0xfe && three === 0 && four === 0) || (one === 0 && two === 0)) return null;
  if ((one === 0xff && two === 0xfe) || (one !== 0 && two === 0)) return "utf-16le";
  if ((one === 0xfe && two === 0xff) || (one === 0 && two !== 0)) return "utf-16be";
  return "utf-8";
}

function lineEnds(text: string): number {
  const end = text.includes("\n") ? "\n" : "\r";
  let count = 0;
  for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, at + 1)) count++;
  return count;
}
