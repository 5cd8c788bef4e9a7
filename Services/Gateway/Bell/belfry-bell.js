// `<belfry-bell>`: the bell, its panel and its list, as one custom element. How to embed it: docs/bell.md.
import { createCore } from './core/core.js';
import { focused, h, set } from './view/dom.js';
import { icon } from './view/icons.js';
import { titleOf } from './view/item.js';
import { Panel } from './view/panel.js';
import { sheetOf, styles } from './view/styles.js';
import { Texts } from './languages/texts.js';

const sheet = sheetOf(styles);
const flags = ['preferences', 'quiet-hours', 'push', 'paused'];
const values = ['src', 'hub', 'token-url', 'token', 'locale', 'theme', 'placement', 'layout', 'tabs', 'read-on', 'max-badge'];
const properties = ['tokenProvider', 'messages', 'renderItem', 'pushProvider', 'times'];
const nameOf = attribute => attribute.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const given = Symbol('properties');
const patience = 5000;

/** Whether this browser was registered for pushes: push.js keeps its id there. */
const hasDevice = () => {
  try {
    return !!localStorage['belfry-push-device'];
  } catch {}
};

export class BelfryBell extends HTMLElement {
  #bell;
  #isQueued = false;

  static get observedAttributes() {
    return [...flags, ...values];
  }

  constructor() {
    super();
    this[given] = {};
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
  }

