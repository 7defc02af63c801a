import { Batches } from "./batches.ts";
import { Events } from "./events.ts";
import { Imports, Observations } from "./observations.ts";
import { Operator } from "./operator.ts";
import { Deliveries, Platforms, Usage, Webhook } from "./settings.ts";
import { Tasks } from "./tasks.ts";
import { Tokens } from "./tokens.ts";
import type { ClientOptions } from "./options.ts";
/** A client for one service and one token. It does not need to be closed. */
export declare class Querent {
  readonly tasks: Tasks;
  readonly batches: Batches;
  readonly events: Events;
  readonly platforms: Platforms;
  readonly webhook: Webhook;
  readonly deliveries: Deliveries;
  readonly observations: Observations;
  readonly imports: Imports;
  readonly usage: Usage;
  readonly tokens: Tokens;
  readonly operator: Operator;
  constructor(options: ClientOptions);
}
