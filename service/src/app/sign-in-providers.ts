/** The operator's file of identity providers, and of a proxy that signs people in. This schema is published. */
import { accessProjectsMax, memberRoles, type MemberRole } from "@querent/contract";
import { Type, type Static } from "typebox";
import { EgressGuard, parseAllowedRanges } from "../egress/index.ts";
import { compileCheck } from "../kernel/validate.ts";
import {
  clientKeyAlgorithms,
  guardedFetch,
  IdentityProvider,
  readClientKey,
  SignInProxy,
  type ProviderSettings,
  type ProxySettings,
} from "../people/index.ts";
import { ConfigError, type Config } from "./config.ts";
import { readSecret } from "./config/read-secret.ts";
import { readYamlFile } from "./platforms-file.ts";

const text = (description: string) => Type.String({ minLength: 1, maxLength: 500, description });

const domains = Type.Array(Type.String({ pattern: "^(\\*|[a-z0-9-]+(\\.[a-z0-9-]+)+)$", maxLength: 253 }), {
  minItems: 1,
  maxItems: 100,
  description:
    "The domains of the e-mail addresses whose persons sign in with it, in lower case. `*`: all, for a provider that states nobody's address but its own people's.",
});

const members = Type.Optional(
  Type.Array(
    Type.Object(
      {
        account: text("The account's name."),
        group: Type.Optional(text("The group whose persons become members. Everybody where not said.")),
        role: Type.Enum(Object.keys(memberRoles) as MemberRole[], { description: "The role that they get." }),
        projects: Type.Optional(
          Type.Array(text("A project's name."), {
            minItems: 1,
            maxItems: accessProjectsMax,
            description:
              "The names of the projects to which they are limited: required of a `client`, and allowed of a `viewer` and an `editor`. Those of all rules with the same role are added up. The whole account where not said.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: 1000,
      description:
        "Who becomes a member by signing in. Of several roles in an account, a person gets that with the most scopes. None: only those who were invited sign in.",
    },
  ),
);

const variablePattern = "^(?!QUERENT_)[A-Za-z_][A-Za-z0-9_]{0,127}$";
const variableName = Type.String({ pattern: variablePattern });

const ProviderEntry = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 60, description: "What people call it: the button says it." }),
    issuer: Type.String({
      pattern: "^https://[^\\s?#@]+$",
      maxLength: 500,
      description: "The provider's issuer, exactly as it names itself in `/.well-known/openid-configuration` below it.",
    }),
    clientId: text("The id that the provider gave to Querent."),
    clientSecretVariable: Type.Union([variableName, Type.Null()], {
      description:
        "The environment variable that holds the client's secret; with `_FILE` appended, one that names a file with it. Null: a client with a key or, without one, a public client.",
    }),
    clientKey: Type.Optional(
      Type.Object(
        {
          variable: Type.String({
            pattern: variablePattern,
            description:
              "The environment variable that holds the key; with `_FILE` appended, one that names a file with it.",
          }),
          id: Type.Optional(text("The id by which the provider knows the key (`kid`).")),
          algorithm: Type.Optional(
            Type.Enum([...clientKeyAlgorithms], {
              description: "The algorithm. By the kind of key where not said: `RS256`, `ES256` or `EdDSA`.",
            }),
          ),
        },
        {
          additionalProperties: false,
          description:
            "A private key in PEM with which Querent proves that it is the client (`private_key_jwt`), in place of a secret. If a certificate stands beside it, each proof has its SHA-256 thumbprint (`x5t#S256`).",
        },
      ),
    ),
    domains,
    scopes: Type.Optional(
      Type.Array(Type.String({ pattern: "^[!#-\\[\\]-~]{1,100}$" }), {
        maxItems: 20,
        description: "What is asked for beside `openid`, `email` and `profile`, such as `groups`.",
      }),
    ),
    groupsClaim: Type.Optional(text("The claim with the person's groups or roles. `groups` where not said.")),
    emailIsVerified: Type.Optional(
      Type.Boolean({
        description:
          "The provider states addresses that it has verified, although it does not say `email_verified`. False where not said.",
      }),
    ),
    members,
  },
  { additionalProperties: false },
);

const header = (description: string) =>
  Type.String({ pattern: "^[A-Za-z][A-Za-z0-9-]{0,63}$", description: `${description} It has no underscore.` });

