/** What the demonstration asks, and whom it looks for. All names are invented, and all domains end in `.example`. */
import type { PanelInput } from "@querent/contract";
import { simulatedPlatformPrefix } from "../kernel/simulated-platform.ts";
import { requireContents, type EntityContent } from "../observations/entities/entity-content.ts";

/**
 * The platforms of the demonstration. No service can ask them: they are in no catalogue, and the operator cannot configure a
 * platform of such a code. So everything that names one of them is simulated.
 */
export const demoPlatforms = {
  api: `${simulatedPlatformPrefix}api`,
  web: `${simulatedPlatformPrefix}web`,
} as const;
export type DemoPlatform = (typeof demoPlatforms)[keyof typeof demoPlatforms];

/** Who is named: the own brand rises, the others stay. */
export const demoBrands = ["Ardenzo", "Molturra", "Grindeval"] as const;
export type DemoBrand = (typeof demoBrands)[number];

export const demoDays = 28;
export const demoRepeats = 2;

const subjects = [
  "hand grinder",
  "espresso grinder",
  "grinder for filter coffee",
  "grinder for a French press",
  "grinder for cold brew",
  "grinder for the office",
  "travel grinder",
  "quiet grinder",
  "grinder under 100 euros",
  "grinder under 300 euros",
  "grinder for light roasts",
  "grinder for dark roasts",
  "grinder with a scale",
  "grinder with a timer",
  "grinder for a café",
  "single-dose grinder",
  "grinder with flat burrs",
  "grinder with conical burrs",
  "grinder for beginners",
  "grinder without a motor",
  "grinder for Turkish coffee",
  "grinder for a small kitchen",
  "grinder that is easy to clean",
  "grinder with spare parts",
  "grinder for a moka pot",
];

/** Each has two prompts, and counts as a cluster where figures speak of prompts like these. */
export const demoTopics: readonly string[] = subjects;

const branded = [
  "Are Ardenzo coffee grinders any good?",
  "Is an Ardenzo grinder worth its price?",
  "What do owners dislike about Ardenzo grinders?",
  "Where can I buy an Ardenzo grinder?",
];

export const demoPanel = {
  name: "Coffee grinders (simulated demo)",
  prompts: [
    ...subjects.flatMap((subject, index) => [
      { promptId: `buy-${index + 1}`, text: `Which ${subject} should I buy?`, topic: subject, intent: "buy" },
      {
        promptId: `best-${index + 1}`,
        text: `What is the best ${subject}, and why?`,
        topic: subject,
        intent: "compare",
      },
    ]),
    ...branded.map((text, index) => ({
      promptId: `brand-${index + 1}`,
      text,
      topic: "the brand itself",
      intent: "check",
    })),
  ],
  platforms: Object.values(demoPlatforms),
  repeats: demoRepeats,
  brands: { own: [nameOf("Ardenzo")], competitors: [nameOf("Molturra"), nameOf("Grindeval")] },
  tags: ["demo", "simulated"],
  // Never due: the runs are there already.
  schedule: { cron: "0 6 * * *", timeZone: "UTC", paused: true },
} satisfies PanelInput;

/**
 * The names say that they are simulated; what is found in the answers is the alias. Compiling the check of entities takes a twentieth of a
 * start, of which a service without a demonstration needs nothing.
 */
export const demoEntities = (): EntityContent[] =>
  requireContents([entity("Ardenzo", "own"), entity("Molturra", "competitor"), entity("Grindeval", "competitor")]);

function nameOf(brand: DemoBrand): string {
  return `${brand} (simulated)`;
}

function entity(brand: DemoBrand, relation: "own" | "competitor") {
  return {
    name: nameOf(brand),
    relation,
    aliases: [{ text: brand }],
    domains: [`${brand.toLowerCase()}.example`],
  };
}
