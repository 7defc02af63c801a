/** `querentd master-key`: what is encrypted with which key, and its replacement. */
import type { Command } from "commander";
import type { Database } from "../../db/index.ts";
import { removeFactor, sealedFactors } from "../../people/index.ts";
import { rotateSigningKey, sealedEvidenceKeys } from "../../evidence/index.ts";
import { forgetSessions, sealedSessions } from "../../sessions/index.ts";
import { forgetKeys, sealedKeys } from "../../setups/index.ts";
import {
  encryptAgain,
  forgetStoredKeys,
  keyIdOf,
  MasterKeyError,
  sealedStoredKeys,
  type MasterKey,
  type SealedTable,
  type SealedValue,
} from "../../vault/index.ts";
import { forgetChannels, replaceLostSecret, sealedChannels, sealedSecrets } from "../../webhooks/index.ts";
import { print, withDatabase, type OperatorOutput } from "./operator-command.ts";
import { table } from "./table.ts";

const sealedTables = [
  sealedSecrets,
  sealedEvidenceKeys,
  sealedStoredKeys,
  sealedSessions,
  sealedKeys,
  sealedFactors,
  sealedChannels,
];

export function addMasterKeyCommands(program: Command): void {
  const key = program.command("master-key").description("manage the master key");
  key
    .command("list")
    .description("list the keys of this process, and what is encrypted with which")
    .option("--json", "print JSON")
    .action((options: OperatorOutput) => withDatabase((deps) => list(deps, options), { checkKey: false }));
  key
    .command("re-encrypt")
    .description(
      "encrypt everything with the first master key; can run beside a service, and again after an interruption",
    )
    .option("--json", "print JSON")
    .action((options: OperatorOutput) => withDatabase((deps) => reEncrypt(deps, options), { checkKey: false }));
  key
    .command("abandon")
    .description("after a master key is lost: print what is lost with it, and with --yes replace that by new secrets")
    .option("--yes", "do it")
    .option("--json", "print JSON")
    .action((options: OperatorOutput & { yes?: boolean }) =>
      withDatabase((deps) => abandon(deps, options), { checkKey: false }),
    );
}

interface Deps {
  readonly database: Database;
  readonly masterKey: MasterKey;
}

async function list({ database, masterKey }: Deps, options: OperatorOutput): Promise<void> {
  const uses = await readKeyUses(database, masterKey);
  const rows = uses.map(({ id, state, what, values }) => [id ?? "without id", state, what, values]);
  print(options, uses, table([{ head: "key" }, { head: "state" }, { head: "encrypts" }, { head: "values" }], rows));
}

async function reEncrypt({ database, masterKey }: Deps, options: OperatorOutput): Promise<void> {
  const done: { what: string; changed: number; unreadable: number }[] = [];
  for (const one of sealedTables) done.push({ what: one.what, ...(await encryptAgain(database, masterKey, one)) });
  const unreadable = done.reduce((sum, one) => sum + one.unreadable, 0);
  const lines = done.map(({ what, changed }) => `${what}: ${changed} encrypted again`);
  const result =
    unreadable === 0
      ? `Everything is encrypted with the key ${masterKey.ids[0]}. Once every process has it as its first key, and a second run finds nothing more, the others can be removed.`
      : `${unreadable} values could not be decrypted with the keys of this process and stay as they are: \`querentd master-key list\` shows which key is missing.`;
  print(options, done, [...lines, result].join("\n"));
  if (unreadable > 0) process.exitCode = 1;
}

