import { Type, type Static } from "typebox";
import { Closed, OptionalOrNull } from "./scalars.ts";

/** The longest question, in characters (code points) after trimming. */
export const questionLengthMax = 10_000;

export const outputs = ["answer", "screenshot", "share_link"] as const;
export const resultFormats = ["json", "html", "all"] as const;
export type Output = (typeof outputs)[number];
export type ResultFormat = (typeof resultFormats)[number];

// Defaults stand in the descriptions: generators of clients take a member with the keyword `default` for one that is always there.
const deepAnalysis = Type.Boolean({ description: "Ask for deeper analysis. False when left out." });
const output = Type.Enum([...outputs], {
  description:
    "`answer` (when left out): the standard answer. `screenshot`: the answer and a screenshot. `share_link`: the answer and a public address of it. Web-type platforms always return `answer` here.",
});
const resultFormat = Type.Enum([...resultFormats], {
  description:
    "For web-type platforms. `json` (when left out): structured answer. `html`: web page content. `all`: both. Other platforms always give the structured answer.",
});

/** Options as submitted (interface 2.1). They may be left out, each of them and all. */
export const SubmittedOptions = Closed({
  deepAnalysis: OptionalOrNull(deepAnalysis),
  output: OptionalOrNull(output),
  resultFormat: OptionalOrNull(resultFormat),
});

/** Options as echoed: complete, with defaults filled in. */
export const TaskOptions = Type.Object({ deepAnalysis, output, resultFormat });
export type TaskOptions = Static<typeof TaskOptions>;
