import { existsSync } from "node:fs";
import pc from "picocolors";
import { listAccounts } from "../../accounts/index.ts";
import { EgressGuard } from "../../egress/index.ts";
import { describeBudget, readConnectionBudget } from "../../db/index.ts";
import { findBrowsers } from "../../browser/index.ts";
import { browserAdvice, browserSettings, createBrowserPool } from "../browsers.ts";
import { newId } from "../../kernel/ids.ts";
import { describeConfig, readConfig, type Config } from "../config.ts";
import { readSessionRecords } from "../../sessions/index.ts";
import { readActivePlatforms } from "../../panels/index.ts";
import { describeOutcome } from "../../mail/index.ts";
import { mailerOf } from "../mail.ts";
import { loadMasterKey } from "../master-key.ts";
import { openContentStore } from "../open-content-store.ts";
import { openExistingDatabase } from "../open-database.ts";
import { nothingStored, readStored, type StoredOfPlatforms } from "./with-stored.ts";
import { readKeyUses } from "./master-key-commands.ts";
import type { Database } from "../../db/index.ts";
import type { MasterKey } from "../../vault/index.ts";
import { describeMissing, installCommand, missingPackages } from "../optional-packages.ts";
import { readPlatformSettings } from "../platform-settings.ts";
import { readPlatformsFile } from "../platforms-file.ts";
import { describeSetUp, setUps } from "../../platforms/index.ts";
import { platformsToRead } from "../platforms.ts";
import { redirectAddress, signedOutAddress, type SignInProxy } from "../../people/index.ts";
import { readSignInProviders } from "../sign-in-providers.ts";
import { querentd } from "../../kernel/program-name.ts";

interface Finding {
  readonly about: string;
  readonly state: "ok" | "missing" | "fault";
  readonly detail: string;
}

/**
 * `querentd doctor`: checks all requirements, and reports for each what was found, or what to do. Exit code 1 if any check
 * fails.
 */
export async function doctor(options: { json?: boolean }): Promise<void> {
  const config = readConfig(process.env);
  const findings: Finding[] = [];
  const examine = async (about: string, look: () => Promise<Omit<Finding, "about">[] | Omit<Finding, "about">>) => {
    try {
      findings.push(...[await look()].flat().map((finding) => ({ about, ...finding })));
    } catch (error) {
      findings.push({ about, state: "fault", detail: error instanceof Error ? error.message : String(error) });
    }
  };
  await examine("packages", async () => examinePackages());
  let stored = nothingStored;
  let asked: readonly string[] = [];
  let accounts: readonly string[] | null = null;
  await examine("database", () =>
    examineDatabase(config, async (database, masterKey) => {
      stored = await readStored(database, masterKey);
      asked = await readActivePlatforms(database);
      accounts = (await listAccounts(database)).map(({ name }) => name);
    }),
  );
  await examine("sign-in", () => examineProviders(config, accounts));
  await examine("platforms", () => examinePlatforms(config, stored, asked));
  await examine("browser", () => examineBrowsers(config));
  await examine("artifacts", () => examineArtifacts(config));
  await examine("mail", () => examineMail(config));
  await examine("notifications", async () => {
    const guard = new EgressGuard({
      allow: config.egressAllow.join(","),
      ...(config.egressCa === null ? {} : { caFile: config.egressCa }),
    });
    const loopback = guard.checkAddress("https://localhost/").ok;
    return {
      state: "ok",
      detail: `HTTPS to public addresses${config.egressAllow.length > 0 ? ` and ${config.egressAllow.join(", ")}` : ""}${loopback ? "" : "; to try a receiver on this machine, set QUERENT_EGRESS_ALLOW=127.0.0.0/8,::1/128"}`,
    };
  });

  if (options.json === true) {
    process.stdout.write(`${JSON.stringify({ settings: describeConfig(config), findings }, null, 2)}\n`);
  } else {
    const marks = { ok: pc.green("ok     "), missing: pc.yellow("missing"), fault: pc.red("fault  ") };
    for (const { about, state, detail } of findings) console.log(`${marks[state]}  ${about.padEnd(14)} ${detail}`);
    console.log("");
    for (const { name, value } of describeConfig(config)) console.log(pc.dim(`${name}=${value}`));
  }
  if (findings.some(({ state }) => state === "fault")) process.exitCode = 1;
}

