/** What ends a task, and what only covers the page. Checked before the question is sent, and each time the answer is read. */
import { anyVisible, firstVisible, scopes, type Drive } from "./drive-context.ts";
import type { RecipeBlocker } from "./recipe.ts";
import { Stopped } from "./stopped.ts";

/** Throws if a blocker applies. `status` returns the status of the response, if one was received. */
export async function checkBlockers(drive: Drive, status: () => number | null = () => null): Promise<void> {
  await checkStatus(drive, status());
  const blockers = drive.recipe.blockers ?? [];
  const bySight = blockers.filter((blocker) => blocker.visible !== undefined && blocker.status === undefined);
  const seen = await anyVisible(
    drive,
    bySight.map(({ visible }) => visible),
    scopes(drive),
  );
  for (const blocker of blockers) {
    if (blocker.visible !== undefined && !seen) continue;
    if (blocker.status !== undefined || !(await applies(drive, blocker, null))) continue;
    // A status is more reliable than a banner, and may have been received in the meantime.
    await checkStatus(drive, status());
    throw stoppedBy(drive, blocker, status());
  }
}

function stoppedBy(drive: Drive, blocker: RecipeBlocker, status: number | null): Stopped {
  drive.tell({ step: "blocker", detail: blocker.name });
  return new Stopped(blocker.failure, blocker.message ?? `The page stopped at: ${blocker.name}.`, {
    status,
    ...(blocker.retryable === undefined ? {} : { retryable: blocker.retryable }),
    ...(blocker.retryAfterSeconds === undefined ? {} : { retryAfterMs: blocker.retryAfterSeconds * 1000 }),
  });
}

async function applies(drive: Drive, blocker: RecipeBlocker, status: number | null): Promise<boolean> {
  if (blocker.status !== undefined && (status === null || !blocker.status.includes(status))) return false;
  if (blocker.url !== undefined && !new RegExp(blocker.url, "u").test(drive.page.url())) return false;
  if (blocker.visible === undefined && blocker.text === undefined) return true;
  for (const scope of scopes(drive)) {
    const found = await firstVisible(drive, `blockers.${blocker.name}`, blocker.visible ?? "body", scope);
    if (found === null) continue;
    if (blocker.text === undefined) return true;
    const text = await found
      .first()
      .innerText({ timeout: 1000 })
      .catch(() => "");
    if (new RegExp(blocker.text, "iu").test(text)) return true;
  }
  return false;
}

/** The blockers that name the status; otherwise what the status means by itself. */
async function checkStatus(drive: Drive, status: number | null): Promise<void> {
  if (status === null) return;
  for (const blocker of drive.recipe.blockers ?? []) {
    if (blocker.status !== undefined && (await applies(drive, blocker, status)))
      throw stoppedBy(drive, blocker, status);
  }
  if (status < 400) return;
  const [code, what] =
    status === 429
      ? (["platform_rate_limited", "limits requests"] as const)
      : status === 401 || status === 403
        ? (["platform_auth", "refused access"] as const)
        : (["platform_unavailable", "failed"] as const);
  throw new Stopped(code, `The page's server ${what} (${status}).`, { status });
}

/** Closes what covers the page. True if there was something. */
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
      // It may be closing by itself at this moment.
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
