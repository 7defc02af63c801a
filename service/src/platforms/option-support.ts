/** How a platform supports the options that say from where, as whom and with what a question is asked. */
import {
  askedAsMembers,
  forEachAskedAs,
  locationParts,
  type AskedAs,
  type AskedAsMember,
  type Effective,
  type PlatformOptions,
  type PlatformOptionValues,
  type Support,
} from "@querent/contract";

export interface OptionSupport {
  readonly how: PlatformOptions;
  readonly values: PlatformOptionValues;
}

const nothing = forEachAskedAs((): Support => "unsupported");

/** The support of a platform that declares `how` for some members, and restricts their `values`. */
export function optionSupport(
  how: Partial<PlatformOptions> = {},
  values: Partial<PlatformOptionValues> = {},
): OptionSupport {
  const all = { ...nothing, ...how };
  return {
    how: all,
    values: {
      country: all.country === "unsupported" ? [] : null,
      location: all.location === "unsupported" ? [] : [...locationParts],
      model: [],
      domains: null,
      ...values,
    },
  };
}

/** A requested option that a platform does not support, and what it supports instead. */
export interface UnsupportedOption {
  readonly member: AskedAsMember;
  readonly detail: string;
}

/** Those of the requested options that are not supported, or not with their value. */
export function unsupportedOptions(support: OptionSupport, options: AskedAs): UnsupportedOption[] {
  return requested(options).flatMap((member) => {
    const detail = whyUnsupported(support, options, member);
    return detail === null ? [] : [{ member, detail }];
  });
}

/** What is in force for each requested option. */
export function effectiveOptions(support: OptionSupport, options: AskedAs): Effective {
  const left = new Set(unsupportedOptions(support, options).map(({ member }) => member));
  return Object.fromEntries(
    requested(options).map((member) => [
      member,
      left.has(member)
        ? { value: null, how: "unsupported" }
        : { value: options[member] ?? null, how: support.how[member] },
    ]),
  );
}

/** The options without those that are not supported. */
export function supportedOptions<Options extends AskedAs>(support: OptionSupport, options: Options): Options {
  const left: Record<string, true> = Object.fromEntries(
    unsupportedOptions(support, options).map(({ member }) => [member, true]),
  );
  return Object.fromEntries(Object.entries(options).filter(([member]) => left[member] === undefined)) as Options;
}

const rank: Readonly<Record<Support, number>> = { unsupported: 0, prompted: 1, native: 2 };

/** What all of several endpoints of one platform support. Models are those of any: only endpoints that have one are asked. */
export function commonSupport(all: readonly OptionSupport[]): OptionSupport {
  const [first = optionSupport(), ...others] = all;
  return others.reduce(
    (common, other) => ({
      how: forEachAskedAs((member) =>
        rank[common.how[member]] <= rank[other.how[member]] ? common.how[member] : other.how[member],
      ),
      values: {
        country: bothLists(common.values.country, other.values.country),
        location: common.values.location.filter((part) => other.values.location.includes(part)),
        model: [...new Set([...common.values.model, ...other.values.model])],
        domains: bothDomains(common.values.domains, other.values.domains),
      },
    }),
    first,
  );
}

/** The options that a platform without a model received, one line each. Null if there are none. */
export function describeAskedAs(support: OptionSupport, options: AskedAs): string | null {
  const lines = Object.entries(effectiveOptions(support, options)).map(
    ([member, { value, how }]) => `${member}: ${value === null ? "-" : JSON.stringify(value)} (${how})`,
  );
  return lines.length === 0 ? null : lines.join("\n");
}

function requested(options: AskedAs): AskedAsMember[] {
  return askedAsMembers.filter((member) => options[member] !== undefined);
}

function whyUnsupported({ how, values }: OptionSupport, options: AskedAs, member: AskedAsMember): string | null {
  if (how[member] === "unsupported") return `This platform does not support \`${member}\`.`;
  const { country, location, model, domains } = options;
  switch (member) {
    case "country":
      if (country === undefined || values.country === null || values.country.includes(country)) return null;
      return `This platform can only be asked from ${values.country.join(", ")}.`;
    case "location": {
      const parts = locationParts.filter((part) => location?.[part] !== undefined);
      if (parts.every((part) => values.location.includes(part))) return null;
      return `Of a location, this platform supports ${values.location.map((part) => `\`${part}\``).join(", ")} only.`;
    }
    case "model":
      if (model === undefined || values.model.includes(model)) return null;
      return `This platform has the models ${values.model.join(", ")}.`;
    case "domains":
      return whyDomainsUnsupported(values.domains, domains ?? {});
    default:
      return null;
  }
}

function whyDomainsUnsupported(
  limits: PlatformOptionValues["domains"],
  { allow = [], deny = [] }: NonNullable<AskedAs["domains"]>,
): string | null {
  if (limits === null) return "This platform does not support `domains`.";
  const { allowMax, denyMax, together } = limits;
  if (allow.length > allowMax || deny.length > denyMax)
    return `This platform supports at most ${allowMax} domains in \`allow\` and ${denyMax} in \`deny\`.`;
  if (!together && allow.length > 0 && deny.length > 0)
    return "This platform supports `allow` or `deny`, not both at once.";
  return null;
}

function bothLists(one: string[] | null, other: string[] | null): string[] | null {
  if (one === null || other === null) return one ?? other;
  return one.filter((value) => other.includes(value));
}

function bothDomains(
  one: PlatformOptionValues["domains"],
  other: PlatformOptionValues["domains"],
): PlatformOptionValues["domains"] {
  if (one === null || other === null) return null;
  return {
    allowMax: Math.min(one.allowMax, other.allowMax),
    denyMax: Math.min(one.denyMax, other.denyMax),
    together: one.together && other.together,
  };
}
