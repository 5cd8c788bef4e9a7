// The settings within the panel.
import { spaced } from '../view/filter.js';
import { createPreferences } from './preferences.js';
import { morning } from '../view/put-aside.js';

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

const channels = ['inApp', 'push', 'email'];
const minutesOf = time => {
  const [hours, minutes] = (time ?? '').split(':').map(Number);
  return Number.isFinite(hours * 60 + minutes) ? hours * 60 + minutes : null;
};
const timeOf = minutes => `${`${Math.floor(minutes / 60) % 24}`.padStart(2, '0')}:${`${minutes % 60}`.padStart(2, '0')}`;

export class Settings {
  #open = new Set();
  #error = '';

  constructor(bell) {
    const { h } = bell.kit;
    this.bell = bell;
    this.node = h('div', { part: 'view settings', hidden: true });
    bell.panel.node.append(this.node);
  }

  open() {
    const { bell } = this;
    // What is asked and written is this user's, whoever comes next.
    const { request } = bell.core;
    this.preferences = createPreferences({ request }, () => this.draw());
    this.#error = '';
    bell.panel.view.hidden = true;
    this.node.hidden = false;
    this.preferences.load();
    this.preferences.loadMuted();
    this.draw();
    this.node.querySelector('button').focus();
  }

  close() {
    if (this.node.hidden) return;
    const hadFocus = this.node.contains(this.bell.root.activeElement);
    this.node.hidden = true;
    this.node.replaceChildren();
    this.bell.panel.view.hidden = false;
    this.bell.draw();
    this.bell.panel.rows.redraw();
    if (hadFocus) this.bell.panel.gear.focus();
  }

  draw() {
    if (this.node.hidden || this.node.querySelector('input:active')) return;
    const { bell, node } = this;
    const { h, icon } = bell.kit;
    const { texts, host } = bell;
    const { value, error } = this.preferences;
    const key = bell.root.activeElement?.dataset.key;
    const top = node.lastChild?.scrollTop ?? 0;
    node.replaceChildren(
      h('div', { class: 'header' },
        h('button', { class: 'tool flips', 'data-key': 'back', 'aria-label': texts.get('back'), click: () => this.close() }, icon('back')),
        h('div', { class: 'title' }, texts.get('settings'))),
      this.#error && h('div', { class: 'banner', role: 'alert' }, this.#error),
      h('div', { class: 'form' }, ...(value ? this.#sections(value, host) : [this.#nothing(error)])));
    node.lastChild.scrollTop = top;
    if (key) [...node.querySelectorAll('[data-key]')].find(({ dataset }) => dataset.key === key)?.focus({ preventScroll: true });
  }

  #nothing(error) {
    const { bell: { kit: { h, icon }, texts }, preferences } = this;
    if (!error) return h('div', { class: 'notice' }, texts.get('loading'));
    return h('div', { class: 'notice large' }, icon('alert'), h('b', {}, texts.get('errorSettings')), texts.get(`error_${error.code}`),
      h('button', { class: 'link', 'data-key': 'retry', click: () => preferences.load() }, texts.get('retry')));
  }

  #sections(value, { preferences, quietHours, push, pushProvider }) {
    const { bell: { texts } } = this;
    const isOn = value.notificationsEnabled;
    return [
      this.#section('', this.#switch('enabled', isOn, on => ({ notificationsEnabled: on }), 'enabledHint'),
        isOn && this.#pause(value),
        isOn && push && pushProvider && this.#row('pushHere', this.#button('pushOn', 'pushOn', () => this.bell.host.enablePush()))),
      isOn && quietHours && this.#quiet(value),
      isOn && preferences && this.#section(texts.get('channels'), this.#table(value)),
      isOn && preferences && this.#section('', this.#switch('sound', value.soundEnabled, on => ({ soundEnabled: on })),
        this.#switch('badgeEnabled', value.badgeEnabled, on => ({ badgeEnabled: on }))),
      this.preferences.muted?.length > 0 && this.#section(texts.get('muted'), ...this.preferences.muted.map(muted => this.#muted(muted))),
    ].filter(Boolean);
  }

  #section(title, ...rows) {
    const { h } = this.bell.kit;
    return h('section', { 'aria-label': title || null }, title && h('div', { class: 'legend' }, title), ...rows);
  }

