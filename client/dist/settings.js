import { paged } from "./paged.js";
/** The account's webhook endpoint and signing secret. */
export class Webhook {
  #transport;
  constructor(transport) {
    this.#transport = transport;
  }
  async get(options = {}) {
    const call = { ...options, method: "GET", path: "/v1/webhook", repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** Sets the endpoint. Null removes it. */
  async set(url, options = {}) {
    const body = JSON.stringify({ url });
    const call = { ...options, method: "PUT", path: "/v1/webhook", body, repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** Creates a new secret. Not retried if there is no response, because a second rotation would end the overlap of the first. */
  async rotate({ previousSecretValidSeconds = 0, ...options } = {}) {
    const { body } = await this.#transport.json({
      ...options,
      method: "POST",
      path: "/v1/webhook/signing-secret/rotation",
      body: JSON.stringify({ previousSecretValidSeconds }),
      repeat: "refused",
    });
    return body;
  }
  /** Sends a test webhook to the account's endpoint or to `url`, and returns the outcome. */
  async test({ url, ...options } = {}) {
    const { body } = await this.#transport.json({
      ...options,
      method: "POST",
      path: "/v1/webhook/test",
      body: JSON.stringify(url === undefined ? {} : { url }),
      repeat: "refused",
    });
    return body;
  }
  /** Redelivers what failed or was skipped since a time. Repeats the request until nothing remains. */
  async recover(request, { onProgress, ...options } = {}) {
    let total = 0;
    for (let until = request.until; ;) {
      const { body } = await this.#transport.json({
        ...options,
        method: "POST",
        path: "/v1/webhook/recovery",
        body: JSON.stringify({ ...request, ...(until === undefined ? {} : { until }) }),
        // Concurrent requests never redeliver the same delivery.
        repeat: "always",
      });
      total += body.redeliveredCount;
      onProgress?.({ ...body, total });
      until = body.until;
      if (body.remaining === 0 || body.redeliveredCount === 0) return { ...body, redeliveredCount: total };
    }
  }
}
export class Deliveries {
  #transport;
  constructor(transport) {
    this.#transport = transport;
  }
  /** Iterates over the deliveries, newest first. */
  list(filters = {}, options = {}) {
    return paged(this.#transport, "/v1/deliveries", { ...filters }, options, "deliveries");
  }
  /** Returns one page of deliveries. */
  async page(filters = {}, options = {}) {
    const query = { ...filters };
    const call = { ...options, method: "GET", path: "/v1/deliveries", query, repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** Returns a delivery with its attempts and its request. */
  async get(deliveryId, options = {}) {
    const path = `/v1/deliveries/${encodeURIComponent(deliveryId)}`;
    return (await this.#transport.json({ ...options, method: "GET", path, repeat: "always" })).body;
  }
  /** Redelivers the task's notification, as a new delivery with the current task record. */
  async redeliver(deliveryId, options = {}) {
    const path = `/v1/deliveries/${encodeURIComponent(deliveryId)}/redelivery`;
    return (await this.#transport.json({ ...options, method: "POST", path, repeat: "refused" })).body;
  }
}
export class Platforms {
  #transport;
  constructor(transport) {
    this.#transport = transport;
  }
  /** Returns the platforms with their fields, prices and health. */
  async list(options = {}) {
    const call = { ...options, method: "GET", path: "/v1/platforms", repeat: "always" };
    return (await this.#transport.json(call)).body.platforms;
  }
}
export class Usage {
  #transport;
  constructor(transport) {
    this.#transport = transport;
  }
  /** Returns the balance, and usage by day and platform. Default range: the last 30 days. */
  async get({ from, to, ...options } = {}) {
    const call = { ...options, method: "GET", path: "/v1/usage", query: { from, to }, repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** Returns pending tasks, tasks that ended in a period and in the preceding one, and the status of the webhook. */
  async overview({ period, ...options } = {}) {
    const call = { ...options, method: "GET", path: "/v1/overview", query: { period }, repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** Returns usage by UTC day, platform and token. Default range: the last 30 days. */
  async days(range = {}, options = {}) {
    const call = { ...options, method: "GET", path: "/v1/usage/days", query: { ...range }, repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** The same as CSV (RFC 4180). */
  daysCsv(range = {}, options = {}) {
    const query = { ...range };
    return this.#transport.text(
      { ...options, method: "GET", path: "/v1/usage/days", query, repeat: "always" },
      "text/csv",
    );
  }
  /** Returns one page of the ledger. */
  async ledgerPage(filters = {}, options = {}) {
    const query = { ...filters };
    const call = { ...options, method: "GET", path: "/v1/usage/ledger", query, repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** Iterates over the ledger, newest first. */
  ledger(filters = {}, options = {}) {
    return paged(this.#transport, "/v1/usage/ledger", { ...filters }, options, "entries");
  }
}
