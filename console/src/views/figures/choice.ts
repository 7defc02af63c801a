/** What is shown of a panel's figures: it stands in the address, so that it can be shared. */
import type { FigureGroup } from "@querent/client";
import { path, query, to } from "../../app/address.ts";

export const windowDays = [7, 28, 90] as const;
export const scopes = ["these_prompts", "prompts_like_these"] as const;
export type ChosenScope = (typeof scopes)[number];
export const splits = ["day", "run"] as const;

export interface Choice {
  /** Until now. Null: from and to are given, or the service chooses: 28 days, or more if they have few runs. */
  readonly days: (typeof windowDays)[number] | null;
  /** UTC days, both included. */
  readonly from: string | null;
  readonly to: string | null;
  readonly surface: string | null;
  readonly scope: ChosenScope;
  readonly brand: string | null;
  readonly by: (typeof splits)[number];
}

/** What the address says; what it does not say, or not in words that are known, is the default. */
export function readChoice(): Choice {
  const asked = query.value;
  const [from, to] = [dayOf(asked.get("from")), dayOf(asked.get("to"))];
  const hasDates = from !== null && to !== null && from <= to;
  return {
    days: hasDates ? null : (windowDays.find((days) => String(days) === asked.get("days")) ?? null),
    from: hasDates ? from : null,
    to: hasDates ? to : null,
    surface: asked.get("surface"),
    scope: scopes.find((scope) => scope === asked.get("scope")) ?? "these_prompts",
    brand: asked.get("brand"),
    by: splits.find((by) => by === asked.get("by")) ?? "day",
  };
}

/** The address of the same page with some of it changed. */
export function withChoice(changed: Readonly<Record<string, string | undefined>>): string {
  return to(path.value, { ...Object.fromEntries(query.value), ...changed });
}

const dayMs = 86_400_000;

/** The window of a choice as the service takes it. */
export function windowOf({ days, from, to }: Pick<Choice, "days" | "from" | "to">): { from?: string; to?: string } {
  if (from !== null && to !== null)
    return { from: `${from}T00:00:00Z`, to: new Date(Date.parse(`${to}T00:00:00Z`) + dayMs).toISOString() };
  if (days === null) return {};
  const now = Date.now();
  return { from: new Date(now - days * dayMs).toISOString(), to: new Date(now).toISOString() };
}

function dayOf(text: string | null): string | null {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}

export type ChosenSurface = Pick<FigureGroup, "platformCode" | "kind" | "locale" | "persona">;

export const surfaceKey = ({ platformCode, kind, locale, persona }: ChosenSurface): string =>
  [platformCode, kind, locale, persona].join("|");

/** The filter for a surface. There is none for an empty locale or persona: rows of others are dropped by `isOf`. */
export function surfaceFilter({ platformCode, locale, persona }: ChosenSurface) {
  return {
    platformCode,
    ...(locale === "" ? {} : { locale }),
    ...(persona === "" ? {} : { persona }),
  };
}

export const isOf = (surface: ChosenSurface, group: ChosenSurface): boolean =>
  surfaceKey(surface) === surfaceKey(group);

/** A platform that no service can ask. */
export const isSimulatedPlatform = (code: string): boolean => code.startsWith("simulated-");

/** A platform that no service can ask, or one that returns samples. */
export const isSimulated = ({ platformCode, kind }: ChosenSurface): boolean =>
  kind === "sample" || isSimulatedPlatform(platformCode);
