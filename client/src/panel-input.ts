import type { PanelInput, PanelRecord } from "./wire.ts";

/** What can be sent again of a panel that was read. */
export function panelInput({
  name,
  prompts,
  platforms,
  locales,
  personas,
  repeats,
  platformShare,
  askUntil,
  brands,
  tags,
  options,
  schedule,
}: PanelRecord): PanelInput {
  const shares = platformShare === undefined ? {} : { platformShare };
  const waves = askUntil === undefined ? {} : { askUntil };
  const named = brands === null || brands === undefined ? {} : { brands: namesOf(brands) };
  return {
    name,
    prompts,
    platforms,
    locales,
    personas,
    repeats,
    ...shares,
    ...waves,
    ...named,
    tags,
    options,
    schedule,
  };
}

function namesOf({ own, competitors }: NonNullable<PanelRecord["brands"]>): NonNullable<PanelInput["brands"]> {
  return { own: own.map(({ name }) => name), competitors: competitors.map(({ name }) => name) };
}

/** The same without members that say nothing, for a file that people read and edit. An import's panel says that it has no platforms. */
export const panelDocument = (panel: PanelRecord): object => withoutEmpty(panelInput(panel));

function withoutEmpty(value: object): object {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]: [string, unknown]) => name === "platforms" || !isEmpty(member))
      .map(([name, member]: [string, unknown]) => [
        name,
        Array.isArray(member)
          ? member.map((each: unknown) => (typeof each === "object" && each !== null ? withoutEmpty(each) : each))
          : member,
      ]),
  );
}

const isEmpty = (value: unknown) => value === null || (typeof value === "object" && Object.keys(value).length === 0);
