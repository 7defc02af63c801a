/** What observations cost from end to end: the same work by processes that write none, that write them, and that look for brands, too. */
import { createEntity } from "../../../service/src/observations/entities/change-entities.ts";
import { requireContent } from "../../../service/src/observations/entities/entity-content.ts";
import type { Bench } from "../bench.ts";
import { startQuerent } from "../contenders/querent.ts";
import { endToEnd, type Entrant } from "./end-to-end.ts";
import type { Line } from "./probe.ts";

const without = new URL("../contenders/without-observations.mjs", import.meta.url).href;
/** As many brands as somebody compares. Four occur in the simulator's answers. */
const brands = [
  "Querent",
  "simulator",
  "grind",
  "espresso",
  ...Array.from({ length: 16 }, (_, index) => `Brand ${index}`),
];

export async function observing(bench: Bench): Promise<Line[]> {
  const entrant = (
    name: string,
    { database, observes, entities = [] }: { database: string; observes: boolean; entities?: readonly string[] },
  ): Entrant => ({
    name,
    async start() {
      const contender = await startQuerent(
        {
          ...(await bench.input(`observing_${database}`)),
          accounts: bench.scale.accounts,
          environment: observes ? {} : { NODE_OPTIONS: `--import ${without}` },
        },
        bench.scale.connections,
      );
      const { database: db, accountIds } = contender.installation;
      for (const accountId of accountIds)
        for (const brand of entities)
          await createEntity(
            db,
            { accountId, projectId: accountId },
            requireContent({ name: brand, relation: "competitor" }),
          );
      return {
        ...contender,
        async [Symbol.asyncDispose]() {
          const { rows } = await db.query<{ observed: boolean }>(
            "select exists (select from observations) as observed",
          );
          await contender[Symbol.asyncDispose]();
          if (rows[0]?.observed !== observes) throw new Error(`${name}: expected ${observes ? "" : "no "}observations`);
        },
      };
    },
  });
  const results = await endToEnd(bench, [
    entrant("without observations", { database: "none", observes: false }),
    entrant("with observations", { database: "plain", observes: true }),
    entrant("with observations, 20 brands", { database: "brands", observes: true, entities: brands }),
  ]);
  return results.map(({ name, rate, ofFirst, cpuUs }) => ({
    what: name,
    figure: `${rate.median.toFixed(0)}/s; ${cpuUs.median.toFixed(0)} us of the process per task`,
    ratio: `x ${ofFirst.median.toFixed(3)} (${ofFirst.min.toFixed(2)}-${ofFirst.max.toFixed(2)})`,
    target: name === results[0]?.name ? "" : "x 0.95",
  }));
}
