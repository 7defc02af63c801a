/** The operator's file of identity providers. This schema is published. */
import { accessProjectsMax, memberRoles, type MemberRole } from "@querent/contract";
import { Type, type Static } from "typebox";
import { EgressGuard } from "../egress/index.ts";
import { compileCheck } from "../kernel/validate.ts";
import { guardedFetch, IdentityProvider, type ProviderSettings } from "../people/index.ts";
import { ConfigError, type Config } from "./config.ts";
import { readSecret } from "./config/read-secret.ts";
import { readYamlFile } from "./platforms-file.ts";

const text = (description: string) => Type.String({ minLength: 1, maxLength: 500, description });

const ProviderEntry = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 60, description: "What people call it: the button says it." }),
    issuer: Type.String({
      pattern: "^https://[^\\s?#@]+$",
      maxLength: 500,
      description: "The provider's issuer, exactly as it names itself in `/.well-known/openid-configuration` below it.",
    }),
    clientId: text("The id that the provider gave to Querent."),
    clientSecretVariable: Type.Union(
      [Type.String({ pattern: "^(?!QUERENT_)[A-Za-z_][A-Za-z0-9_]{0,127}$" }), Type.Null()],
      {
        description:
          "The environment variable that holds the client's secret; with `_FILE` appended, one that names a file with it. Null: a public client, which has none.",
      },
    ),
    domains: Type.Array(Type.String({ pattern: "^(\\*|[a-z0-9-]+(\\.[a-z0-9-]+)+)$", maxLength: 253 }), {
      minItems: 1,
      maxItems: 100,
      description:
        "The domains of the e-mail addresses whose persons sign in with it, in lower case. `*`: all, for a provider that states nobody's address but its own people's.",
    }),
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
    members: Type.Optional(
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
    ),
  },
  { additionalProperties: false },
);

export const SignInProvidersFile = Type.Object(
  {
    providers: Type.Record(Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,39}$" }), ProviderEntry, {
      additionalProperties: false,
      maxProperties: 20,
      description: "By an id of your own, which stands in the addresses that the provider sends browsers back to.",
    }),
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

/** The configured identity providers. Nothing is asked of them yet. Errors are sentences for the operator. */
export function readSignInProviders(
  config: Pick<Config, "signInProviders" | "signInEgressAllow" | "egressCa">,
  environment: Readonly<Record<string, string | undefined>>,
): IdentityProvider[] {
  if (config.signInProviders === null) return [];
  const path = config.signInProviders;
  const { providers } = readYamlFile("QUERENT_SIGN_IN_PROVIDERS", path, checkFile) as Static<
    typeof SignInProvidersFile
  >;
  const fetch = guardedFetch(signInGuard(config));
  const faults: string[] = [];
  const issuers = new Map<string, string>();
  const read = Object.entries(providers).map(([id, entry]) => {
    const { clientSecretVariable: variable } = entry;
    let secret: string | null = null;
    try {
      if (variable !== null) secret = readSecret(environment, variable) ?? null;
      if (variable !== null && secret === null)
        faults.push(`${path}: ${id}: the variable ${variable}, with the client's secret, is not set.`);
    } catch (error) {
      faults.push(`${path}: ${id}: ${error instanceof Error ? error.message : String(error)}`);
    }
    for (const { account, role, projects } of entry.members ?? []) {
      const { isLimited } = memberRoles[role] as { readonly isLimited?: boolean };
      if (isLimited === true && projects === undefined)
        faults.push(`${path}: ${id}: a rule of ${account} gives the role ${role} without \`projects\`. Name them.`);
      if (isLimited === false && projects !== undefined)
        faults.push(`${path}: ${id}: a rule of ${account} limits the role ${role} to projects. Leave them out.`);
    }
    const former = issuers.get(entry.issuer);
    if (former !== undefined) faults.push(`${path}: ${id} has the issuer of ${former}. List each issuer once.`);
    issuers.set(entry.issuer, id);
    return new IdentityProvider(settingsOf(id, entry, secret), fetch);
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return read;
}

const settingsOf = (
  id: string,
  entry: Static<typeof ProviderEntry>,
  clientSecret: string | null,
): ProviderSettings => ({
  id,
  name: entry.name,
  issuer: entry.issuer,
  clientId: entry.clientId,
  clientSecret,
  domains: entry.domains,
  scopes: entry.scopes ?? [],
  groupsClaim: entry.groupsClaim ?? "groups",
  emailIsVerified: entry.emailIsVerified ?? false,
  members: (entry.members ?? []).map(({ account, group, role, projects }) => ({
    ...{ account, group: group ?? null, role },
    projects: projects ?? null,
  })),
});
