/** Aborts at the first signal, so that the current part of the work is completed. A second one ends the process. */
export function stopSignal(): { signal: AbortSignal } & Disposable {
  const stopping = new AbortController();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const stop = () => (stopping.signal.aborted ? process.exit(130) : stopping.abort());
  for (const name of names) process.on(name, stop);
  return {
    signal: stopping.signal,
    [Symbol.dispose]: () => {
      for (const name of names) process.off(name, stop);
    },
  };
}
