/**
 * One Ctrl-C is one signal. A terminal sends it to every process of the foreground group, npm hands it on to the script it runs, and so may our
 * parent; systemd sends SIGTERM to a whole service likewise. Loaded before the script, this lets the first of such a volley pass.
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
