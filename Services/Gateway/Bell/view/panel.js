import { focused, h, set } from './dom.js';
import { createFeed } from './feed.js';
import { icon } from './icons.js';
import { contentOf, linkOf, titleOf } from './item.js';

const arrowWidth = 30;
const widestFilter = 180;
const filters = {
  all: {}, unread: { unreadOnly: true }, archived: { place: 'archived' }, snoozed: { place: 'snoozed' }, '': {},
};

/** What a tab or the filter names: one of the above, `type:<name or code>`, or a category. */
const filterOf = name => filters[name] ?? (name.startsWith('type:') ? { type: name.slice(5) } : { category: name });

/** The list with its header, tabs, banner and pill. `bell` is the element's inside, of bell.js. */
export const createPanel = bell => {
  /** What was drawn last: of which filter, and which list. */
  let shown;
  let list;
  let pressed = 0;
  let said;
  let names;
  let tab = 'all';
  let choice = '';

  const button = (part, does, ...children) => h('button', { part, 'data-do': does }, ...children);
  const title = h('div', { part: 'title' });
  const markAll = button('link mark-all', 'markAll');
  const gear = button('tool settings-button', 'settings', icon('settings'));
  const shut = button('tool close', 'close', icon('close'));
  const tabs = h('div', { part: 'tabs', role: 'tablist' });
  // For a pointer alone: a keyboard goes from tab to tab, and a finger moves them.
  const arrow = (part, by) => h('button', {
    part: `tool ${part}`, tabindex: -1, 'aria-hidden': 'true',
    mousedown: event => event.preventDefault(),
    click: () => tabs.scrollBy({ left: by * tabs.clientWidth * (tabs.matches(':dir(rtl)') ? -1 : 1) }),
  }, icon('back'));
  const earlier = arrow('tabs-earlier', -0.5);
  const later = arrow('tabs-later', 0.5);
  const bar = h('div', { class: 'bar' }, h('div', { class: 'strip' }, tabs, earlier, later));
  const banner = h('div', { part: 'banner', hidden: true });
  const prompt = h('div');
  const feed = h('div', { part: 'list', role: 'feed' });
  const notice = h('div');
  const scroller = h('div', { class: 'scroller', id: 'list', tabindex: -1 }, feed, notice);
  const pill = button('pill', 'release');
  const frame = h('div', { class: 'frame' }, scroller, pill);
  const view = h('div', { class: 'view' },
    h('div', { part: 'header' }, h('slot', { name: 'header' }, title), markAll, gear, shut),
    bar, banner, prompt, frame, h('slot', { name: 'footer' }));
  const node = h('div', { part: 'panel', id: 'panel', tabindex: -1, click: event => onClick(event) }, view);

  const filter = () => ({ ...filterOf(tab), ...filterOf(choice) });

  const link = (key, click) => h('button', { class: 'link', click }, bell.texts.get(key));

  // Fills a row: as the host renders it, the whole or parts, or as we do.
  const render = (item, row) => {
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
    row.replaceChildren(...(content instanceof Node ? [content] : contentOf(item, texts, bell.extras?.lookOf, Object(content), row)));
    // The same control, for who is about to press it.
    if (at >= 0) (controls()[at] ?? row).focus();
  };

  // The feed has scrolled or drawn rows.
  const onChange = () => {
    pill.hidden = !rows.held;
    if (rows.held) pill.replaceChildren(icon('up'), bell.texts.get('pill', { count: rows.held }));
    if (!bell.isOpen) return;
    if (list?.hasMore && !list.isLoading && !list.error && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 800) {
      bell.core.loadMore(filter());
    }
    bell.extras?.changed(bell);
  };

  const rows = createFeed({ frame, scroller, feed, render, onChange });

  // Loading, nothing, or an error with what to do: below the items, or instead of them. That nobody is signed in, the banner says.
  const drawNotice = ({ items, isLoading, isLoaded, error: reason, hasMore }) => {
    const { core, texts } = bell;
    const error = reason?.code !== 'unauthorized' && reason;
    const isEmpty = !items.length;
    notice.hidden = !isEmpty && !error && !(hasMore && isLoading);
    set(notice, 'part', `notice ${error ? 'error' : 'empty'}${isEmpty ? ' large' : ''}`);
    if (error) {
      notice.replaceChildren(icon('alert'), texts.get('errorLoad'), ' ', texts.get(`error_${error.code}`),
        link('retry', () => (isEmpty ? core.retry() : core.loadMore(filter()))));
    } else if (isLoading || !isLoaded) {
      notice.replaceChildren(isLoading ? texts.get('loading') : '');
    } else {
      const { unreadOnly, ...other } = filter();
      const key = Object.keys(other).length ? 'emptyOther' : unreadOnly ? 'emptyUnread' : 'empty';
      notice.replaceChildren(h('slot', { name: 'empty' }, icon('chime'), texts.get(key)));
    }
  };

  // Whether there are tabs beyond either end, and whether they need the filter's room.
  const drawArrows = () => {
    const needed = [...tabs.children].reduce((sum, { offsetWidth }) => sum + offsetWidth, widestFilter);
    bar.classList.toggle('tight', needed > bar.clientWidth);
    const { scrollLeft, scrollWidth, clientWidth } = tabs;
    const before = Math.abs(scrollLeft);
    earlier.hidden = before < 2;
    later.hidden = scrollWidth - clientWidth - before < 2;
  };

  // The chosen tab comes to be seen, and nothing else moves: `scrollIntoView` would move the page, too.
  const reveal = () => {
    const chosen = tabs.querySelector('.tab-selected')?.getBoundingClientRect();
    const { left, right } = tabs.getBoundingClientRect();
    if (chosen) tabs.scrollLeft += Math.min(0, chosen.left - left - arrowWidth) || Math.max(0, chosen.right - right + arrowWidth);
    drawArrows();
  };

  const drawTabs = count => {
    const { texts } = bell;
    for (const each of tabs.children) {
      const { dataset: { tab: name } } = each;
      const isChosen = name === tab;
      each.ariaSelected = isChosen;
      set(each, 'part', isChosen ? 'tab tab-selected' : 'tab');
      each.tabIndex = isChosen ? 0 : -1;
      each.replaceChildren(texts.get(name) || name.replace('type:', ''),
        name === 'unread' && count ? h('span', { class: 'count' }, texts.number(count)) : '');
    }
    drawArrows();
  };

  const draw = () => {
    const { core, isOpen } = bell;
    const count = core.unreadCount;
    if (!count && focused(node.getRootNode()) === markAll) node.focus();
    markAll.hidden = !count;
    drawTabs(count);
    // Without a count nobody is signed in, and nothing may stay of who was.
    if (!isOpen && count !== null) return;
    clearTimeout(pressed);
    if (feed.matches(':active')) {
      // What is pressed stays until it is let go: a click is for whatever is there at both times.
      pressed = setTimeout(draw, 50);
      return;
    }
    const next = core.list(filter());
    const key = JSON.stringify(filter());
    const isNew = shown !== key;
    if (!isNew && next === list) return;
    list = next;
    shown = key;
    feed.hidden = !list.items.length;
    feed.ariaBusy = list.isLoading;
    drawNotice(list);
    rows.show(list.items, list.hasMore ? -1 : list.items.length, isNew);
  };

  /** Texts and tabs anew. */
  const configure = wanted => {
    const { texts } = bell;
    title.textContent = node.ariaLabel = feed.ariaLabel = texts.get('title');
    markAll.textContent = texts.get('markAll');
    gear.ariaLabel = texts.get('settings');
    shut.ariaLabel = texts.get('close');
    tabs.ariaLabel = texts.get('lists');
    bar.hidden = !wanted.length;
    if (!wanted.includes(tab)) tab = wanted[0] ?? 'all';
    if (`${wanted}` !== names) tabs.replaceChildren(...wanted.map(name => h('button', { role: 'tab', 'data-do': 'tab', 'data-tab': name, 'aria-controls': 'list' })));
    names = `${wanted}`;
    shown = null;
    rows.redraw();
    draw();
  };

  const choose = (nextTab, nextChoice = '') => {
    tab = nextTab;
    choice = nextChoice;
    bell.filter?.draw();
    bell.core.load(filter());
    draw();
    reveal();
  };

  /** What has to happen whenever the panel comes to be seen. */
  const opened = async () => {
    draw();
    bell.loadExtras();
    await bell.core.load(filter());
    if (bell.readOn === 'open' && bell.core.unreadCount) bell.core.markAllAsRead();
  };

  /** A line above the list, with something to do about it; none without a text. */
  const say = (text, run) => {
    if (text === said) return;
    said = text;
    banner.hidden = !text;
    banner.replaceChildren(h('span', {}, text ?? ''), run ? link('retry', run) : '');
  };

  /** A click on an item, or Enter: read, opened, and the link followed unless the host does that. */
  const follow = (item, linkEvent) => {
    const url = linkOf(item);
    const goesOn = bell.emit('click', { notification: item, url }, true);
    if (!goesOn) linkEvent?.preventDefault();
    bell.core.opened(item.id);
    if (!item.isRead && bell.readOn === 'click') bell.core.markAsRead(item.id);
    if (goesOn && url && !linkEvent) location.assign(url);
  };

  const act = (item, action) => {
    const { core } = bell;
    if (!bell.emit('action', { notification: item, action }, true)) return;
    core.act(item.id, action);
    if (!item.isRead) core.markAsRead(item.id);
  };

  const remove = async ({ id }) => {
    const { undo } = bell.core.remove(id);
    if (await bell.loadExtras()) bell.toast.show(bell.texts.get('removed'), undo);
  };

  const onClick = event => {
    const control = event.target.closest('[data-do], a, button, input, select, textarea, label');
    const row = event.target.closest('[role=article]');
    const item = row?.item;
    const does = {
      markAll: () => bell.core.markAllAsRead(),
      settings: () => bell.openSettings(),
      close: () => bell.show(false),
      tab: () => choose(control.dataset.tab),
      release() {
        rows.release();
        rows.focus(0);
      },
      act: () => act(item, control.dataset.action),
      remove: () => remove(item),
      more: () => bell.openMenu(item, row),
    }[control?.dataset.do];
    if (does) does();
    else if (item && (!control || control.matches('.item a'))) follow(item, control && event);
  };

  tabs.addEventListener('scroll', drawArrows, { passive: true });
  new ResizeObserver(reveal).observe(tabs);

  return {
    node, view, gear, bar, tabs, prompt, frame, scroller, feed, rows,
    get tab() {
      return tab;
    },
    get choice() {
      return choice;
    },
    configure,
    choose,
    opened,
    closed: rows.release,
    draw,
    say,
    follow,
    remove,
  };
};
