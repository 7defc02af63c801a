const ctrlC = "\u0003";
export function readKeys({ signal, onKey }) {
  const { stdin } = process;
  if (!stdin.isTTY || !process.stderr.isTTY) return { isActive: false, stop: () => undefined };
  const onData = (data) => {
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
