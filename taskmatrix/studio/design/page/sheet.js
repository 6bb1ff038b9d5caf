// The sheet on which a program is drawn: its size, what of it is in sight, and a small map of all of it.

import { byId } from "./dom.js";

const LEGIBLE = 1.12; // at which the smallest letters are above 11 px: what a drawing has unless somebody zooms
const [LEAST, MOST, STEP] = [0.25, 4, 1.2];
const MAP = 170; // px, the longer side of the map
const QUIET = 4000; // ms after somebody has moved the sheet in which it does not follow a run

const sheet = byId("picture");
const map = byId("map");
const sight = byId("sight");
let drawing = null;
let size = [0, 0];
let scale = LEGIBLE;
let moved = -Infinity;

/** Show a drawing; what was in sight stays where it was. */
export function lay(svg) {
  drawing = svg;
  size = ["width", "height"].map((name) => Number(svg.getAttribute(name)) || 1);
  sheet.replaceChildren(svg);
  fit();
  const small = svg.cloneNode(true);
  for (const each of small.querySelectorAll("title, .badge, text")) each.remove();
  const shrunk = MAP / Math.max(...size);
  for (const [k, name] of [[0, "width"], [1, "height"]]) small.setAttribute(name, size[k] * shrunk);
  map.querySelector("svg")?.remove();
  map.prepend(small);
  look();
}

function fit() {
  for (const [k, name] of [[0, "width"], [1, "height"]]) drawing.setAttribute(name, size[k] * scale);
}

/** Draw larger or smaller, around a point of the window; 0: as at the beginning. */
export function zoom(factor, at) {
  if (!drawing) return;
  const before = scale;
  scale = factor ? Math.min(Math.max(scale * factor, LEAST), MOST) : LEGIBLE;
  const box = sheet.getBoundingClientRect();
  const [x, y] = at ? [at[0] - box.left, at[1] - box.top] : [box.width / 2, box.height / 2];
  const [left, top] = [(sheet.scrollLeft + x) * (scale / before) - x, (sheet.scrollTop + y) * (scale / before) - y];
  fit();
  sheet.scrollTo(left, top);
  look();
}

/** Bring a box into sight; into the middle, where it is not. */
export function bring(box, gently = false) {
  if (!box || (gently && performance.now() - moved < QUIET)) return;
  const [one, all] = [box.getBoundingClientRect(), sheet.getBoundingClientRect()];
  const inside = one.left >= all.left && one.right <= all.right && one.top >= all.top && one.bottom <= all.bottom;
  if (inside) return;
  const at = moved;
  sheet.scrollBy((one.left + one.right - all.left - all.right) / 2, (one.top + one.bottom - all.top - all.bottom) / 2);
  requestAnimationFrame(() => (moved = at)); // that was not somebody
}

/** Show the map where not all is in sight, and what of it is. */
function look() {
  const whole = [sheet.scrollWidth, sheet.scrollHeight], seen = [sheet.clientWidth, sheet.clientHeight];
  map.hidden = !drawing || (whole[0] <= seen[0] + 1 && whole[1] <= seen[1] + 1);
  if (map.hidden) return;
  const shrunk = MAP / Math.max(...size) / scale;
  const first = [sheet.scrollLeft, sheet.scrollTop];
  for (const [k, start, length] of [[0, "left", "width"], [1, "top", "height"]]) {
    sight.style[start] = `${first[k] * shrunk}px`;
    sight.style[length] = `${Math.min(seen[k] * shrunk, size[k] * shrunk * scale)}px`;
  }
}

sheet.addEventListener("scroll", look, { passive: true });
new ResizeObserver(look).observe(sheet);
for (const name of ["wheel", "pointerdown", "keydown"]) sheet.addEventListener(name, () => (moved = performance.now()), { passive: true });
sheet.addEventListener("wheel", (event) => {
  if (!event.ctrlKey) return;
  event.preventDefault();
  zoom(Math.exp(-event.deltaY / 400), [event.clientX, event.clientY]);
}, { passive: false });
map.addEventListener("pointerdown", (event) => {
  moved = performance.now();
  const box = map.getBoundingClientRect();
  const shrunk = MAP / Math.max(...size) / scale;
  sheet.scrollTo((event.clientX - box.left) / shrunk - sheet.clientWidth / 2, (event.clientY - box.top) / shrunk - sheet.clientHeight / 2);
});
for (const [id, factor] of [["larger", STEP], ["smaller", 1 / STEP], ["own-size", 0]]) byId(id).addEventListener("click", () => zoom(factor));
