import type { CallOptions, Transport } from "./transport.ts";
import type { SessionList, SessionRecord, SessionState, SignIn, SignInInput, SignInRequest } from "./wire.ts";

/** Signed-in sessions of web platforms, with the scope `admin`. */
export class Sessions {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns every session, without its contents. */
  async list(options: CallOptions = {}): Promise<SessionRecord[]> {
    const call = { ...options, method: "GET", path: "/v1/admin/sessions", repeat: "always" } as const;
    return (await this.#transport.json<SessionList>(call)).body.sessions;
  }

  /** Stores Playwright's storage state, in place of the former session of that name. */
  async put(platformCode: string, name: string, state: SessionState, options: CallOptions = {}) {
    const path = pathOf(platformCode, name);
    const call = { ...options, method: "PUT", path, body: JSON.stringify(state), repeat: "always" } as const;
    return (await this.#transport.json<SessionRecord>(call)).body;
  }

  async delete(platformCode: string, name: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.empty({
      ...options,
      method: "DELETE",
      path: pathOf(platformCode, name),
      repeat: "refused",
    });
  }

  /** Uses a session again that was set aside or pauses. */
  async resume(platformCode: string, name: string, options: CallOptions = {}): Promise<SessionRecord> {
    const path = `${pathOf(platformCode, name)}/resumption`;
    const call = { ...options, method: "POST", path, repeat: "always" } as const;
    return (await this.#transport.json<SessionRecord>(call)).body;
  }

  /** Opens the platform's page in a browser of the service. */
  async startSignIn(request: SignInRequest, options: CallOptions = {}): Promise<SignIn> {
    const body = JSON.stringify(request);
    const call = { ...options, method: "POST", path: "/v1/admin/sign-ins", body, repeat: "refused" } as const;
    return (await this.#transport.json<SignIn>(call)).body;
  }

  /** Returns the page's picture. With `after`, a version read before, waits until something has changed. */
  async readSignIn(signInId: string, after?: number, options: CallOptions = {}): Promise<SignIn> {
    const call = { ...options, method: "GET", path: signInPath(signInId), query: { after }, repeat: "always" } as const;
    return (await this.#transport.json<SignIn>(call)).body;
  }

  /** Sends input to the page. Not retried if there is no response, because it could be typed twice. */
  async sendInput(signInId: string, events: SignInInput["events"], options: CallOptions = {}): Promise<void> {
    const path = `${signInPath(signInId)}/input`;
    const body = JSON.stringify({ events });
    await this.#transport.empty({ ...options, method: "POST", path, body, repeat: "refused" });
  }

  /** Stores the session of the page, and ends the sign-in. */
  async saveSignIn(signInId: string, options: CallOptions = {}): Promise<SessionRecord> {
    const path = `${signInPath(signInId)}/session`;
    const call = { ...options, method: "POST", path, repeat: "refused" } as const;
    return (await this.#transport.json<SessionRecord>(call)).body;
  }

  async cancelSignIn(signInId: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ ...options, method: "DELETE", path: signInPath(signInId), repeat: "refused" });
  }
}

const pathOf = (platformCode: string, name: string) =>
  `/v1/admin/platforms/${encodeURIComponent(platformCode)}/sessions/${encodeURIComponent(name)}`;
const signInPath = (signInId: string) => `/v1/admin/sign-ins/${encodeURIComponent(signInId)}`;
