/** What ends a task, in the recipe language. */
import { failureCodes } from "@querent/contract";
import { Type } from "typebox";
import { Closed, Maybe, Seconds, Selectors, Text } from "./recipe-parts.ts";

export const Blockers = Type.Array(
  Closed({
    name: Text,
    visible: Maybe(Selectors),
    text: Maybe(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: "A regular expression over the visible text of the matched element, or of the page.",
      }),
    ),
    url: Maybe(
      Type.String({ minLength: 1, maxLength: 300, description: "A regular expression over the page's address." }),
    ),
    in: Maybe(
      Type.Enum(["outside", "turn", "page"], {
        description:
          "Where it looks. `outside`: outside the conversation, so that a question or an answer about an error is none. `turn`: in the assistant's turns. `page`: everywhere. `outside` where not said.",
      }),
    ),
    status: Maybe(
      Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), {
        minItems: 1,
        description: "Statuses of the entry or of the answer's response.",
      }),
    ),
    exceptStatus: Maybe(
      Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), {
        minItems: 1,
        description: "It does not apply if the answer's response has one of these statuses.",
      }),
    ),
    failure: Type.Enum([...failureCodes.filter((code) => code.startsWith("platform_"))]),
    retryable: Maybe(Type.Boolean()),
    retryAfterSeconds: Maybe(Seconds("For `platform_rate_limited`: how long the platform is left alone.", 86_400)),
    message: Maybe(Text),
  }),
  {
    maxItems: 50,
    description:
      "What ends a task: a login wall, a human check, a limit, a closed region. Every condition named must hold.",
  },
);
