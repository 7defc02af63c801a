/** Everything the console says. One shape for every language: what one has, all have. */
import type {
  Availability,
  AvailabilityValue,
  DeliveryState,
  FailureCode,
  FailureStage,
  Output,
  PlatformKind,
  ResultFormat,
  TaskState,
} from "@querent/contract";
import type { Keep } from "../app/session.ts";
import type { Theme } from "../app/theme.ts";
import type { RowFault, RowFormat } from "../views/new-batch/read-rows.ts";

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
    ask: string;
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
    list: Record<"next" | "previous" | "open" | "search" | "pause" | "tasks" | "ask" | "back" | "help", string>;
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
  newBatch: {
    title: string;
    questions: string;
    questionsPlaceholder: string;
    questionsHint: string;
    drop: string;
    chooseFile: string;
    removeFile: string;
    fileTooLarge: string;
    rows: (count: string) => string;
    formats: Record<RowFormat, string>;
    rowFaults: Record<RowFault, (detail: string) => string>;
    platforms: string;
    price: (points: number) => string;
    pace: (seconds: string) => string;
    notConfigured: string;
    options: string;
    deepAnalysis: string;
    output: string;
    outputs: Record<Output, string>;
    resultFormat: string;
    resultFormats: Record<ResultFormat, string>;
    tags: string;
    tagsHint: string;
    summary: string;
    nothingYet: string;
    sum: (rows: string, tasks: string) => string;
    points: string;
    available: string;
    checking: (checked: string, all: string) => string;
    short: (points: string) => string;
    faults: string;
    faultCount: (count: string) => string;
    line: (line: number) => string;
    submit: string;
    submitCount: (count: number) => string;
    progress: (done: number, all: number) => string;
    accepted: (count: string) => string;
    watch: string;
    watchPart: (part: number) => string;
    cutOff: string;
    cutOffText: (tasks: string, done: number, all: number) => string;
    cutOffSafe: string;
    cutOffTooOld: string;
    goOn: string;
    discard: string;
    notKept: string;
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
