/** Everything the console says. One shape for every language: what one has, all have. */
import type {
  Availability,
  AvailabilityValue,
  DeliveryState,
  FailureCode,
  FailureStage,
  PlatformKind,
  TaskState,
} from "@querent/contract";
import type { Keep } from "../app/session.ts";
import type { Theme } from "../app/theme.ts";

type Phase = "queued" | "running" | "waiting_retry";

export interface Words {
  copied: string;
  skip: string;
  units: { seconds: string; minutes: string; hours: string };
  states: Record<Phase | Exclude<TaskState, "pending">, string>;
  taskStates: Record<TaskState, string>;
  deliveryStates: Record<DeliveryState, string>;
  failures: { unreachable: string; refused: string; requestId: string; retry: string };
  navigation: {
    label: string;
    tasks: string;
    reference: string;
    theme: string;
    themes: Record<Theme, string>;
    language: string;
    signOut: string;
    keys: string;
    points: (count: string) => string;
    account: string;
  };
  signIn: {
    title: string;
    lead: string;
    token: string;
    hint: string;
    keep: string;
    keeps: Record<Keep, string>;
    submit: string;
    trying: string;
    refused: string;
    ended: string;
    promise: string;
  };
  keys: {
    title: string;
    close: string;
    list: Record<"next" | "previous" | "open" | "search" | "pause" | "tasks" | "back" | "help", string>;
  };
  tasks: {
    title: string;
    filter: string;
    filterHint: string;
    clear: string;
    all: string;
    live: string;
    paused: string;
    pause: string;
    resume: string;
    columns: Record<"question" | "state" | "platform" | "created" | "took" | "points", string>;
    older: string;
    newest: string;
    emptyTitle: string;
    emptyText: string;
    noneTitle: string;
    noneText: string;
    copyCurl: string;
    unknownKey: (key: string) => string;
    badValue: (key: string, value: string) => string;
    onPage: (count: number) => string;
    suggestions: string;
    about: Record<"state" | "platform" | "batch" | "tag" | "ref" | "created", string>;
  };
  task: {
    back: string;
    unknown: string;
    unknownText: string;
    more: string;
    less: string;
    facts: Record<
      "platform" | "model" | "asked" | "took" | "points" | "reference" | "revision" | "expires" | "observed" | "batch",
      string
    >;
    options: Record<"deepAnalysis" | "screenshot" | "share_link" | "html" | "all", string>;
    kinds: Record<PlatformKind, string>;
    expired: string;
    tabs: Record<"answer" | "steps" | "page" | "screenshot" | "timeline" | "deliveries" | "json", string>;
    tabsLabel: string;
    waiting: Record<Phase, string>;
    attempt: (count: number) => string;
    retryAt: (when: string) => string;
    failed: string;
    retryable: string;
    notRetryable: string;
    uncharged: string;
    stages: Record<FailureStage, string>;
    platformStatus: (status: number) => string;
    canceled: string;
    advice: Record<FailureCode, string>;
    sources: string;
    noAnswer: string;
    pictures: (hosts: number) => string;
    picturesNote: string;
    card: (position: number, kind: string) => string;
    cardKinds: Record<"product" | "video", string>;
    openApp: string;
    openWeb: string;
    unsafe: string;
    sold: string;
    availability: string;
    availabilityFields: Record<keyof Availability, string>;
    availabilities: Record<AvailabilityValue, string>;
    reasoning: string;
    searches: string;
    searchFor: string;
    noResults: string;
    pageNote: string;
    pageTitle: string;
    noPage: string;
    openShare: string;
    screenshotAlt: string;
    jsonNote: string;
    copyJson: string;
    timeline: Record<"created" | "started" | "observed" | "completed" | "canceled" | "expires", string>;
    later: (gap: string) => string;
    noDeliveries: string;
    deliveriesRefused: string;
    deliveryRevision: (revision: number) => string;
    attempts: (count: number) => string;
    noAttempts: string;
    nextAttempt: (when: string) => string;
    redeliver: string;
    redelivered: string;
    ownAddress: string;
    defaultAddress: string;
    faults: Record<"dns" | "address" | "connect" | "tls" | "timeout" | "reset" | "too_large" | "malformed", string>;
    request: string;
    askAgain: string;
    askingAgain: string;
    cancel: string;
    copyCurl: string;
    copyId: string;
    asked: string;
    wasCanceled: string;
  };
}
