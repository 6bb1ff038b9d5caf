// Two recordings side by side: each in a page of its own, in a frame, and led by this one through one time.

import { chosenSpeed, startControls } from "./controls.js";
import { button, byId, h, setAttribute, setText, toast } from "./dom.js";
import { seconds } from "./format.js";
import { seek } from "./playback.js";
import { store, tell } from "./store.js";
import { relayTo } from "./stream.js";
import { startTimeline } from "./timeline.js";

const BELOW = [["log", "Messages"], ["program", "Machine"], ["side", "Facts"], ["plots", "Joints"]];
const SIDES = ["A", "B"];
const NEAR = 1e-9; // [s]
const frames = [0, 1].map((run) => h("iframe", { src: `index.html?run=${run}${location.hash}`, title: `Run ${SIDES[run]}` }));
const buttons = new Map(BELOW.map(([panel, label]) => [panel, button(label, () => showBelow(panel), { class: "toggle", data: { below: panel } })]));
let below = "log", partings = [];

/** The pages that are there already. */
const pages = () => frames.map((frame) => frame.contentWindow?.taskmatrix).filter((page) => page?.store.hello);

/** What a page is called. */
const sideOf = (page) => SIDES[frames.findIndex((frame) => frame.contentWindow === page)];

/** The pages beside a page. */
const others = (page) => frames.map((frame) => frame.contentWindow).filter((each) => each !== page && each?.taskmatrix).map((each) => each.taskmatrix);

/** Let both runs look at a time, play from where they are, or do a control step; a run that is over stands at its end. */
function lead({ type, time }) {
  if (type === "step") {
    for (const page of pages()) page.sendHere({ type });
    return true;
  }
  if (type === "play" && store.time >= store.end - NEAR) store.time = 0;
  for (const page of pages()) {
    page.sendHere({ type: "seek", time: Math.min(type === "play" ? store.time : time, page.store.end) });
    if (type === "play" && page.store.end > store.time + NEAR) page.sendHere({ type, speed: chosenSpeed() });
  }
  return true;
}

/** Show one of the panels below both scenes. */
function showBelow(panel) {
  below = panel;
  for (const [name, each] of buttons) setAttribute(each, "aria-pressed", name === panel);
  for (const frame of frames) if (frame.contentDocument?.body) frame.contentDocument.body.dataset.below = panel;
  for (const page of pages()) page.shown();
}

/** Make one state of both: the later time, the later end, and the rows of both with the side on which they are. */
function gather(changed) {
  const both = pages();
  const stores = both.map((page) => page.store);
  if (!store.hello && stores.length === 2) {
    store.hello = { controls: false, live: false };
    tell("hello");
  }
  const playing = stores.find((each) => each.playing)?.playing ?? null;
  const time = Math.max(0, ...stores.map((each) => each.time));
  const end = Math.max(0, ...stores.map((each) => each.end));
  Object.assign(store, { time, end, playing, connected: stores.length === 2 && stores.every((each) => each.connected) });
  if (changed.has("rows")) {
    store.rows = stores.flatMap((each, side) => each.rows.map((row) => [...row.slice(0, 7), SIDES[side]])).concat(partings).sort((a, b) => a[1] - b[1]);
    tell("hello", "rows");
  }
  tell("time", "status");
}

/** One line of what differs; where it has a time, that is a button that goes there. */
function line({ name, first, second, time }) {
  const head = time === null ? name : button(name, () => seek(time), { class: "go", title: `Go to ${seconds(time)}` });
  return h("tr", {}, h("th", { scope: "row" }, head), h("td", { title: first }, first), h("td", { title: second }, second));
}

async function account() {
  const response = await fetch("differences.json");
  if (!response.ok) throw new Error(`the server says ${response.status}`);
  const { names, same, summary, rows } = await response.json();
  document.title = `${names.join(" and ")} · taskmatrix`;
  setText(byId("summary"), summary);
  byId("summary").title = summary;
  byId("summary").className = same ? "same" : "";
  const head = h("tr", {}, h("td"), ...names.map((name, side) => h("th", { scope: "col", title: name }, h("b", { class: "side" }, SIDES[side]), name)));
  byId("differences").append(h("thead", {}, head), h("tbody", {}, ...rows.map(line)));
  partings = rows.filter(({ name }) => name === "they part").map(({ time, first, second }) => [0, time, 0, "parting", "", `They part: A ${first}; B ${second}`, "warning"]);
  gather(new Set(["rows"]));
}

relayTo(lead);
startTimeline();
startControls();
byId("below").append(...buttons.values());
globalThis.taskmatrix = { store, leader: { lead, showBelow, sideOf, others, chosenSpeed }, pages };
for (const frame of frames) {
  frame.addEventListener("load", () => {
    const page = frame.contentWindow.taskmatrix;
    if (!page) return toast("A page is missing: the server cannot be reached.");
    page.reads(["hello", "rows", "time", "status"], gather);
    gather(new Set(["rows"]));
    showBelow(below);
    return undefined;
  });
}
byId("halves").append(...frames);
showBelow(below);
account().catch((error) => setText(byId("summary"), `The two could not be compared: ${error.message}`));
