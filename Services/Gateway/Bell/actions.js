import { inboxPath } from "./sync.js";

const maximumAtOnce = 500;

const now = () => new Date().toISOString();
const path = (id, rest = "") => `${inboxPath}/${encodeURIComponent(id)}${rest}`;

const reading = () => {
  const at = now();
  return (item) => ({ ...item, isRead: true, readAt: item.readAt ?? at, seenAt: item.seenAt ?? at });
};

/** What a user can do to notifications: its effect on the list, and its call. */
export const createActions = ({ api, inbox, operations, times }) => {
  let seen = new Set();
  let seenTimer = null;
  const opened = new Set();

  const one = (kind, id, apply, method, rest, more) =>
    operations.add({ kind, ids: [id], apply, send: ([id]) => api.request(method, path(id, rest), more?.body), ...more });

  const flushSeen = () => {
    clearTimeout(seenTimer);
    seenTimer = null;
    const ids = [...seen];
    seen = new Set();
    const at = now();
    if (!ids.length) return;
    operations.add({
      kind: "seen",
      ids,
      isQuiet: true,
      apply: (item) => (item.seenAt ? item : { ...item, seenAt: at }),
      send: (notificationIds) => api.request("POST", `${inboxPath}/seen`, { notificationIds }),
    });
  };

  const actions = {
    markAsRead: (ids) =>
      operations.add({
        kind: "read",
        ids: [ids].flat().slice(0, maximumAtOnce),
        apply: reading(),
        send: (ids) =>
          ids.length === 1
            ? api.request("PATCH", path(ids[0], "/read"))
            : api.request("POST", `${inboxPath}/read`, { notificationIds: ids }),
      }),
    markAllAsRead: () =>
      operations.add({
        kind: "read",
        isAll: true,
        ids: inbox.unreadIds,
        apply: reading(),
        send: () => api.request("POST", `${inboxPath}/read`),
      }),
    markAsUnread: (id) => one("unread", id, (item) => ({ ...item, isRead: false, readAt: null }), "PATCH", "/unread"),
    remove: (id) => one("remove", id, () => null, "DELETE", "", { delay: times.undo }),
    archive(id) {
      const archivedAt = now();
      return one("archive", id, (item) => ({ ...item, archivedAt, snoozedUntil: null }), "PATCH", "/archive");
    },
    unarchive: (id) => one("unarchive", id, (item) => ({ ...item, archivedAt: null }), "PATCH", "/unarchive"),
    snooze(id, date) {
      const time = new Date(date);
      // The server says what is wrong with a date that is none.
      const until = Number.isNaN(+time) ? "" : time.toISOString();
      const body = { until };
      return one("snooze", id, (item) => ({ ...item, snoozedUntil: until, archivedAt: null }), "PATCH", "/snooze", { body });
    },
    unsnooze(id) {
      const back = { snoozedUntil: null, isRead: false, readAt: null, seenAt: null };
      return one("unsnooze", id, (item) => ({ ...item, ...back }), "PATCH", "/snooze", { body: { until: null } });
    },
    act: (id, action) => one("act", id, (item) => item, "POST", `/actions/${encodeURIComponent(action)}`),

    /** Collected, and told in one call. */
    markAsSeen(ids) {
      for (const id of ids) if (seen.size < maximumAtOnce && inbox.get(id)?.seenAt === null) seen.add(id);
      seenTimer ??= setTimeout(flushSeen, times.seen);
    },

    opened(id) {
      if (opened.has(id) || opened.size >= maximumAtOnce) return;
      opened.add(id);
      const at = now();
      const apply = (item) => ({ ...item, seenAt: item.seenAt ?? at, openedAt: item.openedAt ?? at });
      one("opened", id, apply, "POST", "/opened", { isQuiet: true });
    },
  };
  return { actions, flushSeen };
};
