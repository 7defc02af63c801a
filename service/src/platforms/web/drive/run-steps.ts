import type { Locator } from "playwright-core";
import { firstPresent, firstShown, firstVisible, scopes, waitFor, type Drive } from "../page/drive-context.ts";
import type { RecipeStep } from "../recipe/recipe.ts";
import { Stopped } from "../recipe/stopped.ts";

interface StepsRun {
  /** False: a required step failed. */
  readonly ok: boolean;
  /** Whether anything was done. */
  readonly acted: boolean;
}

/** How steps are performed: elements to click are searched in `near` first, then on the page. */
interface Manner {
  readonly near?: Locator | null;
  /** How long an optional step waits for its element if it does not say. */
  readonly optionalSeconds?: number;
}

/** Performs steps in order. */
export async function runSteps(
  drive: Drive,
  name: string,
  steps: readonly RecipeStep[] | undefined,
  manner: Manner = {},
): Promise<StepsRun> {
  let acted = false;
  for (const [index, step] of (steps ?? []).entries()) {
    const result = await runStep(drive, `${name}.${index}`, step, manner);
    if (result === "done") acted = true;
    if (result === "failed" && step.optional !== true) return { ok: false, acted };
  }
  return { ok: true, acted };
}

/** The same, for steps that are required to ask the question. Returns whether anything was done. */
export async function requireSteps(
  drive: Drive,
  name: string,
  steps: readonly RecipeStep[] | undefined,
): Promise<boolean> {
  const { ok, acted } = await runSteps(drive, name, steps);
  if (ok) return acted;
  throw new Stopped("platform_bad_response", `The page did not have what the recipe's ${name} names.`, {
    lacking: name,
  });
}

/**
 * An element that was found exists: however short the time to find it, clicking it may take as long as a busy machine needs.
 * With one second for both, sources stayed collapsed on a machine with twenty times its capacity of work.
 */
const actMsMin = 10_000;

async function runStep(
  drive: Drive,
  name: string,
  step: RecipeStep,
  { near = null, optionalSeconds = 5 }: Manner,
): Promise<"done" | "skipped" | "failed"> {
  const timeoutMs = (step.timeoutSeconds ?? (step.optional === true ? optionalSeconds : 5)) * 1000;
  if (step.if !== undefined && (await anywhere(drive, `${name}.if`, step.if, firstPresent)) === null) return "skipped";
  if (step.unless !== undefined && (await anywhere(drive, `${name}.unless`, step.unless, firstPresent)) !== null)
    return "skipped";
  for (const [kind, list] of [
    ["hover", step.hover],
    ["click", step.click],
  ] as const) {
    if (list === undefined) continue;
    const target = await waitFor(drive, timeoutMs, async () => {
      const close = near === null ? null : await firstVisible(drive, `${name}.${kind}`, list, near);
      return close ?? (await anywhere(drive, `${name}.${kind}`, list, firstVisible));
    });
    if (target === null) return "failed";
    try {
      await (
        await oneOf(drive, `${name}.${kind}`, target, step.which)
      )[kind]({
        timeout: Math.max(timeoutMs, actMsMin),
      });
    } catch {
      return "failed";
    }
  }
  if (step.press !== undefined) await drive.page.keyboard.press(step.press);
  if (step.waitFor !== undefined) {
    const list = step.waitFor;
    const shown = await waitFor(drive, timeoutMs, () => anywhere(drive, `${name}.waitFor`, list, firstShown));
    return shown === null ? "failed" : "done";
  }
  return "done";
}

/** The element that a step names. Says so if several match and the step does not tell which. */
async function oneOf(drive: Drive, name: string, found: Locator, which: RecipeStep["which"]): Promise<Locator> {
  if (which === "first") return found.first();
  if (typeof which === "number") return found.nth(which - 1);
  // As many as when it was found first; most lists match once, always.
  const known = drive.matched.get(name)?.count ?? 1;
  const count = which === undefined && known > 1 ? await found.count() : 1;
  if (count > 1)
    drive.tell({ step: name, detail: `${count} elements match, the last one is used; tell which one with \`which\`` });
  return found.last();
}

/** In the assistant's frame, or on the page around it. */
async function anywhere(
  drive: Drive,
  name: string,
  list: string | readonly string[],
  find: typeof firstPresent,
): Promise<Locator | null> {
  for (const scope of scopes(drive)) {
    const found = await find(drive, name, list, scope);
    if (found !== null) return found;
  }
  return null;
}
