import type { Notifier } from "../webhooks/index.ts";
import type { AccountLimits } from "./account-limits.ts";
import type { Api } from "./roles/api.ts";
import type { Worker } from "./roles/worker.ts";

/** The roles of this process that metrics are read from. */
export interface MeasuredRoles {
  readonly api: Api | null;
  readonly worker: Worker | null;
  readonly notifier: Notifier | null;
  readonly limits: AccountLimits;
  readonly roles: readonly string[];
}
