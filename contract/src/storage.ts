import { Type, type Static } from "typebox";
import { Closed, Nullable, OptionalOrNull, Timestamp } from "./scalars.ts";

/** What an account holds, each kind with what bounds it: the account's quota, or only its points and the retention. */
export const storageKinds = {
  imports: { bound: "quota", about: "imported answers with their texts, and the imports" },
  panels: { bound: "quota", about: "revisions, runs and seals of panels" },
  entities: { bound: "quota", about: "revisions of entities" },
  reports: { bound: "quota", about: "the pages of shared reports" },
  uncharged_tasks: { bound: "quota", about: "tasks that failed or were canceled, with their questions" },
  artifacts: { bound: "artifacts", about: "pages, screenshots and other files of results" },
  tasks: { bound: "points", about: "all tasks, with their questions" },
  results: { bound: "points", about: "results with the responses of platforms" },
  observations: { bound: "points", about: "observations of tasks" },
  deliveries: { bound: "points", about: "deliveries of webhooks" },
} as const satisfies Record<string, { bound: "quota" | "artifacts" | "points"; about: string }>;
export type StorageKind = keyof typeof storageKinds;
export const storageKindNames = Object.keys(storageKinds) as StorageKind[];

const count = Type.Integer({ minimum: 0 });
const held = (about: string) =>
  Type.Object({ held: count, quota: Type.Integer({ minimum: 0 }) }, { description: about });

const listed = storageKindNames
  .map((kind) => `\`${kind}\`: ${storageKinds[kind].about}${storageKinds[kind].bound === "quota" ? " (limited)" : ""}`)
  .join("; ");

/** What an account stores, and its quota. */
export const StorageUse = Type.Object(
  {
    rows: held("Rows that are stored without points."),
    bytes: held("Their size."),
    artifactBytes: held("Size of the files of results, as of the last measuring."),
    kinds: Type.Array(
      Type.Object({
        kind: Type.Enum(storageKindNames, { description: `${listed}. A task counts in \`tasks\` as well.` }),
        rows: count,
        bytes: Type.Integer({ minimum: 0, description: "As stored, without indexes." }),
        limited: Type.Boolean({ description: "Counts towards the quota of rows and bytes." }),
        measuredAt: Nullable(Timestamp, {
          description:
            "When the rows were last counted one by one. Null: not yet. What is limited is counted when it is stored, and is exact between two measurings as long as nothing expires.",
        }),
      }),
    ),
  },
  {
    description:
      "What the account stores. Once it holds its quota of rows or bytes, requests that store more without points are refused with 403 `storage_quota_exceeded`. New tasks are refused only if `uncharged_tasks` alone, or `artifactBytes`, has reached its quota. Running tasks end and their results are stored in any case.",
  },
);
export type StorageUse = Static<typeof StorageUse>;

/** The largest quota that can be set. */
const quotaMax = 1_000_000_000_000_000;
const quota = (about: string) =>
  OptionalOrNull(
    Type.Integer({
      minimum: 0,
      maximum: quotaMax,
      description: `${about} Null: the service's setting. Absent: unchanged.`,
    }),
  );

/** An account's own quota, in a request. */
export const storageQuotaMembers = {
  storageRowsMax: quota("The most rows that the account may store without points."),
  storageBytesMax: quota("Their largest size."),
  artifactBytesMax: quota("The largest size of the files of its results."),
};
export const StorageQuotaChange = Closed(storageQuotaMembers);
export type StorageQuotaChange = Static<typeof StorageQuotaChange>;

const ownQuota = Nullable(Type.Integer({ minimum: 0 }), { description: "Null for the service's setting." });

/** What operators see of an account's storage. */
export const AccountStorage = Type.Object({
  rows: Type.Integer({ minimum: 0, description: "Rows that count towards the quota." }),
  bytes: Type.Integer({ minimum: 0, description: "Their size." }),
  artifactBytes: Type.Integer({ minimum: 0, description: "Size of the files of results." }),
  totalBytes: Type.Integer({ minimum: 0, description: "Size of everything that the account stores." }),
  storageRowsMax: ownQuota,
  storageBytesMax: ownQuota,
  artifactBytesMax: ownQuota,
});
export type AccountStorage = Static<typeof AccountStorage>;
