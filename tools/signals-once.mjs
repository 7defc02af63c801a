/**
 * Treats repeated signals as one. On Ctrl-C, the terminal signals every process of the foreground group, and npm and our parent may forward
 * the signal. systemd sends SIGTERM to all processes of a service. Loaded before the script, this passes on only the first of them.
 */
const volleyMs = 500;
const signals = new Set(["SIGINT", "SIGTERM", "SIGHUP"]);
const last = new Map();
const emit = process.emit;

process.emit = function (name, ...args) {
  if (signals.has(name)) {
    const now = performance.now();
    const repeated = now - (last.get(name) ?? -Infinity) < volleyMs;
    last.set(name, now);
    if (repeated) return true;
  }
  return emit.call(this, name, ...args);
};
