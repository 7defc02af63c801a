import { Batches } from "./batches.js";
import { Events } from "./events.js";
import { Imports, Observations } from "./observations.js";
import { Operator } from "./operator.js";
import { Deliveries, Platforms, Usage, Webhook } from "./settings.js";
import { Tasks } from "./tasks.js";
import { Tokens } from "./tokens.js";
import { Transport } from "./transport.js";
/** A client for one service and one token. It does not need to be closed. */
export class Querent {
  tasks;
  batches;
  events;
  platforms;
  webhook;
  deliveries;
  observations;
  imports;
  usage;
  tokens;
  operator;
  constructor(options) {
    const transport = new Transport(options);
    this.tasks = new Tasks(transport);
    this.batches = new Batches(transport);
    this.events = new Events(transport);
    this.platforms = new Platforms(transport);
    this.webhook = new Webhook(transport);
    this.deliveries = new Deliveries(transport);
    this.observations = new Observations(transport);
    this.imports = new Imports(transport);
    this.usage = new Usage(transport);
    this.tokens = new Tokens(transport);
    this.operator = new Operator(transport);
  }
}
