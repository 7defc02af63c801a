/** What ends a task, and what only stands in the way. Looked for before the question, and with every look at the answer. */
import { anyVisible, firstVisible, scopes, type Drive } from "./drive-context.ts";
import type { RecipeGate } from "./recipe.ts";
import { Stopped } from "./stopped.ts";

/** Throws when a gate is closed. `status` tells that of the response that was received, if one was. */
export async function checkGates(drive: Drive, status: () => number | null = () => null): Promise<void> {
  await checkStatus(drive, status());
  const gates = drive.recipe.gates ?? [];
  const bySight = gates.filter((gate) => gate.visible !== undefined && gate.status === undefined);
  const seen = await anyVisible(
    drive,
    bySight.map(({ visible }) => visible),
    scopes(drive),
  );
  for (const gate of gates) {
    if (gate.visible !== undefined && !seen) continue;
    if (gate.status !== undefined || !(await isClosed(drive, gate, null))) continue;
    // What a status says is surer than what a banner does, and may have come in the meantime.
    await checkStatus(drive, status());
    throw closed(drive, gate, status());
  }
}

function closed(drive: Drive, gate: RecipeGate, status: number | null): Stopped {
  drive.tell({ step: "gate", detail: gate.name });
  return new Stopped(gate.failure, gate.message ?? `The page stopped at: ${gate.name}.`, {
    status,
    ...(gate.retryable === undefined ? {} : { retryable: gate.retryable }),
    ...(gate.retryAfterSeconds === undefined ? {} : { retryAfterMs: gate.retryAfterSeconds * 1000 }),
  });
}

async function isClosed(drive: Drive, gate: RecipeGate, status: number | null): Promise<boolean> {
  if (gate.status !== undefined && (status === null || !gate.status.includes(status))) return false;
  if (gate.url !== undefined && !new RegExp(gate.url, "u").test(drive.page.url())) return false;
  if (gate.visible === undefined && gate.text === undefined) return true;
  for (const scope of scopes(drive)) {
    const found = await firstVisible(drive, `gates.${gate.name}`, gate.visible ?? "body", scope);
    if (found === null) continue;
    if (gate.text === undefined) return true;
    const text = await found
      .first()
      .innerText({ timeout: 1000 })
      .catch(() => "");
    if (new RegExp(gate.text, "iu").test(text)) return true;
  }
  return false;
}

/** The recipe's gates for a status; where none of them says more, what the status means anyway. */
async function checkStatus(drive: Drive, status: number | null): Promise<void> {
  if (status === null) return;
  for (const gate of drive.recipe.gates ?? []) {
    if (gate.status !== undefined && (await isClosed(drive, gate, status))) throw closed(drive, gate, status);
  }
  if (status < 400) return;
  const [code, what] =
    status === 429
      ? (["platform_rate_limited", "asked for patience"] as const)
      : status === 401 || status === 403
        ? (["platform_auth", "refused access"] as const)
        : (["platform_unavailable", "answered with a fault"] as const);
  throw new Stopped(code, `The page's server ${what} (${status}).`, { status });
}

/** Puts aside what stands in the way. True when there was something. */
export async function dismiss(drive: Drive): Promise<boolean> {
  const rules = drive.recipe.dismiss ?? [];
  if (
    !(await anyVisible(
      drive,
      rules.flatMap(({ visible, click }) => [visible, click]),
      scopes(drive),
    ))
  )
    return false;
  let dismissed = false;
  const around = scopes(drive).flatMap((scope) =>
    [...rules.entries()].map(([index, rule]) => ({ scope, index, rule })),
  );
  for (const { scope, index, rule } of around) {
    const name = `dismiss.${index}`;
    if (rule.visible !== undefined && (await firstVisible(drive, `${name}.visible`, rule.visible, scope)) === null)
      continue;
    if (rule.click !== undefined) {
      const button = await firstVisible(drive, `${name}.click`, rule.click, scope);
      if (button === null) continue;
      // It may go by itself at this very moment.
      await button
        .first()
        .click({ timeout: 2000 })
        .catch(() => undefined);
      dismissed = true;
    }
    if (rule.press !== undefined && rule.visible !== undefined) {
      await drive.page.keyboard.press(rule.press);
      dismissed = true;
    }
  }
  return dismissed;
}
