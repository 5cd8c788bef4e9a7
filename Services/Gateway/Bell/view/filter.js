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

export class Filter {
  #categories = [];

  constructor(bell) {
    const { panel, kit: { h } } = bell;
    this.bell = bell;
    this.node = h('select', { part: 'filter', change: () => panel.choose(panel.tab, this.node.value) });
    panel.bar.append(this.node);
    bell.host.addEventListener('belfry-state', () => this.#load());
    this.draw();
    this.#load();
  }

  // As soon as somebody is there.
  async #load() {
    if (this.bell.core.state !== 'connected' || this.#categories.length) return;
    this.#categories = await categoriesOf(this.bell);
    this.draw();
  }

  draw() {
    const { panel: { choice }, texts, kit: { h } } = this.bell;
    const option = (value, text) => {
      const node = h('option', { value }, text);
      node.selected = value === choice;
      return node;
    };
    const group = (label, names, text) => names?.length && h('optgroup', { label }, ...names.map(name => option(name, text(name))));
    const found = this.#categories.find(({ name, types }) => [name, ...types.map(type => `type:${type}`)].includes(choice));
    this.node.ariaLabel = this.node.title = texts.get('filter');
    this.node.replaceChildren(...[
      option('', texts.get('everything')),
      group(texts.get('categories'), this.#categories.map(({ name }) => name), name => name),
      group(texts.get('types', { category: found?.name }), found?.types.map(type => `type:${type}`), name => spaced(name.slice(5))),
      group(texts.get('places'), ['archived', 'snoozed'], name => texts.get(name)),
    ].filter(Boolean));
  }
}
