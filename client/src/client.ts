import { AlertChannels, AlertRules } from "./alerts.ts";
import { Audit } from "./audit.ts";
import { Batches } from "./batches.ts";
import { Entities } from "./entities.ts";
import { Events } from "./events.ts";
import { Imports, Observations } from "./observations.ts";
import { Operator } from "./operator.ts";
import { Sessions } from "./sessions.ts";
import { Login, People } from "./people.ts";
import { AccountCaps, Panels } from "./panels.ts";
import { Projects } from "./projects.ts";
import { Reports } from "./reports.ts";
import { Mail } from "./mail.ts";
import { PlatformSetups } from "./platform-setups.ts";
import { Deliveries, Platforms, Usage, Webhook } from "./settings.ts";
import { Tasks } from "./tasks.ts";
import { Tokens } from "./tokens.ts";
import type { ClientOptions } from "./options.ts";
import { Transport, type CallOptions } from "./transport.ts";

/** A client for one service and one token. It does not need to be closed. */
export class Querent {
  readonly #transport: Transport;
  readonly tasks: Tasks;
  readonly batches: Batches;
  readonly entities: Entities;
  readonly events: Events;
  readonly panels: Panels;
  readonly projects: Projects;
  readonly reports: Reports;
  readonly channels: AlertChannels;
  readonly alerts: AlertRules;
  readonly caps: AccountCaps;
  readonly platforms: Platforms;
  readonly webhook: Webhook;
  readonly deliveries: Deliveries;
  readonly observations: Observations;
  readonly imports: Imports;
  readonly usage: Usage;
  readonly tokens: Tokens;
  readonly operator: Operator;
  readonly sessions: Sessions;
  readonly mail: Mail;
  readonly platformSetups: PlatformSetups;
  readonly people: People;
  readonly login: Login;
  readonly audit: Audit;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.#transport = transport;
    this.tasks = new Tasks(transport);
    this.batches = new Batches(transport);
    this.entities = new Entities(transport);
    this.events = new Events(transport);
    this.panels = new Panels(transport);
    this.projects = new Projects(transport);
    this.reports = new Reports(transport);
    this.channels = new AlertChannels(transport);
    this.alerts = new AlertRules(transport);
    this.caps = new AccountCaps(transport);
    this.platforms = new Platforms(transport);
    this.webhook = new Webhook(transport);
    this.deliveries = new Deliveries(transport);
    this.observations = new Observations(transport);
    this.imports = new Imports(transport);
    this.usage = new Usage(transport);
    this.tokens = new Tokens(transport);
    this.operator = new Operator(transport);
    this.sessions = new Sessions(transport);
    this.mail = new Mail(transport);
    this.platformSetups = new PlatformSetups(transport);
    this.people = new People(transport);
    this.login = new Login(transport);
    this.audit = new Audit(transport);
  }

  /** Reads an operation that has no method here, by its path, such as `/v1/measures`. */
  async get<Body extends object>(
    path: string,
    query: Readonly<Record<string, string | number | undefined>> = {},
    options: CallOptions = {},
  ): Promise<Body> {
    return (await this.#transport.json<Body>({ ...options, method: "GET", path, query, repeat: "always" })).body;
  }
}
