/** What one account may do to stop the others, each as it was found to have worked against an earlier version. */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FloodInput, Statuses, StreamsInput } from "../processes/attacker.ts";
import type { Attack, Victim } from "./attack.ts";
import { computingAttacks } from "./computing-attacks.ts";

/** The quota of the accounts in this probe. */
export const storageMebibytes = 24;

const MiB = 1024 * 1024;
const batchSize = 250;

export const attacks: readonly Attack[] = [
  {
    name: "long-responses",
    what: "32 responses of 16 MiB",
    completes: true,
    start: ask(32, "Why?", { platformCode: "long-responses" }),
  },
  largeAnswers(500),
  { ...largeAnswers(1000), isLong: true },
  { name: "slots", what: "2,000 tasks of 25 minutes", start: ask(2000, "delay=25m") },
  {
    name: "quotes",
    what: "quotes of 16 MiB, 16 at once",
    start: flood({ method: "POST", path: "/v1/tasks/quote", bodies: expensiveBodies(), atOnce: 16 }),
  },
  hangingReceivers(250),
  { ...hangingReceivers(1500), isLong: true },
  { name: "streams-2000", what: "2,000 event streams", start: streams(2000) },
  { name: "streams-8000", what: "8,000 event streams", isLong: true, start: streams(8000) },
  { name: "lists", what: "searches of 100,000 deliveries that find nothing, 64 at once", start: searches(100_000, 64) },
  storage("storage-imports", "imports without points", "/v1/imports?name=flood", importBodies()),
  storage("storage-panels", "panels of 256 KiB without points", "/v1/panels", [largePanel()]),
  ...computingAttacks,
  {
    name: "aliases",
    what: "100,000 aliases of the same words, which 500 answers and trials of 64 KiB are searched for",
    completes: true,
    start: aliases(500),
  },
  {
    name: "signs",
    what: "trials of a name of 200 signs against a million of them, 8 at once",
    start: flood({ method: "POST", path: "/v1/entities/try", bodies: [oneSign()], atOnce: 8 }),
  },
  screenshots(90),
  { ...screenshots(500), isLong: true },
];

/** Stores without an end what costs no points. */
function storage(name: string, what: string, path: string, bodies: readonly string[]): Attack {
  const type = path.startsWith("/v1/imports") ? "application/x-ndjson" : "application/json";
  const tells: Attack["tells"] = async ({ installation, accountId }) => {
    const { rows } = await installation.database.query<{ mebibytes: number }>(
      "select coalesce(round(sum(bytes) / 1048576.0, 1), 0)::float8 as mebibytes from account_storage where account_id = $1",
      [accountId],
    );
    return `${rows[0]?.mebibytes} MiB stored of the ${storageMebibytes} that the account may`;
  };
  return { name, what, start: flood({ method: "POST", path, bodies, atOnce: 16, type }), tells };
}

/** 180 parts of an import of 100 answers each, no two of them the same: 36 MB. */
function importBodies(): string[] {
  const texts = Array.from({ length: 100 }, (_, nth) => hexOf(`text ${nth}`, 2_000));
  return Array.from({ length: 180 }, (_, part) =>
    texts
      .map((text, nth) =>
        JSON.stringify({
          id: `${part}-${nth}`,
          question: "Which?",
          platformCode: "chatgpt",
          observedAt: "2026-05-24T15:56:04Z",
          content: `${part} ${text}`,
        }),
      )
      .join("\n"),
  );
}

function largePanel(): string {
  const prompts = Array.from({ length: 64 }, (_, nth) => ({ text: hexOf(`prompt ${nth}`, 4_000) }));
  return JSON.stringify({ name: "flood", prompts, platforms: ["simulator"] });
}

/** Text that hardly compresses. */
function hexOf(seed: string, length: number): string {
  let text = "";
  for (let nth = 0; text.length < length; nth++) text += createHash("sha512").update(`${seed} ${nth}`).digest("base64");
  return text.slice(0, length);
}

function largeAnswers(count: number): Attack {
  const what = `${count} answers of 1 MiB`;
  return { name: `answers-${count}`, what, completes: true, start: ask(count, `delay=1s size=${MiB} sources=1000`) };
}

function hangingReceivers(origins: number): Attack {
  return {
    name: `receivers-${origins}`,
    what: `receivers at ${origins} origins that never respond`,
    start: async (victim) => {
      const port = await victim.attacker.ask<number>("hang");
      const url = (nth: number) => `https://127.1.${Math.floor(nth / 250)}.${1 + (nth % 250)}:${port}/`;
      const batches = await submit(victim, origins, (nth) => ({ question: "Why?", webhookUrl: url(nth) }));
      // The attack is under way when as many hang as may.
      await sleep(1000);
      return batches;
    },
  };
}

