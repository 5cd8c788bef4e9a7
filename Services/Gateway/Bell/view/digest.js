import { h } from './dom.js';

const most = 3;
/** More than a composition has: it is somebody's own `count`. */
const mostGathered = 1e6;

/**
 * What a notification gathers that stands for several: `count` of them, the first `lines` of its `titles`, and how many `others` there are.
 * Undefined for one that stands for itself.
 */
export const digestOf = ({ body, data: { count, titles, others } }) => {
  if (!(Number.isInteger(+count) && count > 1 && count <= mostGathered && typeof titles === 'string')) return;
  const all = titles.split('\n').map(line => line.trim()).filter(Boolean);
  const lines = all.slice(0, most);
  return {
    count: +count,
    // One line may be all of the titles, as a composition has them: how many they are, only its sender knows.
    others: all.length > 1 ? Math.max(0, count - lines.length) : others <= mostGathered ? Math.floor(others) : 0,
    // A text that says it all need not be said twice.
    lines: all.length < 2 && body.includes(titles.trim()) ? [] : lines,
    isText: all.length > 1 && body.startsWith(titles.trim()),
  };
};

export const countOf = ({ count }, texts) => h('span', { part: 'item-count', role: 'img', 'aria-label': texts.get('gathered', { count }) },
  count > 99 ? `${texts.number(99)}+` : texts.number(count));

export const listOf = ({ lines, others }, texts) => lines.length > 0 && h('ul', { part: 'item-gathered' },
  ...lines.map(line => h('li', {}, line.slice(0, 300))),
  others > 0 && h('li', {}, texts.get('others', { count: others })));
