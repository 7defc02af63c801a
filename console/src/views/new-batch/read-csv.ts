/** Rows of CSV as RFC 4180 writes it: commas, quotes doubled within quotes, lines that end in LF or CRLF. A file of a spreadsheet may use `;` or tabs. */
export function readCsv(text: string): string[][] {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const separator = separatorOf(source.slice(0, source.indexOf("\n") >>> 0));
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < source.length) {
    const { value, end } = source[at] === '"' ? quotedField(source, at) : bareField(source, at, separator);
    row.push(value);
    at = end;
    if (source[at] === separator) {
      at++;
      // A separator at the very end has an empty field after it.
      if (at === source.length) row.push("");
      continue;
    }
    if (source[at] === "\r") at++;
    if (source[at] === "\n") at++;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows.filter((fields) => fields.some((field) => field.trim() !== ""));
}

function separatorOf(head: string): string {
  const count = (sign: string) => head.split(sign).length;
  return [",", ";", "\t"].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

interface Field {
  readonly value: string;
  readonly end: number;
}

function quotedField(text: string, start: number): Field {
  let value = "";
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    at = quote + 2;
  }
}

function bareField(text: string, start: number, separator: string): Field {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end++;
  return { value: text.slice(start, end), end };
}
