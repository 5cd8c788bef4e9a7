import type { BellError, BellNotification, BellOperationKind, BellOutcome, BellState, TokenProvider as BellTokenProvider } from "./belfry-bell.js";
import { BelfryError, createBelfry } from "./belfry.js";
import type { Belfry, BelfryEventMap, BelfryFilter, BelfryList, BelfryNotification, BelfryOperationKind, BelfryOutcome, BelfryState, TokenProvider } from "./belfry.js";

// Everything that belfry.d.ts declares, used as a host would.
const token: TokenProvider = async ({ isRefresh, signal }) => (await fetch(`/my/token?fresh=${isRefresh}`, { signal })).text();
const belfry: Belfry = createBelfry({ token, gateway: new URL("https://belfry.example"), hub: "https://hub.example/hubs/notifications" });
const others: Belfry[] = [createBelfry({ tokenUrl: "/my/token" }), createBelfry({ token: "eyJ" })];
const end: () => void = belfry.subscribe(() => undefined);
const ends = [
  belfry.on("notification", ({ notification: { title }, isMissed }) => console.log(title.trim(), !isMissed)),
  belfry.on("event", ({ name, arguments: [first] }) => console.log(name.trim(), first)),
  belfry.on("state", ({ state, previous }) => console.log(state === "connected", previous)),
  belfry.on("unread", ({ count }) => console.log(count === null ? 0 : count + 1)),
  belfry.on("error", ({ error }) => console.log(error.code === "rate-limited" && error.retryAfter, error.operation?.ids.length)),
  belfry.on("change", end),
];
belfry.connect();
belfry.disconnect();
belfry.retry();
belfry.pause();
belfry.resume();
belfry.signOut();
const filter: BelfryFilter = { place: "archived", unreadOnly: true, category: "Orders", type: 7 };
const list: BelfryList = belfry.list(filter);
const titles: string[] = list.items.map(({ title }) => title);
const more: Promise<void>[] = [belfry.load(filter), belfry.loadMore({ type: "NewOrder" }), belfry.refresh()];
const counts: (number | null)[] = [belfry.unreadCount];
const state: BelfryState = belfry.state;
belfry.markAsRead("a").then(({ ok, error }: BelfryOutcome) => console.log(ok, error?.detail));
const undone: boolean = belfry.remove("a").undo();
for (const operation of [
  belfry.markAsRead(["a", "b"]), belfry.markAllAsRead(), belfry.markAsUnread("a"), belfry.archive("a"), belfry.unarchive("a"),
  belfry.snooze("a", new Date()), belfry.snooze("a", "2030-01-01T09:00:00Z"), belfry.unsnooze("a"), belfry.act("a", "COMING"),
]) operation.undo();
belfry.markAsSeen(titles);
belfry.opened("a");
belfry.request("PUT", "/api/v1/notifications/preferences", { soundEnabled: false }).catch((error: unknown) => {
  if (error instanceof BelfryError) console.log(error.status);
});
console.log(others, ends, list.hasMore || list.isLoading || list.isLoaded, list.error?.code, more, counts, state, undone);

// What the bell says of the same things is the same.
type Same<One, Other> = [One, Other] extends [Other, One] ? true : never;
const same: [
  Same<BelfryNotification, BellNotification>, Same<BelfryState, BellState>, Same<BelfryOperationKind, BellOperationKind>,
  Same<TokenProvider, BellTokenProvider>,
] = [true, true, true, true];
const bells: BellError = null! as BelfryEventMap["error"]["error"];
const outcome: BellOutcome = null! as BelfryOutcome;
console.log(same, bells, outcome);
