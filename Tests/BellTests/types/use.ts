import type { BellErrorCode } from "./belfry-bell.js";
import "./belfry-bell.js";

// Everything that belfry-bell.d.ts declares, used as a host would.
const bell = document.querySelector("belfry-bell")!;
bell.tokenProvider = async ({ isRefresh, signal }) => (await fetch(`/my/token?fresh=${isRefresh}`, { signal })).text();
bell.messages = { title: "Post", unreadName: { one: "{count} letter", other: "{count} letters" } };
bell.renderItem = (notification, { markAsRead }) => {
  const row = document.createElement("p");
  row.textContent = notification.title;
  row.onclick = () => void markAsRead();
  return row;
};
bell.renderItem = ({ data: { author }, createdAt }, { age }) => {
  if (typeof author !== "string") return undefined;
  const content = document.createElement("p");
  content.textContent = author;
  return { content, icon: null, meta: new Text(age(createdAt)) };
};
const count: number = bell.unreadCount;
const titles: string[] = bell.notifications.map(({ title }) => title);
const isUp: boolean = bell.state === "connected";
bell.src = bell.hub = null;
bell.token = "eyJ";
bell.tokenUrl = "/token";
bell.locale = "de";
bell.theme = "inherit";
bell.placement = "top-start";
bell.layout = "inline";
bell.tabs = "all, unread";
bell.readOn = "view";
bell.maxBadge = 99;
bell.pushWorker = "/sw.js";
bell.enablePush().catch(({ code }: { code: BellErrorCode }) => console.log(code === "push-worker"));
bell.preferences = bell.quietHours = bell.push = true;
bell.paused = false;
bell.pushProvider = async () => "a token of FCM";
const isPushed: Promise<boolean> = bell.enablePush();
const isFresh: Promise<void> | undefined = bell.refresh();
bell.addEventListener("belfry-action", ({ detail: { action, notification } }) => {
  console.log(action, notification.actions.map(({ title }) => title), isPushed, isFresh);
});
bell.addEventListener("belfry-error", ({ detail: { error } }) => console.log("code" in error ? error.retryAfter : error.message));
bell.open();
bell.close();
bell.markAllAsRead();
bell.signOut()?.then(({ ok, error }) => console.log(ok, error?.code));
bell.addEventListener("belfry-click", event => {
  const title: string = event.detail.notification.title;
  if (title !== "") event.preventDefault();
});
bell.addEventListener("belfry-unread", event => {
  const unread: number = event.detail.count;
  document.title = `${unread} ${count} ${titles} ${isUp}`;
});
