import { focused, h, set } from './dom.js';

const overscan = 8;
const mostRows = 72; // with the focused one and those of a change still below 80

/**
 * A feed that keeps only the rows near the viewport in the document. Rows are as high as they are: heights are guessed, measured
 * once drawn, and what the reader looks at stays where it is.
 *
 * `render(item, row)` fills a row; `onChange()` hears of scrolling, of rows drawn and of items held back.
 */
export const createFeed = ({ frame, scroller, feed, render, onChange }) => {
  let items = [];
  let all = items;
  let total = 0;
  let index = new Map();
  const rows = new Map();
  const heights = new Map();
  let offsets = new Float64Array(1);
  let active = null;
  /** How many newer ones wait above, because the reader is busy below. */
  let held = 0;
  let knownWidth = 0;
  let depth = 0;

  const indexOf = id => index.get(id) ?? -1;

  const focusedRow = () => focused(feed.getRootNode())?.closest?.('[role=article]');

  const isBusy = () => scroller.scrollTop > 4 || frame.matches(':hover, :has(:focus-visible)');

  // One stop in the tab order: the active row, and the controls within it.
  const rove = row => {
    const tabIndex = row.item?.id === active ? 0 : -1;
    for (const stop of [row, ...row.querySelectorAll('a, button, input, select, textarea')]) stop.tabIndex = tabIndex;
  };

  const activate = id => {
    if (id == null || id === active) return;
    active = id;
    for (const row of rows.values()) rove(row);
  };

  // The last item that begins at or above a height.
  const find = top => {
    let low = 0;
    let high = items.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (offsets[middle] <= top) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  // The row that must not move: the focused one if in sight, else the first in sight; none at the very top.
  const anchor = () => {
    const { scrollTop, clientHeight } = scroller;
    const at = indexOf(focusedRow()?.item?.id);
    if (at >= 0 && offsets[at + 1] > scrollTop && offsets[at] < scrollTop + clientHeight) return at;
    return scrollTop > 4 ? find(scrollTop) : -1;
  };

  // Whether a row is higher or lower than was thought.
  const measure = row => {
    const { item } = row;
    const { height } = row.getBoundingClientRect();
    const before = heights.get(item?.id);
    if (!height || !item || Math.abs((before ?? -1) - height) < 0.1) return false;
    heights.set(item.id, height);
    return true;
  };

  const observer = new ResizeObserver(entries => {
    let isChanged = false;
    for (const { target, contentRect: { width } } of entries) {
      if (target !== scroller) {
        isChanged = (target.isConnected && measure(target)) || isChanged;
      } else if (width) {
        if (knownWidth && Math.abs(width - knownWidth) > 1) heights.clear();
        knownWidth = width;
        isChanged = true;
      }
    }
    // Not within the observer: rows drawn here could not be reported in this turn.
    if (isChanged) requestAnimationFrame(() => place(items));
  });

  const draw = () => {
    if (!scroller.clientHeight && items.length) return; // closed: nothing to see, nothing to measure
    const top = scroller.scrollTop;
    const fresh = [];
    let first = find(top);
    let last = Math.min(find(top + scroller.clientHeight), items.length - 1);
    first = Math.max(0, first - overscan);
    last = Math.min(items.length - 1, last + overscan, first + mostRows - 1);
    const focusRow = focusedRow();
    for (const [id, row] of rows) {
      const at = indexOf(id);
      if (at >= 0 && ((at >= first && at <= last) || row === focusRow)) continue;
      observer.unobserve(row);
      rows.delete(id);
      row.remove();
      // The next one takes the focus of a row whose item is gone.
      if (row === focusRow) queueMicrotask(() => focus(indexOf(active)));
    }
    let next = feed.firstElementChild;
    for (let at = first; at <= last; at++) {
      while (next && indexOf(next.item?.id) < at) next = next.nextElementSibling;
      const item = items[at];
      let row = rows.get(item.id);
      const isNew = !row;
      if (row?.item !== item || !heights.has(item.id)) fresh.push(item.id);
      if (isNew) {
        row = h('div', { role: 'article' });
        rows.set(item.id, row);
      }
      if (row.item !== item) {
        render(item, row);
        row.item = item;
        rove(row);
      }
      if (isNew || (next && row !== next)) feed.insertBefore(row, next);
      if (row === next) next = next.nextElementSibling;
      if (isNew) observer.observe(row);
      const y = `translateY(${offsets[at]}px)`;
      if (row.style.transform !== y) row.style.transform = y;
      set(row, 'aria-posinset', at + 1);
      set(row, 'aria-setsize', total);
    }
    if (items.length && !rows.has(active)) activate(items[find(top)].id);
    const isOther = fresh.map(id => measure(rows.get(id))).includes(true);
    if (isOther && depth < 4) {
      depth++;
      place(items);
      depth--;
    }
    if (!depth) onChange();
  };

  const place = next => {
    const before = items;
    const offsetsBefore = offsets;
    let fixed = anchor();
    if (next !== before) {
      items = next;
      index = new Map(items.map(({ id }, at) => [id, at]));
      if (heights.size > items.length + mostRows) {
        for (const id of heights.keys()) if (!index.has(id)) heights.delete(id);
      }
      if (indexOf(active) < 0) active = items[Math.min(Math.max(0, before.findIndex(({ id }) => id === active)), items.length - 1)]?.id;
    }
    let guess = 0;
    for (const height of heights.values()) guess += height / heights.size;
    offsets = new Float64Array(items.length + 1);
    for (let at = 0; at < items.length; at++) {
      offsets[at + 1] = offsets[at] + (heights.get(items[at].id) ?? (guess || 90));
    }
    feed.style.height = `${offsets[items.length]}px`;
    while (fixed >= 0 && fixed < before.length && !index.has(before[fixed].id)) fixed++;
    const now = indexOf(before[fixed]?.id);
    if (now >= 0) {
      const by = offsets[now] - offsetsBefore[fixed];
      if (Math.abs(by) > 0.5) scroller.scrollTop += by;
    }
    draw();
  };

  /** Shows these items of `count`. What is newer than all that is shown waits while the reader is busy. */
  const show = (shown, count, isNew) => {
    all = shown;
    total = count;
    if (isNew) {
      heights.clear();
      active = null;
      scroller.scrollTop = 0;
    }
    held = isNew || !isBusy() ? 0 : Math.max(0, all.findIndex(({ id }) => index.has(id)));
    place(all.slice(held));
  };

  /** Shows those that were held back, from the top. */
  const release = () => {
    held = 0;
    place(all);
    scroller.scrollTop = 0;
    draw();
  };

  /** Draws all rows anew, for other texts or another renderer. */
  const redraw = () => {
    heights.clear();
    for (const row of rows.values()) row.item = null;
    place(items);
  };

  /** Moves the focus to an item's row, drawn or not. */
  const focus = at => {
    const target = Math.max(0, Math.min(at, items.length - 1));
    const { id } = items[target] ?? {};
    activate(id);
    const [top, bottom] = offsets.slice(target);
    scroller.scrollTop = Math.min(top, Math.max(scroller.scrollTop, bottom - scroller.clientHeight));
    draw();
    (rows.get(id) ?? scroller).focus({ preventScroll: true });
  };

  const settle = next => {
    if (held && !frame.contains(next)) queueMicrotask(() => isBusy() || release());
  };

  scroller.addEventListener('scroll', () => {
    if (held && scroller.scrollTop <= 4 && !focusedRow()) release();
    else draw();
  }, { passive: true });
  feed.addEventListener('focusin', event => activate(event.target.closest('[role=article]')?.item?.id));
  for (const leaving of ['focusout', 'pointerleave']) frame.addEventListener(leaving, event => settle(event.relatedTarget));
  observer.observe(scroller);

  return {
    get items() {
      return items;
    },
    get held() {
      return held;
    },
    show,
    release,
    redraw,
    focus,
    indexOf,
  };
};
