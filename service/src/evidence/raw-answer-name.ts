/** The name of the file with the platform's original bytes in the evidence. */
export function rawAnswerName(mediaType: string): string {
  const type = (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase();
  return `raw-answer.${endings[type] ?? (type.endsWith("+json") ? "json" : "bin")}`;
}

const endings: Readonly<Record<string, string>> = {
  "application/json": "json",
  "text/html": "html",
  "text/plain": "txt",
  "text/markdown": "md",
};
