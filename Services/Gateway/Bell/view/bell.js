import { createCore } from '../core/core.js';
import { createTexts } from '../languages/texts.js';
import { createStateBanner } from './banner.js';
import { focused, h, set } from './dom.js';
import { icon } from './icons.js';
import { titleOf } from './item.js';
import { createPanel } from './panel.js';
import { sheetOf } from './styles.js';

/**
 * The element's inside: what the panel and the later modules work with, all of it in one place. `origin` is the gateway, unless `src` says
 * otherwise.
 */
export const createBell = (host, root, origin) => {
  const news = [];
  let german;
  // A gateway of another release may not have it: it is asked for again when the panel opens.
  let isLanguageMissing = false;
  let where;
  let tokenProvider;
  let isSignedOut = false;
  let shownCount;

  const bell = {
    /** The element. */
    host,
    /** Its shadow tree. */
    root,
    /** What later modules share instead of bringing their own. */
    kit: { h, set, icon, sheetOf, titleOf },
    /** Of the current locale: another one after each change of it. */
    texts: createTexts('en'),
    /** Of core/core.js: another one after each change of gateway, hub or token. Null until the element is first configured. */
    core: null,
    /** Of panel.js. */
    panel: null,
    /** What screen readers are told. */
    status: h('div', { class: 'status', role: 'status' }),

    // Null until extras.js has come.

    /** The module itself. */
    extras: null,
    /** Every English text, theirs included. */
    messages: null,
    /** Of filter.js: `draw()`. */
    filter: null,
    /** Of settings.js: `open()`, `close()` and `draw()`. */
    settings: null,
    /** Of saying.js: `show(text, undo)` and `undo()`. */
    toast: null,
    /** Says what a function answers to screen readers. */
    announce: null,
    /** Of seen.js: `changed()`. */
    seen: null,
    /** The menu that is open, with its `row`. */
    menu: null,
    /** Whether the gateway takes this browser's subscription to pushes. */
    isPushOffered: null,
    /** The timer of ages.js. */
    nextAge: null,

    /** Whether the list is in the page, without a bell. */
    get isInline() {
      return host.layout === 'inline';
    },
    /** Whether the list can be seen. */
    get isOpen() {
      return bell.isInline || bell.panel.node.matches(':popover-open');
    },
    /** What reads a notification: `click`, `view` or `open`. */
    get readOn() {
      return host.readOn ?? 'click';
    },

    /** Whether this browser was registered for pushes, or may have been: push/stored.js keeps that there. */
    hasDevice() {
      try {
        return !!localStorage['belfry-push-device'];
      } catch {}
    },

    /** Sends an event of the element; false where the page has prevented it. */
    emit: (name, detail, cancelable) =>
      host.dispatchEvent(new CustomEvent(`belfry-${name}`, { detail, cancelable, bubbles: true, composed: true })),

    /** Reports an error to the page. */
    fail(error, more) {
      bell.emit('error', { error, ...more });
    },

    /** The element has left the page. */
    disconnect() {
      banner.clear();
      panel.closed();
      bell.core.stop();
    },

    /** Takes over what the page has set. */
    configure() {
      const { node } = panel;
      const { isInline } = bell;
      const { src, hub, tokenUrl, token, tokenProvider: provider } = host;
      const next = `${[src, hub, tokenUrl, token]}`;
      const isNew = next !== where;
      const isOther = provider !== tokenProvider;
      if (isNew) renewCore();
      else if (isOther) bell.core.setToken(provider ?? token);
      isSignedOut &&= !isNew && !isOther;
      where = next;
      tokenProvider = provider;
      bell.core.setPaused(host.paused);
      if (!isSignedOut) bell.core.start();
      const isAppearing = isNew || !button.hidden;
      button.hidden = isInline;
      set(node, 'popover', isInline ? null : 'auto');
      set(node, 'role', isInline ? 'region' : 'dialog');
      speak();
      if (isInline && isAppearing) panel.opened();
      if (host.push || bell.extras || bell.hasDevice()) bell.loadExtras();
    },

    /** Draws what has changed of the user's list; `what.state`: of the connection, too. */
    draw(what) {
      const { core, texts } = bell;
      const { unreadCount } = core;
      const count = unreadCount ?? 0;
      const most = Math.floor(host.maxBadge) || 9;
      badge.hidden = !count;
      badge.textContent = texts.number(Math.min(count, most)) + (count > most ? '+' : '');
      button.ariaLabel = texts.get('unreadName', { count });
      button.ariaExpanded = bell.isOpen;
      panel.draw();
      if (count !== shownCount && (shownCount || unreadCount !== null)) {
        shownCount = count;
        bell.emit('unread', { count });
      }
      if (what?.state) banner.draw();
    },

    /** Opens the panel, or closes it. */
    show(isWanted) {
      if (!bell.isInline && isWanted !== bell.isOpen && host.isConnected) panel.node.togglePopover(isWanted);
    },

    /** Forgets everything, and ends this browser's registration for pushes: `{ ok, error }`. */
    async signOut() {
      // What is theirs until the end: the site's session may be the next user's as soon as this returns.
      const { request, token } = bell.core;
      const isRegistered = bell.hasDevice();
      if (isRegistered) token(null, true).catch(() => {});
      news.length = 0;
      bell.settings?.close();
      bell.core.signOut();
      isSignedOut = true;
      bell.show(false);
      const extras = (isRegistered || bell.extras) && (await bell.loadExtras());
      return extras ? extras.forgetPush({ request, token, host, fail: error => bell.fail(error) }) : { ok: !isRegistered, error: null };
    },

    /** What `renderItem` gets beside the notification. */
    context({ id }) {
      const { core, texts } = bell;
      return {
        text: (key, values) => texts.get(key, values),
        age: date => texts.age(Date.parse(date))[0],
        markAsRead: async () => core.markAsRead(id).done,
        markAsUnread: async () => core.markAsUnread(id).done,
        act: async action => core.act(id, action).done,
        archive: async () => (await bell.loadExtras()).archive(core, id).done,
        snooze: async date => (await bell.loadExtras()).snooze(core, id, date).done,
        remove: () => panel.remove({ id }),
      };
    },

    /** Settings, menus, filter and icons: beyond what a list needs at once. Undefined where they cannot be had. */
    async loadExtras() {
      try {
        bell.extras ??= await import('./extras.js');
        bell.extras.equip(bell);
        return bell.extras;
      } catch (error) {
        bell.fail(error);
      }
    },

    /** Opens the settings, as soon as they are there. */
    async openSettings() {
      await bell.loadExtras();
      bell.settings?.open();
    },

    /** Opens an item's menu, as soon as it is there. */
    async openMenu(item, row) {
      (await bell.loadExtras())?.openMenu(bell, item, row);
    },
  };

  const hear = async notification => {
    news.push(notification);
    (await bell.loadExtras())?.announceNews(bell, news);
  };

  const renewCore = () => {
    const { src, hub, tokenUrl, token, tokenProvider, times } = host;
    bell.settings?.close();
    bell.core?.signOut();
    bell.core = createCore({
      gateway: new URL(src ?? origin, document.baseURI).href.replace(/\/+$/, ''),
      hub,
      token: tokenProvider ?? token,
      tokenUrl,
      times,
      onChange: what => bell.draw(what),
      onNotification: (notification, { isMissed }) => {
        if (bell.emit('notification', { notification, isMissed }, true)) hear(notification);
      },
      onEvent: (name, args) => bell.emit('event', { name, arguments: args }),
      onError: error => {
        if (error.operation) bell.toast?.show(bell.texts.get('errorWrite'));
        bell.fail(error);
      },
    });
  };

  // Texts of the locale; those of another language come when they are needed.
  const speak = () => {
    const asked = host.locale || host.closest('[lang]')?.lang || navigator.language;
    const isGerman = /^de\b/i.test(asked);
    isLanguageMissing = false;
    if (isGerman && !german) {
      import('../languages/de.js').then(module => {
        german = module.german;
        speak();
      }, error => {
        isLanguageMissing = true;
        bell.fail(error);
      });
    }
    // Times in a language that the texts are not in would read as a mistake.
    const isKnown = host.messages || (isGerman ? german : /^en\b/i.test(asked));
    bell.texts = createTexts(isKnown ? asked : 'en', host.messages, isGerman && german);
    panel.gear.hidden = !(host.preferences || host.quietHours || host.push);
    panel.configure((host.tabs ?? 'all, unread').split(',').map(name => name.trim()).filter(Boolean));
    bell.settings?.draw();
    bell.filter?.draw();
    bell.draw({ state: true });
  };

  const onToggle = isOpen => {
    bell.draw();
    if (isOpen) {
      if (isLanguageMissing) speak();
      panel.opened();
      panel.node.focus();
    } else {
      bell.settings?.close();
      panel.closed();
      const focus = focused(document);
      if (focus === document.body || panel.node.contains(focus)) button.focus();
    }
    bell.emit(isOpen ? 'open' : 'close');
  };

  const panel = (bell.panel = createPanel(bell));
  const banner = createStateBanner(bell);
  const badge = h('span', { part: 'badge', 'aria-hidden': 'true' });
  const chime = icon('chime');
  chime.setAttribute('part', 'icon');
  const button = h('button', { part: 'button', 'aria-haspopup': 'dialog' }, h('slot', { name: 'bell' }, chime), badge);
  button.popoverTargetElement = panel.node;
  panel.node.addEventListener('toggle', ({ target, newState }) => target === panel.node && onToggle(newState === 'open'));
  root.append(button, panel.node, bell.status);
  return bell;
};
