/** What the settings are made of. `save` takes what a check changes. */
export const createControls = (bell, save) => {
  const { h } = bell.kit;

  const row = (label, control, hint) =>
    h('label', { class: 'line' }, h('span', {}, bell.texts.get(label), hint && h('small', {}, bell.texts.get(hint))), control);

  /** One that is mixed becomes on by a click. */
  const check = (key, isOn, change, attributes, isMixed = false) => {
    const box = h('input', { type: 'checkbox', 'data-key': key, change: () => save(change(box.checked)), ...attributes });
    box.checked = isOn && !isMixed;
    box.indeterminate = isMixed;
    return box;
  };

  return {
    row,
    check,
    section: (title, ...rows) => h('section', { 'aria-label': title || null }, title && h('div', { class: 'legend' }, title), ...rows),
    button: (key, text, run) => h('button', { part: 'action', 'data-key': key, click: run }, bell.texts.get(text)),
    toggle: (key, isOn, change, hint) => row(key, check(key, isOn, change, { role: 'switch', class: 'switch' }), hint),
  };
};
