import {
  panelPromptsMax,
  panelTasksMax,
  runWavesMin,
  waveRepeatsDefault,
  PanelInput,
  PanelPrompt,
  questionLengthMax,
  type CompleteSchedule,
  type Locale,
  type PanelContent,
  type PromptDraw,
  type PromptOrigin,
  type ProblemItem,
} from "@querent/contract";
import { Type } from "typebox";
import { ProblemError } from "../../api/problem-error.ts";
import { compileCheck, problemItemsMax } from "../../kernel/validate.ts";
import { readItem, type ItemRules } from "../../tasks/index.ts";
import { checkSchedule } from "./slots.ts";
import { cellsOf, countCells, derivedPromptId, localeKey, type PanelCell } from "./cells.ts";
import { isMeasured } from "./waves.ts";

/** A panel that can be stored: complete, and known to be acceptable to the platforms as they are now. */
export interface ReadPanel {
  readonly name: string;
  readonly content: PanelContent;
  readonly schedule: CompleteSchedule | null;
  /** Left out where nobody can say it, as by imports. */
  readonly frame?: GivenFrame;
}

/** From which proposals the prompts were chosen, as a request says it; null where it says nothing. */
export interface GivenFrame {
  readonly draws: readonly PromptDraw[] | null;
  /** By the id of the prompt. */
  readonly origins: ReadonlyMap<string, readonly PromptOrigin[]>;
}

export type PanelVerdict = { readonly panel: ReadPanel } | { readonly errors: ProblemItem[] };

const prompts = Type.Array(Type.Unknown(), { minItems: 1, maxItems: panelPromptsMax });
/**
 * All except the prompts, which are validated one by one, because a validation of everything stops at the first error of a long
 * list.
 */
const checkHead = compileCheck(Type.Object({ ...PanelInput.properties, prompts }, { additionalProperties: false }));
const checkPrompt = compileCheck(PanelPrompt);
const membersMax = 32;

/** `before`: the panel that it replaces. Returns the panel, or throws an error that names every place that is not valid (the first 100). */
export function readPanel(body: unknown, rules: ItemRules, before: PanelContent | null = null): ReadPanel {
  const verdict = judgePanel(body, rules, before);
  if ("panel" in verdict) return verdict.panel;
  throw refusal(verdict.errors);
}

export function refusal(errors: readonly ProblemItem[]): ProblemError {
  const shown = errors.slice(0, problemItemsMax);
  const places =
    shown.length === 1
      ? "1 place of the panel is"
      : `${shown.length}${errors.length > shown.length ? " or more" : ""} places of the panel are`;
  return new ProblemError("validation_failed", `${places} not valid. Nothing was stored, and nothing is asked.`, {
    errors: shown,
  });
}

export function judgePanel(body: unknown, rules: ItemRules, before: PanelContent | null = null): PanelVerdict {
  if (typeof body === "object" && body !== null && Object.keys(body).length > membersMax)
    return { errors: [{ pointer: "", code: "too_many", detail: `The panel has more than ${membersMax} members.` }] };
  const given =
    typeof body === "object" && body !== null && "prompts" in body && Array.isArray(body.prompts) ? body.prompts : [];
  const shape = [
    // The prompts do not count towards the size above which not every error of a value is named.
    ...checkHead(
      given.length === 0 ? body : { ...(body as object), prompts: given.slice(0, panelPromptsMax + 1).map(() => null) },
    ),
    ...given.slice(0, panelPromptsMax).flatMap((prompt, index) => checkPrompt(prompt, `/prompts/${index}`)),
  ];
  const errors = textErrors(given.slice(0, panelPromptsMax));
  if (shape.length > 0) return { errors: [...shape, ...errors] };
  const panel = complete(body as PanelInput);
  const ofShares = shareErrors(body as PanelInput);
  errors.push(...doubles(panel.content), ...ofShares);
  if (panel.schedule !== null) errors.push(...checkSchedule(panel.schedule));
  if (panel.content.platforms.length === 0) errors.push(...withoutPlatforms(panel, before));
  const { askUntil, repeats } = panel.content;
  if (askUntil !== undefined && !isMeasured(askUntil.measure))
    errors.push({
      pointer: "/askUntil/measure",
      code: "not_allowed",
      detail: `\`${askUntil.measure}\` is no longer measured. Use \`listed\`, which counts the answers in which an item of a list begins with the brand, or another measure.`,
    });
  if (askUntil !== undefined && askUntil.repeatsMax < runWavesMin * repeats)
    errors.push({
      pointer: "/askUntil/repeatsMax",
      code: "out_of_range",
      detail: `A run needs ${runWavesMin} waves before it can stop, and each asks a cell ${repeats} times: at least ${runWavesMin * repeats}. Or reduce \`repeats\`.`,
    });
  const tasks = countCells(panel.content) * (askUntil?.repeatsMax ?? repeats);
  if (tasks > panelTasksMax) {
    errors.push({
      pointer: "",
      code: "too_many",
      detail: `A run would have ${tasks.toLocaleString("en")} tasks; at most ${panelTasksMax.toLocaleString("en")}. Divide the panel, or reduce \`${askUntil === undefined ? "repeats" : "askUntil.repeatsMax"}\`.`,
    });
  }
  if (tasks <= panelTasksMax) errors.push(...optionErrors(panel.content, rules));
  return errors.length > 0 ? { errors } : { panel };
}

