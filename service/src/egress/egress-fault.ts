export class EgressFault extends Error {
  readonly fault: "dns" | "address" | "connect" | "tls" | "timeout";
  constructor(fault: EgressFault["fault"], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "EgressFault";
    this.fault = fault;
  }
}

/** The process itself has no descriptor or buffer left: a fault of ours, not of the receiver. */
export function isOutOfSockets(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === "EMFILE" || code === "ENFILE" || code === "ENOBUFS" || code === "ENOMEM";
}
