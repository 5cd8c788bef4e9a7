/** What `<belfry-bell>` is to TypeScript. Times are RFC 3339, ids lower-case UUIDs. */

export type BellState = "disconnected" | "connecting" | "connected" | "reconnecting" | "unauthorized" | "paused";

export interface NotificationAction {
  readonly id: string;
  readonly title: string;
}

export interface BellNotification {
  readonly id: string;
  /** Its place in the inbox; null only where the hub could not tell. */
  readonly seq: number | null;
  readonly type: number;
  /** `Unknown` for a type that the catalogue does not have any more. */
  readonly typeName: string;
  readonly category: string | null;
  readonly title: string;
  readonly body: string;
  /** What was sent with it; empty where nothing was. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly isRead: boolean;
  readonly createdAt: string;
  readonly readAt: string | null;
  readonly seenAt: string | null;
  readonly openedAt: string | null;
  readonly archivedAt: string | null;
  readonly snoozedUntil: string | null;
  readonly relatedEntityType: string | null;
  readonly relatedEntityId: string | null;
  readonly priority: "normal" | "high" | string | null;
  readonly actions: readonly NotificationAction[];
  /** Something that the user did to it is not confirmed yet. */
  readonly isPending: boolean;
}

export type BellErrorCode =
  | "offline"
  | "timeout"
  | "unauthorized"
  | "forbidden"
  | "rate-limited"
  | "unavailable"
  | "invalid"
  | "not-found"
  | "malformed"
  | "token"
  | "full"
  | "ended";

export interface BellError extends Error {
  readonly code: BellErrorCode;
  /** Of HTTP; 0 where there was no answer. */
  readonly status: number;
  readonly detail: string | null;
  /** Seconds. */
  readonly retryAfter: number | null;
  /** What the user wanted, where that failed. */
  readonly operation: { readonly kind: BellOperationKind; readonly ids: readonly string[] } | null;
}

export type BellOperationKind =
  | "read"
  | "unread"
  | "remove"
  | "archive"
  | "unarchive"
  | "snooze"
  | "unsnooze"
  | "act"
  | "seen"
  | "opened";

/** May answer with nothing where nobody is signed in. `isRefresh`: the last one was refused. */
export type TokenProvider = (how: {
  readonly isRefresh: boolean;
  readonly signal: AbortSignal;
}) => string | null | undefined | Promise<string | null | undefined>;
