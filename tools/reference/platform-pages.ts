/** docs/platforms/*.md and docs/model-apis.md: written by hand, with a part that is generated from the code. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtInLimits } from "../../service/src/app/platform-settings.ts";
import {
  apiPlatform,
  completeUpstream,
  endingWords,
  formsOfResponses,
  vendors,
  type ApiStep,
  type OptionSupport,
} from "../../service/src/platforms/index.ts";
import { table } from "./schema-text.ts";

type Vendor = (typeof vendors)[number];

const begin = "<!-- Made from the code by `npm run docs`: begin -->";
const end = "<!-- end -->";
const root = join(import.meta.dirname, "../..");

/** The pages by path, each with a function that replaces its generated part. */
export function platformPages(): Record<string, () => Promise<string>> {
  const pages = vendors.map(({ code }) => {
    const path = `docs/platforms/${code}.md`;
    return [path, async () => withFacts(path, await facts(code))] as const;
  });
  const guide = "docs/model-apis.md";
  return { ...Object.fromEntries(pages), [guide]: async () => withFacts(guide, endings()) };
}

/** What says that an answer is complete, in each form of response. */
function endings(): string {
  const code = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(", ");
  const forms = Object.values(formsOfResponses).map(({ name, member, lastEvents, without, pending }): string[] => {
    const last = lastEvents.length > 0 ? code(lastEvents) : `an event with \`${member}\``;
    const missing = member === null ? "" : without === "complete" ? "complete" : "not complete";
    return [name, last, member === null ? "-" : `\`${member}\``, missing || "-", pending];
  });
  const { complete, cut, filtered, refused, failed } = endingWords;
  return [
    table(
      ["Form", "A stream ends with", "Its word is in", "A document without it is", "No answer nevertheless"],
      forms,
    ),
    table(
      ["Words, in upper or lower case", "The answer is"],
      [
        [code(complete), "complete"],
        [code(cut), "completed with `truncatedBy: length_limit`"],
        [code(filtered), "completed with `truncatedBy: content_filter`; without any text, refused"],
        [code(refused), "refused; in chat completions as with a filter"],
        [code(failed), "failed, and asked for again"],
        ["every other word, such as `tool_calls`, and `null`", "not complete, and asked for again"],
      ],
    ),
  ].join("\n\n");
}

function withFacts(path: string, made: string): string {
  const page = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : newPage(path);
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${path} has no place for what is made from the code.`);
  return `${page.slice(0, from)}${begin}\n\n${made}\n\n${page.slice(to)}`;
}

/** The page of a vendor that has none yet. What to write above its generated part, the other pages show. */
function newPage(path: string): string {
  const vendor = vendors.find(({ code }) => path === `docs/platforms/${code}.md`);
  return `# ${vendor?.name ?? ""}\n\n${begin}\n${end}\n`;
}