const ProxyEntry = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 60, description: "What people call it." }),
    addresses: Type.Array(Type.String({ minLength: 2, maxLength: 64 }), {
      minItems: 1,
      maxItems: 100,
      description:
        "Where the proxy's connections come from, as addresses and ranges such as `127.0.0.1` or `10.0.0.0/28`: the other end of the connection itself, whatever `X-Forwarded-For` says. Headers of any other address are ignored.",
    }),
    domains,
    headers: Type.Optional(
      Type.Object(
        {
          email: header("The header with the person's e-mail address."),
          name: Type.Optional(header("The header with the person's name, for a person who is new here.")),
          groups: Type.Optional(header("The header with the person's groups.")),
          groupsSeparator: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 4,
              description: "What stands between groups. A comma where not said.",
            }),
          ),
        },
        {
          additionalProperties: false,
          description: "For a proxy that states people in plain headers, and replaces what clients send in them.",
        },
      ),
    ),
    token: Type.Optional(
      Type.Object(
        {
          header: header("The header with the token."),
          issuer: text("The token's `iss`, exactly."),
          audience: text("The token's `aud`, exactly."),
          keys: Type.String({
            pattern: "^https://[^\\s?#@]+$",
            maxLength: 500,
            description: "Where the proxy publishes its keys, as a JSON Web Key Set.",
          }),
          groupsClaim: Type.Optional(text("The claim with the person's groups. `groups` where not said.")),
        },
        {
          additionalProperties: false,
          description:
            "For a proxy that signs what it states: a JSON Web Token with `sub`, `exp` and `email`. Either this or `headers`.",
        },
      ),
    ),
    signOutAddress: Type.Optional(
      Type.String({
        pattern: "^(https://[^\\s/]+|/(?![/\\\\]))[^\\s\\\\]*$",
        maxLength: 500,
        description:
          "Where browsers go after a sign-out, to end the session at the proxy: an `https:` address, or a path at Querent's own such as `/oauth2/sign_out`. None where not said: the proxy goes on stating the person.",
      }),
    ),
    members,
  },
  {
    additionalProperties: false,
    description: "A proxy in front of Querent that signs people in.",
  },
);

