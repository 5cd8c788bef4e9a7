import { inboxPath } from "./sync.js";

const maximumAtOnce = 500;

const now = () => new Date().toISOString();

const reading = () => {
  const at = now();
  return (item) => ({ ...item, isRead: true, readAt: item.readAt ?? at, seenAt: item.seenAt ?? at });
};

/** What a user can do to notifications: its effect on the list, and its call. */
export const createActions = ({ api, inbox, operations, times }) => {
  const seen = new Set();
  const opened = new Set();
  let seenTimer = 0;

  const call = (method, id, rest, body) => api.request(method, `${inboxPath}/${encodeURIComponent(id)}${rest}`, body);

  /** `members` are what changes in it; null is all of it. */
  const one = (kind, id, members, rest, { method = "PATCH", body, ...more } = {}) =>
    operations.add({
      kind,
      ids: [id],
      apply: (item) => members && { ...item, ...members },
      send: () => call(method, id, rest, body),
      ...more,
    });

  const snooze = (kind, id, until, members) => one(kind, id, { snoozedUntil: until, ...members }, "/snooze", { body: { until } });

  const flushSeen = () => {
    clearTimeout(seenTimer);
    seenTimer = 0;
    const ids = [...seen];
    seen.clear();
    const seenAt = now();
    if (ids.length) {
      operations.add({
        kind: "seen",
        ids,
        isQuiet: true,
        apply: (item) => ({ ...item, seenAt: item.seenAt ?? seenAt }),
        send: (notificationIds) => api.request("POST", `${inboxPath}/seen`, { notificationIds }),
      });
    }
  };

  const actions = {
    markAsRead: (ids) =>
      operations.add({
        kind: "read",
        ids: [ids].flat().slice(0, maximumAtOnce),
        apply: reading(),
        send: (notificationIds) =>
          notificationIds.length > 1
            ? api.request("POST", `${inboxPath}/read`, { notificationIds })
            : call("PATCH", notificationIds[0], "/read"),
      }),
    markAllAsRead: () =>
      operations.add({
        kind: "read",
        isAll: true,
        ids: inbox.unreadIds,
        apply: reading(),
        send: () => api.request("POST", `${inboxPath}/read`),
      }),
    markAsUnread: (id) => one("unread", id, { isRead: false, readAt: null }, "/unread"),
    remove: (id) => one("remove", id, null, "", { method: "DELETE", delay: times.undo }),
    archive: (id) => one("archive", id, { archivedAt: now(), snoozedUntil: null }, "/archive"),
    unarchive: (id) => one("unarchive", id, { archivedAt: null }, "/unarchive"),
    /** The server says what is wrong with a date that is none. */
    snooze: (id, date) => snooze("snooze", id, new Date(date).toJSON() ?? "", { archivedAt: null }),
    unsnooze: (id) => snooze("unsnooze", id, null, { isRead: false, readAt: null, seenAt: null }),
    act: (id, action) => one("act", id, {}, `/actions/${encodeURIComponent(action)}`, { method: "POST" }),

    /** Collected, and told in one call. */
    markAsSeen(ids) {
      for (const id of ids) if (seen.size < maximumAtOnce && inbox.get(id)?.seenAt === null) seen.add(id);
      seenTimer ||= setTimeout(flushSeen, times.seen);
    },

    opened(id) {
      if (opened.has(id) || opened.size >= maximumAtOnce) return;
      opened.add(id);
      one("opened", id, { openedAt: now() }, "/opened", { method: "POST", isQuiet: true });
    },
  };
  return { actions, flushSeen };
};
