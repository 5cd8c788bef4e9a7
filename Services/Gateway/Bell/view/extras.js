// What the panel needs beyond its list, in one file: loaded when the panel is opened.
import { advise } from './advice.js';
import { keepAgesTrue } from './ages.js';
import { extraStyles } from './extra-styles.js';
import { createFilter } from './filter.js';
import { useKeys } from './keys.js';
import { keepMenu, english as menuTexts } from './menu.js';
import { announcer, createToast } from './saying.js';
import { createSeen } from './seen.js';
import { createSettings, english as settingsTexts } from '../settings/settings.js';

export { lookOf } from './looks.js';
export { openMenu } from './menu.js';
export { archive, snooze } from '../core/put-aside.js';
export { announceNews } from './saying.js';

/** In a file of its own: it is for those who get pushes, or are asked about them. */
const loadPush = () => import('../push/push.js');

export const forgetPush = async what => {
  try {
    return await (await loadPush()).forgetPush(what);
  } catch (error) {
    what.fail(error);
    return { ok: false, error };
  }
};

const attendPush = async bell => {
  if (!bell.host.push && !bell.hasDevice()) return;
  try {
    await (await loadPush()).attend(bell);
  } catch (error) {
    bell.fail(error);
  }
};

export const enablePush = async bell => {
  const isEnabled = await (await loadPush()).enablePush(bell);
  attendPush(bell);
  return isEnabled;
};

export const english = {
  filter: 'Filter',
  everything: 'Everything',
  categories: 'Categories',
  types: 'Types in {category}',
  places: 'Put aside',
  arrived: { one: 'New notification: {title}', other: '{count} new notifications' },
  undo: 'Undo',
  removed: 'Notification removed',
  errorWrite: 'That did not work and was taken back.',
  error_offline: 'Check your connection.',
  error_unauthorized: 'Sign in again.',
  'error_rate-limited': 'Wait a moment.',
  error_unavailable: 'Wait a moment.',
  error_timeout: 'Wait a moment.',
  error_token: 'Wait a moment.',
  error_malformed: 'Wait a moment.',
  pushTitle: 'Hear about it when this page is closed',
  pushBody: 'You get only what you choose in the settings.',
  pushOn: 'Turn on',
  pushLater: 'Not now',
  ...menuTexts,
  ...settingsTexts,
};

/** The list has been drawn or scrolled. */
export const changed = bell => {
  keepAgesTrue(bell);
  keepMenu(bell);
  bell.seen.changed();
};

/** Gives a bell all of this, once; asks about pushes and says what is wrong with the page whenever it is time for that. */
export const equip = bell => {
  const { root, host, panel, texts, kit } = bell;
  if (!bell.toast) {
    bell.messages = texts.extend(english);
    root.adoptedStyleSheets.push(kit.sheetOf(extraStyles));
    bell.filter = createFilter(bell);
    bell.settings = createSettings(bell);
    bell.toast = createToast(bell);
    bell.announce = announcer(bell.status);
    bell.seen = createSeen(bell);
    useKeys(bell);
    host.addEventListener('belfry-state', ({ detail }) => detail.state === 'connected' && attendPush(bell));
    panel.rows.redraw();
  }
  attendPush(bell);
  advise(bell);
};
