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

/** Texts, numbers and times of one locale. `layers` are message objects, the first that has a key decides. */
export class Texts {
  #host;
  #language;
  #plural;
  #number;
  #relative;
  #dates = {};

  /** `host` are the page's own texts, `language` those of the element in that language; what both lack is English. */
  constructor(locale, host, language) {
    this.locale = usable(locale);
    this.#host = host;
    this.#language = language;
    this.#plural = new Intl.PluralRules(this.locale);
    this.#number = new Intl.NumberFormat(this.locale);
    this.#relative = new Intl.RelativeTimeFormat(this.locale, { numeric: 'auto' });
  }

  /** Takes the English texts of a later module in; returns all that there are. */
  extend(messages) {
    return Object.assign(english, messages);
  }

  /** The text of a key; `{name}` is replaced, and `count` chooses among plural forms. */
  get(key, values = {}) {
    let text = this.#host?.[key] ?? this.#language?.[key] ?? english[key] ?? '';
    if (typeof text === 'object') {
      text = (values.count === 0 ? text.zero : null) ?? text[this.#plural.select(values.count)] ?? text.other ?? '';
    }
    return `${text}`.replace(/\{(\w+)\}/g, (whole, name) =>
      typeof values[name] === 'number' ? this.number(values[name]) : values[name] ?? whole);
  }

  number = value => this.#number.format(value);

  /** `[text, milliseconds until it is wrong]` of an instant; no text for what is no instant. */
  age(instant, now = Date.now()) {
    if (!Number.isFinite(instant)) return ['', Infinity];
    const age = now - instant;
    if (age < 6e4) return [this.get('now'), 6e4 - age];
    for (const [unit, size, limit] of [['minute', 6e4, 36e5], ['hour', 36e5, 864e5], ['day', 864e5, 6048e5]]) {
      if (age < limit) return [this.#relative.format(-Math.floor(age / size), unit), size - (age % size)];
    }
    const isThisYear = new Date(instant).getFullYear() === new Date(now).getFullYear();
    return [this.date(instant, { day: 'numeric', month: 'short', year: isThisYear ? undefined : 'numeric' }), Infinity];
  }

  date(instant, options) {
    if (!Number.isFinite(+instant)) return '';
    // To make one takes as long as to draw a row.
    const format = (this.#dates[JSON.stringify(options)] ??= new Intl.DateTimeFormat(this.locale, options));
    return format.format(instant);
  }
}
