/** Requests that compute over many answers, as many at once as two accounts can send. */
import type { EntityRecord } from "@querent/contract";
import { fillAnswers, type ManyAnswers } from "../../../service/test/insight/many-answers.ts";
import type { FloodInput } from "../processes/attacker.ts";
import type { Attack, Victim } from "./attack.ts";

const longAnswers: ManyAnswers = { prompts: 30, runs: 2, textLength: 2 ** 20, sources: 1000 };
const manyAnswers: ManyAnswers = { prompts: 50, runs: 1000, platforms: ["simulator", "manual"] };

export const computingAttacks: readonly Attack[] = [
  computing("diffs", "diffs of two runs with answers of 1 MiB, 14 at once", 14, longAnswers, ({ runIds }) => ({
    path: `runs/${runIds[1]}/diff?with=${runIds[0]}&results=true`,
  })),
  computing("bridges", "bridges of 100,000 answers, 24 at once", 24, manyAnswers, ({ entityId }) => ({
    path: `bridge?entityId=${entityId}&fromPlatform=simulator&toPlatform=manual`,
  })),
  computing("plans", "plans from 100,000 answers, 24 at once", 24, manyAnswers, ({ entityId }) => ({
    path: "plan",
    body: { measure: "presence", entityId, platformCode: "simulator", scope: "these_prompts", width: 0.1 },
  })),
  computing("figures", "figures of 100,000 answers by prompt, 12 at once", 12, manyAnswers, () => ({
    path: "figures?by=prompt",
  })),
  computing("reports", "reports of 100,000 answers, 12 at once", 12, manyAnswers, () => ({
    path: "report?format=html",
  })),
  computing("zips", "reports of 100,000 answers as zips, 12 at once", 12, manyAnswers, () => ({
    path: "report?format=zip",
  })),
  computing("exports", "exports of 100,000 observations as Parquet, 12 at once", 12, manyAnswers, () => ({
    path: "/v1/observations",
    accept: "application/vnd.apache.parquet",
  })),
];

interface Computed {
  readonly runIds: readonly string[];
  readonly entityId: string;
}

/** Requests that compute over a panel, of two accounts that don't pause. */
function computing(
  name: string,
  what: string,
  atOnce: number,
  answers: ManyAnswers,
  requestOf: (filled: Computed) => { path: string; body?: object; accept?: string },
): Attack {
  const start = async ({ installation, address, attacker, token, accountId, second }: Victim) => {
    const made = [];
    for (const account of [{ accountId, token }, second])
      made.push({ account, panel: await fillPanel({ installation, address }, account, answers) });
    for (const { account, panel } of made) {
      const { panelId, ...filled } = panel;
      const { path, body, accept } = requestOf(filled);
      await attacker.ask("flood", {
        token: account.token,
        method: body === undefined ? "GET" : "POST",
        path: path.startsWith("/") ? path : `/v1/panels/${panelId}/${path}`,
        bodies: body === undefined ? [] : [JSON.stringify(body)],
        atOnce,
        ...(accept === undefined ? {} : { accept }),
      } satisfies FloodInput);
    }
    return [];
  };
  return { name, what: `${what}, of two accounts each`, computes: true, start };
}

/** A panel with the answers of five entities. */
export async function fillPanel(
  { installation, address }: Pick<Victim, "installation" | "address">,
  { accountId, token }: Victim["second"],
  answers: ManyAnswers,
): Promise<Computed & { readonly panelId: string }> {
  const entityIds: string[] = [];
  for (const name of ["Acme Mills", "Globex Corp", "Initech Ltd", "Hooli Inc", "Umbra Co"]) {
    const response = await fetch(`${address}/v1/entities`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({
        name: `${name} ${Math.random()}`,
        relation: entityIds.length === 0 ? "own" : "competitor",
      }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    entityIds.push(((await response.json()) as EntityRecord).entityId);
  }
  const filled = await fillAnswers(installation.database, accountId, { ...answers, entityIds });
  return { ...filled, entityId: entityIds[0] ?? "" };
}
