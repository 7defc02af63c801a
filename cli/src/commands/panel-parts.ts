/** Lists of what answers were made from, and what they show: searches, and prices of products. */
import type { PanelPrices, PanelSearches, PriceQuery, SearchQuery } from "@querent/client";
import { Option, type Command } from "commander";
import { count, windowOptions } from "../arguments.ts";
import type { Context, Open } from "../context.ts";
import { table, type Column } from "../output/columns.ts";
import { printableLine } from "../output/printable.ts";
import { entityNames, entityOfPanel } from "./entity-names.ts";

interface PartFlags {
  readonly entity?: string;
  readonly prompt?: string;
  readonly platform?: string;
  readonly locale?: string;
  readonly persona?: string;
  readonly limit?: number;
  readonly from?: string;
  readonly to?: string;
}

interface SearchFlags extends PartFlags {
  readonly kind: PanelSearches["kind"];
  readonly byPrompt?: boolean;
}

interface PriceFlags extends PartFlags {
  readonly shop?: string;
  readonly currency?: string;
}

const kinds = ["search", "related_question", "related_search"] as const satisfies readonly PanelSearches["kind"][];

export function addPanelParts(panels: Command, open: Open): void {
  addPartOptions(
    panels
      .command("searches")
      .description("the searches that platforms made for the answers of a panel: how often, for whom, new or gone"),
  )
    .addOption(
      new Option("--kind <kind>", "searches that were made, or what was shown").choices(kinds).default(kinds[0]),
    )
    .option("--by-prompt", "for each prompt")
    .action(async (panelId: string, flags: SearchFlags, command: Command) =>
      showSearches(open(command), panelId, flags),
    );
  addPartOptions(
    panels.command("prices").description("the prices of the products that answers of a panel show, by shop and day"),
  )
    .option("--shop <domain>", "only products of this shop")
    .option("--currency <code>", "only prices in this currency")
    .action(async (panelId: string, flags: PriceFlags, command: Command) => showPrices(open(command), panelId, flags));
}

const addPartOptions = (command: Command): Command =>
  command
    .argument("<panelId>")
    .option("--entity <name>", "only what names this entity: its name or id")
    .option("--prompt <id>", "only answers to this prompt")
    .option("--platform <code>", "only this platform")
    .option("--locale <locale>", "only this locale")
    .option("--persona <name>", "only this persona")
    .option("--limit <n>", "at most so many (default: 50)", count)
    .addOption(windowOptions.from)
    .addOption(windowOptions.to);

async function queryOf(
  context: Context,
  panelId: string,
  { entity, prompt, platform, locale, persona, limit, from, to }: PartFlags,
): Promise<SearchQuery & PriceQuery> {
  return {
    ...(entity === undefined ? {} : { entityId: await entityOfPanel(context, panelId, entity) }),
    ...(prompt === undefined ? {} : { promptId: prompt }),
    ...(platform === undefined ? {} : { platformCode: platform }),
    ...(locale === undefined ? {} : { locale }),
    ...(persona === undefined ? {} : { persona }),
    ...(limit === undefined ? {} : { limit }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

async function showSearches(context: Context, panelId: string, flags: SearchFlags): Promise<void> {
  const { output, querent, signal } = context;
  const query = await queryOf(context, panelId, flags);
  const by = flags.byPrompt === true ? "prompt" : "none";
  const listed = await querent.panels.searches(panelId, { ...query, kind: flags.kind, by }, { signal });
  if (output.format === "json") return await output.json(listed);
  if (listed.rows.length === 0)
    return output.note(`There are no answers of these from ${listed.window.from} to ${listed.window.to}.`);
  const names = await entityNames(context);
  return await output.text(...listed.rows.flatMap((row) => searchLines(row, names, output.width)));
}

const searchColumns: readonly Column[] = [
  { head: "SEARCH", least: 16 },
  { head: "ANSWERS", align: "right" },
  { head: "NAMES", least: 8, optional: 2 },
  { head: "TREND", optional: 1 },
];

const trends = { new: "new", gone: "gone", in_both: "", not_distinguishable: "" } as const;

function searchLines(
  row: PanelSearches["rows"][number],
  names: ReadonlyMap<string, string>,
  width: number,
): readonly string[] {
  const nameOf = (entityId: string) => printableLine(names.get(entityId) ?? entityId);
  const rows = row.searches.map(({ query, answers, entityIds, trend }) => [
    printableLine(query),
    String(answers),
    entityIds.map(nameOf).join(", "),
    trends[trend],
  ]);
  const where = [row.promptId ?? "", `${row.platformCode} (${row.kind})`, row.locale, row.persona];
  const left = row.queryCount - row.searches.length;
  const unknown = Object.values(row.leftOut).reduce((sum, one) => sum + one, 0);
  return [
    `${where
      .filter((part) => part !== "")
      .map(printableLine)
      .join(", ")}: ${row.queryCount} different in ${row.answers} answers`,
    ...(unknown === 0 ? [] : [`of ${unknown} more answers they are not known`]),
    ...row.entities.map(
      ({ entityId, answers, of }) => `${nameOf(entityId)}: named in searches of ${answers} of ${of} answers`,
    ),
    ...(rows.length === 0 ? [] : table(searchColumns, rows, width)),
    ...(left > 0 ? [`and ${left} more: choose an entity, a prompt or a higher --limit`] : []),
  ];
}

async function showPrices(context: Context, panelId: string, flags: PriceFlags): Promise<void> {
  const { output, querent, signal } = context;
  const { shop, currency } = flags;
  const query = {
    ...(await queryOf(context, panelId, flags)),
    ...(shop === undefined ? {} : { shop }),
    ...(currency === undefined ? {} : { currency }),
  };
  const listed = await querent.panels.prices(panelId, query, { signal });
  if (output.format === "json") return await output.json(listed);
  return await output.text(...priceLines(listed, output.width));
}

const priceColumns: readonly Column[] = [
  { head: "PRODUCT", least: 12 },
  { head: "SHOP", least: 8 },
  { head: "PLATFORM", least: 8 },
  { head: "KIND", optional: 4 },
  { head: "LOCALE", unlessEmpty: true, optional: 2 },
  { head: "PERSONA", unlessEmpty: true, optional: 2, least: 8 },
  { head: "DAY" },
  { head: "CURRENCY" },
  { head: "LOWEST", align: "right" },
  { head: "MEDIAN", align: "right" },
  { head: "HIGHEST", align: "right" },
  { head: "PRICES", align: "right", optional: 1 },
];

function priceLines({ offers, leftOut, seriesCount, series }: PanelPrices, width: number): readonly string[] {
  const rows = series.flatMap(({ product, shop, currency, days, platformCode, kind, locale, persona }) =>
    days.map(({ day, lowest, median, highest, offers: prices }) => [
      ...[
        printableLine(product),
        printableLine(shop),
        printableLine(platformCode),
        kind,
        printableLine(locale),
        printableLine(persona),
        day,
        currency,
        String(lowest),
        median === null ? "too few" : String(median),
      ],
      ...[String(highest), String(prices)],
    ]),
  );
  const reasons = Object.entries(leftOut).map(([code, number]) => `${number} ${code.replaceAll("_", " ")}`);
  const left = seriesCount - series.length;
  return [
    `${offers} product cards, ${seriesCount} series of prices`,
    ...(reasons.length === 0 ? [] : [`left out: ${reasons.join(", ")}`]),
    ...(rows.length === 0 ? [] : table(priceColumns, rows, width)),
    ...(left > 0 ? [`and ${left} more: choose an entity, a shop or a higher --limit`] : []),
  ];
}
