/** The account that an operator's command names. */
import { accountNamePattern } from "@querent/contract";
import { InvalidArgumentError } from "commander";
import { findAccount, listAccounts } from "../../accounts/index.ts";
import type { Database } from "../../db/index.ts";
import { querentd } from "../../kernel/program-name.ts";
import { CommandError } from "./command-error.ts";

const namePattern = new RegExp(accountNamePattern, "u");

export async function accountNamed(database: Database, name: string): Promise<string> {
  const accountId = await findAccount(database, name);
  if (accountId === null) {
    const names = (await listAccounts(database)).map((account) => account.name).join(", ");
    throw new CommandError(
      `There is no account named ${name}. ${names === "" ? `Create one with: ${querentd} account create NAME` : `Known: ${names}.`}`,
    );
  }
  return accountId;
}

export function readName(text: string): string {
  if (!namePattern.test(text))
    throw new InvalidArgumentError(
      "A name has 1 to 100 letters, digits, spaces and . _ @ -, and begins with a letter or digit.",
    );
  return text;
}
