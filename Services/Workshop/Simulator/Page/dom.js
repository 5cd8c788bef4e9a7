/** Makes an element, `name.class`. Texts stay texts: nothing here parses HTML. */
export function h(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  element.classList.add(...classes);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && !key.includes("-") && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Sets a text only where it differs, so that live regions speak of changes alone. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Shows a list of items with the fewest changes: an element stays as long as its item does, with focus and open parts.
 *
 * `make` gives an item's element once; `update` is called with both each time.
 */
export class KeyedList {
  #elements = new Map();

  constructor(container, { key, make, update = () => {} }) {
    Object.assign(this, { container, key, make, update });
  }

  show(items) {
    const wanted = new Map(items.map((item) => [this.key(item), item]));
    for (const [key, element] of this.#elements) {
      if (wanted.has(key)) continue;
      element.remove();
      this.#elements.delete(key);
    }
    let place = this.container.firstElementChild;
    for (const [key, item] of wanted) {
      let element = this.#elements.get(key);
      if (!element) this.#elements.set(key, (element = this.make(item)));
      this.update(element, item);
      if (element === place) place = place.nextElementSibling;
      else this.container.insertBefore(element, place);
    }
  }

  get(key) {
    return this.#elements.get(key);
  }
}

/** Makes the end of a list fade for as long as the list goes on below what is seen of it. Returns what looks again, after a change. */
export function fading(list) {
  const look = () => list.classList.toggle("goes-on", list.scrollHeight - list.scrollTop - list.clientHeight > 8);
  list.addEventListener("scroll", look, { passive: true });
  return look;
}

const formats = new Map();

/** An instant as the reader's own clock shows it, which is the page's one clock: bells go by it, too. Or as clocks in a zone do. */
export function clock(instant, { seconds = false, zone } = {}) {
  const key = `${seconds} ${zone}`;
  if (!formats.has(key)) {
    const parts = { hour: "2-digit", minute: "2-digit", second: seconds ? "2-digit" : undefined, timeZone: zone };
    formats.set(key, new Intl.DateTimeFormat("en-GB", { ...parts, hourCycle: "h23" }));
  }
  return formats.get(key).format(new Date(instant));
}

/** "1 push", "7 pushes". */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** How many a bounded list shows: "", "1 email", "newest 15 emails". */
export function amount(number, limit, one, many) {
  if (number === 0) return "";
  return `${number === limit ? "newest " : ""}${count(number, one, many)}`;
}

/** A stretch of time as one says it: "4 s", "12 min", "8 h". */
export function span(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

/** How long something took: "< 1 ms", "21 ms", "1.2 s", "12 s", "3 min". */
export function took(milliseconds) {
  if (milliseconds < 1) return "< 1 ms";
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return span(milliseconds);
}
