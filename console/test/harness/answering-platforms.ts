/**
 * Platforms that answer, for looking at answers side by side: one server that speaks chat completions, asked by the service's own
 * adapter under several codes. Same question, same code, same answer.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";

export interface AnsweringPlatforms extends AsyncDisposable {
  /** A settings file that names them. */
  readonly config: string;
  readonly codes: readonly string[];
}

export const coffeeQuestions = [
  "Which gooseneck kettle keeps its temperature best for pour over?",
  "Which grinder should I buy for espresso under 500 euros?",
  "What is the best scale for coffee with a timer?",
  "Which pour over dripper is easiest for beginners?",
  "Which espresso machine is quiet enough for a small flat?",
] as const;

const codes = ["aster", "birch", "cedar"] as const;

interface Topic {
  readonly things: readonly (readonly [brand: string, product: string, why: string])[];
  readonly pages: readonly (readonly [url: string, title: string])[];
}

const topics: readonly Topic[] = [
  {
    things: [
      ["Fellow", "Stagg EKG", "holds a set temperature for an hour and pours in a thin, even stream"],
      ["Hario", "Buono", "is lighter and cheaper, and cools by about two degrees a minute"],
      ["Brewista", "Artisan", "heats fastest of the three and shows the temperature to the degree"],
      ["Timemore", "Fish Smart", "pours slowly by itself, which helps a beginner"],
    ],
    pages: [
      ["https://kettles.example/tests/gooseneck-2026", "Gooseneck kettles, measured"],
      ["https://www.brewjournal.example/kettle-temperature", "How long a kettle keeps its temperature"],
      ["https://pourover.example/guide/kettles", "Kettles for pour over"],
      ["https://forum.home-barista.example/t/4512", "Stagg or Artisan?"],
    ],
  },
  {
    things: [
      ["Eureka", "Mignon Specialita", "is quiet, and its grind stays the same from day to day"],
      ["Baratza", "Encore ESP", "is easy to repair and has steps for espresso and for filter"],
      ["DF64", "Gen 2", "leaves hardly a gram behind, for less than its rivals"],
      ["Timemore", "Sculptor 064", "turns slowly and makes little dust"],
    ],
    pages: [
      ["https://grinders.example/espresso-under-500", "Espresso grinders under 500 euros"],
      ["https://www.brewjournal.example/grinder-retention", "What stays in the grinder"],
      ["https://forum.home-barista.example/t/9921", "First grinder for espresso"],
    ],
  },
  {
    things: [
      ["Acaia", "Pearl", "answers at once and is read by most apps"],
      ["Timemore", "Black Mirror", "does nearly the same for a third of the price"],
      ["Hario", "V60 Drip Scale", "is slower, and enough for filter coffee"],
    ],
    pages: [
      ["https://scales.example/with-timer", "Coffee scales with a timer"],
      ["https://www.brewjournal.example/scales", "Do you need a coffee scale?"],
    ],
  },
  {
    things: [
      ["Kalita", "Wave 185", "forgives an uneven pour, because its bottom is flat"],
      ["Hario", "V60", "rewards practice and is sold everywhere"],
      ["Fellow", "Stagg X", "drains evenly and comes with its own filters"],
    ],
    pages: [
      ["https://pourover.example/guide/drippers", "Drippers compared"],
      ["https://forum.home-barista.example/t/300", "Wave or V60?"],
      ["https://www.brewjournal.example/first-dripper", "Your first dripper"],
    ],
  },
  {
    things: [
      ["Lelit", "Bianca", "has a pump that hums where others knock"],
      ["Ascaso", "Steel Duo", "is small and heats in two minutes"],
      ["Profitec", "Go", "is louder, and the cheapest of them"],
    ],
    pages: [
      ["https://machines.example/quiet", "How loud is an espresso machine?"],
      ["https://www.brewjournal.example/small-kitchens", "Espresso in a small kitchen"],
    ],
  },
];

export async function startAnsweringPlatforms(): Promise<AnsweringPlatforms> {
  const server = createServer((request, response) => {
    void (async () => {
      const { messages, model } = (await json(request)) as { messages: { content: unknown }[]; model: string };
      const question = JSON.stringify(messages.at(-1)?.content ?? "");
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer(question, model)));
    })();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const folder = mkdtempSync(join(tmpdir(), "querent-answering-"));
  const config = join(folder, "platforms.yaml");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  writeFileSync(
    config,
    `platforms:\n${codes
      .map(
        (code) =>
          `  ${code}: { api: openai-compatible, name: ${code}, url: "${url}", model: ${code}-1, keyVariable: null, ` +
          `price: { base: 2, deepAnalysis: 2 }, returns: [sources] }`,
      )
      .join("\n")}\n`,
  );
  return {
    config,
    codes,
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Each platform begins at another product, leaves another one out, and reads other pages. */
function answer(question: string, model: string) {
  const place = Math.max(
    0,
    codes.findIndex((code) => model.startsWith(code)),
  );
  const topic =
    topics[coffeeQuestions.findIndex((known) => question.includes(known))] ?? topics[question.length % topics.length];
  const all = topic?.things ?? [];
  const things = all.map((_, index) => all[(index + place) % all.length] ?? (["", "", ""] as const));
  const shown = place === 1 ? things.slice(0, -1) : things;
  const [best] = shown;
  const lines = shown.map(([brand, product, why], index) => `${index + 1}. **${brand} ${product}** ${why}.`);
  const closings = [
    `If you want one answer: the ${best?.[0]} ${best?.[1]}.`,
    "Prices change; look them up before you buy.",
    `Most people I would send to ${best?.[0]}, and to ${shown[1]?.[0]} when money is short.`,
  ];
  const pages = (topic?.pages ?? []).filter((_, index) => (index + place) % 3 !== 2);
  return {
    id: "answer",
    object: "chat.completion",
    created: 1_780_000_000,
    model,
    choices: [
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: `${openings[place]}\n\n${lines.join("\n")}\n\n${closings[place]}` },
      },
    ],
    search_results: pages.map(([url, title]) => ({ url, title })),
    usage: { prompt_tokens: 20, completion_tokens: 200, total_tokens: 220 },
  };
}

const openings = [
  "It depends on how much you want to spend. These are worth a look, the best first:",
  "Tests agree on a short list.",
  "## In short\n\nThree things matter: steadiness, noise and price.",
];
