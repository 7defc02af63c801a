export type ShareText = (text: string) => string;

/** The first of equal texts, so that memory holds one of them. */
export function sharedTexts(): ShareText {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    known.set(text, text);
    return text;
  };
}
