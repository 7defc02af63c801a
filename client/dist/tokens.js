/** Access tokens of the account or, with the scope `admin`, of the account `of`. */
export class Tokens {
  #transport;
  constructor(transport) {
    this.#transport = transport;
  }
  async list({ of, ...options } = {}) {
    const call = { ...options, method: "GET", path: tokensOf(of), repeat: "always" };
    return (await this.#transport.json(call)).body.tokens;
  }
  /** Issues a token. Its text cannot be read again later. Not retried if there is no response. */
  async issue(request, { of, ...options } = {}) {
    const body = JSON.stringify(request);
    const call = { ...options, method: "POST", path: tokensOf(of), body, repeat: "refused" };
    return (await this.#transport.json(call)).body;
  }
  /** Revokes a token, with immediate effect. `ofAny`: a token of any account, for operators. */
  async revoke(tokenId, { ofAny = false, ...options } = {}) {
    const path = `${ofAny ? "/v1/admin/tokens" : "/v1/tokens"}/${encodeURIComponent(tokenId)}/revocation`;
    return (await this.#transport.json({ ...options, method: "POST", path, repeat: "always" })).body;
  }
}
const tokensOf = (accountId) =>
  accountId === undefined ? "/v1/tokens" : `/v1/admin/accounts/${encodeURIComponent(accountId)}/tokens`;
