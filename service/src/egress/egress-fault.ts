export class EgressFault extends Error {
  readonly fault: "dns" | "address" | "connect" | "tls" | "timeout";
  constructor(fault: EgressFault["fault"], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "EgressFault";
    this.fault = fault;
  }
}

/** The process itself is out of descriptors or buffers: an error on our side, not the receiver's. */
export function isOutOfSockets(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === "EMFILE" || code === "ENFILE" || code === "ENOBUFS" || code === "ENOMEM";
}