  #row(label, control, hint) {
    const { kit: { h }, texts } = this.bell;
    return h('label', { class: 'line' }, h('span', {}, texts.get(label), hint && h('small', {}, texts.get(hint))), control);
  }

  #button(key, text, run) {
    const { kit: { h }, texts } = this.bell;
    return h('button', { part: 'action', 'data-key': key, click: run }, texts.get(text));
  }

  #check(key, isOn, change, attributes) {
    const box = this.bell.kit.h('input', { type: 'checkbox', 'data-key': key, change: () => this.#save(change(box.checked)), ...attributes });
    box.checked = isOn;
    return box;
  }

  #switch(key, isOn, change, hint) {
    return this.#row(key, this.#check(key, isOn, change, { role: 'switch', class: 'switch' }), hint);
  }

  async #save(change) {
    const { texts } = this.bell;
    const { ok, error } = await (change.quiet ? this.preferences.setQuietHours(change.quiet) : this.preferences.set(change));
    this.#error = ok ? '' : `${texts.get('errorWrite')} ${texts.get(`error_${error.code}`)}`;
    if (!ok) this.bell.fail(error);
    this.draw();
  }

  #pause({ pausedUntil }) {
    const { kit: { h }, texts } = this.bell;
    const until = Date.parse(pausedUntil);
    const pause = (key, date) => this.#button(key, key, () => this.#save({ pausedUntil: date?.toISOString() ?? null }));
    const isPaused = until > Date.now();
    const label = isPaused ? texts.get('pausedUntil', { time: texts.date(until, { weekday: 'short', hour: 'numeric', minute: '2-digit' }) }) : texts.get('pause');
    return h('div', { class: 'line', role: 'group', 'aria-label': label }, h('span', {}, label),
      ...(isPaused ? [pause('resume', null)] : [pause('pauseHour', new Date(Date.now() + 36e5)), pause('pauseMorning', morning(1))]));
  }

  // The day as a bar, and its two ends as sliders upon it.
  #quiet(value) {
    const { kit: { h }, texts } = this.bell;
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const times = [minutesOf(value.quietHoursStart) ?? 1320, minutesOf(value.quietHoursEnd) ?? 420];
    const quiet = change => ({
      quiet: { enabled: true, startTime: timeOf(times[0]), endTime: timeOf(times[1]), ...(value.timezone ? {} : { timezone: zone }), ...change },
    });
    const clock = minutes => texts.date(new Date(2001, 0, 1, 0, minutes), { hour: 'numeric', minute: '2-digit' });
    const outputs = times.map(() => h('b', {}));
    const bar = h('div', { part: 'day' });
    const sliders = times.map((_, at) => h('input', {
      type: 'range', min: 0, max: 1425, step: times.every(time => time % 15 === 0) ? 15 : 1,
      'data-key': `quiet-${at}`, 'aria-label': texts.get(at ? 'quietTo' : 'quietFrom'),
      input: event => { times[at] = Number(event.target.value); show(); },
      change: () => (times[0] === times[1] ? this.draw() : this.#save(quiet({}))),
    }));
    const show = () => {
      times.forEach((time, at) => {
        sliders[at].value = time;
        sliders[at].ariaValueText = clock(time);
        outputs[at].textContent = clock(time);
        bar.style.setProperty(at ? '--to' : '--from', `${time / 14.25}%`);
      });
      bar.classList.toggle('night', times[0] > times[1]);
    };
    show();
    bar.append(...sliders);
    return this.#section('',
      this.#switch('quietHours', value.quietHoursEnabled, on => quiet({ enabled: on }), 'quietHint'),
      ...(value.quietHoursEnabled ? [
        h('div', { class: 'ends' }, h('span', {}, texts.get('quietFrom'), ' ', outputs[0]), h('span', {}, texts.get('quietTo'), ' ', outputs[1])),
        bar,
        h('div', { class: 'hours', 'aria-hidden': 'true' }, ...[0, 6, 12, 18, 24].map(hour => h('span', {}, texts.number(hour)))),
        h('small', {}, texts.get('zone', { zone: value.effectiveTimezone ?? value.timezone ?? zone })),
      ] : []));
  }

  #table({ categories, preferences }) {
    const { kit: { h, icon }, texts } = this.bell;
    const switches = (name, choice, change) => channels.map(channel =>
      this.#check(`${name}/${channel}`, choice[`${channel}Enabled`], on => change(`${channel}Enabled`, on), { 'aria-label': `${name}: ${texts.get(channel)}` }));
    const rows = categories.flatMap(entry => {
      const { category } = entry;
      const types = preferences.filter(type => type.category === category);
      const isOpen = this.#open.has(category);
      const toggle = () => {
        if (!this.#open.delete(category)) this.#open.add(category);
        this.draw();
      };
      return [
        h('div', { class: 'choices' },
          h('button', {
            class: 'fold flips', 'data-key': category, 'aria-expanded': `${isOpen}`, 'aria-label': texts.get('showTypes', { category }), click: toggle,
          }, icon('back'), category),
          ...switches(category, entry, (channel, on) => ({ categories: [{ category, [channel]: on }] }))),
        ...(isOpen ? types : []).map(({ notificationType, typeName, inAppEnabled, pushEnabled, emailEnabled }) => {
          const choice = { notificationType, inAppEnabled, pushEnabled, emailEnabled };
          const name = spaced(typeName);
          return h('div', { class: 'choices type' }, h('span', {}, name),
            ...switches(name, choice, (channel, on) => ({ preferences: [{ ...choice, [channel]: on }] })));
        }),
      ];
    });
    return h('div', {}, h('div', { class: 'choices columns', 'aria-hidden': 'true' }, h('span', {}), ...channels.map(name => h('span', {}, texts.get(name)))), ...rows);
  }

  #muted({ entityType, entityId, until }) {
    const { kit: { h }, texts } = this.bell;
    const name = `${entityType} ${entityId}`;
    const time = until && texts.date(Date.parse(until), { dateStyle: 'medium', timeStyle: 'short' });
    return h('div', { class: 'line' }, h('span', {}, name, time && h('small', {}, texts.get('until', { time }))),
      h('button', {
        part: 'action', 'data-key': `muted/${name}`, 'aria-label': `${texts.get('unmute')}: ${name}`,
        click: async () => {
          const { ok } = await this.preferences.unmute(entityType, entityId);
          if (!ok) this.bell.toast.show(texts.get('errorWrite'));
        },
      }, texts.get('unmute')));
  }
}
