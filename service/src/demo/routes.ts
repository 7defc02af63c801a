import { api } from "@querent/contract";
import { route, type Route } from "../api/route.ts";
import { changedBy, type OnChange } from "../kernel/change-event.ts";
import { addMember } from "../people/index.ts";
import { deleteDemonstration, demoAccount, makeDemonstration, type DemonstrationDeps } from "./demonstration.ts";

export interface DemonstrationRouteDeps extends DemonstrationDeps {
  readonly onChange: OnChange;
}

export function demonstrationRoutes(deps: DemonstrationRouteDeps): Route[] {
  const { database, onChange } = deps;
  /** One at a time: a second request waits, and finds what the first one made. */
  let making: Promise<unknown> = Promise.resolve();
  return [
    route(api.createDemonstration, async ({ caller }) => {
      const made = making.then(() => makeDemonstration(deps));
      making = made.catch(() => undefined);
      const { accountId, panelId, filled } = await made;
      const { person } = caller;
      if (person !== null)
        await database.transaction((tx) =>
          addMember(tx, { accountId, personId: person.personId, role: "editor", projects: null, operator: false }),
        );
      if (filled !== null) onChange({ event: "account.created", accountId, points: 0, by: changedBy(caller) });
      return { status: 200, body: { accountId, panelId } };
    }),

    route(api.deleteDemonstration, async ({ caller }) => {
      if (await deleteDemonstration(database))
        onChange({ event: "account.deleted", name: demoAccount, by: changedBy(caller) });
      return { status: 204 };
    }),
  ];
}
