import { paged } from "./paged.js";
/** What remains of answers after their results have expired. */
export class Observations {
  #transport;
  constructor(transport) {
    this.#transport = transport;
  }
  /** Iterates over observations, newest first. */
  list(filters = {}, options = {}) {
    return paged(this.#transport, "/v1/observations", { ...filters }, options, "observations");
  }
  /** Returns one page of observations. */
  async page(filters = {}, options = {}) {
    const call = { ...options, method: "GET", path: "/v1/observations", query: { ...filters }, repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** Counts the domains that answers cite, or their addresses. Default window: the last 28 days. */
  async sources(filters = {}, options = {}) {
    const call = { ...options, method: "GET", path: "/v1/sources", query: { ...filters }, repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** Deletes the observations of the selection. Returns their number. */
  async delete(filters, options = {}) {
    const { body } = await this.#transport.json({
      ...options,
      method: "DELETE",
      path: "/v1/observations",
      query: { ...filters },
      repeat: "always",
    });
    return body.deletedCount;
  }
}
const chunkCharsMax = 4 * 1024 * 1024;
/** Answers from elsewhere. */
export class Imports {
  #transport;
  constructor(transport) {
    this.#transport = transport;
  }
  async get(importId, options = {}) {
    const path = `/v1/imports/${encodeURIComponent(importId)}`;
    return (await this.#transport.json({ ...options, method: "GET", path, repeat: "always" })).body;
  }
  /** Iterates over imports, newest first. */
  list(filters = {}, options = {}) {
    return paged(this.#transport, "/v1/imports", { ...filters }, options, "imports");
  }
  /**
   * Sends lines in parts, each of which is imported as a whole or not at all, and yields the state after each. Lines that an earlier
   * call with the same name has sent are skipped. Sending an answer twice has no effect.
   */
  async *send(lines, { name, format = "querent", chunk = 1_000, ...options }) {
    let nextLine = 1;
    for await (const known of this.list({ name }, options)) {
      nextLine = known.nextLine;
      yield known;
    }
    let part = [];
    let chars = 0;
    let number = 0;
    const send = async () => {
      const query = { name, format, firstLine: number - part.length + 1 };
      const body = part.join("\n");
      [part, chars] = [[], 0];
      const headers = { "content-type": "application/x-ndjson" };
      const call = { ...options, method: "POST", path: "/v1/imports", query, headers, body, repeat: "always" };
      return (await this.#transport.json(call)).body;
    };
    for await (const line of lines) {
      // An empty line at the end of a part would not be counted.
      if (part.length > 0 && line !== "" && (part.length >= chunk || chars + line.length > chunkCharsMax))
        yield await send();
      if (++number < nextLine) continue;
      if (part.length === 0 && line === "") continue;
      part.push(line);
      chars += line.length;
    }
    if (part.length > 0) yield await send();
  }
}