/** The browser starts with the first one, which is not measured. */
function screenshots(count: number): Attack {
  const of = (number: number) => ask(number, "cards=product", { options: { output: "screenshot" } });
  const start: Attack["start"] = async (victim) => {
    const first = await of(1)(victim);
    const { database } = victim.installation;
    for (let left = 1; left > 0; await sleep(100)) {
      const { rows } = await database.query<{ n: number }>(
        "select count(*)::int as n from tasks where account_id = $1 and state = 'pending'",
        [victim.accountId],
      );
      left = rows[0]?.n ?? 0;
    }
    return [...first, ...(await of(count)(victim))];
  };
  return { name: `screenshots-${count}`, what: `${count} screenshots`, needsBrowser: true, completes: true, start };
}

function ask(count: number, question: string, more: object = {}): Attack["start"] {
  return (victim) => submit(victim, count, (nth) => ({ question: `${nth} ${question}`, ...more }));
}

function flood(input: Omit<FloodInput, "token">): Attack["start"] {
  return async ({ attacker, token }) => {
    await attacker.ask("flood", { ...input, token } satisfies FloodInput);
    return [];
  };
}

function streams(count: number): Attack["start"] {
  return async ({ attacker, token }) => {
    await attacker.ask<Statuses>("streams", { token, count } satisfies StreamsInput);
    return [];
  };
}

function searches(rows: number, atOnce: number): Attack["start"] {
  return async (victim) => {
    const { installation, accountId } = victim;
    await installation.database.transaction(async (tx) => {
      await tx.query("set local statement_timeout = 0");
      await tx.query(
        `insert into deliveries (id, account_id, task_id, delivery_revision, event_number, url, origin, to_default, state, finished_at)
         select uuidv7(), $1, uuidv7(), 1, nextval('event_numbers'), 'https://common.example.com/', 'https://common.example.com', false, 'delivered', now()
           from generate_series(1, $2::int)`,
        [accountId, rows],
      );
    });
    const path = "/v1/deliveries?destination=https://nowhere.example.com";
    return flood({ method: "GET", path, bodies: [], atOnce })(victim);
  };
}

/** Names of the same letters, none of them as it stands in what the simulator's long answers repeat. */
function aliases(count: number): Attack["start"] {
  const spelling = (nth: number) =>
    [..."this answer is simulated"]
      .map((letter, at) => (((2 * nth) >> at) & 1 ? letter.toUpperCase() : letter))
      .join("");
  const entities = Array.from({ length: 2_000 }, (_, nth) => ({
    name: `Brand ${nth}`,
    aliases: Array.from({ length: 50 }, (_, alias) => ({ text: spelling(50 * nth + alias + 1), caseSensitive: true })),
  }));
  const text = "This answer is simulated. ".repeat(2_500);
  return async (victim) => {
    for (let from = 0; from < entities.length; from += 200)
      await send(victim, { method: "PUT", path: "/v1/entities", body: entities.slice(from, from + 200) });
    await flood({ method: "POST", path: "/v1/entities/try", bodies: [JSON.stringify({ text })], atOnce: 4 })(victim);
    return submit(victim, count, (nth) => ({ question: `${nth} size=65536` }));
  };
}

function oneSign(): string {
  return JSON.stringify({ text: "中".repeat(1_000_000), entity: { name: "中".repeat(200) } });
}

/** Lists whose parsing or checking takes long: of millions of values, of a thousand items that are wrong in all members, and of long escaped questions. */
function expensiveBodies(): string[] {
  const wrong = Object.fromEntries(Array.from({ length: 30 }, (_, nth) => [`${"x".repeat(500)}${nth}`, 1]));
  const question = "\\u00e9".repeat(2_600);
  return [
    `[${"1,".repeat(8 * MiB - 2)}1]`,
    JSON.stringify(Array.from({ length: 1000 }, () => wrong)),
    `[${Array.from({ length: 1000 }, () => `{"question":"${question}","platformCode":"simulator"}`).join(",")}]`,
  ];
}

async function submit(victim: Victim, count: number, itemOf: (nth: number) => object): Promise<readonly string[]> {
  const batches: string[] = [];
  for (let from = 0; from < count; from += batchSize) {
    const items = Array.from({ length: Math.min(batchSize, count - from) }, (_, nth) => ({
      platformCode: "simulator",
      ...itemOf(from + nth),
    }));
    const key = `attack-${count}-${from}`;
    const text = await send(victim, { method: "POST", path: "/v1/tasks/batch", body: items, key });
    batches.push((JSON.parse(text) as { batchId: string }).batchId);
  }
  return batches;
}

async function send(
  { address, token }: Victim,
  { method, path, body, key }: { method: "POST" | "PUT"; path: string; body: unknown; key?: string },
): Promise<string> {
  const response = await fetch(address + path, {
    method,
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the attack was refused: ${response.status} ${text.slice(0, 300)}`);
  return text;
}
