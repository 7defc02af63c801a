/** Single key presses from a terminal. Does nothing if standard input is not a terminal. */
export interface Keys {
  readonly isActive: boolean;
  stop(): void;
}

const ctrlC = "\u0003";

export function readKeys({
  signal,
  onKey,
}: {
  readonly signal: AbortSignal;
  readonly onKey: (key: string) => void;
}): Keys {
  const { stdin } = process;
  if (!stdin.isTTY || !process.stderr.isTTY) return { isActive: false, stop: () => undefined };
  const onData = (data: Buffer) => {
    for (const key of data.toString("utf8")) {
      // In raw mode, Ctrl-C sends no signal.
      if (key === ctrlC) process.kill(process.pid, "SIGINT");
      else onKey(key);
    }
  };
  const stop = () => {
    stdin.off("data", onData);
    stdin.setRawMode(false);
    stdin.pause();
  };
  stdin.setRawMode(true);
  stdin.on("data", onData);
  signal.addEventListener("abort", () => stdin.setRawMode(false), { once: true });
  return { isActive: true, stop };
}
