/** The operator's file of platforms: their limits and prices. The schema here is the one that is published. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Type, type Static } from "typebox";
import { parseDocument } from "yaml";
import { compileCheck } from "../kernel/validate.ts";
import type { VendorPrices } from "../tasks/index.ts";
import { ConfigError } from "./config.ts";

const points = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description }));

const money = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description }));

const PlatformEntry = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean({ description: "False: the platform is not offered." })),
    price: Type.Optional(
      Type.Object(
        {
          base: points("Points of a task."),
          deepAnalysis: points("Added by `deepAnalysis`."),
          screenshot: points("Added by `output: screenshot`."),
          shareLink: points("Added by `output: share_link`."),
          pageHtml: points("Added by `resultFormat: html` or `all`, on web-type platforms."),
        },
        { additionalProperties: false, description: "Whole points. Tasks keep the price they were accepted with." },
      ),
    ),
    runningMax: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000, description: "Tasks that run at once, over all processes." }),
    ),
    rate: Type.Optional(
      Type.Union(
        [
          Type.Object(
            {
              perSecond: Type.Number({ exclusiveMinimum: 0, maximum: 100_000, description: "Starts a second." }),
              burst: Type.Integer({
                minimum: 1,
                maximum: 100_000,
                description: "Starts that may come at once after a pause.",
              }),
            },
            { additionalProperties: false },
          ),
          Type.Null(),
        ],
        { description: "How fast tasks may start, over all processes; null: as fast as they can." },
      ),
    ),
    runTimeoutSeconds: Type.Optional(
      Type.Integer({ minimum: 5, maximum: 1800, description: "Running time that a task gets when it does not say." }),
    ),
    attempts: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 20, description: "How often a task may be tried when the platform fails." }),
    ),
    recipe: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          "Of a web platform: the recipe's file, relative to this one; or `built-in`, for one that ships with the service.",
      }),
    ),
    session: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          "Of a web platform: the signed-in session's file (Playwright storage state), relative to this one.",
      }),
    ),
    breakerAfter: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 1000 }), Type.Null()], {
        description: "Failures in a row after which the platform is left alone for a while; null: never.",
      }),
    ),
    cost: Type.Optional(
      Type.Object(
        {
          perMillionInputTokens: money("For a million input tokens."),
          perMillionOutputTokens: money("For a million output tokens."),
          perThousandSearches: money("For a thousand searches."),
          currency: Type.String({ pattern: "^[A-Z]{3}$", description: "Its three letters, such as USD." }),
        },
        {
          additionalProperties: false,
          description: "What the vendor takes of you, for `querentd platform costs`. Tenants never see it.",
        },
      ),
    ),
  },
  { additionalProperties: false },
);
type PlatformEntry = Static<typeof PlatformEntry>;

export const PlatformsFile = Type.Object(
  {
    platforms: Type.Record(Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,63}$" }), PlatformEntry, {
      additionalProperties: false,
      description: "By platform code. What an entry leaves out stays as built in.",
    }),
  },
  {
    additionalProperties: false,
    title: "Querent platforms",
    description: "Limits and prices of the platforms; the file that QUERENT_CONFIG names.",
  },
);

/** The settings of one platform, complete. */
export interface PlatformSettings {
  readonly enabled: boolean;
  readonly price: { base: number; deepAnalysis: number; screenshot: number; shareLink: number; pageHtml: number };
  readonly runningMax: number;
  readonly rate: { perSecond: number; burst: number } | null;
  readonly runTimeoutSeconds: number;
  readonly attempts: number;
  readonly breakerAfter: number | null;
  /** What the vendor takes, where the operator has said so. */
  readonly cost?: VendorPrices;
  /** Of a web platform; null for any other. */
  readonly web: WebSettings | null;
}

export interface WebSettings {
  /** The recipe's file; null: the one that ships with the service. */
  readonly recipe: string | null;
  readonly session: string | null;
  /** False: nobody has said that the recipe that ships may be used. */
  readonly chosen: boolean;
}

