// The server's drawing of a machine, taken into the page: only what is known to be a drawing comes in.

const NAMESPACE = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set(["svg", "g", "defs", "marker", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc"]);
const ATTRIBUTES = new Set([
  "viewBox", "width", "height", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "d", "points", "transform", "id",
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity", "font-family", "font-size",
  "font-weight", "font-style", "text-anchor", "dominant-baseline", "marker-end", "marker-start", "markerWidth", "markerHeight",
  "orient", "refX", "refY", "data-id", "data-path", "data-kind",
]);
const PREFIX = "drawing-"; // ids of the drawing cannot be those of the page

/**
 * Read a drawing.
 * @param {string} text
 * @returns {SVGSVGElement|null} Null when the text is no drawing.
 */
export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (root.localName !== "svg" || root.namespaceURI !== NAMESPACE) return null;
  return clean(root);
}

/**
 * A second drawing to lay over one: a rectangle on each of some boxes, which can change without the first being painted
 * anew, with all its arrows and texts.
 * @param {SVGSVGElement} under
 * @param {Map<string, SVGGElement>} boxes Path to group.
 * @returns {[SVGSVGElement, Map<string, SVGRectElement>]} It, and path to rectangle.
 */
export function lightsOver(under, boxes) {
  const svg = document.createElementNS(NAMESPACE, "svg");
  svg.setAttribute("class", "lights");
  svg.setAttribute("viewBox", under.getAttribute("viewBox"));
  svg.setAttribute("aria-hidden", "true");
  const lights = new Map();
  for (const [path, group] of boxes) {
    const shape = group.querySelector("rect");
    if (!shape) continue;
    const light = document.createElementNS(NAMESPACE, "rect");
    for (const name of ["x", "y", "width", "height", "rx"]) light.setAttribute(name, shape.getAttribute(name) ?? "0");
    light.dataset.state = path;
    lights.set(path, light);
    svg.append(light);
  }
  return [svg, lights];
}

/** A copy of known elements and attributes. */
function clean(element) {
  const copy = document.createElementNS(NAMESPACE, element.localName);
  for (const { name, value } of element.attributes) {
    if (!ATTRIBUTES.has(name)) continue;
    if (name === "id") copy.setAttribute(name, PREFIX + value);
    else if (value.includes("url(")) copyReference(copy, name, value);
    else copy.setAttribute(name, value);
  }
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.data);
    else if (child.nodeType === Node.ELEMENT_NODE && child.namespaceURI === NAMESPACE && ELEMENTS.has(child.localName)) copy.append(clean(child));
  }
  return copy;
}

/** A reference may only lead to an id within the drawing. */
function copyReference(copy, name, value) {
  const id = /^url\(#([\w.-]+)\)$/.exec(value)?.[1];
  if (id) copy.setAttribute(name, `url(#${PREFIX}${id})`);
}
