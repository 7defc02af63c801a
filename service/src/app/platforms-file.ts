/** The operator's file of platforms: limits, prices, URLs. This schema is published. */
import { pageEvidenceKinds } from "@querent/contract";
import { Type, type Static } from "typebox";
import { compileCheck, type Check } from "../kernel/validate.ts";
import { apiMembers } from "./api-settings.ts";
import { readFileSync } from "node:fs";
import { parseDocument } from "yaml";
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
              perSecond: Type.Number({
                minimum: 0.0001,
                maximum: 100_000,
                description: "Starts a second; 0.0001 is one in three hours.",
              }),
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
    breakerAfter: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 1000 }), Type.Null()], {
        description: "Failures in a row after which the platform is left alone for a while; null: never.",
      }),
    ),
    cost: Type.Optional(
      Type.Object(
        {
          perMillionInputTokens: money("For a million input tokens."),
          perMillionCachedTokens: money(
            "For a million of the input tokens that the vendor read from its cache; the price of the others by default.",
          ),
          perMillionOutputTokens: money("For a million output tokens."),
          perThousandSearches: money("For a thousand searches."),
          perThousandRequests: money(
            "For a thousand answers, usable or not, in addition to their tokens and searches.",
          ),
          currency: Type.String({ pattern: "^[A-Z]{3}$", description: "Its three letters, such as USD." }),
        },
        {
          additionalProperties: false,
          description:
            "What the vendor charges you, for `querentd platform costs`. A cost that the vendor states with an answer takes precedence. Tenants never see it.",
        },
      ),
    ),
    module: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4000,
        description: "A file with an adapter of your own, from where this file is.",
      }),
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
    sessions: Type.Optional(
      Type.Record(
        Type.String({ pattern: "^[a-z0-9][a-z0-9._-]{0,63}$" }),
        Type.Object(
          {
            file: Type.Optional(
              Type.String({ minLength: 1, maxLength: 1000, description: "The session's file, relative to this one." }),
            ),
            runningMax: Type.Optional(
              Type.Integer({
                minimum: 1,
                maximum: 1000,
                description: "Tasks that use it at once, over all processes.",
              }),
            ),
            perMinute: Type.Optional(
              Type.Integer({ minimum: 1, maximum: 1000, description: "Tasks that begin in any minute." }),
            ),
            perHour: Type.Optional(
              Type.Integer({ minimum: 1, maximum: 10_000, description: "Tasks that begin in any hour." }),
            ),
          },
          { additionalProperties: false },
        ),
        {
          additionalProperties: false,
          maxProperties: 100,
          description:
            "Of a web platform: several signed-in sessions by name, one for each of your accounts at the platform. They are used in turn, each within its own limits. A session without a file is stored with `querentd session`.",
        },
      ),
    ),
    freeWithoutAnswer: Type.Optional(
      Type.Boolean({
        description:
          "Of a web platform: whether a question to which the page has no answer (`complete.none` of the recipe) is free. False where not said: it is charged like an answer.",
      }),
    ),
    evidence: Type.Optional(
      Type.Array(Type.Enum(pageEvidenceKinds), {
        uniqueItems: true,
        maxItems: pageEvidenceKinds.length,
        description:
          "Of a web platform: what the evidence of each answer has besides the page's HTML. `picture`: a picture of the page, with question and answer (`captures/page.png`). `archive`: a web archive (WACZ) of what the page received (`captures/page.wacz`). None where not said.",
      }),
    ),
    ...apiMembers,
  },
  { additionalProperties: false },
);
export type PlatformEntry = Static<typeof PlatformEntry>;

export const PlatformsFile = Type.Object(
  {
    platforms: Type.Record(Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,63}$" }), PlatformEntry, {
      additionalProperties: false,
      description:
        "By platform code. What an entry leaves out stays as built in; a code of your own names its `api`, a `module` or a `recipe`.",
    }),
  },
  {
    additionalProperties: false,
    title: "Querent platforms",
    description: "Limits, prices and addresses of the platforms; the file that QUERENT_CONFIG names.",
  },
);

const checkFile = compileCheck(PlatformsFile);

/** The file's entries by code. Errors are sentences for the operator. */
export function readPlatformsFile(path: string): Readonly<Record<string, PlatformEntry>> {
  return (readYamlFile("QUERENT_CONFIG", path, checkFile) as Static<typeof PlatformsFile>).platforms;
}

const fileBytesMax = 1024 * 1024;

/** The content of the YAML file that a variable names, which has passed the check. Errors are sentences for the operator. */
export function readYamlFile(variable: string, path: string, check: Check): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError([
      `${variable}: ${path} can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown fault"}).`,
    ]);
  }
  if (text.length > fileBytesMax) throw new ConfigError([`${variable}: ${path} is larger than ${fileBytesMax} bytes.`]);
  const document = parseDocument(text, { prettyErrors: true });
  if (document.errors.length > 0) throw new ConfigError(document.errors.map((error) => `${path}: ${error.message}`));
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    // Rejected here: aliases that expand to more than a file of this size can mean.
    throw new ConfigError([
      `${variable}: ${path} can't be unfolded (${error instanceof Error ? error.message : "unknown fault"}). Write out what its aliases (\`*name\`) stand for.`,
    ]);
  }
  const faults = check(content);
  if (faults.length > 0)
    throw new ConfigError(faults.map(({ pointer, detail }) => `${path}: ${pointer || "/"}: ${detail}`));
  return content;
}
