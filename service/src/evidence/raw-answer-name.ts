/** The name of the platform's own bytes among the files of evidence. */
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
