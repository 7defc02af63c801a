import { readFileSync } from "node:fs";
import type pg from "pg";
import { BootError } from "./boot-error.ts";

/** Parameters of addresses that ask for no TLS, or for none that is verified. */
const weaker: Readonly<Record<string, readonly string[]>> = {
  ssl: ["0", "false", "no-verify"],
  sslmode: ["disable", "allow", "prefer", "no-verify"],
};

/**
 * How the server at an address is connected to. With a file of certificate authorities, only by TLS, and only if its certificate is from
 * one of them and for the host of the address; the address's own settings of TLS do not weaken this. Without, as the address says.
 */
export function connectionTo(address: string, caFile: string | null): pg.ClientConfig {
  if (caFile === null) return { connectionString: address };
  const url = new URL(address);
  for (const [name, value] of url.searchParams)
    if (weaker[name]?.includes(value) === true)
      throw new BootError(
        `The address of the database has ${name}=${value}, and QUERENT_DATABASE_CA asks for verified TLS. Remove one of them.`,
      );
  for (const name of ["ssl", "sslmode", "sslrootcert", "sslnegotiation", "uselibpqcompat"])
    url.searchParams.delete(name);
  return { connectionString: url.href, ssl: { ca: readFileSync(caFile, "utf8"), rejectUnauthorized: true } };
}