/** Replaces what this process cannot decrypt. Nothing else depends on it: tasks, results, points and deliveries go on. */
async function abandon({ database, masterKey }: Deps, options: OperatorOutput & { yes?: boolean }): Promise<void> {
  const lost = {
    accounts: await unreadableSecrets(database, masterKey),
    evidenceKeys: (await unreadable(database, masterKey, sealedEvidenceKeys)).length,
    addresses: (await unreadable(database, masterKey, sealedStoredKeys)).length,
    sessions: await unreadable(database, masterKey, sealedSessions),
    platformKeys: await unreadable(database, masterKey, sealedKeys),
    secondFactors: await unreadable(database, masterKey, sealedFactors),
    channels: await unreadable(database, masterKey, sealedChannels),
  };
  const lines = [
    `${lost.accounts.length === 1 ? "1 account needs" : `${lost.accounts.length} accounts need`} a new signing secret: their receivers reject notifications until they have it from \`GET /v1/webhook\`, and these are repeated as after any failure.`,
    lost.evidenceKeys > 0
      ? "The key that signs evidence is replaced. The former one stays published, and what it signed stays valid."
      : "The key that signs evidence is not affected.",
    lost.addresses > 0
      ? "Share links and URLs of screenshots that were given out stop working. The records show new ones."
      : "Share links are not affected.",
    lost.sessions.length > 0
      ? `${lost.sessions.length === 1 ? "1 session of a web platform is" : `${lost.sessions.length} sessions of web platforms are`} removed: sign in again (\`querentd session list\`).`
      : "Sessions of web platforms are not affected.",
    ...(lost.platformKeys.length > 0
      ? [`Stored keys of model APIs are removed, and have to be stored anew: ${lost.platformKeys.join(", ")}.`]
      : []),
    ...(lost.secondFactors.length > 0
      ? [
          `Second factors of ${lost.secondFactors.length === 1 ? "1 person are" : `${lost.secondFactors.length} persons are`} removed: they sign in with the password alone, and add one anew.`,
        ]
      : []),
    ...(lost.channels.length > 0
      ? [
          `${lost.channels.length === 1 ? "1 channel of alerts and reports is" : `${lost.channels.length} channels of alerts and reports are`} removed, and have to be created anew.`,
        ]
      : []),
    "Tasks, results, points and pending deliveries are not affected.",
  ];
  if (options.yes === true) {
    for (const accountId of lost.accounts) await replaceLostSecret(database, masterKey, accountId);
    if (lost.evidenceKeys > 0) await rotateSigningKey(database, masterKey);
    if (lost.addresses > 0) await forgetStoredKeys(database);
    await forgetSessions(database, lost.sessions);
    await forgetKeys(database, lost.platformKeys);
    await forgetChannels(database, lost.channels);
    for (const personId of lost.secondFactors) await database.transaction((tx) => removeFactor(tx, personId));
  }
  const doing = options.yes === true ? "Done. Start the service." : "Nothing was changed. To do this, add --yes.";
  print(options, { ...lost, done: options.yes === true }, [...lines, doing].join("\n"));
}

async function unreadable(database: Database, masterKey: MasterKey, sealed: SealedTable): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = null; ;) {
    const values = await sealed.readOthers(database, masterKey.head, after, 500);
    const last = values.at(-1);
    if (last === undefined) return ids;
    ids.push(...values.filter((value) => !canRead(masterKey, sealed, value)).map(({ id }) => id));
    after = last.id;
  }
}

function canRead(masterKey: MasterKey, sealed: SealedTable, value: SealedValue): boolean {
  try {
    sealed.encryptAgain(masterKey, value);
    return true;
  } catch (error) {
    if (error instanceof MasterKeyError) return false;
    throw error;
  }
}

const unreadableSecrets = async (database: Database, masterKey: MasterKey): Promise<string[]> => [
  ...new Set((await unreadable(database, masterKey, sealedSecrets)).map((id) => id.split("/")[0] ?? "")),
];

export interface MasterKeyUse {
  /** The id of the key; null for values of a former version, which do not name theirs. */
  readonly id: string | null;
  readonly state: "current" | "accepted" | "missing" | "unknown";
  readonly what: string;
  readonly values: number;
}

/** What is encrypted with which key, and the keys that nothing is encrypted with. */
export async function readKeyUses(database: Database, masterKey: MasterKey): Promise<MasterKeyUse[]> {
  const stateOf = (id: string | null): MasterKeyUse["state"] => {
    const place = id === null ? null : masterKey.ids.indexOf(id);
    return place === null ? "unknown" : place === 0 ? "current" : place > 0 ? "accepted" : "missing";
  };
  const uses: MasterKeyUse[] = [];
  for (const { what, count } of sealedTables)
    for (const { head, values } of await count(database)) {
      const id = keyIdOf(head);
      uses.push({ id, state: stateOf(id), what, values });
    }
  const unused = masterKey.ids.filter((id) => !uses.some((use) => use.id === id));
  return [...uses, ...unused.map((id): MasterKeyUse => ({ id, state: stateOf(id), what: "nothing", values: 0 }))];
}
