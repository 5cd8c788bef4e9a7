import { countOf, digestOf, listOf } from './digest.js';
import { h, safeLink } from './dom.js';
import { icon } from './icons.js';
import { pictureOf } from './pictures.js';

const short = (text, length) => (text.length > length ? `${text.slice(0, length)}…` : text);

/** Where an item leads: `url` or `link` in its data, if that is a link. */
export const linkOf = ({ data }) => safeLink(data?.url ?? data?.link);

/** Titles may be anything: one name for all who need one. */
export const titleOf = (item, texts) => short(item.title?.trim() || texts.get('untitled'), 300);

/**
 * What a row shows. Of `own` are the parts that the host renders: `icon`, `content`, `meta`, `actions`; null leaves one out. `row` has what
 * was there before.
 */
export const contentOf = (item, texts, lookOf, own, row) => {
  const [colour, shape] = lookOf?.(item) ?? ['', 'chime'];
  const title = titleOf(item, texts);
  const link = linkOf(item);
  const created = Date.parse(item.createdAt);
  const digest = digestOf(item);
  const { avatar, image } = item.data;
  const part = (name, ...usual) => (own[name] === undefined ? usual : [own[name]]);
  const content = own.content && h('div', { part: 'item-content' }, own.content);
  return [
    own.icon !== null && h('span', { part: `item-icon ${colour}` },
      ...part('icon', icon(shape), pictureOf(avatar, 'item-avatar', row), digest && countOf(digest, texts))),
    h('div', { class: 'words' },
      ...(own.content === undefined ? [
        h('div', { part: 'item-title' }, link ? h('a', { href: link }, title) : title),
        item.body && !digest?.isText && h('div', { part: 'item-body' }, short(item.body, 1000)),
        digest && listOf(digest, texts),
        pictureOf(image, 'item-image', row),
      ] : [content]),
      ...part('meta', h('div', { class: 'meta' },
        h('time', {
          part: 'item-time',
          dir: 'auto',
          datetime: item.createdAt,
          title: texts.date(created, { dateStyle: 'full', timeStyle: 'short' }),
        }, texts.age(created)[0]),
        item.category && ' · ', item.category && h('bdi', {}, item.category))),
      ...part('actions', item.actions?.length > 0 && h('div', { class: 'actions' }, ...item.actions.slice(0, 4).map(({ id, title }) =>
        h('button', { part: 'action', 'data-do': 'act', 'data-action': id }, short(title || id, 60)))))),
    !item.isRead && h('span', { part: 'dot' }),
    h('div', { class: 'tools' },
      h('button', { part: 'tool', 'data-do': 'more', 'aria-haspopup': 'menu', 'aria-label': texts.get('more', { title }) }, icon('more')),
      h('button', { part: 'tool remove', 'data-do': 'remove', 'aria-label': texts.get('remove', { title }) }, icon('close'))),
  ].filter(Boolean);
};
