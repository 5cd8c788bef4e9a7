// `<belfry-bell>`: the bell, its panel and its list, as one custom element. How to embed it: docs/bell.md.
import { createBell } from './view/bell.js';
import { set } from './view/dom.js';
import { sheetOf, styles } from './view/styles.js';

const sheet = sheetOf(styles);
const flags = ['preferences', 'quiet-hours', 'push', 'paused'];
const values = ['src', 'hub', 'token-url', 'token', 'locale', 'theme', 'placement', 'layout', 'tabs', 'read-on', 'max-badge', 'push-worker'];
const properties = ['tokenProvider', 'messages', 'renderItem', 'pushProvider', 'times'];
const nameOf = attribute => attribute.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const given = Symbol('properties');
/** Where this module came from. */
const gateway = new URL('../..', import.meta.url);

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
      this.#bell = createBell(this, this.shadowRoot, gateway);
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

  /** Registers this browser for pushes, by the host's `pushProvider` if there is one: call it on a click. */
  async enablePush() {
    return (await this.#bell?.loadExtras())?.enablePush(this.#bell) ?? false;
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

if (!customElements.get('belfry-bell')) customElements.define('belfry-bell', BelfryBell);