/** Only the panel of an import is without platforms, and as long as it is, nothing asks it. */
function withoutPlatforms({ schedule }: ReadPanel, before: PanelContent | null): ProblemItem[] {
  if (before === null || before.platforms.length > 0)
    return [{ pointer: "/platforms", code: "too_few", detail: "A panel has at least one platform." }];
  if (schedule === null) return [];
  const detail = "A panel without platforms is never asked: leave the schedule out, or add platforms.";
  return [{ pointer: "/schedule", code: "not_allowed", detail }];
}

/** Fills in defaults. `null` is the same as leaving a member out. */
function complete(input: PanelInput): ReadPanel {
  const { schedule } = input;
  return {
    name: input.name,
    content: {
      prompts: input.prompts.map(({ text, promptId, topic, intent }) => ({
        text,
        promptId: promptId ?? derivedPromptId(text),
        topic: topic ?? null,
        intent: intent ?? null,
      })),
      platforms: input.platforms,
      locales: (input.locales ?? []).map(canonicalLocale),
      personas: input.personas ?? [],
      repeats: input.repeats ?? 1,
      ...sharesOf(input.platformShare),
      ...askUntilOf(input.askUntil),
      ...brandsOf(input.brands),
      tags: input.tags ?? [],
      options: withoutNulls(input.options ?? {}),
    },
    schedule:
      schedule === undefined || schedule === null
        ? null
        : {
            cron: schedule.cron.trim().replace(/\s+/g, " "),
            timeZone: schedule.timeZone ?? "UTC",
            jitterSeconds: schedule.jitterSeconds ?? 0,
            catchUp: schedule.catchUp ?? "latest",
            paused: schedule.paused ?? false,
          },
    frame: {
      draws: input.frame?.draws ?? null,
      origins: new Map(
        input.prompts.flatMap(({ text, promptId, origins }) =>
          origins === undefined || origins === null ? [] : [[promptId ?? derivedPromptId(text), origins]],
        ),
      ),
    },
  };
}

function askUntilOf(given: PanelInput["askUntil"]): Pick<PanelContent, "askUntil"> {
  if (given === null || given === undefined) return {};
  const { width, measure, entityId, repeatsMax, pointsMax } = given;
  return {
    askUntil: {
      width,
      measure: measure ?? "presence",
      entityId: entityId ?? null,
      repeatsMax: repeatsMax ?? waveRepeatsDefault,
      pointsMax: pointsMax ?? null,
    },
  };
}

/** As they were given: by id or name. */
function brandsOf(given: PanelInput["brands"]): Pick<PanelContent, "brands"> {
  if (given === null || given === undefined) return {};
  const { own, competitors } = given;
  return {
    brands: {
      own: (own ?? []).map((text) => text.trim()),
      competitors: (competitors ?? []).map((text) => text.trim()),
    },
  };
}

/** In whole percent. A share of 100 % is left out, and so is the member if it is empty, so that the digest does not change. */
function sharesOf(given: PanelInput["platformShare"]): Pick<PanelContent, "platformShare"> {
  const shares = Object.entries(given ?? {})
    .map(([code, share]): [string, number] => [code, Math.round(share * 100) / 100])
    .filter(([, share]) => share < 1);
  return shares.length === 0 ? {} : { platformShare: Object.fromEntries(shares) };
}

/** In canonical form, so that the same locale has the same name however it is written. */
function canonicalLocale({ country, language, location }: NonNullable<PanelInput["locales"]>[number]): Locale {
  const place = withoutNulls(location ?? {});
  return withoutNulls({
    country: country?.toUpperCase() ?? null,
    language: language === null || language === undefined ? null : (Intl.getCanonicalLocales(language)[0] ?? language),
    location: Object.keys(place).length === 0 ? null : place,
  });
}

type WithoutNulls<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Name in keyof Value as null extends Value[Name] ? never : Name]: WithoutNulls<Value[Name]> } & {
        [Name in keyof Value as null extends Value[Name] ? Name : never]?: WithoutNulls<
          Exclude<Value[Name], null | undefined>
        >;
      }
    : Value;

