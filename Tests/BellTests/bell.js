// What the tests ask of a page with a bell.
Object.defineProperties(globalThis, {
  bell: { get: () => document.querySelector("belfry-bell") },
  root: { get: () => bell.shadowRoot },
});
// The parts of that name that can be seen, in the order of the document.
globalThis.parts = name => [...root.querySelectorAll(`[part~=${name}]`)].filter(part => part.checkVisibility({ visibilityProperty: true }));
globalThis.shown = name => parts(name)[0];
globalThis.text = name => shown(name)?.textContent.trim() ?? "";
globalThis.titleOf = row => row.querySelector("[part~=item-title]").textContent.trim();
globalThis.row = title => parts("item").find(item => titleOf(item) === title);
globalThis.rows = () =>
  parts("item").sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map(titleOf);
globalThis.isOpen = () => shown("panel") !== undefined;
globalThis.named = (role, words) =>
  [...root.querySelectorAll(`[role=${role}]`)].find(node => node.checkVisibility() && node.textContent.trim().startsWith(words));
// What a selector can name: elements that a test asked for are numbered.
globalThis.number = element => (element.dataset.number ??= Math.random());
globalThis.modules = () =>
  performance.getEntriesByType("resource").flatMap(({ name }) => name.match(/[/]bell[/]v1[/](?:.*[/])?(.+?)(?:-[0-9A-Z]{8})?[.]js$/)?.[1] ?? []);
// Whether the bell has what the database has: as many of the newest as it has loaded, and the count.
globalThis.agrees = ([theirs, unread]) =>
  bell.unreadCount === unread &&
  bell.notifications.length >= Math.min(theirs.length, 20) &&
  bell.notifications.every(({ id, isRead }, at) => id === theirs[at]?.[0] && isRead === theirs[at][1]);
// What the page's scripts hear.
globalThis.heard = [];
for (const name of ["notification", "click", "action", "unread", "state", "event", "error"]) {
  addEventListener(`belfry-${name}`, event => heard.push([name, JSON.parse(JSON.stringify(event.detail ?? null))]));
}
