import type { CallOptions, Transport } from "./transport.ts";
import type {
  Alert,
  AlertRequest,
  Alerts,
  Channel,
  ChannelChange,
  ChannelRequest,
  Channels,
  ChannelTest,
  ToldFinding,
  ToldFindings,
} from "./wire.ts";

/** A test waits for the service behind the channel for at most 15 seconds, and for two requests with PagerDuty. */
const testTimeoutMs = 45_000;

/** Where reports and alerts go beside mail: Slack, Teams, PagerDuty, and endpoints of one's own. */
export class AlertChannels {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(options: CallOptions = {}): Promise<Channel[]> {
    const call = { ...options, method: "GET", path: "/v1/channels", repeat: "always" } as const;
    return (await this.#transport.json<Channels>(call)).body.channels;
  }

  /** Not retried if there is no response, because there would be two channels. */
  async create(request: ChannelRequest, options: CallOptions = {}): Promise<Channel> {
    const call = { ...options, method: "POST", path: "/v1/channels", body: JSON.stringify(request) } as const;
    return (await this.#transport.json<Channel>({ ...call, repeat: "refused" })).body;
  }

  /** Without `secret`, the stored one stays. */
  async put(channelId: string, change: ChannelChange, options: CallOptions = {}): Promise<Channel> {
    const call = { ...options, method: "PUT", path: channelPath(channelId), body: JSON.stringify(change) } as const;
    return (await this.#transport.json<Channel>({ ...call, repeat: "always" })).body;
  }

  async delete(channelId: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ ...options, method: "DELETE", path: channelPath(channelId), repeat: "refused" });
  }

  /** Sends a test, and says what happened. Not retried, because it would be sent twice. */
  async test(channelId: string, options: CallOptions = {}): Promise<ChannelTest> {
    const path = `${channelPath(channelId)}/test`;
    const call = { timeoutMs: testTimeoutMs, ...options, method: "POST", path, repeat: "refused" } as const;
    return (await this.#transport.json<ChannelTest>(call)).body;
  }
}

/** What is found and what fails, told in channels and by mail. */
export class AlertRules {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The alerts, and whether mail can be sent. */
  async list(options: CallOptions = {}): Promise<Alerts> {
    const call = { ...options, method: "GET", path: "/v1/alerts", repeat: "always" } as const;
    return (await this.#transport.json<Alerts>(call)).body;
  }

  /** Not retried if there is no response, because everything would be told twice. */
  async create(request: AlertRequest, options: CallOptions = {}): Promise<Alert> {
    const call = { ...options, method: "POST", path: "/v1/alerts", body: JSON.stringify(request) } as const;
    return (await this.#transport.json<Alert>({ ...call, repeat: "refused" })).body;
  }

  async put(alertId: string, request: AlertRequest, options: CallOptions = {}): Promise<Alert> {
    const call = { ...options, method: "PUT", path: alertPath(alertId), body: JSON.stringify(request) } as const;
    return (await this.#transport.json<Alert>({ ...call, repeat: "always" })).body;
  }

  async delete(alertId: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ ...options, method: "DELETE", path: alertPath(alertId), repeat: "refused" });
  }

  /** What an alert has told, newest first, with what became of each message. */
  async findings(alertId: string, options: CallOptions = {}): Promise<ToldFinding[]> {
    const call = { ...options, method: "GET", path: `${alertPath(alertId)}/findings`, repeat: "always" } as const;
    return (await this.#transport.json<ToldFindings>(call)).body.findings;
  }
}

const channelPath = (channelId: string) => `/v1/channels/${encodeURIComponent(channelId)}`;
const alertPath = (alertId: string) => `/v1/alerts/${encodeURIComponent(alertId)}`;
