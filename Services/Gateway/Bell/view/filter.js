// The filter beside the tabs: categories of the catalogue, the types of the chosen one, and what was put aside.

export const spaced = name => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

// Which categories there are; where the catalogue does not answer, those of the items.
const categoriesOf = async ({ core, texts }) => {
  let types;
  try {
    types = (await core.request('GET', `/catalogue?locale=${encodeURIComponent(texts.locale)}`)).types.filter(({ category }) => category);
  } catch {
    types = core.list({}).items.filter(({ category }) => category).map(({ category, typeName: name }) => ({ category, name }));
  }
  const groups = Map.groupBy(types, ({ category }) => category);
  return [...groups].map(([name, of]) => ({ name, types: [...new Set(of.map(type => type.name))] }));
};

export const createFilter = bell => {
  const { panel, host, kit: { h } } = bell;
  let categories = [];
  const node = h('select', { part: 'filter', change: () => panel.choose(panel.tab, node.value) });

  const draw = () => {
    const { texts } = bell;
    const { choice } = panel;
    const option = (value, text) => {
      const node = h('option', { value }, text);
      node.selected = value === choice;
      return node;
    };
    const group = (label, names, text) => names?.length && h('optgroup', { label }, ...names.map(name => option(name, text(name))));
    const found = categories.find(({ name, types }) => [name, ...types.map(type => `type:${type}`)].includes(choice));
    node.ariaLabel = node.title = texts.get('filter');
    node.replaceChildren(...[
      option('', texts.get('everything')),
      group(texts.get('categories'), categories.map(({ name }) => name), name => name),
      group(texts.get('types', { category: found?.name }), found?.types.map(type => `type:${type}`), name => spaced(name.slice(5))),
      group(texts.get('places'), ['archived', 'snoozed'], name => texts.get(name)),
    ].filter(Boolean));
  };

  // As soon as somebody is there.
  const load = async () => {
    if (bell.core.state !== 'connected' || categories.length) return;
    categories = await categoriesOf(bell);
    draw();
  };

  panel.bar.append(node);
  host.addEventListener('belfry-state', load);
  draw();
  load();
  return { draw };
};
