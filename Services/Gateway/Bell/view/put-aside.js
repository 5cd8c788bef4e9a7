// What takes a notification out of the inbox for a while, or for good, and what brings it back.

export const archive = (core, id) => core.change('archive', id, { archivedAt: new Date().toJSON(), snoozedUntil: null }, '/archive');

export const unarchive = (core, id) => core.change('unarchive', id, { archivedAt: null }, '/unarchive');

const snoozeTo = (core, kind, id, until, members) =>
  core.change(kind, id, { snoozedUntil: until, ...members }, '/snooze', 'PATCH', { until });

// The server says what is wrong with a date that is none.
export const snooze = (core, id, date) => snoozeTo(core, 'snooze', id, new Date(date).toJSON() ?? '', { archivedAt: null });

export const unsnooze = (core, id) => snoozeTo(core, 'unsnooze', id, null, { isRead: false, readAt: null, seenAt: null });

/** Nine in the morning, so many days from today: by the reader's clock, whatever daylight saving does. */
export const morning = days => {
  const date = new Date();
  date.setDate(date.getDate() + days);
  date.setHours(9, 0, 0, 0);
  return date;
};
