/** A panel with answers of several surfaces, instruments and days, of which everything is fixed. */
import type { Answer, ReportFacts } from "../src/index.ts";
import { answer, brand, panelOf, source } from "./answers.ts";
import { randomFrom } from "./simulated-panels.ts";

export const entities = [brand("own", "own", ["own.example"]), brand("rival", "competitor", ["rival.example"])];

export const reportFacts: ReportFacts = {
  panel: panelOf({ prompts: Array.from({ length: 12 }, (_, prompt) => `p${prompt}`), entities }),
  window: { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" },
  revisions: [{ revision: 1, digest: "sha256:0", seal: null }],
  service: { name: "Querent", version: "0" },
};

const days = 7;
const hosts = ["own.example", "rival.example", "news.example", "forum.example"];

export const dayAt = (day: number) => `2026-01-${String(day + 1).padStart(2, "0")}`;

export function reportAnswers(): Answer[] {
  const random = randomFrom(41);
  return Array.from({ length: days }, (_, day) =>
    reportFacts.panel.prompts.flatMap(({ promptId }) =>
      (["api", "web"] as const).flatMap((kind) =>
        [1, 2].map((repeat) =>
          answer({
            observationId: `${day}-${promptId}-${kind}-${repeat}`,
            promptId,
            repeat,
            kind,
            modelVersion: day < 2 ? "alpha" : "beta",
            runId: `r${day}`,
            observedAt: `${dayAt(day)}T06:00:00.000Z`,
            mentions: ["own", "rival"].filter(() => random() < 0.6),
            sources: hosts.filter(() => random() < 0.5).map((host) => source(`https://${host}/`)),
            durationMs: Math.round(random() * 1000),
            flags: random() < 0.1 ? ["empty"] : [],
            ...(kind === "web" && repeat === 2 ? { probability: 0.5 } : {}),
          }),
        ),
      ),
    ),
  ).flat();
}