/** Pages answer in a minute or so, and one account of a person's bears no more than a few at once. */
const webLimits: PlatformSettings = {
  enabled: true,
  price: { base: 10, deepAnalysis: 20, screenshot: 0, shareLink: 0, pageHtml: 1 },
  runningMax: 4,
  rate: null,
  runTimeoutSeconds: 300,
  attempts: 3,
  breakerAfter: 5,
  web: { recipe: null, session: null, chosen: false },
};

/** What ships: every platform of this service with its settings. */
export const builtInSettings: Readonly<Record<string, PlatformSettings>> = {
  sample: {
    enabled: true,
    price: { base: 2, deepAnalysis: 3, screenshot: 1, shareLink: 1, pageHtml: 0 },
    runningMax: 250,
    rate: null,
    runTimeoutSeconds: 60,
    attempts: 3,
    breakerAfter: 10,
    web: null,
  },
  "chatgpt-web": webLimits,
  "gemini-web": webLimits,
  simulator: {
    enabled: true,
    price: { base: 1, deepAnalysis: 0, screenshot: 0, shareLink: 0, pageHtml: 0 },
    runningMax: 10_000,
    rate: null,
    runTimeoutSeconds: 300,
    attempts: 3,
    breakerAfter: null,
    web: null,
  },
};

const fileBytesMax = 1024 * 1024;
const checkFile = compileCheck(PlatformsFile);

/** The settings of every enabled platform: the built-in ones, changed by the operator's file if there is one. */
export function readPlatformSettings(path: string | null): ReadonlyMap<string, PlatformSettings> {
  const changes = path === null ? {} : readFile(path);
  const unknown = Object.entries(changes).filter(
    ([code, { recipe }]) => !Object.hasOwn(builtInSettings, code) && (recipe === undefined || recipe === "built-in"),
  );
  if (unknown.length > 0) {
    throw new ConfigError([
      `${path}: there is no platform ${unknown.map(([code]) => code).join(", ")}. Known: ${Object.keys(builtInSettings).join(", ")}. A web page of your own names its \`recipe\`.`,
    ]);
  }
  const codes = [...new Set([...Object.keys(builtInSettings), ...Object.keys(changes)])];
  const settings = codes.map((code) => {
    const change = changes[code] ?? {};
    const builtIn = builtInSettings[code] ?? webLimits;
    if (builtIn.web === null && (change.recipe !== undefined || change.session !== undefined)) {
      throw new ConfigError([`${path}: ${code} is no web page: it takes no \`recipe\` and no \`session\`.`]);
    }
    return [code, merge(builtIn, change, path)] as const;
  });
  return new Map(settings.filter(([, platform]) => platform.enabled));
}

function merge(
  builtIn: PlatformSettings,
  { price, recipe, session, ...change }: PlatformEntry,
  path: string | null,
): PlatformSettings {
  const file = (name: string | undefined) => (name === undefined ? null : resolve(dirname(path ?? "."), name));
  return {
    ...builtIn,
    ...change,
    price: { ...builtIn.price, ...price },
    web:
      builtIn.web === null
        ? null
        : {
            recipe: file(recipe === "built-in" ? undefined : recipe),
            session: file(session),
            chosen: recipe !== undefined,
          },
  };
}

function readFile(path: string): Record<string, PlatformEntry> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError([
      `QUERENT_CONFIG: ${path} can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown fault"}).`,
    ]);
  }
  if (text.length > fileBytesMax)
    throw new ConfigError([`QUERENT_CONFIG: ${path} is larger than ${fileBytesMax} bytes.`]);
  const document = parseDocument(text, { prettyErrors: true });
  if (document.errors.length > 0) throw new ConfigError(document.errors.map((error) => `${path}: ${error.message}`));
  const content: unknown = document.toJS({ maxAliasCount: 100 });
  const faults = checkFile(content);
  if (faults.length > 0)
    throw new ConfigError(faults.map(({ pointer, detail }) => `${path}: ${pointer || "/"}: ${detail}`));
  return (content as Static<typeof PlatformsFile>).platforms;
}
