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
const count: number = bell.unreadCount;
const titles: string[] = bell.notifications.map(({ title }) => title);
const isUp: boolean = bell.state === "connected";
bell.open();
bell.close();
bell.markAllAsRead();
bell.signOut();
addEventListener("belfry-click", event => {
  const title: string = event.detail.notification.title;
  if (title !== "") event.preventDefault();
});
addEventListener("belfry-unread", event => {
  const unread: number = event.detail.count;
  document.title = `${unread} ${count} ${titles} ${isUp}`;
});
