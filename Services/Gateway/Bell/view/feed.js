import { focused, h, set } from './dom.js';

const overscan = 8;
const mostRows = 72; // with the focused one and those of a change still below 80

/**
 * A feed that keeps only the rows near the viewport in the document. Rows are as high as they are: heights are guessed, measured
 * once drawn, and what the reader looks at stays where it is.
 */
export class Feed {
  items = [];
  all = this.items;
  #index = new Map();
  #rows = new Map();
  #heights = new Map();
  #offsets = new Float64Array(1);
  #active = null;
  /** How many newer ones wait above, because the reader is busy below. */
  held = 0;
  #width = 0;
  #depth = 0;
  #observer = new ResizeObserver(entries => this.#measured(entries));

  /** `panel.render(item, row)` fills a row; `panel.changed()` hears of scrolling, of rows drawn and of items held back. */
  constructor(panel) {
    const { frame, scroller, feed } = panel;
    Object.assign(this, { panel, frame, scroller, feed });
    scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    feed.addEventListener('focusin', event => this.#activate(event.target.closest('[role=article]')?.item?.id));
    for (const leaving of ['focusout', 'pointerleave']) frame.addEventListener(leaving, event => this.#settle(event.relatedTarget));
    this.#observer.observe(scroller);
  }

  get #focusedRow() {
    return focused(this.feed.getRootNode())?.closest?.('[role=article]');
  }

  get #isBusy() {
    return this.scroller.scrollTop > 4 || this.frame.matches(':hover, :has(:focus-visible)');
  }

  /** Shows these items. What is newer than all that is shown waits while the reader is busy. */
  show(items, total, isNew) {
    this.all = items;
    this.total = total;
    if (isNew) {
      this.#heights.clear();
      this.#active = null;
      this.scroller.scrollTop = 0;
    }
    this.held = isNew || !this.#isBusy ? 0 : Math.max(0, items.findIndex(({ id }) => this.#index.has(id)));
    this.#place(items.slice(this.held));
  }

  /** Shows those that were held back, from the top. */
  release() {
    this.held = 0;
    this.#place(this.all);
    this.scroller.scrollTop = 0;
    this.#draw();
  }

