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
  /**
   * What was sent with it, numbers as numbers; empty where nothing was. The element shows `url` or `link`, `avatar`, `image`, and `count` with
   * `titles`. From a server of an earlier release all values are texts.
   */
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
  | "ended"
  /** The service worker at `push-worker` could not be registered; `detail` is the browser's reason. */
  | "push-worker"
  /** The browser could not subscribe to pushes. */
  | "push-service";

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

export interface BellOutcome {
  readonly ok: boolean;
  readonly error?: BellError | null;
}

export interface BellRenderContext {
  /** A text of the element, with `{name}` replaced. */
  text(key: string, values?: Record<string, string | number>): string;
  /** "5 minutes ago", in the element's language; empty for what is no time. */
  age(date: string): string;
  markAsRead(): Promise<BellOutcome>;
  markAsUnread(): Promise<BellOutcome>;
  archive(): Promise<BellOutcome>;
  snooze(until: Date): Promise<BellOutcome>;
  act(actionId: string): Promise<BellOutcome>;
  /** Removes it, with five seconds to undo. */
  remove(): void;
}

/** Parts of a row that the page renders. One that is not there is as the element does it; null leaves it out. */
export interface BellRow {
  /** In the round box at the start. */
  readonly icon?: Node | null;
  /** In place of title, text, what a digest gathers, and picture. */
  readonly content?: Node | null;
  /** In place of time and category. */
  readonly meta?: Node | null;
  /** In place of the type's buttons. */
  readonly actions?: Node | null;
}

/** A node is the whole row; parts keep its dot, its alignment and its buttons. Null or undefined: as the element does it. */
export type BellRenderer = (notification: BellNotification, context: BellRenderContext) => Node | BellRow | null | undefined;

/** A text, or one for each plural form of `count`. */
export type BellMessage = string | { zero?: string; one?: string; two?: string; few?: string; many?: string; other: string };
export type BellMessages = Record<string, BellMessage>;

/** Answers with a token of FCM for this browser; nothing where the user said no. Without a provider pushes come by Web Push. */
export type PushProvider = (() => Promise<string | null | undefined>) | { getToken(): Promise<string | null | undefined> };

export interface BelfryBellEventMap {
  /** Cancelable: prevented, it is not announced. */
  "belfry-notification": CustomEvent<{ notification: BellNotification; isMissed: boolean }>;
  /** Cancelable: prevented, the link is not followed. */
  "belfry-click": CustomEvent<{ notification: BellNotification; url: string | null }>;
  /** Cancelable: prevented, it is neither reported nor marked as read. */
  "belfry-action": CustomEvent<{ notification: BellNotification; action: string }>;
  "belfry-unread": CustomEvent<{ count: number }>;
  "belfry-state": CustomEvent<{ state: BellState; previous?: BellState }>;
  "belfry-event": CustomEvent<{ name: string; arguments: unknown[] }>;
  "belfry-error": CustomEvent<{ error: BellError | Error; notification?: BellNotification }>;
  "belfry-open": CustomEvent<null>;
  "belfry-close": CustomEvent<null>;
}

export class BelfryBell extends HTMLElement {
  src: string | null;
  hub: string | null;
  tokenUrl: string | null;
  token: string | null;
  locale: string | null;
  theme: "light" | "dark" | "inherit" | string | null;
  placement: "bottom-end" | "bottom-start" | "top-end" | "top-start" | string | null;
  layout: "popover" | "inline" | string | null;
  tabs: string | null;
  readOn: "click" | "view" | "open" | string | null;
  maxBadge: string | number | null;
  /** Address of the host's service worker that imports the gateway's `push-worker.js`; without one `/belfry-push-worker.js`. */
  pushWorker: string | null;
  preferences: boolean;
  quietHours: boolean;
  push: boolean;
  paused: boolean;
  tokenProvider: TokenProvider | null;
  messages: BellMessages | null;
  renderItem: BellRenderer | null;
  pushProvider: PushProvider | null;
  readonly unreadCount: number;
  readonly notifications: readonly BellNotification[];
  readonly state: BellState;
  open(): void;
  close(): void;
  refresh(): Promise<void> | undefined;
  markAllAsRead(): Promise<BellOutcome> | undefined;
  /**
   * Forgets everything, at once. Ends this browser's subscription to pushes. Resolves once the registration at the gateway has been ended,
   * too, or that has failed. Setting a token
   * or `tokenProvider` begins anew.
   */
  signOut(): Promise<BellOutcome> | undefined;
  /** Whether this browser gets pushes now. Call it on a click. */
  enablePush(): Promise<boolean>;
  addEventListener<K extends keyof BelfryBellEventMap>(
    type: K,
    listener: (this: BelfryBell, event: BelfryBellEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "belfry-bell": BelfryBell;
  }
  interface HTMLElementEventMap extends BelfryBellEventMap {}
}