export const SignInProvidersFile = Type.Object(
  {
    proxy: Type.Optional(ProxyEntry),
    providers: Type.Optional(
      Type.Record(Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,39}$" }), ProviderEntry, {
        additionalProperties: false,
        maxProperties: 20,
        description:
          "By an id of your own, which stands in the addresses that the provider sends browsers back to. `proxy` is taken.",
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "Querent identity providers",
    description: "Identity providers at which people sign in; the file that QUERENT_SIGN_IN_PROVIDERS names.",
  },
);

const checkFile = compileCheck(SignInProvidersFile);

/** Checks the addresses of whatever takes part in signing in: identity providers, and the descriptions of assistants. */
export const signInGuard = ({ signInEgressAllow, egressCa }: Pick<Config, "signInEgressAllow" | "egressCa">) =>
  new EgressGuard({
    allow: signInEgressAllow.join(","),
    allowVariable: "QUERENT_SIGN_IN_EGRESS_ALLOW",
    ...(egressCa === null ? {} : { caFile: egressCa }),
  });

/** Those by whose word people sign in. */
export interface SignInSources {
  readonly providers: readonly IdentityProvider[];
  readonly proxy: SignInProxy | null;
}

/** The configured identity providers, and the proxy. Nothing is asked of them yet. Errors are sentences for the operator. */
export function readSignInProviders(
  config: Pick<Config, "signInProviders" | "signInEgressAllow" | "egressCa">,
  environment: Readonly<Record<string, string | undefined>>,
): SignInSources {
  if (config.signInProviders === null) return { providers: [], proxy: null };
  const path = config.signInProviders;
  const { providers = {}, proxy } = readYamlFile("QUERENT_SIGN_IN_PROVIDERS", path, checkFile) as Static<
    typeof SignInProvidersFile
  >;
  const fetch = guardedFetch(signInGuard(config));
  const faults: string[] = [];
  const issuers = new Map<string, string>();
  const read = Object.entries(providers).map(([id, entry]) => {
    const { clientSecretVariable, clientKey } = entry;
    const readVariable = (variable: string, what: string): string | null => {
      try {
        const value = readSecret(environment, variable) ?? null;
        if (value === null) faults.push(`${path}: ${id}: the variable ${variable}, with ${what}, is not set.`);
        return value;
      } catch (error) {
        faults.push(`${path}: ${id}: ${error instanceof Error ? error.message : String(error)}`);
        return null;
      }
    };
    const secret = clientSecretVariable === null ? null : readVariable(clientSecretVariable, "the client's secret");
    let key: ProviderSettings["clientKey"] = null;
    if (clientKey !== undefined) {
      if (clientSecretVariable !== null)
        faults.push(`${path}: ${id} has a key and a secret. With \`clientKey\`, set \`clientSecretVariable: null\`.`);
      const { variable, id: keyId = null, algorithm = null } = clientKey;
      const pem = readVariable(variable, "the client's key");
      try {
        if (pem !== null) key = readClientKey(pem, { id: keyId, algorithm });
      } catch (error) {
        faults.push(
          `${path}: ${id}: the variable ${variable} ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
    faults.push(...faultsOfRules(entry).map((fault) => `${path}: ${id}: ${fault}`));
    if (id === proxyName)
      faults.push(`${path}: the id ${id} is that of \`proxy\`. Choose another one for the provider.`);
    const former = issuers.get(entry.issuer);
    if (former !== undefined) faults.push(`${path}: ${id} has the issuer of ${former}. List each issuer once.`);
    issuers.set(entry.issuer, id);
    return new IdentityProvider(settingsOf(id, entry, { secret, key }), fetch);
  });
  if (proxy !== undefined) faults.push(...faultsOfProxy(proxy).map((fault) => `${path}: ${proxyName}: ${fault}`));
  if (faults.length > 0) throw new ConfigError(faults);
  return { providers: read, proxy: proxy === undefined ? null : new SignInProxy(proxySettings(proxy), fetch) };
}

const proxyName = "proxy";

function faultsOfRules({ members }: Pick<Static<typeof ProviderEntry>, "members">): string[] {
  return (members ?? []).flatMap(({ account, role, projects }) => {
    const { isLimited } = memberRoles[role] as { readonly isLimited?: boolean };
    if (isLimited === true && projects === undefined)
      return [`a rule of ${account} gives the role ${role} without \`projects\`. Name them.`];
    if (isLimited === false && projects !== undefined)
      return [`a rule of ${account} limits the role ${role} to projects. Leave them out.`];
    return [];
  });
}

function faultsOfProxy(entry: Static<typeof ProxyEntry>): string[] {
  const faults = faultsOfRules(entry);
  if ((entry.headers === undefined) === (entry.token === undefined))
    faults.push("it needs `headers` or `token`, and not both.");
  const { email, name, groups } = entry.headers ?? {};
  const named = [email, name, groups, entry.token?.header].flatMap((one) =>
    one === undefined ? [] : [one.toLowerCase()],
  );
  if (new Set(named).size < named.length) faults.push("it names one header twice in `headers`.");
  for (const one of named)
    if (headersOfBrowsers.has(one))
      faults.push(`browsers send the header ${one} themselves. Name one that the proxy sets.`);
  for (const range of entry.addresses)
    try {
      parseAllowedRanges(range);
      if (/[,\s]/.test(range)) faults.push(`"${range}" in \`addresses\` is more than one range. List each by itself.`);
      if (/\/0+$/.test(range))
        faults.push(
          `"${range}" in \`addresses\` is every address, so anybody could sign in as anybody. Name the proxy's.`,
        );
    } catch (error) {
      faults.push(`\`addresses\`: ${error instanceof Error ? error.message : String(error)}`);
    }
  return faults;
}

/** Headers with a meaning of their own, which no proxy uses to state people. */
const headersOfBrowsers: ReadonlySet<string> = new Set([
  ...["accept", "authorization", "cookie", "forwarded", "from", "host", "origin", "referer", "user-agent", "via"],
  ...["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-querent-login", "sec-fetch-site"],
]);

function proxySettings(entry: Static<typeof ProxyEntry>): Omit<ProxySettings, "id"> {
  const { name, addresses, domains, headers, token, signOutAddress = null } = entry;
  const states: ProxySettings["states"] | undefined =
    token !== undefined
      ? { kind: "token", ...token, header: token.header.toLowerCase(), groupsClaim: token.groupsClaim ?? "groups" }
      : headers === undefined
        ? undefined
        : {
            kind: "headers",
            email: headers.email.toLowerCase(),
            name: headers.name?.toLowerCase() ?? null,
            groups: headers.groups?.toLowerCase() ?? null,
            groupsSeparator: headers.groupsSeparator ?? ",",
          };
  if (states === undefined) throw new Error("a proxy without headers was not refused");
  return { name, addresses, domains, states, signOutAddress, members: rulesOf(entry) };
}

const rulesOf = ({ members }: Pick<Static<typeof ProviderEntry>, "members">): ProviderSettings["members"] =>
  (members ?? []).map(({ account, group, role, projects }) => ({
    ...{ account, group: group ?? null, role },
    projects: projects ?? null,
  }));

const settingsOf = (
  id: string,
  entry: Static<typeof ProviderEntry>,
  { secret: clientSecret, key: clientKey }: { secret: string | null; key: ProviderSettings["clientKey"] },
): ProviderSettings => ({
  id,
  name: entry.name,
  issuer: entry.issuer,
  clientId: entry.clientId,
  clientSecret,
  clientKey,
  domains: entry.domains,
  scopes: entry.scopes ?? [],
  groupsClaim: entry.groupsClaim ?? "groups",
  emailIsVerified: entry.emailIsVerified ?? false,
  members: rulesOf(entry),
});
