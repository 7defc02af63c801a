/** The complete options. Invalid values are an error when the client is created, not when it is used. */
export function readOptions(options) {
  const address = parseAddress(options.url);
  return {
    base: `${address.origin}${address.pathname.replace(/\/+$/, "")}`,
    token: options.token,
    // Not `||`, because zero is a valid value.
    maxRetries: wholeNumber("maxRetries", options.maxRetries ?? 4),
    outage: options.outage ?? null,
    timeoutMs: positive("timeoutMs", options.timeoutMs ?? 30_000),
    retryAfterMsMax: options.retryAfterMsMax ?? 60_000,
    responseBytesMax: options.responseBytesMax ?? 64 * 1024 * 1024,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    headers: options.headers ?? {},
    random: options.random ?? Math.random,
  };
}
function parseAddress(text) {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError(`The URL of the service must start with http: or https:, not "${text}".`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new TypeError("The URL of the service must not contain a user name, password, query or fragment.");
  return url;
}
export function wholeNumber(name, value) {
  if (!Number.isInteger(value) || value < 0) throw new TypeError(`${name} must be a whole number, 0 or more.`);
  return value;
}
export function positive(name, value) {
  if (!(value > 0 && value <= 2 ** 31 - 1)) throw new TypeError(`${name} must be more than 0, and less than 25 days.`);
  return value;
}
