import { Type } from "typebox";
import { cursor, json, operation, pageLimit, usual } from "./operation.ts";
import { PanelRunDiff } from "./run-diff.ts";
import { Closed, StorableText, Uuid } from "./scalars.ts";

/** The most answers that one diff reads, with those of reruns. */
export const diffAnswersMax = 40_000;
/** The most answers whose results one diff reads. */
export const diffResultsMax = 2_000;

const name = (description: string) => Type.Optional(StorableText({ minLength: 1, maxLength: 255, description }));

export const diffPanelRun = operation({
  id: "diffPanelRun",
  method: "GET",
  path: "/v1/panels/{panel_id}/runs/{run_id}/diff",
  tag: "Panels",
  summary: "Compare two runs of a panel",
  description: `What differs from one run to another, cell by cell: brands and which is named first, sources, cards, and on request texts and prices. The same question asked twice brings other answers anyway, so each difference says how often reruns of the cell differ as much. Up to 20 other runs are read for that, the nearest ones, and at most ${diffAnswersMax.toLocaleString("en")} answers in all. Two runs that brought the same have no changes. While a run is pending, its diff is that of the answers so far.`,
  scope: "panels:read",
  projects: "refused",
  params: Closed({ panel_id: Uuid, run_id: Uuid }),
  query: Closed({
    with: Type.Optional({ ...Uuid, description: "The run to compare with. Default: the one before." }),
    promptId: name("Only this prompt."),
    platformCode: name("Only this platform."),
    results: Type.Optional(
      Type.Enum(["true", "false"], {
        description: `\`true\`: compares texts and prices, too. They are in results, and so only there as long as these have not expired. The two runs may have at most ${diffResultsMax.toLocaleString("en")} answers together: choose a prompt or a platform if there are more. Default: \`false\`.`,
      }),
    ),
    limit: pageLimit,
    cursor,
  }),
  replies: { 200: { description: "The diff.", content: json(PanelRunDiff) } },
  problems: [...usual, "not_found"],
});
