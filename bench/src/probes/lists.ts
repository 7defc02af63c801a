/** The time of a list page in an account with very many tasks, over HTTP, compared with a query of as many tasks by id. */
import { createToken } from "../../../service/src/accounts/index.ts";
import { fillLongList } from "../../../service/test/harness/long-list.ts";
import type { Bench } from "../bench.ts";
import { spread } from "../statistics.ts";
import { withInstallation, type Line } from "./probe.ts";

const pageSize = 50;

export function lists(bench: Bench): Promise<Line[]> {
  return withInstallation(bench, "lists", {}, async (installation) => {
    const { database } = installation;
    const count = bench.scale.backlog;
    const { accountId, batchId, from } = await fillLongList(database, count);
    const { token } = await createToken(database, { accountId, scopes: ["tasks:read"], name: null, expiresAt: null });
    await using service = await installation.serve({ roles: "api" });
    const middle = new Date(from.getTime() + count * 50).toISOString();
    const get = async (path: string): Promise<{ tasks?: { taskId: string }[]; nextCursor: string | null }> => {
      const response = await fetch(service.address + path, { headers: { authorization: `Bearer ${token}` } });
      if (!response.ok) throw new Error(`${response.status} to ${path}`);
      return (await response.json()) as { tasks?: { taskId: string }[]; nextCursor: string | null };
    };
    const rounds = bench.scale.repetitions * 10;
    const medianMs = async (work: () => Promise<unknown>): Promise<number> => {
      const times: number[] = [];
      // Once for the pages that are read from disk.
      await work();
      for (let round = 0; round < rounds; round++) {
        const startedAt = performance.now();
        await work();
        times.push(performance.now() - startedAt);
      }
      return spread(times).median;
    };

    const ids = ((await get(`/v1/tasks?limit=${pageSize}`)).tasks ?? []).map(({ taskId }) => taskId);
    const floorMs = await medianMs(() =>
      database.query("select * from tasks where id = any($1::uuid[]) and account_id = $2", [ids, accountId]),
    );
    const lines: Line[] = [
      {
        what: `floor: ${pageSize} of ${count} tasks by their ids, in PostgreSQL`,
        figure: `${floorMs.toFixed(1)} ms`,
        ratio: "",
        target: "",
      },
    ];
    for (const [what, path] of [
      ["no filter", "/v1/tasks?"],
      ["completed", "/v1/tasks?state=completed"],
      ["failed, of a tag", "/v1/tasks?state=failed&tag=odd"],
      ["canceled: one, the oldest but three", "/v1/tasks?state=canceled"],
      ["pending: three, the oldest", "/v1/tasks?state=pending"],
      ["a platform with three, the oldest", "/v1/tasks?platformCode=rare"],
      ["a platform with none", "/v1/tasks?platformCode=none"],
      ["a tag of the older half", "/v1/tasks?tag=older"],
      ["a tag with none", "/v1/tasks?tag=none"],
      ["a reference", "/v1/tasks?clientReference=ref-0"],
      ["a batch", `/v1/tasks?batchId=${batchId}`],
      ["before a time", `/v1/tasks?createdBefore=${middle}`],
      ["a text of all", "/v1/tasks?text=kettle"],
      ["a text of none: one step", "/v1/tasks?text=nowhere"],
      ["batches", "/v1/batches?"],
    ] as const) {
      const ms = await medianMs(() => get(`${path}&limit=${pageSize}`));
      lines.push({
        what: `list: ${what}`,
        figure: `${ms.toFixed(1)} ms`,
        ratio: `x ${(ms / floorMs).toFixed(1)}`,
        target: "100 ms at most",
      });
    }
    lines.push(await search(get, count));
    return lines;
  });
}

/** A text that only the oldest task has, looked for to the end. */
async function search(
  get: (path: string) => Promise<{ tasks?: unknown[]; nextCursor: string | null }>,
  count: number,
): Promise<Line> {
  const startedAt = performance.now();
  let [steps, longestMs, found, cursor]: [number, number, number, string | null] = [0, 0, 0, ""];
  do {
    const stepAt = performance.now();
    const page = await get(`/v1/tasks?text=needle&limit=${pageSize}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    longestMs = Math.max(longestMs, performance.now() - stepAt);
    found += page.tasks?.length ?? 0;
    cursor = page.nextCursor;
    steps++;
  } while (cursor !== null);
  if (found !== 1) throw new Error(`${found} tasks with the one needle`);
  return {
    what: `list: a text of the oldest of ${count} alone, to the end`,
    figure: `${((performance.now() - startedAt) / 1000).toFixed(1)} s in ${steps} steps`,
    ratio: `longest ${longestMs.toFixed(0)} ms`,
    target: "",
  };
}
