/** Passkeys in the browser: what it is asked for, and what it answers, as the platform reads and writes them in JSON. */
import {
  QuerentError,
  type LoginState,
  type NewPasskey,
  type PasskeyAnswer,
  type PasskeyOptions,
  type SignInWays,
} from "@querent/client";
import { clientFor } from "../api/querent.ts";
import { signInMessages } from "../i18n/sign-in.ts";
import { browserName } from "../ui/browser-name.ts";
import { FailureNote } from "../ui/failure-note.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import * as css from "./sign-in.module.css";

type Options = PasskeyOptions["options"];

/** Whether passkeys work in this browser. Those that can't read and write JSON are of 2024 or before. */
const isSupported = () =>
  typeof PublicKeyCredential !== "undefined" &&
  "parseCreationOptionsFromJSON" in PublicKeyCredential &&
  "toJSON" in PublicKeyCredential.prototype;

/** Whether the service offers passkeys where this page is, and the browser has them. */
export const offersPasskeys = (ways: SignInWays | null): boolean => ways?.passkeys === true && isSupported();

/** The browser has no passkey to answer with, or the person did not want to. No page learns which. */
type Unanswered = "not made" | "not answered" | "there already";

class NoAnswer extends Error {
  readonly why: Unanswered;
  constructor(why: Unanswered, cause: unknown) {
    super(why, { cause });
    this.why = why;
  }
}

/** Asks the browser to make a passkey. */
export async function makePasskey(options: Options): Promise<NewPasskey> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
  const made = await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    const isThere = error instanceof DOMException && error.name === "InvalidStateError";
    throw new NoAnswer(isThere ? "there already" : "not made", error);
  });
  const { id, response } = written(made, "not made");
  return {
    credentialId: id,
    clientData: response["clientDataJSON"] ?? "",
    attestation: response["attestationObject"] ?? "",
    transports: transportsOf(made),
    name: browserName(navigator.userAgent),
  };
}

/** Asks the browser for the answer of a passkey that it has for this host. */
export async function askPasskey(options: Options): Promise<PasskeyAnswer> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
  const answer = await navigator.credentials.get({ publicKey }).catch((error: unknown) => {
    throw new NoAnswer("not answered", error);
  });
  const { id, response } = written(answer, "not answered");
  return {
    credentialId: id,
    clientData: response["clientDataJSON"] ?? "",
    authenticatorData: response["authenticatorData"] ?? "",
    signature: response["signature"] ?? "",
    userHandle: response["userHandle"] ?? null,
  };
}

function written(credential: Credential | null, why: Unanswered) {
  if (!(credential instanceof PublicKeyCredential)) throw new NoAnswer(why, null);
  return credential.toJSON() as unknown as { id: string; response: Readonly<Record<string, string | undefined>> };
}

/** At most ten words of the protocol; those of a later version are longer or others, and left out. */
function transportsOf(made: Credential | null): string[] {
  const response = made instanceof PublicKeyCredential ? made.response : null;
  const named = response instanceof AuthenticatorAttestationResponse ? response.getTransports() : [];
  return named.filter((each) => /^[a-z-]{1,20}$/.test(each)).slice(0, 10);
}

const client = clientFor("");

/** Signs in with a passkey. With the token of an invitation, that is accepted. */
export async function signInWithPasskey(link: string | null = null): Promise<LoginState> {
  const options = await client.login.beginPasskeySignIn(link, { maxRetries: 0 });
  return client.login.signInWithPasskey(await askPasskey(options), { maxRetries: 0 });
}

/** An attempt that also asks the browser. */
export const usePasskeyAttempt = () => useAttempt((error) => (error instanceof NoAnswer ? error.why : null));

export function PasskeyFailure({ failed }: { failed: QuerentError | Unanswered | null }) {
  const t = signInMessages.value.passkey;
  if (failed === null) return null;
  if (failed instanceof QuerentError && failed.problem?.code !== "passkey_refused")
    return <FailureNote failed={failed} />;
  return (
    <p class="note note-bad" role="alert">
      {failed instanceof QuerentError ? failed.problem?.detail : t.unanswered[failed]}
    </p>
  );
}

interface PasskeySignInProps {
  readonly ways: SignInWays | null;
  readonly link?: string | null;
  readonly word?: string;
  readonly signedIn: (login: LoginState) => void;
}

/** The button that signs in with a passkey or, where none work, the address where they do. */
export function PasskeySignIn({ ways, link = null, word, signedIn }: PasskeySignInProps) {
  const t = signInMessages.value.passkey;
  const { busy, failed, run } = usePasskeyAttempt();
  if (!offersPasskeys(ways)) return <PasskeyPlace ways={ways} />;
  return (
    <div class={css.signInForm}>
      <button
        type="button"
        class="button wide"
        aria-disabled={busy}
        onClick={() => run(async () => signedIn(await signInWithPasskey(link)))}
      >
        {word ?? t.signIn}
      </button>
      <PasskeyFailure failed={failed} />
    </div>
  );
}

/** Where passkeys work, if they don't here. */
export function PasskeyPlace({ ways }: { ways: SignInWays | null }) {
  const t = signInMessages.value.passkey;
  const address = ways?.passkeyAddress ?? null;
  if (address === null) return null;
  return (
    <p class="quiet small">
      {t.elsewhere}{" "}
      <a class="link" href={address}>
        {address}
      </a>
    </p>
  );
}
