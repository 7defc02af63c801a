import type { CallOptions, Transport } from "./transport.ts";
import type { IssuedToken, TokenList, TokenRecord, TokenRequest } from "./wire.ts";

/** Access tokens of the account or, with the scope `admin`, of the account `of`. */
export class Tokens {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list({ of, ...options }: CallOptions & { of?: string } = {}): Promise<TokenRecord[]> {
    const call = { ...options, method: "GET", path: tokensOf(of), repeat: "always" } as const;
    return (await this.#transport.json<TokenList>(call)).body.tokens;
  }

  /** Issues a token. Its text cannot be read again later. Not retried if there is no response. */
  async issue(request: TokenRequest, { of, ...options }: CallOptions & { of?: string } = {}): Promise<IssuedToken> {
    const body = JSON.stringify(request);
    const call = { ...options, method: "POST", path: tokensOf(of), body, repeat: "refused" } as const;
    return (await this.#transport.json<IssuedToken>(call)).body;
  }

  /** Revokes a token, with immediate effect. `ofAny`: a token of any account, for operators. */
  async revoke(tokenId: string, { ofAny = false, ...options }: CallOptions & { ofAny?: boolean } = {}) {
    const path = `${ofAny ? "/v1/admin/tokens" : "/v1/tokens"}/${encodeURIComponent(tokenId)}/revocation`;
    return (await this.#transport.json<TokenRecord>({ ...options, method: "POST", path, repeat: "always" })).body;
  }
}

const tokensOf = (accountId: string | undefined) =>
  accountId === undefined ? "/v1/tokens" : `/v1/admin/accounts/${encodeURIComponent(accountId)}/tokens`;
