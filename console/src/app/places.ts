import type { IconName } from "../ui/icon.tsx";
import { session } from "./session.ts";

export interface Place {
  readonly address: string;
  readonly icon: IconName;
  readonly word:
    | "overview"
    | "ask"
    | "tasks"
    | "batches"
    | "panels"
    | "brands"
    | "platforms"
    | "webhooks"
    | "usage"
    | "caps"
    | "tokens"
    | "operator";
}

const all: readonly Place[] = [
  { address: "/", icon: "overview", word: "overview" },
  { address: "/ask", icon: "add", word: "ask" },
  { address: "/tasks", icon: "tasks", word: "tasks" },
  { address: "/batches", icon: "batches", word: "batches" },
  { address: "/panels", icon: "repeat", word: "panels" },
  { address: "/brands", icon: "tag", word: "brands" },
  { address: "/platforms", icon: "platforms", word: "platforms" },
  { address: "/webhooks", icon: "bell", word: "webhooks" },
  { address: "/usage", icon: "usage", word: "usage" },
  { address: "/caps", icon: "cap", word: "caps" },
  { address: "/tokens", icon: "key", word: "tokens" },
];
const operatorPlace: Place = { address: "/operator", icon: "operator", word: "operator" };

/** The views, in the order of the navigation. */
export function places(): readonly Place[] {
  return session.value?.scopes?.includes("admin") === true ? [...all, operatorPlace] : all;
}
