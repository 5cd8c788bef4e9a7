import { focused, h, set } from './dom.js';
import { Feed } from './feed.js';
import { icon } from './icons.js';
import { contentOf, linkOf, titleOf } from './item.js';

const lifeOfToast = 5000;
const places = { archived: { place: 'archived' }, snoozed: { place: 'snoozed' } };

/** What a tab or the filter names: `all`, `unread`, `archived`, `snoozed`, `type:<name or code>` or a category. */
const filterOf = name => ({
  all: {}, unread: { unreadOnly: true }, ...places,
})[name] ?? (name.startsWith('type:') ? { type: name.slice(5) } : { category: name });

/** The list with its header, tabs, banner, pill and toast. `bell` is the element's inside: core, texts, host, emit, fail. */
export class Panel {
  #list;
  #shown;
  #seen = new Set();
  #undos = new Set();
  #timer = 0;
  #reading = 0;
  tab = 'all';
  choice = '';

  constructor(bell) {
    this.bell = bell;
    const tool = (what, name, part = what) =>
      h('button', { type: 'button', class: 'tool', part, 'data-do': what }, icon(name));
    this.title = h('div', { class: 'title', part: 'title' });
    this.markAll = h('button', { type: 'button', class: 'link', part: 'mark-all', 'data-do': 'markAll' });
    this.gear = tool('settings', 'settings', 'settings-button');
    this.shut = tool('shut', 'close', 'close');
    this.shut.classList.add('shut');
    this.tabs = h('div', { class: 'tabs', role: 'tablist' });
    this.banner = h('div', { class: 'banner', part: 'banner', hidden: true });
    this.feed = h('div', { class: 'feed', role: 'feed', part: 'list' });
    this.notice = h('div', { class: 'notice', part: 'empty' });
    this.prompt = h('div');
    this.scroller = h('div', { class: 'scroller', id: 'list', tabindex: -1 }, this.prompt, this.feed, this.notice);
    this.pill = h('button', { type: 'button', class: 'pill', part: 'pill', hidden: true, 'data-do': 'release' });
    this.toasted = h('div', { class: 'toast', part: 'toast', hidden: true });
    this.frame = h('div', { class: 'frame' }, this.scroller, this.pill, this.toasted);
    this.bar = h('div', { class: 'bar' }, this.tabs);
    this.view = h('div', { class: 'view' },
      h('div', { class: 'head', part: 'header' }, h('slot', { name: 'header' }, this.title), this.markAll, this.gear, this.shut),
      this.bar, this.banner,
      this.frame,
      h('slot', { name: 'footer' }));
    this.node = h('div', {
      class: 'panel', id: 'panel', part: 'panel', role: 'dialog', tabindex: -1,
      click: event => this.#click(event), keydown: event => this.#key(event),
    }, this.view);
    this.rows = new Feed({
      frame: this.frame, scroller: this.scroller, feed: this.feed,
      render: (item, row) => this.#render(item, row), changed: () => this.#changed(),
    });
  }

  get filter() {
    const chosen = this.choice ? filterOf(this.choice) : {};
    return { ...filterOf(this.tab), ...chosen };
  }

  /** Texts, tabs and what the attributes ask for, anew. */
  configure({ tabs, hasSettings }) {
    const { texts } = this.bell;
    this.title.textContent = texts.get('title');
    this.markAll.textContent = texts.get('markAll');
    set(this.node, 'aria-label', texts.get('title'));
    set(this.tabs, 'aria-label', texts.get('lists'));
    for (const [node, key] of [[this.gear, 'settings'], [this.shut, 'close']]) {
      set(node, 'aria-label', texts.get(key));
      node.title = texts.get(key);
    }
    this.gear.hidden = !hasSettings;
    this.bar.hidden = !tabs.length;
    if (!tabs.includes(this.tab)) this.tab = tabs[0] ?? 'all';
    this.tabs.replaceChildren(...tabs.map(name => h('button', {
      type: 'button', class: 'tab', role: 'tab', 'data-do': 'tab', 'data-tab': name, 'aria-controls': 'list',
    }, texts.get(name) || name.replace('type:', ''))));
    this.#shown = null;
    this.rows.redraw();
    this.draw();
  }

  choose(tab, choice = '') {
    Object.assign(this, { tab, choice });
    this.bell.filter?.draw();
    this.bell.core?.load(this.filter);
    this.draw();
  }

  /** What has to happen whenever the panel comes to be seen. */
  opened() {
    const { core, readOn } = this.bell;
    core?.load(this.filter);
    if (readOn === 'open' && core?.unreadCount) core.markAllAsRead();
    this.draw();
    this.bell.loadExtras();
  }

