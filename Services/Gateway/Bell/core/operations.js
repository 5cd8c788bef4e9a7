import { inboxPath } from './api.js';

const maximumRemembered = 500;

const now = () => new Date().toJSON();

const reading = () => ({ isRead: true, readAt: now(), seenAt: now() });

/** What a user can do to notifications: its effect on the list, and its call. */
export const createOperations = ({ api, inbox, queue, limits, times }) => {
  /** What was sent as seen is not sent again, whatever became of it. */
  const seen = new Set();
  let unsent = [];
  let seenTimer = 0;

  /** A request for one notification: `path` is what follows its address. */
  const request = (id, { method = 'PATCH', path = '', body }) =>
    api.request(method, `${inboxPath}/${encodeURIComponent(id)}${path}`, body);

  /** Does something to one notification: `members` of it as they will be, and the `call` that says so. `more` is the queue's. */
  const perform = ({ id, call, ...more }) => queue.add({ ...more, ids: [id], send: () => request(id, call) });

  const flushSeen = () => {
    clearTimeout(seenTimer);
    seenTimer = 0;
    const ids = unsent;
    unsent = [];
    const send = notificationIds => api.request('POST', `${inboxPath}/seen`, { notificationIds });
    if (ids.length) queue.add({ kind: 'seen', ids, members: { seenAt: now() }, send, isQuiet: true });
  };

  const operations = {
    perform,

    markAsRead: ids =>
      queue.add({
        kind: 'read',
        ids: [ids].flat().slice(0, limits.notificationIds),
        members: reading(),
        send: notificationIds =>
          notificationIds.length > 1
            ? api.request('POST', `${inboxPath}/read`, { notificationIds })
            : request(notificationIds[0], { path: '/read' }),
      }),

    markAllAsRead: () =>
      queue.add({
        kind: 'read',
        ids: inbox.unreadIds,
        members: reading(),
        send: () => api.request('POST', `${inboxPath}/read`),
        isAll: true,
      }),

    markAsUnread: id => perform({ kind: 'unread', id, members: { isRead: false, readAt: null }, call: { path: '/unread' } }),

    remove: id => perform({ kind: 'remove', id, members: null, call: { method: 'DELETE' }, delay: times.undo }),

    act: (id, action) =>
      perform({ kind: 'act', id, members: {}, call: { method: 'POST', path: `/actions/${encodeURIComponent(action)}` } }),

    /** Collected, and sent in one call. */
    markAsSeen(ids) {
      if (seen.size > maximumRemembered) seen.clear();
      for (const id of ids) {
        if (seen.has(id) || inbox.get(id)?.seenAt !== null || unsent.length >= limits.notificationIds) continue;
        seen.add(id);
        unsent.push(id);
      }
      seenTimer ||= setTimeout(flushSeen, times.seen);
    },

    opened(id) {
      if (inbox.get(id)?.openedAt) return;
      perform({ kind: 'opened', id, members: { openedAt: now() }, call: { method: 'POST', path: '/opened' }, isQuiet: true });
    },
  };
  return { operations, flushSeen };
};
