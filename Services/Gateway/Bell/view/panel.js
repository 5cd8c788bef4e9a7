import { focused, h, set } from './dom.js';
import { Feed } from './feed.js';
import { icon } from './icons.js';
import { contentOf, linkOf, titleOf } from './item.js';

const filters = {
  all: {}, unread: { unreadOnly: true }, archived: { place: 'archived' }, snoozed: { place: 'snoozed' }, '': {},
};

/** What a tab or the filter names: one of the above, `type:<name or code>`, or a category. */
const filterOf = name => filters[name] ?? (name.startsWith('type:') ? { type: name.slice(5) } : { category: name });

/** The list with its header, tabs, banner and pill. `bell` is the element's inside: core, texts, host, emit, fail. */
export class Panel {
  #list;
  #shown;
  #pressed = 0;
  #said;
  #names;
  tab = 'all';
  choice = '';

  constructor(bell) {
    this.bell = bell;
    const button = (part, does, ...children) => h('button', { part, 'data-do': does }, ...children);
    this.title = h('div', { part: 'title' });
    this.markAll = button('link mark-all', 'markAll');
    this.gear = button('tool settings-button', 'settings', icon('settings'));
    this.shut = button('tool close', 'close', icon('close'));
    this.tabs = h('div', { part: 'tabs', role: 'tablist' });
    this.bar = h('div', { class: 'bar' }, this.tabs);
    this.banner = h('div', { part: 'banner', hidden: true });
    this.prompt = h('div');
    this.feed = h('div', { part: 'list', role: 'feed' });
    this.notice = h('div');
    this.scroller = h('div', { class: 'scroller', id: 'list', tabindex: -1 }, this.feed, this.notice);
    this.pill = button('pill', 'release');
    this.frame = h('div', { class: 'frame' }, this.scroller, this.pill);
    this.view = h('div', { class: 'view' },
      h('div', { part: 'header' }, h('slot', { name: 'header' }, this.title), this.markAll, this.gear, this.shut),
      this.bar, this.banner, this.prompt, this.frame, h('slot', { name: 'footer' }));
    this.node = h('div', {
      part: 'panel', id: 'panel', tabindex: -1, click: event => this.#click(event),
    }, this.view);
    this.rows = new Feed(this);
  }

  get filter() {
    return { ...filterOf(this.tab), ...filterOf(this.choice) };
  }