  closed() {
    clearTimeout(this.#timer);
    clearTimeout(this.#reading);
    this.rows.release();
  }

  draw() {
    const { bell, filter, rows } = this;
    const { core, texts, isOpen } = bell;
    if (!core) return this.#notice({ items: [], isLoaded: true });
    const count = core.unreadCount ?? 0;
    if (!count && focused(this.node.getRootNode()) === this.markAll) this.node.focus();
    this.markAll.hidden = !count;
    for (const tab of this.tabs.children) {
      const isChosen = tab.dataset.tab === this.tab;
      set(tab, 'aria-selected', `${isChosen}`);
      set(tab, 'part', isChosen ? 'tab tab-selected' : 'tab');
      tab.tabIndex = isChosen ? 0 : -1;
      if (tab.dataset.tab === 'unread') {
        tab.replaceChildren(texts.get('unread'), ...(count ? [h('span', { class: 'count' }, texts.number(count))] : []));
      }
    }
    if (!isOpen) return;
    const key = JSON.stringify(filter);
    const list = core.list(filter);
    const isNew = this.#shown !== key;
    if (isNew || list !== this.#list) {
      this.#list = list;
      this.#shown = key;
      this.feed.hidden = !list.items.length;
      set(this.feed, 'aria-busy', `${list.isLoading}`);
      set(this.feed, 'aria-label', texts.get('title'));
      this.#notice(list);
      rows.show(list.items, { total: list.hasMore ? -1 : list.items.length, isNew });
    }
  }

  /** A line above the list, with something to do about it; none without a text. */
  say(text, action) {
    this.banner.hidden = !text;
    this.banner.replaceChildren(h('span', {}, text), action ? this.#link(action) : '');
  }

  /** A short message below the list; what can be undone is collected until its time is over. */
  toast(text, undo) {
    const entry = { text, undo };
    this.#undos.add(entry);
    this.#toast();
    setTimeout(() => {
      this.#undos.delete(entry);
      this.#toast();
    }, lifeOfToast);
  }

  undo() {
    const undone = [...this.#undos].filter(({ undo }) => undo);
    this.#undos.clear();
    for (const { undo } of undone) undo();
    this.#toast();
    if (undone.length) this.node.focus();
  }

  #toast() {
    const entries = [...this.#undos];
    const count = entries.filter(({ undo }) => undo).length;
    const last = entries.at(-1);
    this.toasted.hidden = !last;
    if (!last) return this.toasted.replaceChildren();
    this.toasted.replaceChildren(
      h('span', {}, last.text),
      last.undo ? this.#link({ text: this.bell.texts.get('undo', { count }), run: () => this.undo() }) : '');
  }

  #link({ text, run }) {
    return h('button', { type: 'button', class: 'link', click: run }, text);
  }

  // Loading, nothing, or an error with what to do: below the items, or instead of them.
  #notice({ items, isLoading, isLoaded, error, hasMore }) {
    const { core, texts } = this.bell;
    const { notice } = this;
    const isEmpty = !items.length;
    notice.classList.toggle('large', isEmpty && !isLoading);
    set(notice, 'part', error ? 'error' : 'empty');
    notice.hidden = !isEmpty && !error && !(hasMore && isLoading);
    if (notice.hidden) return;
    if (error) {
      notice.replaceChildren(icon('alert'), h('b', {}, texts.get('errorLoad')), texts.get(`error_${error.code}`) || error.detail || '',
        this.#link({ text: texts.get('retry'), run: () => (isEmpty ? core.retry() : core.loadMore(this.filter)) }));
      if (!isEmpty) notice.firstChild.remove();
    } else if (isEmpty && (isLoading || !isLoaded)) {
      notice.replaceChildren(...[1, 2, 3].map(() => h('span', { class: 'bone' })));
    } else if (isEmpty) {
      const { unreadOnly, ...other } = this.filter;
      const key = Object.keys(other).length ? 'emptyOther' : unreadOnly ? 'emptyUnread' : 'empty';
      notice.replaceChildren(h('slot', { name: 'empty' }, icon('bell'), h('div', {}, texts.get(key))));
    } else {
      notice.replaceChildren(texts.get('loading'));
    }
  }

  #render(item, row) {
    const { bell } = this;
    const { texts, host } = bell;
    const isSame = row.item && row.renderer === host.renderItem;
    let content;
    row.renderer = host.renderItem;
    if (row.renderer) {
      try {
        content = row.renderer.call(host, item, bell.context(item));
      } catch (error) {
        bell.fail(error, { notification: item });
      }
    }
    const hadFocus = isSame && row.contains(focused(row.getRootNode())) && row !== focused(row.getRootNode());
    row.className = item.isRead ? '' : 'unread';
    set(row, 'part', item.isRead ? 'item' : 'item item-unread');
    row.ariaLabel = `${item.isRead ? '' : `${texts.get('isUnread')}: `}${titleOf(item, texts)}`;
    row.ariaDescription = item.body.slice(0, 1000);
    row.replaceChildren(...(content instanceof Node ? [content] : contentOf(item, texts, bell.extras?.lookOf).filter(Boolean)));
    if (hadFocus) row.focus();
  }

  // The feed has scrolled or drawn rows.
  #changed() {
    const { bell, rows, scroller, pill } = this;
    const { core, texts, isOpen, readOn } = bell;
    pill.hidden = !rows.held;
    if (rows.held) pill.replaceChildren(icon('up'), texts.get('pill', { count: rows.held }));
    if (!isOpen || !core) return;
    const list = this.#list;
    if (list?.hasMore && !list.isLoading && !list.error && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 800) {
      core.loadMore(this.filter);
    }
    this.tick();
    clearTimeout(this.#reading);
    this.#reading = setTimeout(() => this.#look(), readOn === 'view' ? 1000 : 200);
  }

  // What lies still in sight has been seen, and is read where `read-on` says so.
  #look() {
    const { core, isOpen, readOn } = this.bell;
    if (!isOpen || document.hidden || !core) return;
    const inSight = this.rows.visible();
    const unseen = inSight.filter(({ id, seenAt }) => !seenAt && !this.#seen.has(id)).map(({ id }) => id);
    for (const id of unseen) this.#seen.add(id);
    if (unseen.length) core.markAsSeen(unseen);
    const unread = inSight.filter(({ isRead }) => !isRead).map(({ id }) => id);
    if (readOn === 'view' && unread.length) core.markAsRead(unread);
  }

  /** Writes the ages that are not true any more, and comes back when the next one will not be. */
  tick() {
    clearTimeout(this.#timer);
    let next = Infinity;
    for (const row of this.rows.rows) {
      const time = row.querySelector('time');
      if (!time) continue;
      const [text, rest] = this.bell.texts.age(Date.parse(row.item?.createdAt));
      if (time.textContent !== text) time.textContent = text;
      next = Math.min(next, rest);
    }
    if (this.bell.isOpen && next < Infinity) this.#timer = setTimeout(() => this.tick(), Math.max(next, 250));
  }

  #click(event) {
    const control = event.target.closest('[data-do], a, button, input, select, textarea, label');
    const row = event.target.closest('[role=article]');
    const { bell } = this;
    switch (control?.dataset.do) {
      case 'markAll': return bell.core.markAllAsRead();
      case 'settings': return bell.openSettings();
      case 'shut': return bell.host.close();
      case 'tab': return this.choose(control.dataset.tab);
      case 'release':
        this.rows.release();
        return this.rows.focus(0);
      case 'act': return this.#act(row.item, control.dataset.action);
      case 'remove': return this.remove(row.item);
      case 'more': return bell.openMenu(row.item, control);
    }
    const isLink = control?.matches('a') && row?.contains(control);
    if (row && (!control || isLink)) this.#open(row.item, event, isLink);
  }

  // A click on an item, or Enter: read, opened, and the link followed unless the host does that.
  #open(item, event, isLink) {
    const { bell } = this;
    const link = linkOf(item);
    if (!isLink && String(this.bell.root.getSelection?.() ?? '')) return; // text was selected
    const goesOn = bell.emit('click', { notification: item, url: link }, true);
    if (isLink && !goesOn) event.preventDefault();
    bell.core.opened(item.id);
    if (!item.isRead && bell.readOn === 'click') bell.core.markAsRead(item.id);
    if (goesOn && link && !isLink) location.assign(link);
  }

  #act(item, action) {
    const { bell } = this;
    if (!bell.emit('action', { notification: item, action }, true)) return;
    bell.core.act(item.id, action);
    if (!item.isRead) bell.core.markAsRead(item.id);
  }

  remove(item) {
    const { bell } = this;
    const operation = bell.core.remove(item.id);
    this.toast(bell.texts.get('removed'), () => operation.undo());
    bell.announce('removed');
  }

  #key(event) {
    const { key, target } = event;
    const row = target.closest('[role=article]');
    if (key === 'z' && (event.ctrlKey || event.metaKey) && this.#undos.size) {
      event.preventDefault();
      this.undo();
    } else if (row && target === row && key === 'Enter') {
      this.#open(row.item, event, false);
    } else if (row && key === 'Delete') {
      event.preventDefault();
      this.remove(row.item);
    } else if (target.role === 'tab') {
      const tabs = [...this.tabs.children];
      const isMirrored = getComputedStyle(target).direction === 'rtl';
      const step = { ArrowRight: isMirrored ? -1 : 1, ArrowLeft: isMirrored ? 1 : -1 }[key];
      const to = key === 'Home' ? 0 : key === 'End' ? tabs.length - 1 : (tabs.indexOf(target) + step + tabs.length) % tabs.length;
      if (!(to >= 0)) return;
      event.preventDefault();
      tabs[to].focus();
      this.choose(tabs[to].dataset.tab);
    }
  }
}