/** Asks each identity provider for all that can be known without a person. `accounts` is null if they could not be read. */
async function examineProviders(config: Config, accounts: readonly string[] | null): Promise<Omit<Finding, "about">[]> {
  const { providers, proxy } = readSignInProviders(config, process.env);
  if (providers.length === 0 && proxy === null)
    return [{ state: "ok", detail: "with passwords and tokens; no identity provider is configured" }];
  const { publicUrl } = config;
  if (publicUrl === null)
    return [
      {
        state: "fault",
        detail:
          "identity providers send browsers back to QUERENT_PUBLIC_URL, and the cookies of logins are for it, which is not set. Set it to the address that browsers show, such as https://querent.example.com.",
      },
    ];
  const findings = providers.map(async (provider): Promise<Omit<Finding, "about">[]> => {
    const { id, name, members } = provider.settings;
    const address = redirectAddress(publicUrl, id);
    const faults = [...(await provider.examine(address)), ...unknownAccounts(members, accounts)];
    const registered = `Register at the provider: the redirect address ${address}, the address after sign-out ${signedOutAddress(publicUrl)}, and the back-channel logout address ${publicUrl}/v1/login/providers/${id}/logout.`;
    if (faults.length === 0) return [{ state: "ok", detail: `${id} (${name}) answers. ${registered}` }];
    return faults.map((fault) => ({ state: "fault", detail: `${id} (${name}): ${fault}` }));
  });
  if (proxy !== null) findings.push(examineProxy(proxy, publicUrl, accounts));
  return (await Promise.all(findings)).flat();
}

async function examineProxy(
  proxy: SignInProxy,
  publicUrl: string,
  accounts: readonly string[] | null,
): Promise<Omit<Finding, "about">[]> {
  const { name, addresses, members, states } = proxy.settings;
  const faults = [...(await proxy.examine()), ...unknownAccounts(members, accounts)];
  if (faults.length > 0) return faults.map((fault) => ({ state: "fault", detail: `proxy (${name}): ${fault}` }));
  const header = states.kind === "headers" ? states.email : states.header;
  const from = `The header ${header} is believed in requests from ${addresses.join(", ")}`;
  const detail =
    states.kind === "headers"
      ? `${from}. The proxy has to replace what clients send in it, and nothing else may send requests from there.`
      : `${from}, if the token is signed with the keys at ${states.keys}, which were read.`;
  return [{ state: "ok", detail: `proxy (${name}): ${detail} People open ${publicUrl}/console.` }];
}

const unknownAccounts = (members: SignInProxy["settings"]["members"], accounts: readonly string[] | null): string[] =>
  [...new Set(members.map(({ account }) => account))]
    .filter((account) => accounts?.includes(account) === false)
    .map(
      (account) =>
        `There is no account ${account}, of which \`members\` makes people members. Create it, or correct its name.`,
    );

function examinePackages(): Omit<Finding, "about">[] {
  const missing = describeMissing(missingPackages());
  if (missing.length === 0) return [{ state: "ok", detail: "all that this system needs are installed" }];
  return missing.map((line) => ({ state: "missing", detail: `${line} To install it: ${installCommand}` }));
}

