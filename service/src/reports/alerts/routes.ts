import { alertNeedsAdmin, api, type MailSettings } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Caller, type Route } from "../../api/route.ts";
import type { Database } from "../../db/index.ts";
import { nameOf } from "../sending/routes.ts";
import {
  createAlert,
  deleteAlert,
  listAlerts,
  listFindings,
  readAlert,
  replaceAlert,
  type ReadAlert,
} from "./alerts.ts";

export interface AlertRoutesDeps {
  readonly database: Database;
  readonly mail: MailSettings;
}

const noSuchAlert = () => new ProblemError("not_found", "There is no such alert.");

export function alertRoutes({ database, mail: { from, missing } }: AlertRoutesDeps): Route[] {
  const requireMail = ({ recipients }: ReadAlert) => {
    if (missing !== null && recipients.length > 0)
      throw new ProblemError("state_conflict", `${missing} Nothing was stored. Channels need no mail.`);
  };
  // Sessions are the operator's, and their names and pages are nobody else's concern.
  const requireOperator = ({ settings: { kinds } }: ReadAlert, { scopes }: Caller) => {
    const refused = scopes.includes("admin") ? undefined : kinds.find(alertNeedsAdmin);
    if (refused !== undefined)
      throw new ProblemError(
        "scope_missing",
        `An alert of \`${refused}\` needs the scope \`admin\`: it tells what belongs to the operator. Nothing was stored.`,
      );
  };
  return [
    route(api.listAlerts, async ({ caller: { accountId } }) => ({
      status: 200,
      body: { alerts: await listAlerts(database, accountId), mail: { from, missing } },
    })),
    route(api.createAlert, async ({ caller, body }) => {
      const read = readAlert(body);
      requireMail(read);
      requireOperator(read, caller);
      return { status: 201, body: await createAlert(database, caller.accountId, read, nameOf(caller)) };
    }),
    route(api.putAlert, async ({ caller, params, body }) => {
      const read = readAlert(body);
      requireMail(read);
      requireOperator(read, caller);
      const of = { accountId: caller.accountId, alertId: params.alert_id };
      const alert = await replaceAlert(database, of, read, nameOf(caller));
      if (alert === null) throw noSuchAlert();
      return { status: 200, body: alert };
    }),
    route(api.deleteAlert, async ({ caller: { accountId }, params }) => {
      if (!(await deleteAlert(database, { accountId, alertId: params.alert_id }))) throw noSuchAlert();
      return { status: 204 };
    }),
    route(api.listToldFindings, async ({ caller: { accountId }, params }) => {
      const findings = await listFindings(database, { accountId, alertId: params.alert_id });
      if (findings === null) throw noSuchAlert();
      return { status: 200, body: { findings } };
    }),
  ];
}
