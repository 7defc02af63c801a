import { ForbiddenError, NotFoundError, type CallOptions } from "@querent/client";
import { querent } from "../api/querent.ts";
import { shellMessages } from "../i18n/shell.ts";
import { go, to } from "./address.ts";
import type { Command } from "./commands.ts";
import { shownProject } from "./projects.ts";
import { may } from "./session.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const questionCharsMax = 120;

export const isId = (text: string): boolean => uuid.test(text);

/** The task, the batch or the delivery that has an id. */
export async function findById(id: string, call: CallOptions): Promise<readonly Command[]> {
  const { palette } = shellMessages.value;
  if (!may("tasks:read")) return [];
  const open = (path: string) => () => go(to(`${path}/${id}`));
  const found = await Promise.all([
    unlessUnknown(querent.tasks.get(id, call), ({ question }): Command => {
      const name = palette.task(question.slice(0, questionCharsMax));
      return { id: "found-task", group: "found", name, icon: "tasks", run: open("/tasks") };
    }),
    unlessUnknown(querent.batches.get(id, call), ({ firstQuestion }): Command => {
      const name = palette.batch(firstQuestion.slice(0, questionCharsMax));
      return { id: "found-batch", group: "found", name, icon: "batches", run: open("/batches") };
    }),
    unlessUnknown(querent.deliveries.get(id, call), (): Command => {
      return {
        id: "found-delivery",
        group: "found",
        name: palette.delivery(id),
        icon: "bell",
        run: open("/webhooks/deliveries"),
      };
    }),
  ]);
  return found.filter((command) => command !== null);
}

/** The most panels and brands that are looked through. */
const namedMax = 500;

/** What the account has with a name, and where each opens: panels, then brands. What the token may not read is left out. */
export async function readNamed(call: CallOptions): Promise<readonly Command[]> {
  const { palette } = shellMessages.value;
  const [panels, brands] = await Promise.all([
    firstOf(querent.panels.list({ ...call, project: shownProject() }), ({ panelId, name }): Command => {
      const open = () => go(to(`/panels/${panelId}`));
      return { id: `panel-${panelId}`, group: "found", name: palette.panel(name), icon: "repeat", run: open };
    }),
    firstOf(querent.entities.list({ project: shownProject() }, call), ({ entityId, name }): Command => {
      const open = () => go(to(may("tasks:read") ? `/brands/${entityId}/mentions` : "/brands"));
      return { id: `brand-${entityId}`, group: "found", name: palette.brand(name), icon: "tag", run: open };
    }),
  ]);
  return [...panels, ...brands];
}

async function firstOf<Value>(
  listed: AsyncIterable<Value>,
  commandOf: (value: Value) => Command,
): Promise<readonly Command[]> {
  const found: Command[] = [];
  try {
    for await (const value of listed) {
      found.push(commandOf(value));
      if (found.length === namedMax) break;
    }
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
  }
  return found;
}

async function unlessUnknown<Value>(
  reading: Promise<Value>,
  commandOf: (value: Value) => Command,
): Promise<Command | null> {
  try {
    return commandOf(await reading);
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError) return null;
    throw error;
  }
}