async function examineDatabase(
  config: Config,
  onOpened: (database: Database, masterKey: MasterKey) => Promise<void>,
): Promise<Omit<Finding, "about">[]> {
  await using opened = await openExistingDatabase(config);
  const { database } = opened;
  const findings: Omit<Finding, "about">[] = [];
  const { rows } = await database.query<{ version: string; number: number }>(
    "select current_setting('server_version') as version, current_setting('server_version_num')::int as number",
  );
  const server = rows[0];
  const pooled = config.databaseDirectUrl === null ? "" : ", through a pooler, and directly for what needs a session";
  const where = config.databaseUrl === null ? `embedded, in ${config.dataDir}` : `the server of DATABASE_URL${pooled}`;
  findings.push(
    server !== undefined && server.number >= 150_000
      ? { state: "ok", detail: `PostgreSQL ${server.version}, ${where}` }
      : { state: "fault", detail: `PostgreSQL ${server?.version ?? "?"} is too old: 15 or newer is needed` },
  );
  if (config.databaseUrl !== null) {
    const { fits, detail } = describeBudget(await readConnectionBudget(database));
    findings.push({ state: fits ? "ok" : "missing", detail: `connections: ${detail}` });
  }
  const masterKey = await loadMasterKey(config, database);
  await onOpened(database, masterKey);
  findings.push({
    state: "ok",
    detail: `master key: ${config.masterKey === null ? `${config.dataDir}/master.key` : "QUERENT_MASTER_KEY"}, fits the database`,
  });
  findings.push(...(await examineKeyUses(database, masterKey)), ...(await examineSessions(database)));
  const accounts = await listAccounts(database);
  findings.push(
    accounts.length === 0
      ? {
          state: "missing",
          detail: `no account yet: \`${querentd} account create NAME --points N\`, or start the service once`,
        }
      : {
          state: "ok",
          detail: `accounts: ${accounts.map((account) => `${account.name} (${account.balance.available} points)`).join(", ")}`,
        },
  );
  return findings;
}

/** Connects to the mail server and signs in, without sending anything. */
export async function examineMail(config: Config): Promise<Omit<Finding, "about">[]> {
  const mailer = mailerOf(config);
  const { server, from, missing } = mailer;
  if (server === null && from === null)
    return [{ state: "ok", detail: "not set up: scheduled reports need QUERENT_SMTP_URL and QUERENT_MAIL_FROM" }];
  if (missing !== null) return [{ state: "missing", detail: missing }];
  const outcome = await mailer.check();
  if (outcome.kind !== "accepted") return [{ state: "fault", detail: describeOutcome(outcome, mailer) }];
  return [
    {
      state: "ok",
      detail: `${server?.host}:${server?.port} lets this service sign in, from ${from}: \`${querentd} mail test ADDRESS\` sends a test`,
    },
  ];
}

/** While the master key is being replaced: what is still encrypted with another one than the first. */
async function examineKeyUses(database: Database, masterKey: MasterKey): Promise<Omit<Finding, "about">[]> {
  const uses = await readKeyUses(database, masterKey);
  return uses
    .filter(({ state }) => state === "missing" || (state !== "current" && masterKey.ids.length > 1))
    .map(({ id, state, what, values }) => {
      if (state === "missing")
        return {
          state: "fault",
          detail: `${values} ${what} need the master key ${id}, which is not in QUERENT_MASTER_KEY`,
        };
      return what === "nothing"
        ? { state: "ok", detail: `nothing is encrypted with the master key ${id}` }
        : {
            state: "missing",
            detail: `${values} ${what} are still encrypted with ${id === null ? "a former master key" : `the master key ${id}`}: \`${querentd} master-key re-encrypt\``,
          };
    });
}

async function examineSessions(database: Database): Promise<Omit<Finding, "about">[]> {
  return (await readSessionRecords(database)).map(({ platformCode, name, state, signedInAt, signedOutWhy }) =>
    state === "signed_out" || state === "needs_person"
      ? {
          state: "missing",
          detail: `session ${platformCode}/${name}: ${state === "signed_out" ? "signed out" : "the page asks for a human"} (${signedOutWhy}): \`${querentd} session sign-in ${platformCode} --name ${name}\``,
        }
      : { state: "ok", detail: `session ${platformCode}/${name}: ${state}, signed in ${signedInAt}` },
  );
}

/** As a worker does at its start: the program must run, or the browser respond. */
async function examineBrowsers(config: Config): Promise<Omit<Finding, "about">[]> {
  const pool = createBrowserPool(config, { onEvent: () => undefined });
  let why: string | null;
  try {
    why = await pool.check(AbortSignal.timeout(60_000));
  } finally {
    await pool.close();
  }
  if (why !== null) {
    const chosen = config.browserPath !== null || config.browserEndpoints.length > 0;
    const detail = `${why} Tasks for web platforms and screenshots are refused unless another worker has a browser. ${browserAdvice}`;
    return [{ state: chosen ? "fault" : "missing", detail }];
  }
  const found = await findBrowsers(browserSettings(config));
  const first = found.programs[0];
  const contexts = `${pool.contextsMax} pages at once`;
  if (first === undefined) {
    return [{ state: "ok", detail: `${found.endpoints.length} of QUERENT_BROWSER_ENDPOINTS, ${contexts}` }];
  }
  const passedOver = found.passedOver.map(({ what, why }) => `${what}: ${why}`).join("; ");
  return [
    { state: "ok", detail: `${first.from}: ${first.path}, ${contexts}${passedOver === "" ? "" : ` (${passedOver})`}` },
  ];
}

