// Plots of joints: desired against true, with a cursor at the present time.

import { colours, keepSize, onColours, penOf, sizeOf } from "./canvas.js";
import { button, byId, h, setText, toast } from "./dom.js";
import { fixed } from "./format.js";
import { seek } from "./playback.js";
import { busiest, Series } from "./series.js";
import { select, selection } from "./selection.js";
import { reads, store } from "./store.js";
import { onMessage, send } from "./stream.js";

const MOST = 8; // joints at once
const FIRST = 3; // joints of the first plan that are chosen when nobody chose any
const series = new Series();
let chosen = [], byHand = false, asked = null, followed = false, box, empty, picker, rows = new Map();

export function startPlots() {
  box = byId("plots");
  empty = h("p", { class: "empty" }, "Choose joints to see what was asked of them and what they did.");
  box.append(empty);
  picker = h("select", { aria: { label: "Add a joint" }, on: { change: () => {
    if (picker.value) plotJoint(picker.value);
    picker.value = "";
  } } });
  byId("plots-tools").append(
    h("span", { class: "legend" }, h("i", { class: "line true" }), "true", h("i", { class: "line desired" }), "desired"),
    picker, button("Clear", () => choose([], true), { title: "Plot no joint" }));
  onMessage("series", (answer) => {
    if (Object.keys(answer.joints).join() !== chosen.join()) return;
    series.set(answer);
    draw();
  });
  onColours(draw);
  reads(["scene"], fillPicker);
  reads(["hello"], () => {
    asked = null;
    series.clear();
  });
  reads(["plan", "scene"], offer);
  reads(["pose", "time", "selection"], update);
}

function fillPicker() {
  const names = store.scene?.robot.names ?? [];
  picker.replaceChildren(h("option", { value: "" }, "Add joint…"), ...names.map((name) => h("option", { value: name }, name)));
}

/** While nobody chose joints, those that a plan moves most are plotted; of a recording that stands at its end, its last. */
function offer() {
  const samples = store.sections.plan?.samples ?? store.hello?.samples;
  if (byHand || chosen.length || !samples?.length || !store.scene) return;
  choose(busiest(samples, store.scene.robot.names, FIRST), false);
}

/** Plot one joint more, and bring it into sight. */
export function plotJoint(name) {
  if (!chosen.includes(name)) {
    if (chosen.length >= MOST) toast(`At most ${MOST} joints are plotted at once; the first one went.`);
    choose([...chosen, name].slice(-MOST), true);
  }
  rows.get(name)?.element.scrollIntoView({ block: "nearest" });
}

function choose(names, hand) {
  byHand ||= hand;
  chosen = names;
  for (const [name, { element }] of rows) if (!names.includes(name)) element.remove(), rows.delete(name);
  for (const name of names) if (!rows.has(name)) addRow(name);
  empty.hidden = names.length > 0;
  series.clear();
  for (const name of names) series.joints[name] = { q: [], commanded: [] };
  asked = null;
  update();
}

function addRow(name) {
  const canvas = h("canvas", { aria: { label: `Plot of joint ${name}` }, role: "img" });
  keepSize(canvas, draw);
  const value = h("span", { class: "plot-value" });
  const head = h("div", { class: "plot-head" },
    button(name, () => select({ names: [], joint: selection.joint === name ? null : name }), { class: "plot-name", title: "Show this joint in the scene" }), value,
    button("×", () => choose(chosen.filter((other) => other !== name), true), { class: "close", aria: { label: `Do not plot ${name}` } }));
  canvas.addEventListener("click", (event) => {
    const [from, to] = span();
    seek(from + (event.offsetX / sizeOf(canvas)[0]) * (to - from));
  });
  const element = h("div", { class: "plot", data: { joint: name } }, head, canvas);
  box.append(element);
  rows.set(name, { element, canvas, value });
}

/** [s] What the plots show: all of a recording, all that was until now of a run. */
const span = () => [0, Math.max(store.end, store.time, 0.1)];

function update() {
  const { pose } = store.sections;
  if (!chosen.length || !pose) return;
  const end = span()[1];
  const was = followed;
  followed = store.live;
  if (store.live && !was) asked = null; // what happened meanwhile is not known
  if (asked === null || (!store.live && end > asked + 1)) {
    asked = end;
    send({ type: "series", joints: chosen, from: 0, to: end });
  } else if (store.live && was) series.add(store.time, store.scene?.robot.names ?? [], pose.q, pose.commanded);
  draw();
}

function draw() {
  for (const name of chosen) drawOne(name, rows.get(name));
}

function drawOne(name, { canvas, value, element }) {
  const pen = penOf(canvas);
  if (!pen) return;
  const [width, height] = sizeOf(canvas);
  const [from, to] = span();
  const [low, high] = series.range(name);
  const x = (time) => ((time - from) / (to - from)) * width;
  const y = (position) => height - 3 - ((position - low) / (high - low)) * (height - 6);
  limits(pen, name, y, width, height);
  line(pen, series.joints[name]?.commanded ?? [], x, y, colours.desired, [4, 3]);
  line(pen, series.joints[name]?.q ?? [], x, y, colours.accent, []);
  pen.setLineDash([]);
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(x(store.time), 0);
  pen.lineTo(x(store.time), height);
  pen.stroke();
  const now = store.sections.pose?.q[store.scene?.robot.names.indexOf(name)];
  const asks = store.sections.pose?.commanded?.[store.scene?.robot.names.indexOf(name)];
  setText(value, now === undefined ? "" : `${fixed(now)}${asks === undefined ? "" : ` → ${fixed(asks)}`}   [${fixed(low)} … ${fixed(high)}]`);
  element.classList.toggle("chosen", selection.joint === name);
}

/** The joint's limits, where they are in sight. */
function limits(pen, name, y, width, height) {
  const { names = [], lower = [], upper = [] } = store.scene?.robot ?? {};
  pen.strokeStyle = colours.line;
  pen.setLineDash([]);
  pen.lineWidth = 1;
  for (const limit of [lower[names.indexOf(name)], upper[names.indexOf(name)]]) {
    if (!Number.isFinite(limit) || y(limit) < 0 || y(limit) > height) continue;
    pen.beginPath();
    pen.moveTo(0, y(limit));
    pen.lineTo(width, y(limit));
    pen.stroke();
  }
}

function line(pen, values, x, y, colour, dashes) {
  pen.strokeStyle = colour;
  pen.setLineDash(dashes);
  pen.lineWidth = 1.4;
  pen.beginPath();
  let down = false;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (value === null || value === undefined) {
      down = false;
      continue;
    }
    if (down) pen.lineTo(x(series.time[i]), y(value));
    else pen.moveTo(x(series.time[i]), y(value));
    down = true;
  }
  pen.stroke();
}
