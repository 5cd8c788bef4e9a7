// `<belfry-bell>`: the bell, its panel and its list, as one custom element. How to embed it: docs/bell.md.
import { createCore } from './core.js';
import { focused, h, set } from './dom.js';
import { icon } from './icons.js';
import { titleOf } from './item.js';
import { Panel } from './panel.js';
import { sheetOf, styles } from './styles.js';
import { Texts } from './texts.js';

const sheet = sheetOf(styles);
const flags = ['preferences', 'quiet-hours', 'push', 'paused'];
const values = ['src', 'hub', 'token-url', 'token', 'locale', 'theme', 'placement', 'layout', 'tabs', 'read-on', 'max-badge'];
const connecting = ['src', 'hub', 'token-url', 'token'];
const properties = ['tokenProvider', 'messages', 'renderItem', 'pushProvider', 'times'];
const nameOf = attribute => attribute.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const given = Symbol('properties');
const betweenAnnouncements = 5000;
const patience = 5000;

export class BelfryBell extends HTMLElement {
  static get observedAttributes() {
    return [...flags, ...values];
  }

  #bell = null;
  #isQueued = false;

  constructor() {
    super();
    this[given] = {};
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
  }

  connectedCallback() {
    if (!this.#bell) {
      // Set before the element was defined: own properties that would hide the accessors.
      for (const name of [...properties, ...BelfryBell.observedAttributes].map(nameOf)) {
        if (!Object.hasOwn(this, name)) continue;
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
      this.#bell = new Bell(this, this.shadowRoot);
    }
    this.#bell.connect();
  }

  disconnectedCallback() {
    // A move within the page is a removal, too; only who stays away lets go.
    queueMicrotask(() => this.isConnected || this.#bell?.disconnect());
  }

  attributeChangedCallback(name, before, after) {
    if (before !== after) this.changed(name);
  }

  /** Attributes and properties that change together are taken over together. */
  changed(name) {
    if (!this.#bell) return;
    this.#bell.changes.add(name);
    if (this.#isQueued) return;
    this.#isQueued = true;
    queueMicrotask(() => {
      this.#isQueued = false;
      this.#bell.configure();
    });
  }

  get unreadCount() {
    return this.#bell?.core?.unreadCount ?? 0;
  }

  get notifications() {
    return this.#bell?.core?.list({}).items ?? [];
  }

  get state() {
    return this.#bell?.core?.state ?? 'disconnected';
  }

  /** What acts on the inbox without the panel, for hosts that build their own. */
  get core() {
    return this.#bell?.core ?? null;
  }

  open() {
    this.#bell?.show(true);
  }

  close() {
    this.#bell?.show(false);
  }

  refresh() {
    return this.#bell?.core?.refresh();
  }

  markAllAsRead() {
    return this.#bell?.core?.markAllAsRead().done;
  }

  signOut() {
    this.#bell?.signOut();
  }

  /** Asks the host's `pushProvider` for a token and registers it: call it on a click. */
  async enablePush() {
    return (await this.#bell.loadExtras()).enablePush(this, this.#bell.core);
  }
}

const accessor = (name, get, set) =>
  Object.defineProperty(BelfryBell.prototype, nameOf(name), { get, set, configurable: true, enumerable: true });
for (const name of flags) {
  accessor(name, function () { return this.hasAttribute(name); }, function (value) { this.toggleAttribute(name, !!value); });
}
for (const name of values) {
  accessor(name, function () { return this.getAttribute(name); }, function (value) { set(this, name, value); });
}
for (const name of properties) {
  accessor(name, function () { return this[given][name] ?? null; }, function (value) {
    this[given][name] = value;
    this.changed(name);
  });
}

/** The element's inside: what the panel and the later modules work with. */
class Bell {
  core = null;
  kit = { h, set, icon, sheetOf }; // later modules share these instead of bringing their own
  changes = new Set();
  #language;
  #languageName = 'en';
  #banner = 0;
  #news = [];
  #speaking = 0;
  #count;
  #state;

  constructor(host, root) {
    Object.assign(this, { host, root });
    this.texts = new Texts('en');
    this.panel = new Panel(this);
    this.badge = h('span', { class: 'badge', part: 'badge', 'aria-hidden': 'true', hidden: true });
    this.button = h('button', { type: 'button', class: 'button', part: 'button', 'aria-haspopup': 'dialog', 'aria-controls': 'panel' },
      h('slot', { name: 'bell' }, icon('bell')), this.badge);
    this.button.querySelector('svg').setAttribute('part', 'icon');
    this.status = h('div', { class: 'status', role: 'status' });
    this.panel.node.addEventListener('toggle', event => event.target === this.panel.node && this.#toggled(event.newState === 'open'));
    this.panel.node.addEventListener('beforetoggle', event => {
      this.hadFocus = event.newState === 'closed' && this.panel.node.contains(focused(root));
    });
    this.button.popoverTargetElement = this.panel.node;
    root.append(this.button, this.panel.node, this.status);
  }

  get isInline() {
    return this.host.layout === 'inline';
  }

  get isOpen() {
    return this.isInline || this.panel.node.matches(':popover-open');
  }

  get readOn() {
    return this.host.readOn ?? 'click';
  }

  connect() {
    this.panel.rows.connect();
    this.configure(true);
    this.core?.start();
  }

  disconnect() {
    clearTimeout(this.#banner);
    this.panel.closed();
    this.panel.rows.disconnect();
    this.core?.stop();
  }

  configure(isFirst) {
    const { host, changes, panel } = this;
    const isChanged = name => isFirst || changes.has(name);
    if (!this.core || connecting.some(name => changes.has(name))) this.#connectTo();
    else if (changes.has('tokenProvider')) this.core.setToken(host.tokenProvider);
    changes.clear();
    this.core?.setPaused(host.paused);
    const { isInline } = this;
    this.button.hidden = isInline;
    if (isInline === panel.node.hasAttribute('popover')) panel.closed();
    set(panel.node, 'popover', isInline ? null : 'auto');
    set(panel.node, 'role', isInline ? 'region' : 'dialog');
    this.#speak();
    this.draw({ state: true });
    if (isInline && host.isConnected) panel.opened();
  }

  // The gateway is where this module came from, unless `src` says otherwise.
  #connectTo() {
    const { host } = this;
    const { tokenProvider } = host;
    let gateway;
    try {
      gateway = host.src ? new URL(host.src, document.baseURI) : new URL('../..', import.meta.url);
    } catch (error) {
      return this.fail(error);
    }
    this.core?.signOut();
    this.core?.stop();
    this.core = createCore({
      gateway: gateway.href.replace(/\/+$/, ''),
      hub: host.hub ?? undefined,
      token: tokenProvider ?? (host.token ? async () => host.token : undefined),
      tokenUrl: host.tokenUrl ?? undefined,
      times: host.times ?? undefined,
      onChange: what => this.draw(what),
      onNotification: (notification, { isMissed }) => {
        if (this.emit('notification', { notification, isMissed }, true)) this.#hear(notification);
      },
      onEvent: (name, args) => this.emit('event', { name, arguments: args }),
      onError: error => {
        if (error.operation) this.panel.toast(`${this.texts.get('errorWrite')} ${this.texts.get(`error_${error.code}`)}`);
        this.fail(error);
      },
    });
    if (host.isConnected) this.core.start();
  }

  // Texts of the locale; those of another language come when they are needed.
  async #speak() {
    const { host, panel } = this;
    const asked = host.locale || host.closest('[lang]')?.lang || navigator.language;
    const language = /^de\b/i.test(asked) ? 'de' : 'en';
    // Times in a language that the texts are not in would read as a mistake.
    const locale = host.messages || asked.toLowerCase().startsWith(language) ? asked : 'en';
    if (language !== this.#languageName) {
      this.#languageName = language;
      this.#language = undefined;
      if (language === 'de') {
        try {
          const { german } = await import('./de.js');
          if (this.#languageName !== 'de') return;
          this.#language = german;
        } catch (error) {
          this.fail(error);
        }
      }
    }
    this.texts = new Texts(locale, host.messages, this.#language);
    panel.configure({
      tabs: (host.tabs ?? 'all, unread').split(',').map(name => name.trim()).filter(Boolean),
      hasSettings: host.preferences || host.quietHours || host.push,
    });
    this.settings?.draw();
    this.filter?.draw();
    this.draw({ state: true });
  }

  draw(what = {}) {
    const { core, host, texts, panel } = this;
    const count = core?.unreadCount ?? 0;
    const most = Number.parseInt(host.maxBadge, 10) || 9;
    this.badge.hidden = !count;
    this.badge.textContent = count > most ? `${texts.number(most)}+` : texts.number(count);
    set(this.button, 'aria-label', texts.get('unreadName', { count }));
    set(this.button, 'aria-expanded', `${!this.isInline && this.isOpen}`);
    panel.draw();
    if (core && core.unreadCount !== null && count !== this.#count) {
      this.#count = count;
      this.emit('unread', { count });
    }
    if (what.state) this.#drawState();
  }

  #drawState() {
    const { core, texts, panel } = this;
    const state = core?.state ?? 'disconnected';
    if (state !== this.#state) {
      const previous = this.#state;
      this.#state = state;
      this.emit('state', { state, previous });
    }
    clearTimeout(this.#banner);
    const isHostPaused = state === 'paused' && this.host.paused;
    if (!core || state === 'connected' || state === 'disconnected' || (state === 'paused' && !isHostPaused)) {
      this.since = 0;
      return panel.say('');
    }
    this.since ||= Date.now();
    const key = { unauthorized: 'stateUnauthorized', paused: 'statePaused' }[state] ?? (core.isOffline ? 'stateOffline' : 'stateReconnecting');
    const isUrgent = state === 'unauthorized' || state === 'paused';
    const retry = state !== 'paused' && { text: texts.get('retry'), run: () => core.retry() };
    this.#banner = setTimeout(() => panel.say(texts.get(key), retry), isUrgent ? 0 : Math.max(0, this.since + patience - Date.now()));
  }

  show(isWanted) {
    if (this.isInline || isWanted === this.isOpen || !this.host.isConnected) return;
    if (isWanted) this.panel.node.showPopover();
    else this.panel.node.hidePopover();
  }

  #toggled(isOpen) {
    const { panel } = this;
    this.draw();
    if (isOpen) {
      panel.opened();
      panel.node.focus();
    } else {
      this.settings?.close();
      panel.closed();
      if (this.hadFocus) this.button.focus();
    }
    this.emit(isOpen ? 'open' : 'close');
  }

  signOut() {
    this.core?.signOut();
    this.settings?.close();
    this.show(false);
    this.draw({ state: true });
  }

  emit(name, detail, cancelable = false) {
    return this.host.dispatchEvent(new CustomEvent(`belfry-${name}`, { detail, cancelable, bubbles: true, composed: true }));
  }

  fail(error, more) {
    this.emit('error', { error, ...more });
  }

  /** What `renderItem` gets beside the notification. */
  context({ id }) {
    const { core, texts, panel } = this;
    const context = {
      text: (key, values) => texts.get(key, values),
      age: date => texts.age(Date.parse(date))[0],
      remove: () => panel.remove({ id }),
    };
    for (const name of ['markAsRead', 'markAsUnread', 'archive', 'snooze', 'act']) {
      context[name] = (...values) => core[name](id, ...values).done;
    }
    return context;
  }

  // Many that come at once are one sentence, and there is one sentence in five seconds.
  #hear(notification) {
    this.#news.push(notification);
    this.announce(() => {
      const [first, ...others] = this.#news.splice(0);
      return this.texts.get('arrived', { count: others.length + 1, title: titleOf(first, this.texts) });
    });
  }

  announce(message) {
    this.message = message;
    if (this.#speaking) return;
    const speak = () => {
      const next = this.message;
      this.message = null;
      this.status.textContent = typeof next === 'function' ? next() : next ? this.texts.get(next) : '';
      this.#speaking = next ? setTimeout(speak, betweenAnnouncements) : 0;
    };
    this.#speaking = 1;
    queueMicrotask(speak);
  }

  /** Settings, menus, filter and icons: beyond what a list needs at once. */
  async loadExtras() {
    try {
      this.extras ??= await (this.loading ??= import('./extras.js'));
    } catch (error) {
      this.loading = null;
      this.panel.toast(this.texts.get('errorModule'));
      return this.fail(error);
    }
    const { extras, root } = this;
    if (!this.filter) {
      this.texts.extend(extras.english);
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheetOf(extras.extraStyles)];
      this.filter = new extras.Filter(this);
      this.settings = new extras.Settings(this);
      this.panel.rows.redraw();
    }
    if (this.host.push && this.host.pushProvider) extras.prompt(this);
    return extras;
  }

  async openSettings() {
    await this.loadExtras();
    this.settings?.open();
  }

  async openMenu(item, button) {
    (await this.loadExtras())?.openMenu(this, item, button);
  }
}

if (!customElements.get('belfry-bell')) customElements.define('belfry-bell', BelfryBell);
