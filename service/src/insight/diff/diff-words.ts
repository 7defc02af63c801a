import type { RunCellChange } from "@querent/contract";
import { diffArrays } from "diff";

type Words = NonNullable<NonNullable<RunCellChange["text"]>["words"]>;

/** Both bound the time for texts that have little in common. */
const editsMax = 4_000;
const timeoutMs = 50;

/** Two texts, word by word. Null: too little in common. */
export function diffWords(before: string, after: string): Words | null {
  const parts = diffArrays(tokensOf(before), tokensOf(after), { maxEditLength: editsMax, timeout: timeoutMs });
  return (
    parts?.map(({ value, added, removed }) => ({
      change: added ? "added" : removed ? "removed" : "same",
      text: value.join(""),
    })) ?? null
  );
}

/** Words, spaces and other characters. Scripts without spaces between words are taken character by character. */
const tokensOf = (text: string) => text.match(token) ?? [];
const token =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}]+|\s+|[^]/gu;