  /** Draws all rows anew, for other texts or another renderer. */
  redraw() {
    this.#heights.clear();
    for (const row of this.#rows.values()) row.item = null;
    this.#place(this.items);
  }

  /** Moves the focus to an item's row, drawn or not. */
  focus(at) {
    const { scroller, items } = this;
    const index = Math.max(0, Math.min(at, items.length - 1));
    const { id } = items[index] ?? {};
    this.#activate(id);
    const [top, bottom] = this.#offsets.slice(index);
    scroller.scrollTop = Math.min(top, Math.max(scroller.scrollTop, bottom - scroller.clientHeight));
    this.#draw();
    (this.#rows.get(id) ?? scroller).focus({ preventScroll: true });
  }

  indexOf(id) {
    return this.#index.get(id) ?? -1;
  }

  #settle(next) {
    if (this.held && !this.frame.contains(next)) queueMicrotask(() => this.#isBusy || this.release());
  }

  #scrolled() {
    if (this.held && this.scroller.scrollTop <= 4 && !this.#focusedRow) this.release();
    else this.#draw();
  }

  #activate(id) {
    if (id == null || id === this.#active) return;
    this.#active = id;
    for (const row of this.#rows.values()) this.#rove(row);
  }

  // One stop in the tab order: the active row, and the controls within it.
  #rove(row) {
    const tabIndex = row.item?.id === this.#active ? 0 : -1;
    for (const stop of [row, ...row.querySelectorAll('a, button, input, select, textarea')]) stop.tabIndex = tabIndex;
  }

  // The row that must not move: the focused one if in sight, else the first in sight; none at the very top.
  #anchor() {
    const { scrollTop, clientHeight } = this.scroller;
    const at = this.indexOf(this.#focusedRow?.item?.id);
    if (at >= 0 && this.#offsets[at + 1] > scrollTop && this.#offsets[at] < scrollTop + clientHeight) return at;
    return scrollTop > 4 ? this.#find(scrollTop) : -1;
  }

  #place(items) {
    const before = this.items;
    const offsets = this.#offsets;
    let anchor = this.#anchor();
    if (items !== before) {
      this.items = items;
      this.#index = new Map(items.map(({ id }, at) => [id, at]));
      if (this.#heights.size > items.length + mostRows) {
        for (const id of this.#heights.keys()) if (!this.#index.has(id)) this.#heights.delete(id);
      }
      const active = this.indexOf(this.#active);
      if (active < 0) this.#active = items[Math.min(Math.max(0, before.findIndex(({ id }) => id === this.#active)), items.length - 1)]?.id;
    }
    let guess = 0;
    for (const height of this.#heights.values()) guess += height / this.#heights.size;
    this.#offsets = new Float64Array(items.length + 1);
    for (let at = 0; at < items.length; at++) {
      this.#offsets[at + 1] = this.#offsets[at] + (this.#heights.get(items[at].id) ?? (guess || 90));
    }
    this.feed.style.height = `${this.#offsets[items.length]}px`;
    while (anchor >= 0 && anchor < before.length && !this.#index.has(before[anchor].id)) anchor++;
    const now = this.indexOf(before[anchor]?.id);
    if (now >= 0) {
      const by = this.#offsets[now] - offsets[anchor];
      if (Math.abs(by) > 0.5) this.scroller.scrollTop += by;
    }
    this.#draw();
  }

  // The last item that begins at or above a height.
  #find(top) {
    let low = 0;
    let high = this.items.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#offsets[middle] <= top) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #draw() {
    const { items, feed, scroller } = this;
    if (!scroller.clientHeight && items.length) return; // closed: nothing to see, nothing to measure
    const top = scroller.scrollTop;
    const fresh = [];
    let first = this.#find(top);
    let last = Math.min(this.#find(top + scroller.clientHeight), items.length - 1);
    first = Math.max(0, first - overscan);
    last = Math.min(items.length - 1, last + overscan, first + mostRows - 1);
    const focusedRow = this.#focusedRow;
    for (const [id, row] of this.#rows) {
      const at = this.indexOf(id);
      if (at >= 0 && ((at >= first && at <= last) || row === focusedRow)) continue;
      this.#observer.unobserve(row);
      this.#rows.delete(id);
      row.remove();
      // The next one takes the focus of a row whose item is gone.
      if (row === focusedRow) queueMicrotask(() => this.focus(this.indexOf(this.#active)));
    }
    let next = feed.firstElementChild;
    for (let at = first; at <= last; at++) {
      while (next && this.indexOf(next.item?.id) < at) next = next.nextElementSibling;
      const item = items[at];
      let row = this.#rows.get(item.id);
      const isNew = !row;
      if (row?.item !== item || !this.#heights.has(item.id)) fresh.push(item.id);
      if (isNew) {
        row = h('div', { role: 'article' });
        this.#rows.set(item.id, row);
      }
      if (row.item !== item) {
        this.panel.render(item, row);
        row.item = item;
        this.#rove(row);
      }
      if (isNew || (next && row !== next)) feed.insertBefore(row, next);
      if (row === next) next = next.nextElementSibling;
      if (isNew) this.#observer.observe(row);
      const y = `translateY(${this.#offsets[at]}px)`;
      if (row.style.transform !== y) row.style.transform = y;
      set(row, 'aria-posinset', at + 1);
      set(row, 'aria-setsize', this.total);
    }
    if (items.length && !this.#rows.has(this.#active)) this.#activate(items[this.#find(top)].id);
    const isOther = fresh.map(id => this.#measure(this.#rows.get(id))).includes(true);
    if (isOther && this.#depth < 4) {
      this.#depth++;
      this.#place(items);
      this.#depth--;
    }
    if (!this.#depth) this.panel.changed();
  }

  // Whether a row is higher or lower than was thought.
  #measure(row) {
    const { item } = row;
    const { height } = row.getBoundingClientRect();
    const before = this.#heights.get(item?.id);
    if (!height || !item || Math.abs((before ?? -1) - height) < 0.1) return false;
    this.#heights.set(item.id, height);
    return true;
  }

  #measured(entries) {
    let isChanged = false;
    for (const { target, contentRect: { width } } of entries) {
      if (target !== this.scroller) {
        isChanged = (target.isConnected && this.#measure(target)) || isChanged;
      } else if (width) {
        if (this.#width && Math.abs(width - this.#width) > 1) this.#heights.clear();
        this.#width = width;
        isChanged = true;
      }
    }
    // Not within the observer: rows drawn here could not be told of in this turn.
    if (isChanged) requestAnimationFrame(() => this.#place(this.items));
  }
}
