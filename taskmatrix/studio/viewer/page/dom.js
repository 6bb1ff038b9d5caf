// Elements of the page. Text always goes in as text, never as HTML.

/**
 * Make an element.
 * @param {string} tag
 * @param {Object} properties `class`, `data`, `aria`, `on` (listeners); all others are properties of the element.
 * @param {...(Node|string|number|null)} children
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key === "class") element.className = value;
    else if (key === "data") Object.assign(element.dataset, value);
    else if (key === "aria") for (const [name, text] of Object.entries(value)) element.setAttribute(`aria-${name}`, text);
    else if (key === "role") element.setAttribute("role", value);
    else if (key === "list") element.setAttribute("list", value);
    else if (key === "on") for (const [name, listener] of Object.entries(value)) element.addEventListener(name, listener);
    else element[key] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined).map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/** A button that does something. */
export function button(label, press, properties = {}) {
  return h("button", { type: "button", ...properties, on: { click: press } }, label);
}

const ICONS = {
  play: "M3 2 L13 8 L3 14 Z",
  pause: "M3 2 H6.5 V14 H3 Z M9.5 2 H13 V14 H9.5 Z",
  back: "M13 2 L5 8 L13 14 Z M2 2 H4.4 V14 H2 Z",
  next: "M3 2 L11 8 L3 14 Z M11.6 2 H14 V14 H11.6 Z",
  step: "M2 2 H4.6 V14 H2 Z M6.4 2 L14 8 L6.4 14 Z",
  home: "M8 2 L15 8.4 H13 V14 H9.6 V10 H6.4 V14 H3 V8.4 H1 Z",
  picture: "M5 4 L6 2.4 H10 L11 4 H14.4 V13 H1.6 V4 Z M8 5.6 A2.9 2.9 0 1 0 8 11.4 A2.9 2.9 0 1 0 8 5.6 Z",
  film: "M1 4 H10 V12 H1 Z M11 7 L15 4.4 V11.6 L11 9 Z",
  stop: "M3 3 H13 V13 H3 Z",
  large: "M2 2 H7 V3.6 H3.6 V7 H2 Z M14 14 H9 V12.4 H12.4 V9 H14 Z",
};

/** A small drawing: its outline in a square of 16 units. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

/** Set text only where it changed: a layout costs more than a comparison. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Set a class name only where it changed. */
export function setClass(element, name) {
  if (element.className !== name) element.className = name;
}

/** Set an attribute only where it changed; null takes it off. */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/**
 * Keep the children of an element in step with a list: elements of keys that stay are kept, and only told what changed.
 * @param {Element} parent
 * @param {Array} items
 * @param {function(any): string} keyOf
 * @param {function(any): Element} make
 * @param {function(Element, any): void} update
 */
export function keyed(parent, items, keyOf, make, update) {
  const old = parent.keyedChildren ?? new Map();
  const fresh = new Map();
  let next = parent.firstChild;
  for (const item of items) {
    const key = keyOf(item);
    const element = old.get(key) ?? make(item);
    fresh.set(key, element);
    old.delete(key);
    update(element, item);
    if (element === next) next = next.nextSibling;
    else parent.insertBefore(element, next);
  }
  for (const element of old.values()) element.remove();
  parent.keyedChildren = fresh;
}

/** Let the browser save data as a file. */
export function download(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Say something for a few seconds. */
export function toast(text) {
  const element = byId("toast");
  element.textContent = text;
  element.hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => (element.hidden = true), 6000);
}
