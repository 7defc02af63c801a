/** Passwords: how they are stored, and which are refused. */
import { hash, verify, type Algorithm } from "@node-rs/argon2";
import { passwordLengthMin, type ProblemItem } from "@querent/contract";
import pLimit from "p-limit";
import { ProblemError } from "./problem-error.ts";

/** Argon2id with the first parameters that OWASP recommends for 19 MiB. The package declares its algorithms as a constant enum. */
const parameters = { algorithm: 2 as Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes take a core and 19 MiB each, in threads that other work of the process needs, too. */
const limit = pLimit(2);
const waitingMax = 40;

async function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  if (limit.pendingCount >= waitingMax)
    throw new ProblemError("unavailable", "Too many passwords are checked at once. Try again in a moment.", {
      headers: { "retry-after": "5" },
    });
  return limit(work);
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(normal(password), parameters));

/** The hash of no password, which takes as long to compare as any other. */
let ofNobody: Promise<string> | undefined;

/** Whether it is the password. Takes as long for a person who does not exist, or has none: `stored` is null. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  ofNobody ??= hash("nobody has this password", parameters);
  const compared = stored ?? (await ofNobody);
  const isEqual = await inTurn(() => verify(compared, normal(password)));
  return isEqual && stored !== null;
}

/** One password has several forms in Unicode, and keyboards differ in which they produce. */
const normal = (password: string) => password.normalize("NFC");

/** Below this estimate of guesses, as a power of ten, an attacker without a limit of tries finds the password soon. */
const guessesLog10Min = 8;

/**
 * Refuses a new password that is too short, or that is guessed easily: because it stands in the list of passwords known from breaches,
 * or is made of such, of keys in a row, of dates, or of what is known of the person.
 */
export async function requireGoodPassword(pointer: string, password: string, known: readonly string[]): Promise<void> {
  if ([...password].length < passwordLengthMin)
    throw refused({ pointer, code: "too_short", detail: `It has fewer than ${passwordLengthMin} characters.` });
  const { check } = await estimator();
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length > 2);
  if (check(normal(password), [...words, "querent"]).guessesLog10 < guessesLog10Min)
    throw refused({
      pointer,
      code: "not_allowed",
      detail: "It is guessed too easily, or known from a breach. Take a longer one, such as four random words.",
    });
}

const refused = (error: ProblemItem) =>
  new ProblemError("validation_failed", "The password is refused.", { errors: [error] });

let loading: Promise<{ check: (password: string, known: string[]) => { guessesLog10: number } }> | undefined;

/** Loaded for the first new password: its lists take a tenth of a second. */
function estimator() {
  loading ??= Promise.all([import("@zxcvbn-ts/core"), import("@zxcvbn-ts/language-common")]).then(
    ([{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }]) => {
      const estimates = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
      return { check: (password, known) => estimates.check(password, known) };
    },
  );
  return loading;
}
