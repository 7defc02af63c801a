/** Reads a file of settings in YAML. Errors are sentences for the operator. */
import { readFileSync } from "node:fs";
import { parseDocument } from "yaml";
import type { Check } from "../kernel/validate.ts";
import { ConfigError } from "./config.ts";

const fileBytesMax = 1024 * 1024;

/** The content of the file that a variable names, which has passed the check. */
export function readYamlFile(variable: string, path: string, check: Check): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError([
      `${variable}: ${path} can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown fault"}).`,
    ]);
  }
  if (text.length > fileBytesMax) throw new ConfigError([`${variable}: ${path} is larger than ${fileBytesMax} bytes.`]);
  const document = parseDocument(text, { prettyErrors: true });
  if (document.errors.length > 0) throw new ConfigError(document.errors.map((error) => `${path}: ${error.message}`));
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    // Rejected here: aliases that expand to more than a file of this size can mean.
    throw new ConfigError([
      `${variable}: ${path} can't be unfolded (${error instanceof Error ? error.message : "unknown fault"}). Write out what its aliases (\`*name\`) stand for.`,
    ]);
  }
  const faults = check(content);
  if (faults.length > 0)
    throw new ConfigError(faults.map(({ pointer, detail }) => `${path}: ${pointer || "/"}: ${detail}`));
  return content;
}
