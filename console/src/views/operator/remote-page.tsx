import type { SignIn, SignInEvent } from "@querent/client";
import { useEffect, useRef } from "preact/hooks";
import { sessionMessages } from "../../i18n/sessions.ts";
import * as css from "./remote-page.module.css";

interface RemotePageProps {
  readonly seen: SignIn;
  readonly send: (event: SignInEvent) => void;
  /** The person wants to leave the picture by keyboard. */
  readonly leave: () => void;
}

const keys = new Set([
  ...["Enter", "Tab", "Backspace", "Delete", "Escape", "Home", "End", "PageUp", "PageDown"],
  ...["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"],
]);

const textCharsMax = 4000;

/** The picture of a page in a browser of the service. Mouse, wheel, keys and pasted text go to that page. */
export function RemotePage({ seen: { picture }, send, leave }: RemotePageProps) {
  const t = sessionMessages.value;
  const image = useRef<HTMLImageElement>(null);
  const clicks = useRef({ at: 0, x: 0, y: 0, count: 1 });

  const placeOf = (event: MouseEvent) => {
    const box = image.current?.getBoundingClientRect();
    if (box === undefined || picture === null) return null;
    const x = ((event.clientX - box.left) / box.width) * picture.width;
    const y = ((event.clientY - box.top) / box.height) * picture.height;
    return { x: within(x, picture.width), y: within(y, picture.height) };
  };
  const pointer = (type: "move" | "press" | "release") => (event: PointerEvent) => {
    const place = placeOf(event);
    if (place === null || (type !== "move" && event.button !== 0)) return;
    if (type === "press") image.current?.setPointerCapture(event.pointerId);
    send(
      type === "move"
        ? { type, ...place }
        : { type, ...place, clicks: type === "press" ? countClick(clicks.current, place) : clicks.current.count },
    );
  };
  // A listener of the framework could not keep the page around the picture from scrolling.
  useEffect(() => {
    const target = image.current;
    const onWheel = (event: WheelEvent) => {
      const place = placeOf(event);
      if (place === null) return;
      event.preventDefault();
      send({ type: "wheel", ...place, deltaX: bounded(event.deltaX), deltaY: bounded(event.deltaY) });
    };
    target?.addEventListener("wheel", onWheel, { passive: false });
    return () => target?.removeEventListener("wheel", onWheel);
  });

  const press = (event: KeyboardEvent) => {
    if (event.key === "F6") {
      leave();
    } else {
      const sent = eventOf(event);
      if (sent === null) return;
      send(sent);
    }
    event.preventDefault();
  };
  return (
    <div
      class={css.screen}
      role="application"
      aria-label={t.picture}
      aria-describedby="picture-hint"
      tabIndex={0}
      onKeyDown={press}
      onPaste={(event) => paste(event, send)}
      data-remote-page
    >
      {picture === null ? (
        <p class="quiet">{t.opening}</p>
      ) : (
        <img
          ref={image}
          class={css.picture}
          alt=""
          draggable={false}
          width={picture.width}
          height={picture.height}
          src={`data:image/jpeg;base64,${picture.jpeg}`}
          onPointerMove={pointer("move")}
          onPointerDown={pointer("press")}
          onPointerUp={pointer("release")}
        />
      )}
    </div>
  );
}

function paste(event: ClipboardEvent, send: RemotePageProps["send"]): void {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  event.preventDefault();
  for (let from = 0; from < text.length; from += textCharsMax)
    send({ type: "text", text: text.slice(from, from + textCharsMax) });
}

/** What a key means to the page; null: it stays with the console, as the shortcuts of the browser do. */
function eventOf({ key, shiftKey: shift, ctrlKey, metaKey, altKey }: KeyboardEvent): SignInEvent | null {
  const control = ctrlKey || metaKey;
  if (keys.has(key)) return { type: "key", key, shift, control };
  if (control && !altKey) return /^[az]$/i.test(key) ? { type: "key", key: key.toLowerCase(), shift, control } : null;
  return [...key].length === 1 ? { type: "text", text: key } : null;
}

const doubleClickMs = 500;

function countClick(last: { at: number; x: number; y: number; count: number }, { x, y }: { x: number; y: number }) {
  const at = performance.now();
  const isSame = at - last.at < doubleClickMs && Math.hypot(x - last.x, y - last.y) < 5;
  const count = isSame ? Math.min(3, last.count + 1) : 1;
  Object.assign(last, { at, x, y, count });
  return count;
}

const within = (value: number, max: number) => Math.round(Math.min(max, Math.max(0, value)));
const bounded = (value: number) => Math.min(10_000, Math.max(-10_000, value));
