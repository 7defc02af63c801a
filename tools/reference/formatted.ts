import { format } from "oxfmt";

/** Formats `text` like `npm run format`, so that they agree. SQL is not formatted. */
export async function formatted(path: string, text: string): Promise<string> {
  if (path.endsWith(".sql")) return text;
  const { code, errors } = await format(path, text, { printWidth: 120 });
  const error = errors[0];
  if (error !== undefined) throw new Error(`${path} can't be formatted: ${error.message}`);
  return code;
}
