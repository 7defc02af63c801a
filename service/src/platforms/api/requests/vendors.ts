/** The vendors, in the order in which their platforms are listed. */
import type { Vendor } from "./vendor.ts";
import { anthropic } from "./anthropic.ts";
import { deepseek } from "./deepseek.ts";
import { doubao } from "./doubao.ts";
import { gemini } from "./gemini.ts";
import { glm } from "./glm.ts";
import { groq } from "./groq.ts";
import { kimi } from "./kimi.ts";
import { mistral } from "./mistral.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import { openai } from "./openai.ts";
import { openrouter } from "./openrouter.ts";
import { perplexity } from "./perplexity.ts";
import { qwen } from "./qwen.ts";
import { xai } from "./xai.ts";

export const vendors: readonly Vendor[] = [
  openai,
  anthropic,
  gemini,
  perplexity,
  xai,
  mistral,
  groq,
  deepseek,
  qwen,
  kimi,
  glm,
  doubao,
  openrouter,
  openaiCompatible,
];

const byCode = new Map(vendors.map((vendor) => [vendor.code, vendor]));

export function vendorOf(code: string): Vendor {
  const vendor = byCode.get(code);
  if (vendor === undefined) throw new Error(`There is no vendor ${code}.`);
  return vendor;
}
