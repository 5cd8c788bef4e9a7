// The settings within the panel.
import { morning } from '../core/put-aside.js';
import { createChannels } from './channels.js';
import { createControls } from './controls.js';
import { createPreferences } from './preferences.js';
import { quietHoursOf } from './quiet-hours.js';

export const english = {
  enabled: 'Notifications',
  enabledHint: 'Off silences everything.',
  sound: 'Sound of pushes',
  badgeEnabled: 'Number on the app’s icon',
  pause: 'Pause pushes',
  pauseHour: '1 hour',
  pauseMorning: 'Until tomorrow',
  pausedUntil: 'Paused until {time}',
  resume: 'Resume',
  quietHours: 'Quiet hours',
  quietHint: 'Pushes wait until they end. The list has everything at once.',
  quietFrom: 'From',
  quietTo: 'To',
  zone: 'Clock of {zone}',
  channels: 'What reaches you, and how',
  inApp: 'Here',
  push: 'Push',
  email: 'Email',
  showTypes: 'Types in {category}',
  muted: 'Muted',
  unmute: 'Unmute',
  until: 'until {time}',
  errorSettings: 'The settings could not be loaded.',
  pushHere: 'Push in this browser',
};

export const createSettings = bell => {
  const { panel, kit: { h, icon } } = bell;
  let store;
  let failure = '';

  const node = h('div', { part: 'view settings', hidden: true });
  panel.node.append(node);

  const save = async change => {
    const { texts } = bell;
    const { ok, error } = await (change.quiet ? store.setQuietHours(change.quiet) : store.set(change));
    failure = ok ? '' : `${texts.get('errorWrite')} ${texts.get(`error_${error.code}`)}`;
    if (!ok) bell.fail(error);
    draw();
  };

  const controls = createControls(bell, save);
  const { section, row, button, toggle } = controls;

  const pauseOf = ({ pausedUntil }) => {
    const { texts } = bell;
    const until = Date.parse(pausedUntil);
    const pause = (key, date) => button(key, key, () => save({ pausedUntil: date?.toISOString() ?? null }));
    const isPaused = until > Date.now();
    const label = isPaused ? texts.get('pausedUntil', { time: texts.date(until, { weekday: 'short', hour: 'numeric', minute: '2-digit' }) }) : texts.get('pause');
    return h('div', { class: 'line', role: 'group', 'aria-label': label }, h('span', {}, label),
      ...(isPaused ? [pause('resume', null)] : [pause('pauseHour', new Date(Date.now() + 36e5)), pause('pauseMorning', morning(1))]));
  };

  const mutedOf = ({ entityType, entityId, until }) => {
    const { texts } = bell;
    const name = `${entityType} ${entityId}`;
    const time = until && texts.date(Date.parse(until), { dateStyle: 'medium', timeStyle: 'short' });
    return h('div', { class: 'line' }, h('span', {}, name, time && h('small', {}, texts.get('until', { time }))),
      h('button', {
        part: 'action', 'data-key': `muted/${name}`, 'aria-label': `${texts.get('unmute')}: ${name}`,
        click: async () => {
          const { ok } = await store.unmute(entityType, entityId);
          if (!ok) bell.toast.show(texts.get('errorWrite'));
        },
      }, texts.get('unmute')));
  };

  const enablePush = async () => {
    try {
      await bell.host.enablePush();
    } catch (error) {
      bell.toast.show(bell.texts.get('errorWrite'));
      bell.fail(error);
    }
  };

  const sectionsOf = (value, { preferences, quietHours, push, pushProvider }) => {
    const { texts } = bell;
    const isOn = value.notificationsEnabled;
    return [
      section('', toggle('enabled', isOn, on => ({ notificationsEnabled: on }), 'enabledHint'),
        isOn && pauseOf(value),
        isOn && push && (pushProvider || bell.isPushOffered) && row('pushHere', button('pushOn', 'pushOn', enablePush))),
      isOn && quietHours && quietHoursOf(value, { bell, controls, save, draw }),
      isOn && preferences && value.categories.length > 0 && section(texts.get('channels'), channels(value)),
      isOn && preferences && section('', toggle('sound', value.soundEnabled, on => ({ soundEnabled: on })),
        toggle('badgeEnabled', value.badgeEnabled, on => ({ badgeEnabled: on }))),
      store.muted?.length > 0 && section(texts.get('muted'), ...store.muted.map(mutedOf)),
    ].filter(Boolean);
  };

  const nothingOf = error => {
    const { texts } = bell;
    if (!error) return h('div', { class: 'notice' }, texts.get('loading'));
    return h('div', { class: 'notice large' }, icon('alert'), h('b', {}, texts.get('errorSettings')), texts.get(`error_${error.code}`),
      h('button', { class: 'link', 'data-key': 'retry', click: () => store.load() }, texts.get('retry')));
  };

  const draw = () => {
    if (node.hidden || node.querySelector('input:active')) return;
    const { texts, host } = bell;
    const { value, error } = store;
    const key = bell.root.activeElement?.dataset.key;
    const top = node.lastChild?.scrollTop ?? 0;
    node.replaceChildren(
      h('div', { class: 'header' },
        h('button', { class: 'tool flips', 'data-key': 'back', 'aria-label': texts.get('back'), click: close }, icon('back')),
        h('div', { class: 'title' }, texts.get('settings'))),
      failure && h('div', { class: 'banner', role: 'alert' }, failure),
      h('div', { class: 'form' }, ...(value ? sectionsOf(value, host) : [nothingOf(error)])));
    node.lastChild.scrollTop = top;
    if (key) [...node.querySelectorAll('[data-key]')].find(({ dataset }) => dataset.key === key)?.focus({ preventScroll: true });
  };

  const channels = createChannels(bell, controls, draw);

  const open = () => {
    // What is asked and written is this user's, whoever comes next.
    const { request } = bell.core;
    store = createPreferences({ request }, draw);
    failure = '';
    panel.view.hidden = true;
    node.hidden = false;
    store.load();
    store.loadMuted();
    draw();
    node.querySelector('button').focus();
  };

  const close = () => {
    if (node.hidden) return;
    const hadFocus = node.contains(bell.root.activeElement);
    node.hidden = true;
    node.replaceChildren();
    panel.view.hidden = false;
    bell.draw();
    panel.rows.redraw();
    if (hadFocus) panel.gear.focus();
  };

  return { open, close, draw };
};
