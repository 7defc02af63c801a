const headerLinesMax = 200;

/** Headers as somebody pastes them: `Name: value`, one a line, as logs and `curl -v` write them, or a JSON object. */
export function readHeaders(text: string): Readonly<Record<string, string>> {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) {
    try {
      const value: unknown = JSON.parse(trimmed);
      if (typeof value === "object" && value !== null)
        return Object.fromEntries(Object.entries(value).map(([name, header]) => [name, String([header].flat()[0])]));
    } catch {
      // Text that is no JSON is read as lines.
    }
  }
  return Object.fromEntries(
    trimmed
      .split(/\r\n?|\n/)
      .slice(0, headerLinesMax)
      .flatMap((line) => {
        const [, name, value] = /^[\s<>*]*"?([A-Za-z0-9!#$%&'*+.^_`|~-]+)"?\s*[:=]\s*(.*?),?\s*$/.exec(line) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value.replace(/^"(.*)"$/, "$1")]];
      }),
  );
}
