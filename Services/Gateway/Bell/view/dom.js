// Elements without markup: a host's content security policy may forbid `innerHTML` and style attributes.

/** Sets an attribute, or a listener. A part is also a class, so that one name serves the host's style sheet and ours. */
export const set = (node, name, value) => {
  if (name === 'part') node.className = value;
  if (typeof value === 'function') node.addEventListener(name, value);
  else if (value == null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== `${value}`) node.setAttribute(name, value === true ? '' : value);
};

/** An element with attributes, listeners (functions) and children; null and false are left out. */
export const h = (tag, attributes, ...children) => {
  const node = document.createElement(tag);
  for (const name in attributes) set(node, name, attributes[name]);
  node.append(...children.filter(child => child || child === 0));
  return node;
};

/** The element with the focus, however deep in shadow trees. */
export const focused = root => {
  let node = root.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
};

const checked = (address, schemes, base) => {
  try {
    return typeof address === 'string' && schemes.test(new URL(address, base).protocol) ? address : null;
  } catch {
    return null;
  }
};

/** The address if a link may lead there: http, https or relative, never a script. */
export const safeLink = address => checked(address, /^https?:$/, document.baseURI);

/** The address if a picture may come from there: https alone, and in full. */
export const safePicture = address => checked(address, /^https:$/);
