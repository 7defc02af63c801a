import { PanelChanges } from "./change.ts";
import { json, operation, usual } from "./operation.ts";
import { Closed, Uuid } from "./scalars.ts";
import { ofPanel } from "./tool-arguments.ts";

export const getChanges = operation({
  id: "getChanges",
  method: "GET",
  path: "/v1/panels/{panel_id}/changes",
  tag: "Figures",
  summary: "See what has changed",
  description:
    "The verdict on each series of a panel as of its last run, and the changes that were found. A series is one measure of one entity or site on one platform, kind of platform, locale and persona: presence, mention share, listed and citation rate of own entities, presence of competitors, and the citation rate of the sites that most answers cite (at least 30 answers and 2 % of them; at most 20 sites), of own entities excepted. Verdicts may be looked at after every run: in at most 5 % of panels in which nothing changes, a change is ever announced within four weeks. A change of the instrument, such as of the model's version, is no change of a figure. Each change is announced once, as `panel.change.detected` or `panel.instrument.changed`.",
  scope: "reports:read",
  params: Closed({ panel_id: Uuid }),
  replies: { 200: { description: "The verdicts.", content: json(PanelChanges) } },
  problems: [...usual, "not_found"],
  tool: {
    name: "changes",
    title: "Changes of a panel",
    description:
      "Says what has changed in a panel's answers, and what cannot be told from chance. A change of the instrument, such as of a model's version, is no change of a brand.",
    arguments: { panelId: ofPanel.panelId },
  },
});
