import type { IconName } from "../ui/icon.tsx";
import type { Scope } from "@querent/client";
import { isLimited, mayManageProjects } from "./projects.ts";
import { may, session } from "./session.ts";

export interface Place {
  readonly address: string;
  readonly icon: IconName;
  /** A person whose role lacks this scope is not shown the place. */
  readonly scope?: Scope;
  /** Of the whole account: a person who is limited to projects is not shown the place. */
  readonly whole?: true;
  readonly word:
    | "overview"
    | "ask"
    | "tasks"
    | "batches"
    | "panels"
    | "projects"
    | "brands"
    | "alerts"
    | "platforms"
    | "webhooks"
    | "usage"
    | "caps"
    | "tokens"
    | "members"
    | "audit"
    | "profile"
    | "operator";
}

const all: readonly Place[] = [
  { address: "/", icon: "overview", word: "overview" },
  { address: "/ask", icon: "add", word: "ask", scope: "tasks:write" },
  { address: "/tasks", icon: "tasks", word: "tasks", scope: "tasks:read" },
  { address: "/batches", icon: "batches", word: "batches", scope: "tasks:read", whole: true },
  { address: "/panels", icon: "repeat", word: "panels" },
  { address: "/brands", icon: "tag", word: "brands" },
  { address: "/alerts", icon: "alert", word: "alerts", scope: "tasks:read", whole: true },
  { address: "/platforms", icon: "platforms", word: "platforms", scope: "tasks:read" },
  { address: "/webhooks", icon: "bell", word: "webhooks", scope: "webhook:manage" },
  { address: "/usage", icon: "usage", word: "usage", scope: "usage:read" },
  { address: "/caps", icon: "cap", word: "caps", scope: "usage:read" },
  { address: "/tokens", icon: "key", word: "tokens", scope: "usage:read" },
];
const projectsPlace: Place = { address: "/projects", icon: "folder", word: "projects" };
const membersPlace: Place = { address: "/members", icon: "people", word: "members" };
const auditPlace: Place = { address: "/audit", icon: "clock", word: "audit" };
const profilePlace: Place = { address: "/profile", icon: "person", word: "profile" };
const operatorPlace: Place = { address: "/operator", icon: "operator", word: "operator" };

/** The views, in the order of the navigation. */
export function places(): readonly Place[] {
  const { login = null, scopes } = session.value ?? {};
  return [
    ...(login === null
      ? all
      : all.filter(({ scope, whole }) => (scope === undefined || may(scope)) && !(whole === true && isLimited()))),
    ...(mayManageProjects() ? [projectsPlace] : []),
    ...(scopes?.includes("members:read") === true ? [membersPlace] : []),
    ...(scopes?.includes("audit:read") === true ? [auditPlace] : []),
    ...(login === null ? [] : [profilePlace]),
    ...(scopes?.includes("admin") === true ? [operatorPlace] : []),
  ];
}