function withoutNulls<Value extends object>(value: Value): WithoutNulls<Value> {
  const kept = Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .map(([name, member]): [string, unknown] => [
      name,
      typeof member === "object" && !Array.isArray(member) ? withoutNulls(member as object) : member,
    ]);
  // Members that are null are missing from the type as well.
  return Object.fromEntries(kept) as WithoutNulls<Value>;
}

/** Texts that are blank or too long. What is no text is the schema's matter. */
function textErrors(list: readonly unknown[]): ProblemItem[] {
  return list.flatMap((prompt, index): ProblemItem[] => {
    const text = typeof prompt === "object" && prompt !== null && "text" in prompt ? prompt.text : null;
    if (typeof text !== "string" || text === "") return [];
    const pointer = `/prompts/${index}/text`;
    const length = [...text.trim()].length;
    if (length === 0) return [{ pointer, code: "too_short", detail: "The prompt is blank." }];
    if (length <= questionLengthMax) return [];
    return [{ pointer, code: "too_long", detail: `At most ${questionLengthMax} characters; this one has ${length}.` }];
  });
}

function shareErrors({ platforms, platformShare }: PanelInput): ProblemItem[] {
  return Object.keys(platformShare ?? {})
    .filter((code) => !platforms.includes(code))
    .map((code) => ({
      pointer: `/platformShare/${code.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      code: "not_allowed",
      detail: "The panel does not ask this platform.",
    }));
}

/** The identifiers of cells must be unique within the panel. */
function doubles({ prompts: list, platforms, locales, personas }: PanelContent): ProblemItem[] {
  const find = (keys: readonly string[], pointer: (index: number) => string, what: string) => {
    const first = new Map<string, number>();
    return keys.flatMap((key, index): ProblemItem[] => {
      const earlier = first.get(key);
      if (earlier === undefined) first.set(key, index);
      if (earlier === undefined) return [];
      return [{ pointer: pointer(index), code: "not_allowed", detail: `${what} as element ${earlier} of this list.` }];
    });
  };
  return [
    ...find(
      list.map(({ promptId }) => promptId),
      (index) => `/prompts/${index}`,
      "The same text or `promptId`",
    ),
    ...find(platforms, (index) => `/platforms/${index}`, "The same platform"),
    ...find(locales.map(localeKey), (index) => `/locales/${index}`, "The same locale"),
    ...locales.flatMap((locale, index): ProblemItem[] =>
      Object.keys(locale).length > 0
        ? []
        : [{ pointer: `/locales/${index}`, code: "required", detail: "A locale has at least one member." }],
    ),
    ...find(
      personas.map(({ name }) => name),
      (index) => `/personas/${index}/name`,
      "The same name",
    ),
  ];
}

/** The errors of the platforms with any prompt, each with each locale and with each persona. */
function optionErrors(content: PanelContent, rules: ItemRules): ProblemItem[] {
  const [prompt] = content.prompts;
  const first = { ...content, prompts: prompt === undefined ? [] : [{ ...prompt, text: "?" }] };
  const samples = [
    ...cellsOf({ ...first, personas: content.personas.slice(0, 1) }),
    ...cellsOf({ ...first, locales: content.locales.slice(0, 1) }),
  ];
  const errors = new Map<string, ProblemItem>();
  for (const cell of samples) {
    const verdict = readItem(cell.item, 0, rules);
    if ("item" in verdict) continue;
    for (const error of verdict.errors) {
      const pointer = pointerInPanel(error.pointer, cell, content);
      if (!errors.has(pointer)) errors.set(pointer, { ...error, pointer });
    }
  }
  return [...errors.values()];
}

/** The pointer into the panel that corresponds to the pointer of an item's error. */
export function pointerInPanel(pointer: string, { at }: Pick<PanelCell, "at">, { locales }: PanelContent): string {
  const [, , member = "", option = "", ...rest] = pointer.split("/");
  const below = (base: string, parts: readonly string[]) => [base, ...parts].join("/");
  switch (member) {
    case "question":
      return `/prompts/${at.prompt}/text`;
    case "platformCode":
      return `/platforms/${at.platform}`;
    case "options":
      if (option === "persona") return `/personas/${at.persona}/text`;
      if (Object.hasOwn(locales[at.locale] ?? {}, option)) return below(`/locales/${at.locale}/${option}`, rest);
      return below(
        "/options",
        [option, ...rest].filter((part) => part !== ""),
      );
    default:
      return below(
        "",
        [member, option, ...rest].filter((part) => part !== ""),
      );
  }
}
