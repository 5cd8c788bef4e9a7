import { inboxPath } from './sync.js';

const maximumAtOnce = 500;

const now = () => new Date().toJSON();

const reading = () => ({ isRead: true, readAt: now(), seenAt: now() });

/** What a user can do to notifications: its effect on the list, and its call. */
export const createActions = ({ api, inbox, operations, times }) => {
  /** What was told as seen is not told again, whatever became of it. */
  const seen = new Set();
  let unsent = [];
  let seenTimer = 0;

  const call = (method, id, rest, body) => api.request(method, `${inboxPath}/${encodeURIComponent(id)}${rest}`, body);

  /** `members` are what changes in them; null is all of it. */
  const perform = (kind, ids, members, send, more) =>
    operations.add({ kind, ids, apply: item => members && { ...item, ...members }, send, ...more });

  const one = (kind, id, members, rest, method = 'PATCH', body, more) =>
    perform(kind, [id], members, () => call(method, id, rest, body), more);

  const flushSeen = () => {
    clearTimeout(seenTimer);
    seenTimer = 0;
    const ids = unsent;
    unsent = [];
    const send = notificationIds => api.request('POST', `${inboxPath}/seen`, { notificationIds });
    if (ids.length) perform('seen', ids, { seenAt: now() }, send, { isQuiet: true });
  };

  const actions = {
    markAsRead: ids =>
      perform('read', [ids].flat().slice(0, maximumAtOnce), reading(), notificationIds =>
        notificationIds.length > 1
          ? api.request('POST', `${inboxPath}/read`, { notificationIds })
          : call('PATCH', notificationIds[0], '/read'),
      ),
    markAllAsRead: () =>
      perform('read', inbox.unreadIds, reading(), () => api.request('POST', `${inboxPath}/read`), { isAll: true }),
    markAsUnread: id => one('unread', id, { isRead: false, readAt: null }, '/unread'),
    remove: id => one('remove', id, null, '', 'DELETE', undefined, { delay: times.undo }),
    /** One notification: its members as they will be, and the call below its address. */
    change: one,
    act: (id, action) => one('act', id, {}, `/actions/${encodeURIComponent(action)}`, 'POST'),

    /** Collected, and told in one call. */
    markAsSeen(ids) {
      if (seen.size > maximumAtOnce) seen.clear();
      for (const id of ids) {
        if (seen.has(id) || inbox.get(id)?.seenAt !== null || unsent.length === maximumAtOnce) continue;
        seen.add(id);
        unsent.push(id);
      }
      seenTimer ||= setTimeout(flushSeen, times.seen);
    },

    opened(id) {
      if (!inbox.get(id)?.openedAt) one('opened', id, { openedAt: now() }, '/opened', 'POST', undefined, { isQuiet: true });
    },
  };
  return { actions, flushSeen };
};
