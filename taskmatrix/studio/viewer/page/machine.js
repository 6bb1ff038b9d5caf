// The machine as its author wrote it, with what runs lit; a click on a state says all about it.

import { button, byId, h, setAttribute } from "./dom.js";
import { openDetail } from "./detail.js";
import { trail, within } from "./format.js";
import { PanZoom, STEP } from "./panzoom.js";
import { select, selection } from "./selection.js";
import { reads, store, tell } from "./store.js";
import { drawing, lightsOver } from "./svg.js";

const LEGEND = [
  ["planning", "plans"], ["control", "runs"], ["done", "is done"], ["failed", "failed"], ["stopped", "was stopped"],
  ["final", "double: with it the machine is done"], ["optional", "dashed: it may fail"], ["given", "parameters, and where they go"], ["ends", "stops it"],
];
const PHASES = ["planning", "control", "failed", "done", "stopped"];
let box, canvas, empty, which, view, drawn = null, boxes = new Map(), lights = new Map(), looks = new Map();

/** @param {function(): boolean} visible Whether its tab is open. */
export function startMachine(parent, tools, visible) {
  canvas = h("div", { class: "drawing", tabIndex: 0, role: "group", aria: { label: "Drawing of the machine: drag to move, scroll to zoom" } });
  empty = h("div", { class: "empty" }, ...outline(null));
  const legend = h("ul", { class: "machine-legend", hidden: true }, ...LEGEND.map(([look, text]) => h("li", {}, h("i", { class: look }), text)));
  box = h("div", { class: "machine" }, canvas, empty, legend);
  parent.append(box);
  view = new PanZoom(canvas);
  canvas.addEventListener("click", (event) => choose(event));
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") view.zoom(STEP);
    else if (event.key === "-") view.zoom(1 / STEP);
    else if (event.key === "0") view.fit();
    else if (event.key === "Enter") choose(event);
  });
  which = h("select", { hidden: true, aria: { label: "Which machine" }, on: { change: () => tell("machine") } });
  tools.append(
    which,
    button("−", () => view.zoom(1 / STEP), { title: "Smaller", aria: { label: "Zoom out" } }),
    button("+", () => view.zoom(STEP), { title: "Larger", aria: { label: "Zoom in" } }),
    button("Fit", () => view.fit(), { title: "Show all of it" }),
    button("?", () => (legend.hidden = !legend.hidden), { title: "What the colours and lines mean", aria: { label: "Legend" } }),
  );
  reads(["program", "machine", "shown", "run", "selection"], update, visible);
  openDetail(box);
}

let pressedAt = null; // a drag of the drawing is no click
addEventListener("pointerdown", (event) => (pressedAt = [event.clientX, event.clientY]), { capture: true });

function choose(event) {
  const group = event.target.closest?.("[data-path]");
  const path = group?.dataset.path;
  const still = event.type !== "click" || !pressedAt || Math.hypot(event.clientX - pressedAt[0], event.clientY - pressedAt[1]) < 5;
  if (still) select({ state: path && path !== selection.state ? path : null, turn: false });
}

function update(changed) {
  const { program } = store.sections;
  if (changed.has("program")) offer(program);
  const svg = drawingsOf(program).get(which.value) ?? null;
  if (svg !== drawn || (!svg && changed.has("program"))) draw(svg);
  const { machine = {}, run = {} } = store.sections;
  const stops = new Set((run.breakpoints ?? []).filter(({ on, enabled }) => on === "state" && enabled !== false).map(({ what }) => what));
  for (const [path, element] of lights) {
    const look = lookOf(path, machine, stops);
    if (looks.get(path) === look) continue; // of 200 boxes only those that changed are touched
    looks.set(path, look);
    setAttribute(element, "class", look);
    setAttribute(boxes.get(path), "aria-label", `State ${path}: ${look || "did not run yet"}`);
  }
}

/** All drawings of a program by path: its own, and those of machines inside of other trees. */
function drawingsOf(program) {
  const own = program?.svg ? [[program.name ?? "", program.svg]] : [];
  return new Map([...own, ...Object.entries(program?.drawings ?? {}).map(([path, { svg }]) => [path, svg])]);
}

/** Let a person choose among several drawings. */
function offer(program) {
  const paths = [...drawingsOf(program).keys()];
  const kept = which.value;
  which.replaceChildren(...paths.map((path) => h("option", { value: path }, trail(path))));
  which.value = paths.includes(kept) ? kept : paths[0] ?? "";
  which.hidden = paths.length < 2;
}

function lookOf(path, machine, stops) {
  const phase = machine[path]?.phase;
  const words = [];
  if (PHASES.includes(phase)) words.push(phase);
  if (selection.state === path) words.push("chosen");
  if (stops.has(path)) words.push("stops");
  return words.join(" ");
}

function draw(text) {
  drawn = text;
  boxes = new Map();
  lights = new Map();
  looks = new Map();
  const svg = text ? drawing(text) : null;
  canvas.replaceChildren(...(svg ? [svg] : []));
  empty.hidden = Boolean(svg);
  canvas.hidden = !svg;
  if (!svg) {
    empty.replaceChildren(...outline(store.sections.program));
    return;
  }
  svg.querySelector("title")?.remove(); // or it shows as a tip wherever the pointer is
  for (const group of svg.querySelectorAll("[data-path]")) {
    if (!group.dataset.path) continue;
    boxes.set(group.dataset.path, group);
    setAttribute(group, "class", "state-box");
    setAttribute(group, "tabindex", 0);
    setAttribute(group, "role", "button");
  }
  let over;
  [over, lights] = lightsOver(svg, boxes);
  canvas.append(over);
  view.setDrawing(svg, over);
}

/** What a program without a machine is: one behavior, an activation tree, or the nodes of another tree. */
function outline(program) {
  if (!program) return ["No machine yet: it is drawn here when a behavior starts."];
  if (program.components) return [`${program.behavior} is an activation tree: see beside.`];
  if (program.outline) return [h("ul", { class: "outline" }, node(program.outline))];
  return [`${program.behavior} is a single behavior without states.`];
}

const node = ({ name, type, children = [] }) => h("li", {}, name, h("span", { class: "kind" }, type), children.length ? h("ul", {}, ...children.map(node)) : null);

/** Bring what runs, or a state, into sight. */
export function showState(path) {
  const found = boxes.get(path) ?? [...boxes].find(([other]) => within(path, other))?.[1];
  if (found && view.detail < 0.6) view.centre(found);
  select({ state: path, turn: false });
}

/** For tests and benchmarks: how many boxes there are, and which are lit. */
export const lit = () => [...looks].filter(([, look]) => look.includes("control") || look.includes("planning")).map(([path]) => path);
