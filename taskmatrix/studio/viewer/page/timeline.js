// The time line: where we are, where something changed or failed; drag to go through time.

import { colours, keepSize, onColours, penOf, sizeOf } from "./canvas.js";
import { byId, h, setAttribute, setText } from "./dom.js";
import { seconds } from "./format.js";
import { seek } from "./playback.js";
import { reads, store } from "./store.js";

const MARKS = { transition: "mark", failure: "failure", outcome: "outcome", parting: "parting" };
const SIDES = { A: [-1, 0], B: [0, 1] }; // of two runs on one line, the first is above and the second below
const EDGE = 8; // [px] left and right of the line
let box, canvas, tip, marks = [], read = 0, drags = false;

export function startTimeline() {
  box = byId("timeline");
  canvas = h("canvas", { tabIndex: 0, role: "slider", aria: { label: "Time", valuemin: "0" } });
  tip = h("div", { class: "tip", hidden: true });
  box.append(canvas, tip);
  canvas.addEventListener("pointerdown", (event) => {
    drags = true;
    canvas.setPointerCapture(event.pointerId);
    seek(timeAt(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    if (drags) seek(timeAt(event));
    showTip(event);
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => (drags = false));
  canvas.addEventListener("pointerleave", () => (tip.hidden = true));
  keepSize(canvas, draw);
  onColours(draw);
  reads(["time", "rows", "hello"], update);
}

const length = () => Math.max(store.end, store.time, 0.1);
const room = () => sizeOf(canvas)[0] - 2 * EDGE;
const place = (time) => EDGE + (time / length()) * room();
const timeAt = (event) => (Math.min(Math.max(event.offsetX - EDGE, 0), room()) / room()) * length();

function update(changed) {
  if (changed.has("hello") || store.rows.length < read) [marks, read] = [[], 0];
  for (; read < store.rows.length; read += 1) {
    const [, time, , kind, , text, level, side] = store.rows[read];
    const look = level === "failure" ? "failure" : MARKS[kind];
    if (look && marks.length < 20000) marks.push({ time, look, text: side ? `${side}: ${text}` : text, part: SIDES[side] ?? [-1, 1] });
  }
  setAttribute(canvas, "aria-valuemax", length().toFixed(2));
  setAttribute(canvas, "aria-valuenow", store.time.toFixed(2));
  setAttribute(canvas, "aria-valuetext", seconds(store.time));
  setText(byId("clock"), `${store.time.toFixed(2)} / ${store.end.toFixed(2)} s`);
  draw();
}

function showTip(event) {
  const near = marks.filter(({ time }) => Math.abs(place(time) - event.offsetX) < 5);
  const mark = near.find(({ look }) => look === "failure") ?? near[0];
  tip.hidden = false;
  setText(tip, mark ? `${mark.time.toFixed(2)} s  ${mark.text}` : seconds(timeAt(event)));
  const half = tip.offsetWidth / 2;
  tip.style.left = `${Math.min(Math.max(event.offsetX, half), box.clientWidth - half)}px`;
}

function draw() {
  const pen = penOf(canvas);
  if (!pen) return;
  const middle = sizeOf(canvas)[1] / 2;
  pen.fillStyle = colours.line;
  pen.fillRect(EDGE, middle - 2, room(), 4);
  pen.fillStyle = colours.accent;
  pen.fillRect(EDGE, middle - 2, place(store.time) - EDGE, 4);
  drawMarks(pen, middle);
  pen.fillStyle = colours.accent;
  pen.beginPath();
  pen.arc(place(store.time), middle, 6.5, 0, 2 * Math.PI);
  pen.fill();
  pen.strokeStyle = colours.back;
  pen.lineWidth = 2;
  pen.stroke();
}

/** At most one mark a pixel, failures last so that they are on top. */
function drawMarks(pen, middle) {
  for (const wanted of ["parting", "mark", "outcome", "failure"]) {
    const before = {};
    pen.fillStyle = { mark: colours.quiet, outcome: colours.good, failure: colours.bad, parting: colours.warn }[wanted];
    for (const { time, look, part } of marks) {
      const x = Math.round(place(time));
      if (look !== wanted || x === before[part]) continue;
      before[part] = x;
      const [left, width, reach] = { mark: [0.5, 1.5, 7], parting: [1, 2, 17] }[look] ?? [1.5, 3, 10];
      pen.fillRect(x - left, middle + reach * part[0], width, reach * (part[1] - part[0]));
    }
  }
}