  /** Texts and tabs anew. */
  configure(tabs) {
    const { texts } = this.bell;
    const title = texts.get('title');
    this.title.textContent = this.node.ariaLabel = this.feed.ariaLabel = title;
    this.markAll.textContent = texts.get('markAll');
    this.gear.ariaLabel = texts.get('settings');
    this.shut.ariaLabel = texts.get('close');
    this.tabs.ariaLabel = texts.get('lists');
    this.bar.hidden = !tabs.length;
    if (!tabs.includes(this.tab)) this.tab = tabs[0] ?? 'all';
    if (`${tabs}` !== this.#names) this.tabs.replaceChildren(...tabs.map(name => h('button', { role: 'tab', 'data-do': 'tab', 'data-tab': name, 'aria-controls': 'list' })));
    this.#names = `${tabs}`;
    this.#shown = null;
    this.rows.redraw();
    this.draw();
  }

  choose(tab, choice = '') {
    Object.assign(this, { tab, choice });
    this.bell.filter?.draw();
    this.bell.core.load(this.filter);
    this.draw();
  }

  /** What has to happen whenever the panel comes to be seen. */
  async opened() {
    const { bell } = this;
    this.draw();
    bell.loadExtras();
    await bell.core.load(this.filter);
    if (bell.readOn === 'open' && bell.core.unreadCount) bell.core.markAllAsRead();
  }

  closed() {
    this.rows.release();
  }

  draw() {
    const { bell: { core, texts, isOpen }, filter } = this;
    const count = core.unreadCount;
    if (!count && focused(this.node.getRootNode()) === this.markAll) this.node.focus();
    this.markAll.hidden = !count;
    for (const tab of this.tabs.children) {
      const { dataset: { tab: name } } = tab;
      const isChosen = name === this.tab;
      tab.ariaSelected = isChosen;
      set(tab, 'part', isChosen ? 'tab tab-selected' : 'tab');
      tab.tabIndex = isChosen ? 0 : -1;
      tab.replaceChildren(texts.get(name) || name.replace('type:', ''),
        name === 'unread' && count ? h('span', { class: 'count' }, texts.number(count)) : '');
    }
    // Without a count nobody is signed in, and nothing may stay of who was.
    if (!isOpen && count !== null) return;
    clearTimeout(this.#pressed);
    if (this.feed.matches(':active')) {
      // What is pressed stays until it is let go: a click is for whatever is there at both times.
      this.#pressed = setTimeout(() => this.draw(), 50);
      return;
    }
    const list = core.list(filter);
    const key = JSON.stringify(filter);
    const isNew = this.#shown !== key;
    if (!isNew && list === this.#list) return;
    this.#list = list;
    this.#shown = key;
    this.feed.hidden = !list.items.length;
    this.feed.ariaBusy = list.isLoading;
    this.#notice(list);
    this.rows.show(list.items, list.hasMore ? -1 : list.items.length, isNew);
  }

  /** A line above the list, with something to do about it; none without a text. */
  say(text, run) {
    if (text === this.#said) return;
    this.#said = text;
    this.banner.hidden = !text;
    this.banner.replaceChildren(h('span', {}, text ?? ''), run ? this.#link('retry', run) : '');
  }

  #link(key, click) {
    return h('button', { class: 'link', click }, this.bell.texts.get(key));
  }

  // Loading, nothing, or an error with what to do: below the items, or instead of them. That nobody is signed in, the banner says.
  #notice({ items, isLoading, isLoaded, error: reason, hasMore }) {
    const { notice, bell: { core, texts } } = this;
    const error = reason?.code !== 'unauthorized' && reason;
    const isEmpty = !items.length;
    notice.hidden = !isEmpty && !error && !(hasMore && isLoading);
    set(notice, 'part', `notice ${error ? 'error' : 'empty'}${isEmpty ? ' large' : ''}`);
    if (error) {
      notice.replaceChildren(icon('alert'), texts.get('errorLoad'), ' ', texts.get(`error_${error.code}`),
        this.#link('retry', () => (isEmpty ? core.retry() : core.loadMore(this.filter))));
    } else if (isLoading || !isLoaded) {
      notice.replaceChildren(isLoading ? texts.get('loading') : '');
    } else {
      const { unreadOnly, ...other } = this.filter;
      const key = Object.keys(other).length ? 'emptyOther' : unreadOnly ? 'emptyUnread' : 'empty';
      notice.replaceChildren(h('slot', { name: 'empty' }, icon('chime'), texts.get(key)));
    }
  }

  /** Fills a row: as the host renders it, or as we do. */
  render(item, row) {
    const { bell } = this;
    const { texts, host } = bell;
    const focus = focused(row.getRootNode());
    let content;
    try {
      content = host.renderItem?.(item, bell.context(item));
    } catch (error) {
      bell.fail(error, { notification: item });
    }
    set(row, 'part', item.isRead ? 'item' : 'item item-unread');
    row.ariaLabel = `${item.isRead ? '' : `${texts.get('isUnread')}: `}${titleOf(item, texts)}`;
    row.ariaDescription = item.body.slice(0, 1000);
    const controls = () => [...row.querySelectorAll('a, button, input, select, textarea')];
    const at = controls().indexOf(focus);
    row.replaceChildren(...(content instanceof Node ? [content] : contentOf(item, texts, bell.extras?.lookOf)));
    // The same control, for who is about to press it.
    if (at >= 0) (controls()[at] ?? row).focus();
  }

  /** The feed has scrolled or drawn rows. */
  changed() {
    const { bell, rows, scroller, pill } = this;
    const list = this.#list;
    pill.hidden = !rows.held;
    if (rows.held) pill.replaceChildren(icon('up'), bell.texts.get('pill', { count: rows.held }));
    if (!bell.isOpen) return;
    if (list?.hasMore && !list.isLoading && !list.error && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 800) {
      bell.core.loadMore(this.filter);
    }
    bell.extras?.changed(bell);
  }

  #click(event) {
    const { bell, rows } = this;
    const control = event.target.closest('[data-do], a, button, input, select, textarea, label');
    const row = event.target.closest('[role=article]');
    const item = row?.item;
    const does = {
      markAll: () => bell.core.markAllAsRead(),
      settings: () => bell.openSettings(),
      close: () => bell.show(false),
      tab: () => this.choose(control.dataset.tab),
      release() {
        rows.release();
        rows.focus(0);
      },
      act: () => this.#act(item, control.dataset.action),
      remove: () => this.remove(item),
      more: () => bell.openMenu(item, row),
    }[control?.dataset.do];
    if (does) does();
    else if (item && (!control || control.matches('.item a'))) this.follow(item, control && event);
  }

  // A click on an item, or Enter: read, opened, and the link followed unless the host does that.
  follow(item, linkEvent) {
    const { bell } = this;
    const url = linkOf(item);
    const goesOn = bell.emit('click', { notification: item, url }, true);
    if (!goesOn) linkEvent?.preventDefault();
    bell.core.opened(item.id);
    if (!item.isRead && bell.readOn === 'click') bell.core.markAsRead(item.id);
    if (goesOn && url && !linkEvent) location.assign(url);
  }

  #act(item, action) {
    const { core, emit } = this.bell;
    if (!emit('action', { notification: item, action }, true)) return;
    core.act(item.id, action);
    if (!item.isRead) core.markAsRead(item.id);
  }

  async remove({ id }) {
    const { bell } = this;
    const { undo } = bell.core.remove(id);
    if (await bell.loadExtras()) bell.toast.show(bell.texts.get('removed'), undo);
  }
}