async function facts(code: string): Promise<string> {
  const vendor = vendors.find((each) => each.code === code);
  if (vendor === undefined) throw new Error(`There is no vendor ${code}.`);
  const upstream = completeUpstream(code);
  const limits = builtInLimits[code];
  const { returns, options } = platformAt(code, "http://127.0.0.1:1", () => {});
  const unsearched = platformAt(code, "http://127.0.0.1:1", () => {}, false).returns;
  const given = Object.entries(returns).filter(([, can]) => can);
  const rows: [string, string][] = [
    ["Address", `\`${upstream.url}\``],
    [
      "Key",
      upstream.keyVariable === null ? "none, or the variable that `keyVariable` names" : `\`${upstream.keyVariable}\``,
    ],
    [
      "Model",
      `\`${upstream.model}\`${upstream.deepModel === upstream.model ? "" : `; with \`deepAnalysis\` \`${upstream.deepModel}\``}`,
    ],
    ["Search", vendor.searches ? "enabled; `search: false` disables it" : "not supported by the API"],
    ["Reasoning", `\`${upstream.thinking.normal}\`; with \`deepAnalysis\` \`${upstream.thinking.deep}\``],
    ["Background mode with `deepAnalysis`", upstream.background ? "enabled" : "disabled"],
    ["Fields", ["content", ...given.map(([field]) => field)].map((field) => `\`${field}\``).join(", ")],
    [
      "Only with search",
      given
        .filter(([field]) => !unsearched[field as keyof typeof unsearched])
        .map(([field]) => `\`${field}\``)
        .join(", ") || "-",
    ],
    [
      "Not supported",
      Object.entries(returns)
        .filter(([, can]) => !can)
        .map(([field]) => `\`${field}\``)
        .join(", "),
    ],
    ...(limits === undefined
      ? []
      : ([
          ["Points", `${limits.price.base}; with \`deepAnalysis\` ${limits.price.base + limits.price.deepAnalysis}`],
          [
            "Limits",
            `${limits.runningMax} concurrent tasks, ${limits.attempts} attempts, ${limits.runTimeoutSeconds} s run time`,
          ],
        ] satisfies [string, string][])),
    ...documentation(vendor),
  ];
  const plain = await request(code, false);
  const deep = await request(code, true);
  return [
    table(["Defaults", ""], rows),
    `The request, to \`POST ${plain.path}\`:`,
    fenced(plain.body),
    table(["Option", "Support"], optionRows(options)),
    optionSource(vendor),
    ...(deep.body === plain.body && deep.path === plain.path
      ? ["With `deepAnalysis`, the request is the same."]
      : [`With \`deepAnalysis\`${deep.path === plain.path ? "" : `, to \`POST ${deep.path}\``}:`, fenced(deep.body)]),
  ].join("\n\n");
}

/** Where the request is documented, and what could not be confirmed. */
function documentation({ documentation: facts }: Vendor): [string, string][] {
  if (facts === null) return [];
  const { page, checked, unconfirmed } = facts;
  const names = { path: "path", model: "model", search: "search tool" };
  const missing = unconfirmed.map((fact) => names[fact]).join(", ");
  const where = page === null ? "no current page of the vendor was found" : `[the vendor's page](${page})`;
  return [["Documentation", `${where}, looked up on ${checked}${missing === "" ? "" : `; not confirmed: ${missing}`}`]];
}

/** The request as it is sent, to an address where nothing listens. */
async function request(code: string, deepAnalysis: boolean): Promise<{ path: string; body: string }> {
  const nowhere = "http://127.0.0.1:1";
  const steps: ApiStep[] = [];
  const platform = platformAt(code, nowhere, (step) => steps.push(step));
  const options = { deepAnalysis, output: "answer", resultFormat: "json" } as const;
  await platform.ask(
    { taskId: "", text: "How fine should I grind?", options, attempt: 1 },
    { signal: new AbortController().signal },
  );
  const sent = steps[0]?.sent;
  return { path: sent?.url.slice(nowhere.length) ?? "", body: JSON.stringify(JSON.parse(sent?.body ?? "{}"), null, 2) };
}

function platformAt(code: string, url: string, onStep: (step: ApiStep) => void, search?: boolean) {
  // Search is enabled as at the vendor itself, whose endpoint this one stands for.
  const searches = search ?? completeUpstream(code).search;
  const upstreams = [completeUpstream(code, { url, keyVariable: "KEY", search: searches })];
  return apiPlatform({
    code,
    name: code,
    upstreams,
    returns: null,
    environment: { KEY: "key" },
    clock: { now: () => new Date(0) },
    onStep,
  });
}

/** How the platform supports each of the options that say from where, as whom and with what a question is asked. */
function optionRows({ how, values }: OptionSupport): [string, string][] {
  const { allowMax = 0, denyMax = 0, together = false } = values.domains ?? {};
  const more: Readonly<Record<string, string>> = {
    location: `: ${values.location.map((part) => `\`${part}\``).join(", ")}`,
    model: `: ${values.model.map((model) => `\`${model}\``).join(", ")}, and those in \`models\``,
    domains: `: at most ${allowMax} in \`allow\`, ${denyMax} in \`deny\`${together ? "" : ", not both"}`,
  };
  return Object.entries(how).map(([member, support]) => [
    `\`${member}\``,
    support === "unsupported" ? support : `${support}${more[member] ?? ""}`,
  ]);
}

function optionSource({ options: places }: Vendor): string {
  const how = "[How options are applied](../how-to/ask-from-another-country.md).";
  if (places.page === null) return how;
  const { page, checked, unconfirmed = [] } = places;
  const doubt = unconfirmed.map((member) => `\`${member}\``).join(", ");
  return `The places of the native options are documented on [the vendor's page](${page}), looked up on ${checked}${doubt === "" ? "" : `; not confirmed: ${doubt}`}. ${how}`;
}

function fenced(json: string): string {
  return `\`\`\`json\n${json}\n\`\`\``;
}
