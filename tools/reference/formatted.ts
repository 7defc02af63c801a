import { format } from "oxfmt";

/** `text` as `npm run format` would leave it, so that the two never disagree. SQL is not formatted. */
export async function formatted(path: string, text: string): Promise<string> {
  if (path.endsWith(".sql")) return text;
  const { code, errors } = await format(path, text, { printWidth: 120 });
  const error = errors[0];
  if (error !== undefined) throw new Error(`${path} can't be formatted: ${error.message}`);
  return code;
}
