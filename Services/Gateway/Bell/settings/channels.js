import { spaced } from '../view/filter.js';

const names = ['inApp', 'push', 'email'];

/** A function that makes the table of categories and channels; the types of a category unfold below it. */
export const createChannels = (bell, { check }, draw) => {
  const { h, icon } = bell.kit;
  const unfolded = new Set();

  const switchesOf = (label, choice, change) => names.map(name =>
    check(`${label}/${name}`, choice[`${name}Enabled`], on => change(`${name}Enabled`, on), { 'aria-label': `${label}: ${bell.texts.get(name)}` },
      choice.mixed?.includes(name)));

  const typeOf = ({ notificationType, typeName, inAppEnabled, pushEnabled, emailEnabled }) => {
    const choice = { notificationType, inAppEnabled, pushEnabled, emailEnabled };
    const label = spaced(typeName);
    return h('div', { class: 'choices type' }, h('span', {}, label),
      ...switchesOf(label, choice, (channel, on) => ({ preferences: [{ ...choice, [channel]: on }] })));
  };

  const categoryOf = (entry, preferences) => {
    const { category } = entry;
    const isOpen = unfolded.has(category);
    const toggle = () => {
      if (!unfolded.delete(category)) unfolded.add(category);
      draw();
    };
    return [
      h('div', { class: 'choices' },
        h('button', {
          class: 'fold flips', 'data-key': category, 'aria-expanded': `${isOpen}`, 'aria-label': bell.texts.get('showTypes', { category }), click: toggle,
        }, icon('back'), category),
        ...switchesOf(category, entry, (channel, on) => ({ categories: [{ category, [channel]: on }] }))),
      ...(isOpen ? preferences.filter(type => type.category === category) : []).map(typeOf),
    ];
  };

  return ({ categories, preferences }) => h('div', {},
    h('div', { class: 'choices columns', 'aria-hidden': 'true' }, h('span', {}), ...names.map(name => h('span', {}, bell.texts.get(name)))),
    ...categories.flatMap(entry => categoryOf(entry, preferences)));
};