  connectedCallback() {
    if (!this.#bell) {
      // Set before the element was defined: own properties that would hide the accessors.
      for (const name of [...properties, ...flags, ...values].map(nameOf)) {
        if (!Object.hasOwn(this, name)) continue;
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
      this.#bell = new Bell(this, this.shadowRoot);
    }
    this.#bell.configure();
  }

  disconnectedCallback() {
    // A move within the page is a removal, too; only who stays away lets go.
    queueMicrotask(() => this.isConnected || this.#bell.disconnect());
  }

  /** Attributes and properties that change together are taken over together. */
  attributeChangedCallback() {
    if (this.#isQueued || !this.#bell) return;
    this.#isQueued = true;
    queueMicrotask(() => {
      this.#isQueued = false;
      if (this.isConnected) this.#bell.configure();
    });
  }

  get unreadCount() {
    return this.#bell?.core.unreadCount ?? 0;
  }

  get notifications() {
    return this.#bell?.core.list({}).items ?? [];
  }

  get state() {
    return this.#bell?.core.state ?? 'disconnected';
  }

  open() {
    this.#bell?.show(true);
  }

  close() {
    this.#bell?.show(false);
  }

  refresh() {
    return this.#bell?.core.refresh();
  }

  markAllAsRead() {
    return this.#bell?.core.markAllAsRead().done;
  }

  signOut() {
    return this.#bell?.signOut();
  }

  /** Asks the host's `pushProvider` for a token and registers it: call it on a click. */
  async enablePush() {
    return (await this.#bell?.loadExtras())?.enablePush(this, this.#bell.core) ?? false;
  }
}

const accessor = (name, get, set) =>
  Object.defineProperty(BelfryBell.prototype, nameOf(name), { get, set });
for (const name of flags) {
  accessor(name, function () { return this.hasAttribute(name); }, function (value) { this.toggleAttribute(name, !!value); });
}
for (const name of values) {
  accessor(name, function () { return this.getAttribute(name); }, function (value) { set(this, name, value); });
}
for (const name of properties) {
  accessor(name, function () { return this[given][name] ?? null; }, function (value) {
    this[given][name] = value;
    this.attributeChangedCallback();
  });
}

/** The element's inside: what the panel and the later modules work with. */
class Bell {
  kit = { h, set, icon, sheetOf, titleOf }; // later modules share these instead of bringing their own
  texts = new Texts('en');
  #banner = 0;
  #news = [];

  constructor(host, root) {
    Object.assign(this, { host, root });
    this.panel = new Panel(this);
    this.badge = h('span', { part: 'badge', 'aria-hidden': 'true' });
    const chime = icon('chime');
    chime.setAttribute('part', 'icon');
    this.button = h('button', { part: 'button', 'aria-haspopup': 'dialog' }, h('slot', { name: 'bell' }, chime), this.badge);
    this.status = h('div', { class: 'status', role: 'status' });
    this.button.popoverTargetElement = this.panel.node;
    this.panel.node.addEventListener('toggle', ({ target, newState }) => target === this.panel.node && this.#toggled(newState === 'open'));
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

  disconnect() {
    clearTimeout(this.#banner);
    this.panel.closed();
    this.core.stop();
  }

  configure() {
    const { host, panel: { node }, isInline } = this;
    const { src, hub, tokenUrl, token, tokenProvider } = host;
    const where = `${[src, hub, tokenUrl, token]}`;
    const isNew = where !== this.where;
    const isOther = tokenProvider !== this.tokenProvider;
    if (isNew) this.#connectTo(host);
    else if (isOther) this.core.setToken(tokenProvider ?? token);
    this.isSignedOut &&= !isNew && !isOther;
    Object.assign(this, { where, tokenProvider });
    this.core.setPaused(host.paused);
    if (!this.isSignedOut) this.core.start();
    const isAppearing = isNew || !this.button.hidden;
    this.button.hidden = isInline;
    set(node, 'popover', isInline ? null : 'auto');
    set(node, 'role', isInline ? 'region' : 'dialog');
    this.#speak();
    if (isInline && isAppearing) this.panel.opened();
    if (host.push || this.extras) this.loadExtras();
  }

  // The gateway is where this module came from, unless `src` says otherwise.
  #connectTo({ src, hub, tokenUrl, token, tokenProvider, times }) {
    this.settings?.close();
    this.core?.signOut();
    this.core = createCore({
      gateway: new URL(src ?? new URL('../..', import.meta.url), document.baseURI).href.replace(/\/+$/, ''),
      hub,
      token: tokenProvider ?? token,
      tokenUrl,
      times,
      onChange: what => this.draw(what),
      onNotification: (notification, { isMissed }) => {
        if (this.emit('notification', { notification, isMissed }, true)) this.#hear(notification);
      },
      onEvent: (name, args) => this.emit('event', { name, arguments: args }),
      onError: error => {
        if (error.operation) this.toast?.show(this.texts.get('errorWrite'));
        this.fail(error);
      },
    });
  }

  // Texts of the locale; those of another language come when they are needed.
  #speak() {
    const { host, panel } = this;
    const asked = host.locale || host.closest('[lang]')?.lang || navigator.language;
    const isGerman = /^de\b/i.test(asked);
    if (isGerman && !this.german) {
      import('./languages/de.js').then(({ german }) => {
        this.german = german;
        this.#speak();
      }, error => this.fail(error));
    }
    // Times in a language that the texts are not in would read as a mistake.
    const isKnown = host.messages || (isGerman ? this.german : /^en\b/i.test(asked));
    this.texts = new Texts(isKnown ? asked : 'en', host.messages, isGerman && this.german);
    panel.gear.hidden = !(host.preferences || host.quietHours || host.push);
    panel.configure((host.tabs ?? 'all, unread').split(',').map(name => name.trim()).filter(Boolean));
    this.settings?.draw();
    this.filter?.draw();
    this.draw({ state: true });
  }

  draw(what) {
    const { core, host, texts, panel, badge, button } = this;
    const { unreadCount } = core;
    const count = unreadCount ?? 0;
    const most = Math.floor(host.maxBadge) || 9;
    badge.hidden = !count;
    badge.textContent = texts.number(Math.min(count, most)) + (count > most ? '+' : '');
    button.ariaLabel = texts.get('unreadName', { count });
    button.ariaExpanded = this.isOpen;
    panel.draw();
    if (count !== this.count && (this.count || unreadCount !== null)) {
      this.count = count;
      this.emit('unread', { count });
    }
    if (what?.state) this.#drawState(core);
  }

  #drawState(core) {
    const { state } = core;
    const { state: previous, panel, texts } = this;
    if (state !== previous) {
      this.state = state;
      this.emit('state', { state, previous });
    }
    clearTimeout(this.#banner);
    // Whoever embeds the bell has forgotten something: extras say what.
    const { tokenUrl, token, tokenProvider } = this.host;
    if (state === 'unauthorized' && !(tokenUrl || token || tokenProvider)) this.loadExtras();
    const key = {
      unauthorized: core.unreadCount === null ? 'stateSignedOut' : 'stateUnauthorized',
      paused: this.host.paused && 'statePaused',
      connecting: 'stateReconnecting',
      reconnecting: 'stateReconnecting',
    }[state];
    if (!key) {
      this.since = 0;
      return panel.say();
    }
    this.since ||= Date.now();
    const isPatient = key === 'stateReconnecting';
    this.#banner = setTimeout(
      () => panel.say(texts.get(isPatient && !navigator.onLine ? 'stateOffline' : key), state !== 'paused' && (() => this.core.retry())),
      isPatient ? this.since + patience - Date.now() : 0);
  }

  show(isWanted) {
    if (!this.isInline && isWanted !== this.isOpen && this.host.isConnected) this.panel.node.togglePopover(isWanted);
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
      const focus = focused(document);
      if (focus === document.body || panel.node.contains(focus)) this.button.focus();
    }
    this.emit(isOpen ? 'open' : 'close');
  }

  async signOut() {
    // What is theirs until the end: the site's session may be the next user's as soon as this returns.
    const { request, token } = this.core;
    const isRegistered = hasDevice();
    if (isRegistered) token(null, true).catch(() => {});
    this.#news.length = 0;
    this.settings?.close();
    this.core.signOut();
    this.isSignedOut = true;
    this.show(false);
    const extras = (isRegistered || this.extras) && (await this.loadExtras());
    return extras ? extras.forgetPush({ request, host: this.host, fail: error => this.fail(error) }) : { ok: !isRegistered, error: null };
  }

  emit = (name, detail, cancelable) =>
    this.host.dispatchEvent(new CustomEvent(`belfry-${name}`, { detail, cancelable, bubbles: true, composed: true }));

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
      context[name] = async (...values) => (core[name]?.(id, ...values) ?? (await this.loadExtras())[name](core, id, ...values)).done;
    }
    return context;
  }

  async #hear(notification) {
    this.#news.push(notification);
    (await this.loadExtras())?.announceNews(this, this.#news);
  }

  /** Settings, menus, filter and icons: beyond what a list needs at once. */
  async loadExtras() {
    try {
      this.extras ??= await import('./view/extras.js');
      this.extras.equip(this);
      return this.extras;
    } catch (error) {
      this.fail(error);
    }
  }

  async openSettings() {
    await this.loadExtras();
    this.settings?.open();
  }

  async openMenu(item, row) {
    (await this.loadExtras())?.openMenu(this, item, row);
  }
}

if (!customElements.get('belfry-bell')) customElements.define('belfry-bell', BelfryBell);