/** Stores a few bytes, reads them back, and removes them. */
async function examineArtifacts(config: Config): Promise<Omit<Finding, "about">[]> {
  if (config.artifactsS3Bucket === null && !existsSync(config.dataDir))
    return [{ state: "missing", detail: `the folder ${config.dataDir} does not exist yet: the service creates it` }];
  const store = openContentStore(config);
  const key = `doctor/${newId()}`;
  const bytes = Buffer.from("a few bytes of the doctor");
  try {
    const signal = AbortSignal.timeout(20_000);
    await store.write(key, bytes, signal);
    const read = await store.read(key, bytes.length, signal);
    await store.remove(key, signal);
    if (!read.equals(bytes)) return [{ state: "fault", detail: `${store.place} gives back other bytes than it got` }];
  } finally {
    await store.close();
  }
  const shared =
    config.publicUrl === null
      ? {
          state: "missing" as const,
          detail: "share links and screenshots lead to the address the API listens on: set QUERENT_PUBLIC_URL",
        }
      : { state: "ok" as const, detail: `share links and screenshots begin with ${config.publicUrl}` };
  return [{ state: "ok", detail: store.place }, shared];
}

/**
 * What can be asked, and what is missing of the platforms that somebody wants: those of the file of platforms, and those that panels ask.
 * The others are named once.
 */
async function examinePlatforms(
  config: Config,
  stored: StoredOfPlatforms,
  askedByPanels: readonly string[],
): Promise<Omit<Finding, "about">[]> {
  const settings = readPlatformSettings(config.config, (code) => stored.setups?.settingsOf(code) ?? {});
  const problems: string[] = [];
  const onSampleProblem = (problem: unknown) => void problems.push(JSON.stringify(problem));
  const platforms = await platformsToRead({ config, settings, ...stored, onSampleProblem });
  const inFile = new Set(config.config === null ? [] : Object.keys(readPlatformsFile(config.config)));
  const whoWants = (code: string) =>
    inFile.has(code) ? "in the file of platforms" : askedByPanels.includes(code) ? "asked by a panel" : null;
  const unwanted = platforms.filter(({ code, missing }) => missing !== null && whoWants(code) === null);
  const isReal = ({ missing, standIn, kind }: (typeof platforms)[number]) =>
    missing === null && standIn !== true && kind !== "sample";
  return [
    ...platforms.flatMap((platform): Omit<Finding, "about">[] => {
      const { code, missing, standIn, setUp = setUps.other } = platform;
      if (unwanted.includes(platform)) return [];
      if (missing !== null) return [{ state: "missing", detail: `${code}, ${whoWants(code)}: ${missing}` }];
      return [{ state: "ok", detail: standIn === true ? `${code}: ${describeSetUp(setUp)}` : code }];
    }),
    ...(platforms.some(isReal)
      ? []
      : [
          {
            state: "missing" as const,
            detail:
              "no platform with real answers: add the key of a vendor in the console, or as docs/model-apis.md says",
          },
        ]),
    ...(unwanted.length === 0
      ? []
      : [
          {
            state: "ok" as const,
            detail: `not set up, and wanted by nothing: ${unwanted.map(({ code }) => code).join(", ")} (\`${querentd} platform list\` says what each needs)`,
          },
        ]),
    ...[...inFile]
      .filter((code) => !settings.has(code))
      .map((code): Omit<Finding, "about"> => ({ state: "ok", detail: `${code}: turned off in ${config.config}` })),
    ...problems.map((problem): Omit<Finding, "about"> => ({ state: "fault", detail: `sample: ${problem}` })),
  ];
}
