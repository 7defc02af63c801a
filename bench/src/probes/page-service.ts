import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { loadRecipe } from "../../../service/src/platforms/index.ts";
import type { Bench } from "../bench.ts";
import { startLoad, type BenchService } from "../contenders/querent.ts";
import { countRows, withInstallation } from "./probe.ts";

const recipeFile = join(import.meta.dirname, "../../../service/src/platforms/web/assistant-page/recipe.yaml");
export const question = "How fine should I grind?";

export interface PageService {
  readonly service: BenchService;
  /** Asks the page this number of questions, and waits until all have been answered. */
  ask(count: number): Promise<void>;
}

/** A service with the example page as its one web platform. Fails if a question was not answered. */
export async function withPageService<Value>(
  bench: Bench,
  input: {
    readonly name: string;
    /** The address of the page. */
    readonly address: string;
    /** For its configuration and its temporary files. */
    readonly folder: string;
    readonly atOnce: number;
    readonly evidence?: readonly string[];
  },
  work: (service: PageService) => Promise<Value>,
): Promise<Value> {
  const { name, address, folder, atOnce, evidence = [] } = input;
  writeFileSync(join(folder, "page.yaml"), stringify({ ...loadRecipe(recipeFile).recipe, entry: address }));
  // What limits the pages is the browser: a task whose page has closed is still running until its result is written.
  const entry = { recipe: "./page.yaml", runningMax: 2 * atOnce, evidence };
  writeFileSync(join(folder, "platforms.yaml"), stringify({ platforms: { "example-web": entry } }));
  const path = process.env["QUERENT_BROWSER_PATH"];
  const environment = {
    QUERENT_CONFIG: join(folder, "platforms.yaml"),
    QUERENT_BROWSER_EGRESS_ALLOW: "127.0.0.0/8",
    QUERENT_BROWSER_CONTEXTS: String(atOnce),
    TMPDIR: folder,
    ...(path === undefined ? {} : { QUERENT_BROWSER_PATH: path }),
  };
  return withInstallation(bench, name, { environment }, async (installation) => {
    const service = await installation.serve();
    await using load = await startLoad(service.address, 1);
    let asked = 0;
    const count = (sql: string) => countRows(installation, `select count(*)::int as n from tasks where ${sql}`);
    const ask = async (batchSize: number) => {
      await load.ask("send", {
        path: "/v1/tasks/batch",
        tokens: installation.tokens,
        batches: 1,
        batchSize,
        connections: 1,
        question,
        platformCode: "example-web",
        key: `${name}-${asked}`,
      });
      asked += batchSize;
      while ((await count("state <> 'pending'")) < asked) await new Promise((resolve) => setTimeout(resolve, 50));
      const failed = asked - (await count("state = 'completed'"));
      if (failed > 0) throw new Error(`${failed} of ${asked} pages failed`);
    };
    return await work({ service, ask });
  });
}
