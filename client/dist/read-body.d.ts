interface Body {
  readonly body: ReadableStream<Uint8Array> | null;
}
/** The complete body, up to a maximum size. */
export declare function readBytes(source: Body, bytesMax: number): Promise<Uint8Array<ArrayBuffer>>;
/** The chunks of the body. Leaving the loop cancels the rest. */
export declare function readChunks(
  { body }: Body,
  idle?: {
    readonly ms: number;
    readonly onIdle: () => void;
  },
): AsyncGenerator<Uint8Array>;
/**
 * The lines of the body, without line breaks (`\n`, `\r\n` and, with `loneReturns`, `\r`). Text after the last line break
 * is returned as `rest`. In a stream of records it is an incomplete record.
 */
export declare function readLines(
  chunks: AsyncIterable<Uint8Array>,
  options: {
    readonly bytesMax: number;
    readonly loneReturns?: boolean;
  },
): AsyncGenerator<{
  readonly line: string;
  readonly isWhole: boolean;
}>;
export {};
