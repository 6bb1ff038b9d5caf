// The machine as its author wrote it, with what runs lit; a click on a state says all about it.

import { button, byId, h, setAttribute } from "./dom.js";
import { openDetail } from "./detail.js";
import { within } from "./format.js";
import { PanZoom, STEP } from "./panzoom.js";
import { select, selection } from "./selection.js";
import { reads, store } from "./store.js";
import { drawing } from "./svg.js";

const PHASES = ["planning", "control", "failed", "done"];
let box, canvas, empty, view, drawn = null, boxes = new Map(), looks = new Map();

/** @param {function(): boolean} visible Whether its tab is open. */
export function startMachine(parent, tools, visible) {
  canvas = h("div", { class: "drawing", tabIndex: 0, aria: { label: "Drawing of the machine: drag to move, scroll to zoom" } });
  empty = h("p", { class: "empty" }, "No machine yet: it is drawn here when a behavior starts.");
  box = h("div", { class: "machine" }, canvas, empty);
  parent.append(box);
  view = new PanZoom(canvas);
  canvas.addEventListener("click", (event) => choose(event));
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") view.zoom(STEP);
    else if (event.key === "-") view.zoom(1 / STEP);
    else if (event.key === "0") view.fit();
    else if (event.key === "Enter") choose(event);
  });
  tools.append(
    button("−", () => view.zoom(1 / STEP), { title: "Smaller", aria: { label: "Zoom out" } }),
    button("+", () => view.zoom(STEP), { title: "Larger", aria: { label: "Zoom in" } }),
    button("Fit", () => view.fit(), { title: "Show all of it" }),
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

function update() {
  const svg = store.sections.program?.svg ?? null;
  if (svg !== drawn) draw(svg);
  const { machine = {}, run = {} } = store.sections;
  const stops = new Set((run.breakpoints ?? []).filter(({ on, enabled }) => on === "state" && enabled !== false).map(({ what }) => what));
  for (const [path, element] of boxes) {
    const look = lookOf(path, machine, stops);
    if (looks.get(path) === look) continue; // of 200 boxes only those that changed are touched
    looks.set(path, look);
    setAttribute(element, "class", look);
    setAttribute(element, "aria-label", `State ${path}: ${look.replace("state-box", "").trim() || "did not run yet"}`);
  }
}

function lookOf(path, machine, stops) {
  const phase = machine[path]?.phase;
  const words = ["state-box"];
  if (PHASES.includes(phase)) words.push(phase);
  if (selection.state === path) words.push("chosen");
  if (stops.has(path)) words.push("stops");
  return words.join(" ");
}

function draw(text) {
  drawn = text;
  boxes = new Map();
  looks = new Map();
  const svg = text ? drawing(text) : null;
  canvas.replaceChildren(...(svg ? [svg] : []));
  empty.hidden = Boolean(svg);
  if (!svg) {
    empty.textContent = outlineText(store.sections.program) || "No machine yet: it is drawn here when a behavior starts.";
    return;
  }
  svg.querySelector("title")?.remove(); // or it shows as a tip wherever the pointer is
  for (const group of svg.querySelectorAll("[data-path]")) {
    if (!group.dataset.path) continue;
    boxes.set(group.dataset.path, group);
    setAttribute(group, "tabindex", 0);
    setAttribute(group, "role", "button");
  }
  view.setDrawing(svg);
}

/** What a program without a machine is: one behavior, or the names of a tree. */
function outlineText(program) {
  if (!program) return "";
  if (program.components) return `${program.behavior} is an activation tree: see Tree.`;
  return `${program.behavior} is a single behavior without states.`;
}

/** Bring what runs, or a state, into sight. */
export function showState(path) {
  const found = boxes.get(path) ?? [...boxes].find(([other]) => within(path, other))?.[1];
  if (found && view.detail < 0.6) view.centre(found);
  select({ state: path, turn: false });
}

/** For tests and benchmarks: how many boxes there are, and which are lit. */
export const lit = () => [...looks].filter(([, look]) => look.includes("control") || look.includes("planning")).map(([path]) => path);
