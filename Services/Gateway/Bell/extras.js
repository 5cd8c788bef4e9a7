// What the panel needs beyond its list, in one file: loaded when the browser is idle, or when somebody asks for it.
import { english as menuTexts } from './menu.js';
import { english as pushTexts } from './push.js';
import { english as settingsTexts } from './settings.js';

export { extraStyles } from './extra-styles.js';
export { Filter } from './filter.js';
export { lookOf } from './looks.js';
export { openMenu } from './menu.js';
export { enablePush, forgetPush, prompt } from './push.js';
export { announcer, Toast } from './saying.js';
export { Settings } from './settings.js';

export const english = {
  filter: 'Filter',
  everything: 'Everything',
  categories: 'Categories',
  types: 'Types in {category}',
  places: 'Put aside',
  undo: 'Undo',
  removed: 'Notification removed',
  errorWrite: 'That did not work and was taken back.',
  error_offline: 'Check your connection.',
  error_unauthorized: 'Sign in again.',
  'error_rate-limited': 'Wait a moment.',
  error_unavailable: 'Wait a moment.',
  ...menuTexts,
  ...pushTexts,
  ...settingsTexts,
};
