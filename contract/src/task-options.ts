import { Type, type Static } from "typebox";
import { returnedAskedAs, submittedAskedAs } from "./asked-as.ts";
import { Closed, OptionalOrNull } from "./scalars.ts";

/** The longest question, in characters (code points) after trimming. */
export const questionLengthMax = 10_000;

export const outputs = ["answer", "screenshot", "share_link"] as const;
export const resultFormats = ["json", "html", "all"] as const;
export type Output = (typeof outputs)[number];
export type ResultFormat = (typeof resultFormats)[number];

// Defaults are given in the descriptions, because client generators treat a member with the keyword `default` as always present.
const deepAnalysis = Type.Boolean({ description: "Requests a deeper analysis. Default: false." });
const output = Type.Enum([...outputs], {
  description:
    "`answer` (default): the standard answer. `screenshot`: the answer and a screenshot. `share_link`: the answer and a public URL of it. Web platforms always return `answer` here.",
});
const resultFormat = Type.Enum([...resultFormats], {
  description:
    "For web platforms. `json` (default): the structured answer. `html`: the content of the web page. `all`: both. Other platforms always return the structured answer.",
});

/** Options as submitted. All are optional. */
export const SubmittedOptions = Closed({
  deepAnalysis: OptionalOrNull(deepAnalysis),
  output: OptionalOrNull(output),
  resultFormat: OptionalOrNull(resultFormat),
  ...submittedAskedAs,
});
export type SubmittedOptions = Static<typeof SubmittedOptions>;

/** Options as returned: complete, with defaults filled in, and in canonical form. */
export const TaskOptions = Type.Object({ deepAnalysis, output, resultFormat, ...returnedAskedAs });
export type TaskOptions = Static<typeof TaskOptions>;
