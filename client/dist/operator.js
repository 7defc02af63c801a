/** Operations over all accounts, with the scope `admin`. */
export class Operator {
  #transport;
  constructor(transport) {
    this.#transport = transport;
  }
  /** Returns queues, limiters and nodes. */
  async engine(options = {}) {
    const call = { ...options, method: "GET", path: "/v1/admin/engine", repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** Sets limits until `restoreLimits`, also after restarts. */
  async setLimits(platformCode, limits, options = {}) {
    const path = limitsOf(platformCode);
    const call = { ...options, method: "PUT", path, body: JSON.stringify(limits), repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** Restores the configured limits. */
  async restoreLimits(platformCode, options = {}) {
    const call = { ...options, method: "DELETE", path: limitsOf(platformCode), repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** Returns one page of accounts, newest first. */
  async accounts(filters = {}, options = {}) {
    const query = { ...filters };
    const call = { ...options, method: "GET", path: "/v1/admin/accounts", query, repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  async createAccount(request, options = {}) {
    const body = JSON.stringify(request);
    const call = { ...options, method: "POST", path: "/v1/admin/accounts", body, repeat: "refused" };
    return (await this.#transport.json(call)).body;
  }
  /** Not retried if there is no response, because points could be granted twice. */
  async grant(accountId, request, options = {}) {
    const path = `${accountOf(accountId)}/grants`;
    const call = { ...options, method: "POST", path, body: JSON.stringify(request), repeat: "refused" };
    return (await this.#transport.json(call)).body;
  }
  async setUnfinishedMax(accountId, unfinishedMax, options = {}) {
    const path = `${accountOf(accountId)}/limits`;
    const call = {
      ...options,
      method: "PUT",
      path,
      body: JSON.stringify({ unfinishedMax }),
      repeat: "always",
    };
    return (await this.#transport.json(call)).body;
  }
}
const accountOf = (accountId) => `/v1/admin/accounts/${encodeURIComponent(accountId)}`;
const limitsOf = (platformCode) => `/v1/admin/platforms/${encodeURIComponent(platformCode)}/limits`;
