// Every text that the entry shows; later modules bring theirs along.
export const english = {
  title: 'Notifications',
  unreadName: { zero: 'Notifications', other: 'Notifications, {count} unread' },
  markAll: 'Mark all read',
  settings: 'Settings',
  back: 'Back',
  close: 'Close',
  lists: 'Lists',
  all: 'All',
  unread: 'Unread',
  archived: 'Archived',
  snoozed: 'Snoozed',
  empty: 'No notifications yet',
  emptyUnread: 'You have read everything',
  emptyOther: 'Nothing here',
  untitled: 'Notification',
  isUnread: 'Unread',
  now: 'Just now',
  gathered: '{count} notifications in one',
  others: 'and {count} more',
  more: 'More about “{title}”',
  remove: 'Remove “{title}”',
  pill: '{count} new',
  loading: 'Loading…',
  retry: 'Try again',
  stateReconnecting: 'No live connection. Trying again …',
  stateOffline: 'You are offline. Changes are kept and sent when you are back.',
  stateSignedOut: 'Sign in to see your notifications.',
  stateUnauthorized: 'Your session has ended. Sign in again to see new notifications.',
  statePaused: 'Live updates are paused.',
  errorLoad: 'The notifications could not be loaded.',
};

const fallbackLocale = 'en';

const usable = locale => {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? fallbackLocale;
  } catch {
    return fallbackLocale;
  }
};

/**
 * Texts, numbers and times of one locale: `host` are the page's own texts, `language` those of the element in that language. What both lack is
 * English.
 */
export const createTexts = (wanted, host, language) => {
  const locale = usable(wanted);
  const plural = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const dates = {};

  const number = value => numbers.format(value);

  /** The text of a key; `{name}` is replaced, and `count` chooses among plural forms. */
  const get = (key, values = {}) => {
    let text = host?.[key] ?? language?.[key] ?? english[key] ?? '';
    if (typeof text === 'object') {
      text = (values.count === 0 ? text.zero : null) ?? text[plural.select(values.count)] ?? text.other ?? '';
    }
    return `${text}`.replace(/\{(\w+)\}/g, (whole, name) =>
      typeof values[name] === 'number' ? number(values[name]) : values[name] ?? whole);
  };

  const date = (instant, options) => {
    if (!Number.isFinite(+instant)) return '';
    // To make one takes as long as to draw a row.
    const format = (dates[JSON.stringify(options)] ??= new Intl.DateTimeFormat(locale, options));
    return format.format(instant);
  };

  /** `[text, milliseconds until it is wrong]` of an instant; no text for what is no instant. */
  const age = (instant, now = Date.now()) => {
    if (!Number.isFinite(instant)) return ['', Infinity];
    const past = now - instant;
    if (past < 6e4) return [get('now'), 6e4 - past];
    for (const [unit, size, limit] of [['minute', 6e4, 36e5], ['hour', 36e5, 864e5], ['day', 864e5, 6048e5]]) {
      if (past < limit) return [relative.format(-Math.floor(past / size), unit), size - (past % size)];
    }
    const isThisYear = new Date(instant).getFullYear() === new Date(now).getFullYear();
    return [date(instant, { day: 'numeric', month: 'short', year: isThisYear ? undefined : 'numeric' }), Infinity];
  };

  /** Takes the English texts of a later module in; returns all that there are. */
  const extend = messages => Object.assign(english, messages);

  return { locale, get, number, date, age, extend };
};
