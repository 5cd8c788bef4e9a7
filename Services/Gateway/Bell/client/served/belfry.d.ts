/** The notifications of a signed-in user, live, for pages that draw their own list. Times are RFC 3339, ids lower-case UUIDs. */

export type BelfryState = "disconnected" | "connecting" | "connected" | "reconnecting" | "unauthorized" | "paused";

export interface NotificationAction {
  readonly id: string;
  readonly title: string;
}

/** Never changes: what becomes of a notification is another object. */
export interface BelfryNotification {
  readonly id: string;
  /** Its place in the inbox; null only where the hub could not tell. */
  readonly seq: number | null;
  readonly type: number;
  /** `Unknown` for a type that the catalogue does not have any more. */
  readonly typeName: string;
  readonly category: string | null;
  readonly title: string;
  readonly body: string;
  /** What was sent with it, numbers as numbers, but those beyond 2⁵³, which are texts; empty where nothing was. */
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
}

export type BelfryErrorCode =
  | "offline"
  | "timeout"
  | "unauthorized"
  | "forbidden"
  | "rate-limited"
  | "unavailable"
  | "invalid"
  | "not-found"
  /** An answer that is not Belfry's. */
  | "malformed"
  /** `token` or `tokenUrl` failed. */
  | "token"
  /** 500 changes wait already. */
  | "full"
  /** The user has signed out. */
  | "ended";

export class BelfryError extends Error {
  private constructor();
  readonly code: BelfryErrorCode;
  /** Of HTTP; 0 where there was no answer. */
  readonly status: number;
  readonly detail: string | null;
  /** Seconds. */
  readonly retryAfter: number | null;
  /** What the user wanted, where that failed. */
  readonly operation: { readonly kind: BelfryOperationKind; readonly ids: readonly string[] } | null;
}

export type BelfryOperationKind =
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

/** Which notifications a list has; nothing is the inbox. */
export interface BelfryFilter {
  readonly place?: "inbox" | "archived" | "snoozed";
  readonly unreadOnly?: boolean;
  readonly category?: string;
  /** Its name, or its number. */
  readonly type?: string | number;
}

/** The same object until something of it changes. */
export interface BelfryList {
  /** The newest first; what the user did is in it at once. */
  readonly items: readonly BelfryNotification[];
  /** Whether `loadMore` gives older ones. */
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** Whether its first page has come. */
  readonly isLoaded: boolean;
  /** Why the last page did not come. */
  readonly error: BelfryError | null;
}

/** What was taken back has neither `ok` nor an error. */
export interface BelfryOutcome {
  readonly ok: boolean;
  readonly error?: BelfryError | null;
}

/** Resolves, and never rejects, once the server has carried it out, or that has failed for good: then it is taken back in the list. */
export interface BelfryOperation extends Promise<BelfryOutcome> {
  /** Takes back what was not sent yet, which is a removal for five seconds; false where it was sent. */
  undo(): boolean;
}

export interface BelfryEventMap {
  /** `isMissed`: it came while there was no connection. */
  notification: { readonly notification: BelfryNotification; readonly isMissed: boolean };
  /** An event of the catalogue. */
  event: { readonly name: string; readonly arguments: readonly unknown[] };
  state: { readonly state: BelfryState; readonly previous: BelfryState };
  /** Null where it is not known. */
  unread: { readonly count: number | null };
  /** What failed, in the background or of an operation. That nobody is signed in is a state. */
  error: { readonly error: BelfryError };
  /** Anything that `state`, `unreadCount` and `list` show. */
  change: undefined;
}

interface BelfryPlace {
  /** Address of the gateway; without one the gateway that served the module. */
  readonly gateway?: string | URL;
  /** Address of the hub; without one the gateway names it. */
  readonly hub?: string | URL;
}

/** With `token`, a function or, for trying things out, a token; or with `tokenUrl`, an address of your server that answers with one. */
export type BelfryOptions = BelfryPlace &
  (
    | { readonly token: TokenProvider | string; readonly tokenUrl?: undefined }
    | { readonly token?: undefined; readonly tokenUrl: string }
  );

export interface Belfry {
  readonly state: BelfryState;
  /** The server's, with what it has not confirmed yet; null where it is not known. */
  readonly unreadCount: number | null;

  /** Calls the listener after changes, once a frame at most. Answers with what ends that. */
  subscribe(listener: () => void): () => void;
  /** Answers with what ends it. */
  on<Name extends keyof BelfryEventMap>(name: Name, listener: (detail: BelfryEventMap[Name]) => void): () => void;

  /** Gets notifications from now on, as who the token says. */
  connect(): void;
  /** Keeps the list, and lets go of the connection. Removals become final. */
  disconnect(): void;
  /** Tries again at once: after `unauthorized`, or where somebody does not want to wait. */
  retry(): void;
  /** No connection and no requests of its own, until `resume`. */
  pause(): void;
  resume(): void;
  /** Forgets list, count and token at once. `connect()` begins anew, with another token. */
  signOut(): void;

  list(filter?: BelfryFilter): BelfryList;
  /** Says which list is looked at, which is kept up to date, and loads its first page. The inbox is loaded by itself. */
  load(filter?: BelfryFilter): Promise<void>;
  loadMore(filter?: BelfryFilter): Promise<void>;
  /** Asks for the first page again. */
  refresh(): Promise<void>;

  markAsRead(ids: string | readonly string[]): BelfryOperation;
  markAllAsRead(): BelfryOperation;
  markAsUnread(id: string): BelfryOperation;
  archive(id: string): BelfryOperation;
  unarchive(id: string): BelfryOperation;
  snooze(id: string, until: Date | string | number): BelfryOperation;
  /** Brings it back now, unread. */
  unsnooze(id: string): BelfryOperation;
  /** Sent after five seconds, until when it can be taken back. */
  remove(id: string): BelfryOperation;
  /** Reports the use of one of the notification's buttons. */
  act(id: string, actionId: string): BelfryOperation;
  /** They were in sight. Collected, and sent once a second. */
  markAsSeen(ids: string | readonly string[]): void;
  /** Its link was followed. */
  opened(id: string): void;

  /** The answer's JSON of any other call of the API with the user's token, null where there is none; rejects with a `BelfryError`. */
  request(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** Makes no request before `connect()`. */
export function createBelfry(options: BelfryOptions): Belfry;
