import { closeSync, openSync, readSync } from "node:fs";

type Environment = Readonly<Record<string, string | undefined>>;

/** More than any secret has: a wrong path, such as that of a device, is noticed and not read to its end. */
const secretBytesMax = 64 * 1024;

export const fileVariable = (name: string): string => `${name}_FILE`;

/**
 * A secret from the variable, or from the file that `NAME_FILE` names, as Docker and Kubernetes provide secrets. Undefined: it
 * is not set. Throws a sentence that starts with the variable's name, and never contains the secret.
 */
export function readSecret(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim() ?? "";
  const path = environment[fileVariable(name)]?.trim() ?? "";
  if (path === "") return value === "" ? undefined : value;
  if (value !== "") throw new Error(`${name} and ${fileVariable(name)} are both set. Keep one of them.`);
  const text = readFile(path, fileVariable(name)).trim();
  if (text === "") throw new Error(`${fileVariable(name)} names a file that is empty: ${path}.`);
  return text;
}

/** The environment with these secrets also where files contain them. */
export function withSecretFiles(environment: Environment, names: readonly string[]): Environment {
  const given = names.filter((name) => (environment[fileVariable(name)]?.trim() ?? "") !== "");
  return { ...environment, ...Object.fromEntries(given.map((name) => [name, readSecret(environment, name)])) };
}

function readFile(path: string, variable: string): string {
  const buffer = Buffer.alloc(secretBytesMax + 1);
  let length: number;
  try {
    const file = openSync(path, "r");
    try {
      length = readSync(file, buffer, 0, buffer.length, null);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    throw new Error(
      `${variable} names a file that cannot be read: ${path} (${code}). Check the path, and that the user of the service may read it.`,
      { cause: error },
    );
  }
  if (length > secretBytesMax)
    throw new Error(
      `${variable} names a file with more than ${secretBytesMax / 1024} KiB, which is no secret: ${path}.`,
    );
  return buffer.toString("utf8", 0, length);
}
