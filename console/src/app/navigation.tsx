import { useEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "../ui/icon.tsx";
import { shellWords } from "../words/shell.ts";
import { path, to } from "./address.ts";
import { session } from "./session.ts";

interface Place {
  readonly address: string;
  readonly icon: IconName;
  readonly word: "overview" | "ask" | "tasks" | "batches" | "platforms" | "webhooks" | "usage" | "tokens" | "operator";
}

/** Where one can go, in the order in which it is offered. */
const places: readonly Place[] = [
  { address: "/", icon: "overview", word: "overview" },
  { address: "/ask", icon: "add", word: "ask" },
  { address: "/tasks", icon: "tasks", word: "tasks" },
  { address: "/batches", icon: "batches", word: "batches" },
  { address: "/platforms", icon: "platforms", word: "platforms" },
  { address: "/webhooks", icon: "bell", word: "webhooks" },
  { address: "/usage", icon: "usage", word: "usage" },
  { address: "/tokens", icon: "key", word: "tokens" },
];
const operatorPlace: Place = { address: "/operator", icon: "operator", word: "operator" };

export function Navigation() {
  const t = shellWords.value.navigation;
  const list = useRef<HTMLUListElement>(null);
  // On a narrow window the list is wider than its place.
  useEffect(
    () => list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    [path.value],
  );
  const isOperator = session.value?.scopes?.includes("admin") === true;
  return (
    <ul ref={list} class="side-links">
      {[...places, ...(isOperator ? [operatorPlace] : [])].map(({ address, icon, word }) => (
        <li key={address}>
          <a href={to(address)} aria-current={isAt(address) ? "page" : undefined}>
            <Icon name={icon} />
            {t[word]}
          </a>
        </li>
      ))}
    </ul>
  );
}

const isAt = (address: string) => path.value === address || (address !== "/" && path.value.startsWith(`${address}/`));
