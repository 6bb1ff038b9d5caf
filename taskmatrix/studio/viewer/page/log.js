// Messages, transitions and everything else that was told, as a list: filtered by kind and text, in step with the time.

import { button, byId, h, setClass, setText } from "./dom.js";
import { facts, lastUntil, matches } from "./rows.js";
import { reads, store } from "./store.js";
import { seek } from "./playback.js";
import { VirtualList } from "./virtual.js";

const ROW = 24; // [px]
const GROUPS = [
  ["messages", "Messages", ["message", "moved"], true],
  ["transitions", "Transitions", ["transition"], true],
  ["failures", "Failures", ["failure", "blocked", "recovery", "outcome", "lost", "slip"], true],
  ["plans", "Plans", ["plan", "motion", "replan", "wait"], true],
  ["other", "Other", null, false],
];

const filter = { groups: new Set(GROUPS.filter(([, , , on]) => on).map(([name]) => name)), text: "" };
const groupOf = new Map(GROUPS.flatMap(([name, , kinds]) => (kinds ?? []).map((kind) => [kind, name])));
let list, shownRows = [], read = 0, follows = true, followButton, countText, programmatic = false;

export function startLog() {
  makeTools();
  list = new VirtualList(byId("log"), ROW, makeRow, fillRow, "Messages and transitions");
  list.box.addEventListener("wheel", () => setFollows(false), { passive: true });
  list.box.addEventListener("pointerdown", (event) => event.target === list.box && setFollows(false));
  list.box.addEventListener("keydown", (event) => /^(Page|Home|End)/.test(event.key) && setFollows(false));
  reads(["rows", "time", "hello"], update);
}

function makeTools() {
  const toggles = GROUPS.map(([name, label, , on]) =>
    button(label, (event) => {
      if (!filter.groups.delete(name)) filter.groups.add(name);
      event.currentTarget.setAttribute("aria-pressed", filter.groups.has(name));
      sift(true);
    }, { class: "toggle", aria: { pressed: String(on) }, data: { group: name } }));
  const search = h("input", { type: "search", placeholder: "Filter text", id: "log-filter", aria: { label: "Show only rows with this text" }, on: { input: (event) => {
    filter.text = event.target.value.trim().toLowerCase();
    sift(true);
  } } });
  followButton = button("Follow", () => setFollows(true), { class: "toggle", title: "Keep the present row in sight", aria: { pressed: "true" } });
  countText = h("span", { class: "count" });
  byId("log-tools").append(...toggles, search, followButton, countText);
}

function setFollows(on) {
  if (follows === on || programmatic) return;
  follows = on;
  followButton.setAttribute("aria-pressed", on);
  if (on) follow();
}

const keep = (row) => filter.groups.has(groupOf.get(row[3]) ?? "other") && matches(row, filter.text);

/** Choose the rows to show: all of them anew, or only those that came. */
function sift(anew) {
  if (anew || store.rows.length < read) {
    shownRows = [];
    read = 0;
  }
  for (; read < store.rows.length; read += 1) if (keep(store.rows[read])) shownRows.push(store.rows[read]);
  setText(countText, `${shownRows.length} of ${store.rows.length}`);
  list.setCount(shownRows.length);
  if (follows) follow();
}

function update(changed) {
  if (changed.has("hello") || changed.has("rows")) sift(changed.has("hello"));
  else if (follows) follow();
  list.draw();
}

function follow() {
  const number = lastUntil(shownRows, store.time);
  if (number >= 0) list.scrollTo(number, true);
}

function makeRow() {
  const row = h("div", { class: "log-row", tabIndex: -1 }, h("span", { class: "log-time" }), h("span", { class: "log-source" }), h("span", { class: "log-text" }));
  row.addEventListener("click", () => seek(shownRows[row.number][1]));
  return row;
}

function fillRow(row, number) {
  const item = shownRows[number];
  const { time, source, text, level, title } = facts(item);
  const [timeCell, sourceCell, textCell] = row.children;
  setText(timeCell, time);
  setText(sourceCell, source);
  setText(textCell, text);
  if (row.title !== title) row.title = title;
  setClass(row, `log-row virtual-row level-${level}${item[1] > store.time + 1e-9 ? " later" : ""}`);
}
