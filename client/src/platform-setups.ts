import type { CallOptions, Transport } from "./transport.ts";
import type { PlatformKeyTest, PlatformSettingsRequest, PlatformSetup, PlatformSetupList } from "./wire.ts";

/** A test waits for the vendor for at most 55 seconds. */
const testTimeoutMs = 70_000;

/** Keys of vendors, models and prices, with the scope `admin`. */
export class PlatformSetups {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns every platform with what it is set up with. No key is part of it. */
  async list(options: CallOptions = {}): Promise<PlatformSetup[]> {
    const call = { ...options, method: "GET", path: "/v1/admin/platforms", repeat: "always" } as const;
    return (await this.#transport.json<PlatformSetupList>(call)).body.platforms;
  }

  /** Stores the vendor's key in place of the former one. It cannot be read again. */
  async putKey(platformCode: string, key: string, options: CallOptions = {}): Promise<PlatformSetup> {
    const body = JSON.stringify({ key });
    const call = { ...options, method: "PUT", path: `${pathOf(platformCode)}/key`, body, repeat: "always" } as const;
    return (await this.#transport.json<PlatformSetup>(call)).body;
  }

  async deleteKey(platformCode: string, options: CallOptions = {}): Promise<PlatformSetup> {
    const call = { ...options, method: "DELETE", path: `${pathOf(platformCode)}/key`, repeat: "refused" } as const;
    return (await this.#transport.json<PlatformSetup>(call)).body;
  }

  /** Asks the vendor one question, and returns what came back. Not retried, because the vendor charges for each. */
  async testKey(platformCode: string, options: CallOptions = {}): Promise<PlatformKeyTest> {
    const path = `${pathOf(platformCode)}/key/test`;
    const call = { timeoutMs: testTimeoutMs, ...options, method: "POST", path, repeat: "refused" } as const;
    return (await this.#transport.json<PlatformKeyTest>(call)).body;
  }

  /** Replaces the model and the prices that were set. What is left out is as built in. */
  async putSettings(
    platformCode: string,
    settings: PlatformSettingsRequest,
    options: CallOptions = {},
  ): Promise<PlatformSetup> {
    const path = `${pathOf(platformCode)}/settings`;
    const call = { ...options, method: "PUT", path, body: JSON.stringify(settings), repeat: "always" } as const;
    return (await this.#transport.json<PlatformSetup>(call)).body;
  }
}

const pathOf = (platformCode: string) => `/v1/admin/platforms/${encodeURIComponent(platformCode)}`;
