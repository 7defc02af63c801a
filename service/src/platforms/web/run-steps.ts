import type { Locator } from "playwright-core";
import { firstPresent, firstVisible, scopes, waitFor, type Drive } from "./drive-context.ts";
import type { RecipeStep } from "./recipe-parts.ts";
import { Stopped } from "./stopped.ts";

/** Performs steps in order. Elements to click are searched in `near` first, then on the page. False: a required step failed. */
export async function runSteps(
  drive: Drive,
  name: string,
  steps: readonly RecipeStep[] | undefined,
  near: Locator | null = null,
): Promise<boolean> {
  for (const [index, step] of (steps ?? []).entries()) {
    const done = await runStep(drive, `${name}.${index}`, step, near);
    if (!done && step.optional !== true) return false;
  }
  return true;
}

/** The same, for steps that are required to ask the question. */
export async function requireSteps(
  drive: Drive,
  name: string,
  steps: readonly RecipeStep[] | undefined,
): Promise<void> {
  if (await runSteps(drive, name, steps)) return;
  throw new Stopped("platform_bad_response", `The page did not have what the recipe's ${name} names.`, {
    lacking: name,
  });
}

/**
 * An element that was found exists: however short the time to find it, clicking it may take as long as a busy machine needs.
 * With one second for both, sources stayed collapsed on a machine with twenty times its capacity of work.
 */
const actMsMin = 10_000;

async function runStep(drive: Drive, name: string, step: RecipeStep, near: Locator | null): Promise<boolean> {
  const timeoutMs = (step.timeoutSeconds ?? 5) * 1000;
  if (step.if !== undefined && (await anywhere(drive, `${name}.if`, step.if, firstPresent)) === null) return true;
  if (step.unless !== undefined && (await anywhere(drive, `${name}.unless`, step.unless, firstPresent)) !== null)
    return true;
  for (const [kind, list] of [
    ["hover", step.hover],
    ["click", step.click],
  ] as const) {
    if (list === undefined) continue;
    const target = await waitFor(drive, timeoutMs, async () => {
      const close = near === null ? null : await firstVisible(drive, `${name}.${kind}`, list, near);
      return close ?? (await anywhere(drive, `${name}.${kind}`, list, firstVisible));
    });
    if (target === null) return false;
    try {
      await target.last()[kind]({ timeout: Math.max(timeoutMs, actMsMin) });
    } catch {
      return false;
    }
  }
  if (step.press !== undefined) await drive.page.keyboard.press(step.press);
  if (step.waitFor !== undefined) {
    const list = step.waitFor;
    return (await waitFor(drive, timeoutMs, () => anywhere(drive, `${name}.waitFor`, list, firstVisible))) !== null;
  }
  return true;
}

/** In the assistant's frame, or on the page around it. */
async function anywhere(
  drive: Drive,
  name: string,
  list: string | readonly string[],
  find: typeof firstVisible,
): Promise<Locator | null> {
  for (const scope of scopes(drive)) {
    const found = await find(drive, name, list, scope);
    if (found !== null) return found;
  }
  return null;
}
