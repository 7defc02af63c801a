import { NotFoundError, QuerentError, type SignIn, type SignInEvent } from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";

interface LiveSignIn {
  readonly seen: SignIn;
  readonly ended: boolean;
  readonly failed: QuerentError | null;
  readonly send: (event: SignInEvent) => void;
}

/** Between two pictures. */
const pauseMs = 50;
const eventsMax = 64;
/** The time after which a request is given up: more than the service lets one wait. */
const timeoutMs = 30_000;

/** Reads the pictures of a sign-in and sends input, in order, until it ends or the page is left. */
export function useSignIn(started: SignIn): LiveSignIn {
  const [seen, setSeen] = useState(started);
  const [ended, setEnded] = useState(false);
  const [failed, setFailed] = useState<QuerentError | null>(null);
  const queue = useRef<SignInEvent[]>([]);
  const isSending = useRef(false);
  const { signInId } = started;

  const fail = (error: unknown) => {
    if (!(error instanceof QuerentError)) throw error;
    if (error instanceof NotFoundError) setEnded(true);
    else setFailed(error);
  };
  const flush = async () => {
    if (isSending.current) return;
    isSending.current = true;
    try {
      while (queue.current.length > 0)
        await querent.sessions.sendInput(signInId, queue.current.splice(0, eventsMax), { maxRetries: 0 });
    } catch (error) {
      queue.current = [];
      fail(error);
    } finally {
      isSending.current = false;
    }
  };
  const send = (event: SignInEvent) => {
    // The last of several moves that wait is enough.
    if (event.type === "move" && queue.current.at(-1)?.type === "move") queue.current.pop();
    queue.current.push(event);
    void flush();
  };

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const look = async () => {
      let after = started.version;
      while (!signal.aborted) {
        const next = await querent.sessions.readSignIn(signInId, after, { signal, timeoutMs });
        after = next.version;
        setSeen(next);
        setFailed(null);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    };
    look().catch((error: unknown) => {
      if (!signal.aborted) fail(error);
    });
    return () => {
      leaving.abort();
      // It may have been saved, or ended by itself.
      querent.sessions.cancelSignIn(signInId, { maxRetries: 0 }).catch(() => undefined);
    };
  }, [signInId]);

  return { seen, ended, failed, send };
}
