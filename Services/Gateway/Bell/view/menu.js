import { createPreferences } from '../settings/preferences.js';
import { archive, morning, snooze, unarchive, unsnooze } from '../core/put-aside.js';

export const english = {
  menu: 'Actions',
  markAsRead: 'Mark as read',
  markAsUnread: 'Mark as unread',
  archive: 'Archive',
  unarchive: 'Move to inbox',
  unsnooze: 'Bring back now',
  removeIt: 'Remove',
  snoozeHour: 'Snooze for 1 hour',
  snoozeUntil: 'Snooze until {time}',
  mute: 'Mute this conversation',
  isArchived: 'Archived',
  isSnoozed: 'Snoozed',
  isMuted: 'Muted: no push or mail about it',
};

const mute = async (bell, { relatedEntityType, relatedEntityId }) => {
  const { ok } = await createPreferences(bell.core, () => {}).mute(relatedEntityType, relatedEntityId);
  bell.toast.show(bell.texts.get(ok ? 'isMuted' : 'errorWrite'));
};

const choicesOf = (bell, item) => {
  const { core, texts, panel } = bell;
  const { id } = item;
  const aside = (put, back, done) => () => {
    put(core, id);
    bell.toast.show(texts.get(done), () => back(core, id));
  };
  const snoozed = (key, date) => [
    texts.get(key, { time: texts.date(date, { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }) }),
    aside(() => snooze(core, id, date), unsnooze, 'isSnoozed'),
  ];
  const isHere = !item.archivedAt && !item.snoozedUntil;
  const [key, bringBack] = item.snoozedUntil ? ['unsnooze', unsnooze] : ['unarchive', unarchive];
  return [
    item.isRead ? [texts.get('markAsUnread'), () => core.markAsUnread(id)] : [texts.get('markAsRead'), () => core.markAsRead(id)],
    ...(isHere
      ? [
        [texts.get('archive'), aside(archive, unarchive, 'isArchived')],
        snoozed('snoozeHour', new Date(Date.now() + 36e5)), snoozed('snoozeUntil', morning(1)), snoozed('snoozeUntil', morning(7)),
      ]
      : [[texts.get(key), () => bringBack(core, id)]]),
    item.relatedEntityType && item.relatedEntityId && [texts.get('mute'), () => mute(bell, item)],
    [texts.get('removeIt'), () => panel.remove(item)],
  ].filter(Boolean);
};

// Of a row that is drawn anew meanwhile it is another button.
const anchor = (row, name) => row.querySelector('[data-do=more]')?.style.setProperty('anchor-name', name);

/** Keeps an open menu beside its row's button. */
export const keepMenu = ({ menu }) => menu && anchor(menu.row, '--more');

/** Opens the menu beside its row's button; the arrows move in it, Esc and a click elsewhere close it. */
export const openMenu = (bell, item, row) => {
  // While this module was on its way the row may have been drawn anew, or be gone.
  const button = row.isConnected && row.querySelector('[data-do=more]');
  if (!button) return;
  const { h } = bell.kit;
  const menu = h('div', {
    part: 'menu', role: 'menu', popover: 'auto', 'aria-label': bell.texts.get('menu'),
    toggle: ({ newState }) => {
      if (newState !== 'closed') return;
      menu.remove();
      // The next one may be open by now.
      if (bell.menu === menu) bell.menu = null;
      if (bell.menu?.row !== row) anchor(row, '');
    },
    keydown: event => {
      event.stopPropagation();
      const choices = [...menu.children];
      const at = choices.indexOf(event.target);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
      if (event.key === 'Tab') menu.hidePopover();
      if (to === undefined) return;
      event.preventDefault();
      choices.at(to % choices.length).focus();
    },
  }, ...choicesOf(bell, item).map(([text, run]) => h('button', {
    part: 'choice', role: 'menuitem', tabindex: -1,
    click: event => {
      event.stopPropagation();
      menu.hidePopover();
      (row.isConnected ? row : bell.panel.node).focus();
      run();
    },
  }, text)));
  bell.menu = Object.assign(menu, { row });
  keepMenu(bell);
  bell.panel.node.append(menu);
  menu.showPopover({ source: button });
  menu.firstChild.focus();
};
