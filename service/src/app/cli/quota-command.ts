/** `querentd account quota` */
import { InvalidArgumentError, type Command } from "commander";
import { listAccounts, setStorageQuota } from "../../accounts/index.ts";
import { accountNamed, readName } from "./account-argument.ts";
import { CommandError } from "./command-error.ts";
import { print, withDatabase, type Output } from "./operator-command.ts";

type QuotaOptions = Output & Partial<Record<"rows" | "mib" | "artifactMib", number | null>>;

export function addQuota(account: Command): void {
  account
    .command("quota")
    .description("set how much an account may store without points, and how large the files of its results may be")
    .argument("<name>", "the account", readName)
    .option("--rows <n>", "rows, or `default`: QUERENT_STORAGE_ROWS_PER_ACCOUNT", readQuota)
    .option("--mib <n>", "their size in MiB, or `default`: QUERENT_STORAGE_MIB_PER_ACCOUNT", readQuota)
    .option("--artifact-mib <n>", "size of files in MiB, or `default`: QUERENT_ARTIFACT_MIB_PER_ACCOUNT", readQuota)
    .option("--json", "print JSON")
    .action((name: string, { rows, mib: mebibytes, artifactMib, ...options }: QuotaOptions) =>
      withDatabase(async ({ database }) => {
        if (rows === undefined && mebibytes === undefined && artifactMib === undefined)
          throw new CommandError("Specify --rows, --mib or --artifact-mib.");
        const accountId = await accountNamed(database, name);
        const inBytes = (value: number | null) => (value === null ? null : value * mib);
        await setStorageQuota(database, accountId, {
          ...(rows === undefined ? {} : { storageRowsMax: rows }),
          ...(mebibytes === undefined ? {} : { storageBytesMax: inBytes(mebibytes) }),
          ...(artifactMib === undefined ? {} : { artifactBytesMax: inBytes(artifactMib) }),
        });
        const [row] = await listAccounts(database, { accountId });
        const { storageRowsMax = null, storageBytesMax = null, artifactBytesMax = null } = row?.storage ?? {};
        const shown = (value: number | null, unit: string) => (value === null ? "the default" : `${value} ${unit}`);
        print(
          options,
          { account: name, storageRowsMax, storageBytesMax, artifactBytesMax },
          `${name} may store, without points, in rows: ${shown(storageRowsMax, "rows")}; in size: ${shown(storageBytesMax === null ? null : inMib(storageBytesMax), "MiB")}; in files of results: ${shown(artifactBytesMax === null ? null : inMib(artifactBytesMax), "MiB")}.`,
        );
      }),
    );
}

const mib = 1024 ** 2;
export const inMib = (bytes: number) => Math.ceil(bytes / mib);

/** The account's own quota; null for the service's setting. */
function readQuota(value: string): number | null {
  if (value === "default") return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It is a whole number of up to 9 digits, or `default`.");
}
