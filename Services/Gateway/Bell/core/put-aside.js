// What takes a notification out of the inbox for a while, or for good, and what brings it back.

export const archive = (core, id) =>
  core.perform({ kind: 'archive', id, members: { archivedAt: new Date().toJSON(), snoozedUntil: null }, call: { path: '/archive' } });

export const unarchive = (core, id) =>
  core.perform({ kind: 'unarchive', id, members: { archivedAt: null }, call: { path: '/unarchive' } });

export const snooze = (core, id, date) => {
  // The server says what is wrong with a date that is none.
  const until = new Date(date).toJSON() ?? '';
  return core.perform({
    kind: 'snooze',
    id,
    members: { snoozedUntil: until, archivedAt: null },
    call: { path: '/snooze', body: { until } },
  });
};

export const unsnooze = (core, id) =>
  core.perform({
    kind: 'unsnooze',
    id,
    members: { snoozedUntil: null, isRead: false, readAt: null, seenAt: null },
    call: { path: '/snooze', body: { until: null } },
  });

/** Nine in the morning, so many days from today: by the reader's clock, whatever daylight saving does. */
export const morning = days => {
  const date = new Date();
  date.setDate(date.getDate() + days);
  date.setHours(9, 0, 0, 0);
  return date;
};
