// The filter beside the tabs: categories of the catalogue, the types of the chosen one, and what was put aside.
const freshness = 60_000;

export const spaced = name => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

const grouped = types => [...Map.groupBy(types, ({ category }) => category ?? '')].map(([name, of]) =>
  ({ name, types: [...new Set(of.map(type => type.name ?? type.typeName))] }));

// Which types there are, by category; where the catalogue does not answer, those that were known, or those of the items.
const groupsOf = async ({ core, texts }, known) => {
  try {
    return grouped((await core.request('GET', `/catalogue?locale=${encodeURIComponent(texts.locale)}`)).types);
  } catch {
    return known.length ? known : grouped(core.list({}).items);
  }
};

export const createFilter = bell => {
  const { panel, host, kit: { h, icon } } = bell;
  let groups = [];
  let loadedAt = -Infinity;
  const node = h('select', { part: 'filter', change: () => panel.choose(panel.tab, node.value) });
  // Beside tabs that need the room it is an icon.
  const box = h('div', { class: 'filter-box' }, icon('M4 6h16M7 12h10M10 18h4'), node);

  const draw = () => {
    const { texts } = bell;
    const { choice, tabs } = panel;
    const option = (value, text) => {
      const node = h('option', { value }, text);
      node.selected = value === choice;
      return node;
    };
    const group = (label, names, text) =>
      names.length > 0 && h('optgroup', { label }, ...names.map(name => option(name, text(name))));
    const byType = type => `type:${type}`;
    // A category that everything is of is no choice; its types are.
    const isOnly = groups.length === 1;
    const named = groups.filter(({ name }) => name);
    const { name: category, types } = named.find(({ name, types }) => isOnly || [name, ...types.map(byType)].includes(choice)) ?? {};
    const places = ['archived', 'snoozed'].filter(name => ![...tabs.children].some(({ dataset }) => dataset.tab === name));
    node.ariaLabel = node.title = texts.get('filter');
    node.replaceChildren(...[
      option('', texts.get('everything')),
      !isOnly && group(texts.get('categories'), named.map(({ name }) => name), name => name),
      types?.length > 1 && group(texts.get('types', { category }), types.map(byType), name => spaced(name.slice(5))),
      group(texts.get('places'), places, name => texts.get(name)),
    ].filter(Boolean));
    box.hidden = node.options.length < 2;
    box.classList.toggle('chosen', !!choice);
    // The catalogue that is in force now may lack what was chosen.
    if (node.value !== choice) panel.choose(panel.tab);
  };

  // As soon as somebody is there; again when the panel is opened, for a catalogue may be replaced.
  const load = async () => {
    if (bell.core.state !== 'connected' || Date.now() - loadedAt < freshness) return;
    loadedAt = Date.now();
    const next = await groupsOf(bell, groups);
    if (JSON.stringify(next) === JSON.stringify(groups)) return;
    groups = next;
    draw();
  };

  panel.bar.append(box);
  for (const event of ['belfry-state', 'belfry-open']) host.addEventListener(event, load);
  draw();
  load();
  return { draw };
};
