// What the panel needs beyond its list, in one file: loaded when the browser is idle, or when somebody asks for it.
import { english as menuTexts } from './menu.js';
import { english as pushTexts } from './push.js';
import { english as settingsTexts } from './settings.js';

export { extraStyles } from './extra-styles.js';
export { Filter } from './filter.js';
export { lookOf } from './looks.js';
export { openMenu } from './menu.js';
export { enablePush, forgetPush, prompt } from './push.js';
export { Settings } from './settings.js';

export const english = {
  filter: 'Filter',
  everything: 'Everything',
  categories: 'Categories',
  types: 'Types in {category}',
  places: 'Put aside',
  error_offline: 'Check your connection.',
  error_timeout: 'The server takes too long to answer.',
  error_unauthorized: 'Sign in again.',
  error_forbidden: 'You are not allowed to do this.',
  'error_rate-limited': 'Too many requests. Wait a moment.',
  error_unavailable: 'The server is busy. Wait a moment.',
  'error_not-found': 'It does not exist any more.',
  error_token: 'Your sign-in could not be checked.',
  error_full: 'Too much is waiting to be sent.',
  ...menuTexts,
  ...pushTexts,
  ...settingsTexts,
};
