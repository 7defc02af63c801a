import type { CallOptions, Transport } from "./transport.ts";
import type { IssuedToken, TokenRecord, TokenRequest } from "./wire.ts";
/** Access tokens of the account or, with the scope `admin`, of the account `of`. */
export declare class Tokens {
  #private;
  constructor(transport: Transport);
  list({
    of,
    ...options
  }?: CallOptions & {
    of?: string;
  }): Promise<TokenRecord[]>;
  /** Issues a token. Its text cannot be read again later. Not retried if there is no response. */
  issue(
    request: TokenRequest,
    {
      of,
      ...options
    }?: CallOptions & {
      of?: string;
    },
  ): Promise<IssuedToken>;
  /** Revokes a token, with immediate effect. `ofAny`: a token of any account, for operators. */
  revoke(
    tokenId: string,
    {
      ofAny,
      ...options
    }?: CallOptions & {
      ofAny?: boolean;
    },
  ): Promise<TokenRecord>;
}
