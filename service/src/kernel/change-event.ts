import type { MemberRole, Scope } from "@querent/contract";

/** Who made a change: the token of the request, or the person's membership, and its account. */
export interface ChangedBy {
  readonly tokenId: string;
  readonly accountId: string;
  /** Null: a program. */
  readonly personId: string | null;
}

interface Changing {
  readonly tokenId: string;
  readonly accountId: string;
  readonly person: { readonly personId: string } | null;
}

interface Limits {
  readonly runningMax: number;
  readonly rate: { readonly perSecond: number; readonly burst: number } | null;
}

/** Changes made with the scope `admin`. They are logged with who made them. */
export type ChangeEvent = { readonly by: ChangedBy } & (
  | {
      readonly event: "token.issued";
      readonly tokenId: string;
      readonly accountId: string;
      readonly scopes: readonly Scope[];
    }
  | { readonly event: "token.revoked"; readonly tokenId: string; readonly accountId: string }
  | {
      readonly event: "member.added" | "member.role_changed" | "invitation.created";
      readonly accountId: string;
      readonly role: MemberRole;
    }
  | { readonly event: "member.removed" | "member.logins_ended"; readonly accountId: string; readonly memberId: string }
  | { readonly event: "account.created"; readonly accountId: string; readonly points: number }
  | { readonly event: "account.deleted"; readonly name: string }
  | { readonly event: "account.granted"; readonly accountId: string; readonly points: number }
  | {
      readonly event: "account.limits_changed";
      readonly accountId: string;
      readonly unfinishedMax: number;
      readonly storageRowsMax?: number | null | undefined;
      readonly storageBytesMax?: number | null | undefined;
      readonly artifactBytesMax?: number | null | undefined;
    }
  | { readonly event: "platform.limits_changed"; readonly platform: string; readonly limits: Limits }
  | {
      readonly event: "session.stored" | "session.removed" | "session.resumed" | "sign_in.started";
      readonly platform: string;
      readonly session: string;
    }
  | {
      readonly event: "platform.key_stored" | "platform.key_removed";
      readonly platform: string;
      /** The name of the variable in whose place the key stands, and nothing of the key. */
      readonly variable: string;
    }
  | { readonly event: "platform.settings_changed"; readonly platform: string; readonly settings: object }
  | { readonly event: "platform.limits_restored"; readonly platform: string; readonly limits: Limits }
);

export type OnChange = (event: ChangeEvent) => void;

export const changedBy = ({ tokenId, accountId, person }: Changing): ChangedBy => ({
  tokenId,
  accountId,
  personId: person?.personId ?? null,
});
